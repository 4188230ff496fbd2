"""The interface behind which the ways of finding the board stand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from vision.geometry import Corners, Lens
from vision.photo import Photo


@dataclass(frozen=True)
class Location:
    """Where the grid lies in a photo.

    corners: in pixels of `photo.pixels` (decoded size); None when the grid was not found. Which corner is the
             reading top-left is not known yet unless `oriented`. Through a lens that bends: `seen_corners`.
    quality: 0 to 1, how sure it is that this is the grid and not one shifted or elsewhere
    reason:  stable code why there is none ("no-board", "board-cut-off", ...), None when found
    warnings: stable codes of what a person should know ("grid-unsure", ...)
    lens:    what bends the grid's lines between the corners, in pixels of `photo.pixels`; None if nothing does
    """

    corners: Corners | None
    quality: float = 0.0
    reason: str | None = None
    oriented: bool = False
    warnings: tuple[str, ...] = ()
    lens: Lens | None = None


class BoardLocator(ABC):
    """Finds the 15x15 grid in a photo."""

    @abstractmethod
    def locate(self, photo: Photo) -> Location:
        """Never raises for a photo without a board: that is a Location without corners and with a reason."""


@dataclass(frozen=True)
class FixedCorners(BoardLocator):
    """Corners set by hand or by a fixed camera, in pixels of the full photo and in reading order; used as given."""

    corners: Corners

    def locate(self, photo: Photo) -> Location:
        return Location(self.corners.scaled(photo.scale), quality=1.0, oriented=True)
