"""From located grid to a flat picture of the board, and to one crop a square."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import SIZE, Corners, Lens, straight_grid, warped
from vision.pixels import Pixels

PIXELS_PER_SQUARE = 36
CROP = 48
"""Side of a square's crop in pixels: 4/3 of a square, so that a tile top shifted by its height stays inside."""

MARGIN = (CROP - PIXELS_PER_SQUARE) // 2
SIDE = SIZE * PIXELS_PER_SQUARE + 2 * MARGIN


@dataclass(frozen=True)
class BoardImage:
    """The board seen straight from above: (SIDE, SIDE, 3) uint8 BGR, MARGIN pixels of surroundings on each side."""

    pixels: Pixels
    square_side: float
    """Median side of a square in the photo, in pixels: how much detail there really is."""

    def crops(self) -> Pixels:
        """(15, 15, CROP, CROP, 3) uint8 BGR view, one crop a square, no copy."""
        windows = np.lib.stride_tricks.sliding_window_view(self.pixels, (CROP, CROP), axis=(0, 1))
        return windows[::PIXELS_PER_SQUARE, ::PIXELS_PER_SQUARE].transpose(0, 1, 3, 4, 2)

    def turned(self, quarters: int) -> BoardImage:
        """The same picture turned so that Corners.turned(quarters) would have produced it."""
        return BoardImage(np.ascontiguousarray(np.rot90(self.pixels, quarters)), self.square_side)

    def shifted(self, right: int, down: int) -> BoardImage:
        """What a grid that lies so many pixels further right and down would show; the edge is repeated."""
        rows = np.clip(np.arange(SIDE) + down, 0, SIDE - 1)
        cols = np.clip(np.arange(SIDE) + right, 0, SIDE - 1)
        return BoardImage(self.pixels[rows[:, None], cols], self.square_side)


def rectify(pixels: Pixels, corners: Corners, lens: Lens | None = None) -> BoardImage:
    """Warps the grid given by `corners` (pixels of this picture) to the flat board.

    lens: what bends the lines between the corners (`vision.geometry.seen_corners`), None if nothing does.

    cv2.warpPerspective does not anti-alias, so a picture finer than 1.6 times the target is first shrunk by area.
    Only the board's bounding box is touched: the cost does not grow with the size of the photo.
    """
    homography = straight_grid(corners, lens)
    side = homography.square_side()
    reach = MARGIN / PIXELS_PER_SQUARE
    along = np.linspace(-reach, SIZE + reach, 7)
    edge = np.concatenate([np.stack(np.broadcast_arrays(*pair), axis=-1) for pair in _edges(along)])
    outer = homography.to_pixels(edge)
    if lens is not None:
        outer = lens.bend(outer)
    height, width = pixels.shape[:2]
    x0, y0 = np.clip(np.floor(outer.min(axis=0)).astype(int) - 2, 0, (width - 1, height - 1))
    x1, y1 = np.clip(np.ceil(outer.max(axis=0)).astype(int) + 3, (x0 + 1, y0 + 1), (width, height))
    part = pixels[y0:y1, x0:x1]
    factor = 1.0
    if side > 1.6 * PIXELS_PER_SQUARE:
        factor = PIXELS_PER_SQUARE * 1.2 / side
        part = cv2.resize(part, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    factors = np.array(part.shape[1::-1]) / (x1 - x0, y1 - y0)
    # cv2.resize maps pixel centres: x' + .5 = (x + .5) * f
    to_part = np.array(
        [[factors[0], 0, (0.5 - x0) * factors[0] - 0.5], [0, factors[1], (0.5 - y0) * factors[1] - 0.5], [0, 0, 1]]
    )
    to_grid = np.array(
        [
            [1 / PIXELS_PER_SQUARE, 0, (0.5 - MARGIN) / PIXELS_PER_SQUARE],
            [0, 1 / PIXELS_PER_SQUARE, (0.5 - MARGIN) / PIXELS_PER_SQUARE],
            [0, 0, 1],
        ]
    )
    warp = to_part @ homography.matrix @ to_grid
    return BoardImage(warped(part, warp, SIDE, lens and lens.after(to_part)), side)


def _edges(along: NDArray[np.float64]) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Columns and rows of points on the four edges of a square."""
    first, last = along[0], along[-1]
    return [(along, first), (along, last), (first, along), (last, along)]
