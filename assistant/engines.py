"""Which reading engine stands behind which name."""

from __future__ import annotations

from vision.onnx_reader import OnnxReader
from vision.reading import TileReader
from vision.tesseract_reader import TesseractReader


def make_reader(name: str) -> TileReader:
    """The reader called "network" or "tesseract"."""
    return {"network": OnnxReader, "tesseract": TesseractReader}[name]()
