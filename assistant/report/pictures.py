"""Pictures for the report: the photo made smaller, crops of single squares, and where squares are in the photo."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.board import Square
from vision.depth import TOPS, view_of
from vision.errors import PhotoError
from vision.geometry import Homography, Lens, straight_grid, warped
from vision.observe import Observation
from vision.photo import LARGER_SIDE, Photo, decode, digest, photo_bytes
from vision.pixels import Pixels
from vision.rectify import MARGIN, PIXELS_PER_SQUARE

CROP_SQUARE = 96
"""Pixels of a square in its crop."""

CROP_MARGIN = 1 / 6
"""Squares of surroundings on each side of a crop."""

ENOUGH = 64
"""Pixels a square below which a photo is decoded at its full size for the crops."""

LONG_SIDE = 1280
"""Longer side of the photo on the page, in pixels."""

PHOTO_QUALITY, CROP_QUALITY = 75, 85
"""JPEG quality."""


@dataclass(frozen=True)
class Small:
    """A picture for the page.

    uri:    the JPEG as a data URI
    places: corners (4, 2) of the squares asked for, in pixels of this picture, clockwise from the top left one
    is_photo: False for the flat board in place of a photo that is not there any more
    """

    uri: str
    width: int
    height: int
    places: dict[Square, NDArray[np.float64]]
    is_photo: bool = True


@dataclass(frozen=True)
class Opened:
    """A photo decoded again, or in its place the flat board that was kept of it.

    pixels: of the one or the other, None where there is neither
    photo:  None where it is not there any more
    """

    seen: Observation
    pixels: Pixels | None
    photo: Photo | None = None

    @cached_property
    def _grid(self) -> tuple[Homography, Lens | None] | None:
        """Grid units to straight pixels of this picture, and what bends them; None where no board was found.

        Where the tiles were read on the plane of their tops it is that plane.
        """
        if self.pixels is None or self.seen.corners is None:
            return None
        if self.photo is None:
            step = float(PIXELS_PER_SQUARE)
            return Homography(np.array([[step, 0, MARGIN - 0.5], [0, step, MARGIN - 0.5], [0, 0, 1.0]])), None
        height, width = self.pixels.shape[:2]
        return grid_in(self.seen, self.photo.scale, width, height)

    def crop(self, square: Square) -> str | None:
        """One square with some of its surroundings, upright, as a data URI; None where there is no picture of it."""
        picture = self.crop_pixels(square)
        return None if picture is None else data_uri(picture, CROP_QUALITY)

    def crop_pixels(self, square: Square) -> Pixels | None:
        """The same as a picture."""
        if self.pixels is None or self._grid is None:
            return None
        grid, lens = self._grid
        finer = max(1, round(grid.square_side() / CROP_SQUARE))  # warping does not anti-alias, shrinking does
        side = round(CROP_SQUARE * (1 + 2 * CROP_MARGIN))
        step = (1 + 2 * CROP_MARGIN) / (side * finer)
        first = step / 2 - CROP_MARGIN
        to_grid = np.array([[step, 0, square.col + first], [0, step, square.row + first], [0, 0, 1]])
        picture = warped(self.pixels, grid.matrix @ to_grid, side * finer, lens)
        if finer > 1:
            picture = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
        return picture

    def small(self, squares: frozenset[Square]) -> Small | None:
        """The whole picture for the page, and where these squares are in it."""
        if self.pixels is None:
            return None
        height, width = self.pixels.shape[:2]
        factor = min(1.0, LONG_SIDE / max(width, height))
        size = round(width * factor), round(height * factor)
        picture = self.pixels if factor == 1 else cv2.resize(self.pixels, size, interpolation=cv2.INTER_AREA)
        places = {} if self._grid is None else _places(self._grid, squares, factor)
        return Small(data_uri(picture, PHOTO_QUALITY), *size, places, self.photo is not None)


Grid = tuple[Homography, Lens | None]
"""Grid units to straight pixels, and what bends them."""


def grid_in(seen: Observation, scale: float, width: int, height: int) -> Grid | None:
    """The grid in a picture of the photo, `scale` times as large; None where no board was found."""
    if seen.corners is None:
        return None
    lens = Lens.of_picture(seen.lens_k, width, height) if seen.lens_k else None
    grid = straight_grid(seen.corners.scaled(scale), lens)
    if seen.lifted and (view := view_of(grid.corners, width, height)) is not None:
        grid = Homography(view.plane(TOPS))
    return grid, lens


def _places(grid: Grid, squares: Iterable[Square], factor: float) -> dict[Square, NDArray[np.float64]]:
    places = {}
    for row, col in squares:
        corners = grid[0].to_pixels(np.add([(0, 0), (1, 0), (1, 1), (0, 1)], (col, row)).astype(np.float64))
        bent = corners if grid[1] is None else grid[1].bend(corners)
        places[Square(row, col)] = (bent + 0.5) * factor  # a pixel's middle is half a pixel from its edge
    return places


def places_in(seen: Observation, squares: Iterable[Square]) -> dict[Square, NDArray[np.float64]]:
    """Corners (4, 2) of squares in the full upright photo, pixels, clockwise from the top left one; nothing where no
    board was found."""
    grid = grid_in(seen, 1.0, *seen.size) if seen.size else None
    return {} if grid is None else _places(grid, squares, 1.0)


def open_again(path: Path, seen: Observation) -> Opened:
    """The photo of an observation, large enough for its crops.

    A file that is not there any more, or that is not the one that was read, is no evidence: then it is the flat board.
    """
    kept = Opened(seen, None if seen.board is None else seen.board.pixels)
    try:
        data = photo_bytes(path)
        if seen.digest and digest(data) != seen.digest:
            return kept
        photo = decode(data, str(path), LARGER_SIDE)
        if seen.corners is not None and photo.scale < 1:
            side = Homography.from_corners(seen.corners).square_side()
            if side * photo.scale < ENOUGH:
                photo = decode(data, str(path), max(photo.width, photo.height))
    except PhotoError:
        return kept
    return Opened(seen, photo.pixels, photo)


def data_uri(picture: Pixels, quality: int) -> str:
    """A picture as the text of a JPEG that stands in a page itself."""
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode("ascii")
