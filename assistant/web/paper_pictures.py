"""Pictures for papers, made in the process that reads photos: every function here is a job for it."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.report.pictures import PHOTO_QUALITY, grid_in, open_again
from assistant.web.pictures import LONG_SIDE, write_jpeg
from scorer.board import Square
from scorer.errors import BrettblickError
from vision.observe import Observation
from vision.photo import LARGER_SIDE, decode, digest, photo_bytes

Array = NDArray[np.float64]

BEYOND = 35.0
"""Squares from the middle of the board after which a photo is left out where it is laid over another: what is there is
bent beyond recognition, or lies behind the horizon."""

NOTHING = (119, 119, 119)
"""Colour of what the other photo does not show."""

STILL_SIDE = 640
"""Longer side of a frame of a clip in a file that is handed on, pixels: tiles can be made out, and all 90 frames of a
clip take 2 to 3 MB."""

STILL_QUALITY = 60
"""JPEG quality of it; 75 takes a third more, and shows no more of a tile."""


@dataclass(frozen=True)
class Cut:
    """A photo as a data URI, its width and height in pixels, and the same of some of its squares."""

    source: str
    width: int
    height: int
    crops: dict[Square, str]


def shared_photo(photo: Path, seen: Observation, near: frozenset[Square]) -> Cut | None:
    """A photo for a file that is handed on, its longer side at most 1280 pixels, and squares from near by; None for one
    that cannot be decoded, or is not the one that was read."""
    opened = open_again(photo, seen)
    small = opened.small(frozenset())
    if small is None:
        return None
    crops = {square: crop for square in near if (crop := opened.crop(square)) is not None}
    return Cut(small.uri, small.width, small.height, crops)


def clip_still(frame: Path, sha256: str) -> Cut | None:
    """A frame of a clip for a file that is handed on, its longer side at most 640 pixels; None for one that is not what
    it was. PhotoError where it cannot be opened or decoded."""
    data = photo_bytes(frame)
    if digest(data) != sha256:
        return None
    pixels = decode(data, str(frame), STILL_SIDE).pixels
    height, width = pixels.shape[:2]
    factor = STILL_SIDE / max(width, height)
    if factor < 1:
        size = max(1, round(width * factor)), max(1, round(height * factor))
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    smallest = [cv2.IMWRITE_JPEG_QUALITY, STILL_QUALITY, cv2.IMWRITE_JPEG_OPTIMIZE, 1, cv2.IMWRITE_JPEG_PROGRESSIVE, 1]
    jpeg = cv2.imencode(".jpg", pixels, smallest)[1].tobytes()
    height, width = pixels.shape[:2]
    return Cut("data:image/jpeg;base64," + base64.b64encode(jpeg).decode("ascii"), width, height, {})


def laid_over(photo: Path, seen: Observation, other: Observation, copy: Path) -> None:
    """Writes a photo as it would look from where the other was taken, as far as it is in the plane of the board: their
    squares lie on each other then. It has the proportions of the other, its longer side at most 1600 pixels.

    PhotoError where the photo cannot be decoded; BrettblickError where there is a board in only one of them.
    """
    opened = decode(photo_bytes(photo), str(photo), LARGER_SIDE)
    height, width = opened.pixels.shape[:2]
    source, target, size = grid_in(seen, opened.scale, width, height), None, other.size or (0, 0)
    if other.size is not None:
        factor = min(1.0, LONG_SIDE / max(size))
        size = round(size[0] * factor), round(size[1] * factor)
        target = grid_in(other, factor, *size)
    if source is None or target is None:
        raise BrettblickError("there is no board in one of the photos", code="no-such-photo")
    pixels = np.stack(np.meshgrid(np.arange(size[0]), np.arange(size[1])), axis=-1).astype(np.float64)
    grid, lens = target
    squares = _projected(grid.inverse, pixels if lens is None else lens.straighten(pixels), grid.to_pixels(MIDDLE))
    outside = ~(np.abs(squares - MIDDLE).max(axis=-1) < BEYOND)
    squares[outside] = 0
    grid, lens = source
    straight = _projected(grid.matrix, squares, MIDDLE)
    outside |= ~np.isfinite(straight).all(axis=-1)
    straight[outside] = 0
    at = (straight if lens is None else lens.bend(straight)).astype(np.float32)
    at[outside] = -10  # not in the picture
    picture = cv2.remap(
        opened.pixels, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=NOTHING
    )
    write_jpeg(picture, copy, PHOTO_QUALITY)


MIDDLE = np.array([7.5, 7.5])
"""Of the board, grid units."""


def _projected(matrix: Array, points: Array, in_front: Array) -> Array:
    """Points (..., 2) through a 3x3 homography; NaN for those that are not on the same side of the horizon as that
    one."""

    def away(some: Array) -> Array:
        return np.asarray(some @ matrix[:, :2].T + matrix[:, 2], np.float64)

    x, y, depth = np.moveaxis(away(points) * np.sign(away(in_front)[2]), -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((depth > 0)[..., None], np.stack([x / depth, y / depth], axis=-1), np.nan)
