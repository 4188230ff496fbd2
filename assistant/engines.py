"""Which reading engine stands behind which name."""

from __future__ import annotations

from vision.onnx_reader import OnnxReader
from vision.reading import TileReader
from vision.tesseract_reader import TesseractReader

READERS: dict[str, type[TileReader]] = {"network": OnnxReader, "tesseract": TesseractReader}


def make_reader(name: str) -> TileReader:
    """The engine of that name, ready to read."""
    return READERS[name]()
