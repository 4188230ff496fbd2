"""Where the board lies in a stream: checked at its place, searched for when it is not there."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry import Homography
from vision.live.sight import Place
from vision.locate_pose import STEADY, KnownPose, moved_by
from vision.locator import BoardLocator, Location
from vision.photo import Photo
from vision.pixels import Pixels

LONGER_SIDE = 2000
"""Most pixels of the longer side of the picture in which the board is looked for, as `vision.photo` decodes photos."""


@dataclass(frozen=True)
class _Nowhere(BoardLocator):
    """Finds nothing: what is found beside it was found near its place."""

    def locate(self, photo: Photo) -> Location:
        return Location(None, reason="no-board")


def checked(pixels: Pixels, place: Place) -> Place | None:
    """The board at its place or near it (some 15 ms); None when it is not there, or not to be seen for a hand."""
    found = _found(_known(place, _Nowhere()), pixels)
    return None if found is None else _moved(place, found)


def searched(pixels: Pixels, place: Place | None, locator: BoardLocator) -> Place | None:
    """The board wherever it is in the frame; None without one.

    place: where it was, for which corner is the first; of that KnownPose takes the nearest
    """
    found = _found(locator if place is None else _known(place, locator), pixels)
    return found if found is None or place is None else _moved(place, found)


def _moved(before: Place, found: Place) -> Place:
    """The place found; the one before, to the pixel, where the board did not move from there."""
    return before if distance(before, found) <= STEADY else found


def _known(place: Place, otherwise: BoardLocator) -> KnownPose:
    return KnownPose(place.corners, place.size, otherwise, place.lens_k, place.oriented)


def _found(locator: BoardLocator, pixels: Pixels) -> Place | None:
    height, width = pixels.shape[:2]
    factor = -(-max(width, height) // LONGER_SIDE)
    if factor > 1:
        pixels = cv2.resize(pixels, (width // factor, height // factor), interpolation=cv2.INTER_AREA)
    photo = Photo("frame", pixels, width, height)
    location = locator.locate(photo)
    if location.corners is None:
        return None
    # a board in its place has no lens in its location when the known one does not bend
    bend = location.lens.k if location.lens is not None else 0.0
    corners = location.corners.scaled(1 / photo.scale)
    return Place(corners, (width, height), bend, location.oriented)


def distance(before: Place, after: Place) -> float:
    """Largest move of a corner, squares of the first place; both in frames of the same size."""
    return moved_by(*(Homography.from_corners(place.corners).matrix for place in (before, after)))


def fitting(place: Place, size: tuple[int, int]) -> Place | None:
    """The place in frames of another size of the same shape; None for another shape."""
    if place.size == size:
        return place
    (width, height), (wide, high) = place.size, size
    if abs(wide * height / (high * width) - 1) > 0.003:
        return None
    points = np.asarray(place.corners.array) * (wide / width)
    return Place(type(place.corners).of(points), size, place.lens_k, place.oriented)
