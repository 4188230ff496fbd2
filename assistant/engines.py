"""Which reading engine stands behind which name, and what was learnt of the user's tiles laid over it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from calibration.tiles import TileProfileError, fingerprint, load_profile
from vision.adapt import AdaptedReader, AdaptedReading
from vision.observe import Observation
from vision.onnx_reader import OnnxReader
from vision.reading import TileReader
from vision.tesseract_reader import TesseractReader

READERS: dict[str, type[TileReader]] = {"network": OnnxReader, "tesseract": TesseractReader}


def make_reader(name: str, profile: Path | None = None, tile_set: str = "german") -> TileReader:
    """The engine of that name, ready to read; `profile` is a file of `brettblick calibrate tiles`.

    TileProfileError for a profile that cannot be used, with this engine or at all.
    """
    reader = READERS[name]()
    if profile is None:
        return reader
    if not isinstance(reader, OnnxReader):
        raise TileProfileError(f"a profile of tiles is of no use to {name}", code="tile-profile-reader", reader=name)
    learnt = load_profile(profile, fingerprint(reader.model), tile_set).prototypes
    if learnt.classes != reader.classes:
        raise TileProfileError(f"{profile}: of other classes", path=profile, why="of other classes")
    return AdaptedReader(reader, learnt)


def with_fit(seen: Observation) -> Observation:
    """The observation with a warning when the profile is of other tiles than those on the photo."""
    misfit = isinstance(seen.reading, AdaptedReading) and seen.reading.misfit
    return replace(seen, warnings=(*seen.warnings, "profile-misfit")) if misfit else seen
