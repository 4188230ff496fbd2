"""Which reading engine stands behind which name, and what was learnt of the user's tiles laid over it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from calibration.camera import CameraProfile, load_camera
from calibration.corners_file import load_corners
from calibration.edition import BoardEdition, edition_differs
from calibration.tiles import TileProfileError, fingerprint, load_profile
from vision.adapt import AdaptedReader, AdaptedReading
from vision.board_net import BoardNet
from vision.geometry import Corners
from vision.locate_learned import LearnedLocator
from vision.locate_pose import KnownPose
from vision.locate_tap import TappedCorners
from vision.locator import BoardLocator, FixedCorners
from vision.markers import MarkerLocator
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


@dataclass(frozen=True)
class Finder:
    """How the board is found in each photo.

    corners: set by hand, by file name; refine: these are rough taps that snap to the grid
    camera:  of a camera that stands still; markers: cards lie at the corners of the board
    """

    corners: Mapping[str, Corners] = field(default_factory=dict)
    refine: bool = False
    camera: CameraProfile | None = None
    markers: bool = False
    net: BoardNet = field(default_factory=BoardNet)

    @classmethod
    def of(
        cls,
        corners: str | Path | None = None,
        refine: bool = False,
        camera: str | Path | None = None,
        markers: bool = False,
    ) -> Finder:
        """From the files named; their own errors for a file that cannot be used."""
        return cls(load_corners(corners) if corners else {}, refine, load_camera(camera) if camera else None, markers)

    def locator(self, photo: str | Path) -> BoardLocator:
        """What finds the board in this photo: corners set by hand before cards, cards before the known place."""
        by_hand = self.corners.get(Path(photo).name)
        if by_hand is not None:
            return TappedCorners(by_hand, self.net) if self.refine else FixedCorners(by_hand)
        locator: BoardLocator = LearnedLocator(self.net)
        if self.camera is not None:
            known = self.camera
            locator = KnownPose(known.corners, known.size, locator, known.lens_k)
        return MarkerLocator(otherwise=locator) if self.markers else locator

    def checked(self, seen: Observation) -> Observation:
        """The observation with a warning when the board is another than that of the camera's profile."""
        if self.camera is None or seen.reading is None or seen.photo is None or seen.corners is None:
            return seen
        corners = seen.corners.scaled(seen.photo.scale)
        edition = BoardEdition.seen(seen.photo.pixels, corners, seen.reading.rows)
        differs = edition_differs(self.camera.edition, edition)
        return replace(seen, warnings=(*seen.warnings, "edition-differs")) if differs else seen


def with_fit(seen: Observation) -> Observation:
    """The observation with a warning when the profile is of other tiles than those on the photo."""
    misfit = isinstance(seen.reading, AdaptedReading) and seen.reading.misfit
    return replace(seen, warnings=(*seen.warnings, "profile-misfit")) if misfit else seen
