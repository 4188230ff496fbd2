"""Pictures of what was found, for people: the grid, the letters read, new tiles, doubtful squares."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.board import Square
from vision.errors import PhotoError
from vision.geometry import Homography
from vision.observe import Observation
from vision.pixels import Pixels
from vision.reading import EMPTY

GRID_COLOUR = (255, 200, 0)
LETTER_COLOUR = (40, 40, 230)
NEW_COLOUR = (60, 200, 60)
DOUBT_COLOUR = (0, 140, 255)
"""BGR: light blue grid, red letters, green frames of new tiles, orange doubtful squares."""


def draw_observation(seen: Observation, new: Collection[Square] = ()) -> Pixels:
    """The photo with everything found drawn on it; as large as the photo was decoded."""
    if seen.photo is None:
        raise ValueError("an observation without a photo cannot be drawn")
    canvas = seen.photo.pixels.copy()
    if seen.corners is None or seen.reading is None:
        return canvas
    homography = Homography.from_corners(seen.corners.scaled(seen.photo.scale))
    side = homography.square_side()
    thin, thick = max(1, round(side / 40)), max(2, round(side / 14))
    lattice = homography.lattice()
    for k in range(16):
        for line in (lattice[k], lattice[:, k]):
            width = thick if k in (0, 15) else thin
            cv2.polylines(canvas, [_fixed(line)], False, GRID_COLOUR, width, cv2.LINE_AA, _SHIFT)
    for square in seen.reading.doubtful:
        _frame(canvas, homography, square, DOUBT_COLOUR, thick, 0.06)
    for square in new:
        _frame(canvas, homography, square, NEW_COLOUR, thick, 0.0)
    font = cv2.FontFace("sans")
    for r, row in enumerate(seen.reading.rows):
        for c, char in enumerate(row):
            if char != EMPTY:
                x, y = homography.to_pixels(np.array([c + 0.04, r + 0.36]))
                cv2.putText(canvas, char, (int(x), int(y)), LETTER_COLOUR, font, max(8, round(side * 0.36)), 700)
    return canvas


def save(path: Path, picture: Pixels) -> None:
    """Writes a picture, making its folder; raises PhotoError when that is not possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        written = cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
    except (OSError, cv2.error):
        written = False
    if not written:
        raise PhotoError(f"{path}: cannot be written", code="cannot-write", hint="Choose another folder.", path=path)


_SHIFT = 4  # fractional bits of OpenCV's fixed-point coordinates


def _fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.round(points * (1 << _SHIFT)).astype(np.int32)


def _frame(
    canvas: Pixels,
    homography: Homography,
    square: Square,
    colour: tuple[int, int, int],
    width: int,
    inset: float,
) -> None:
    low, high = inset, 1 - inset
    outline = np.add([(low, low), (high, low), (high, high), (low, high)], (square.col, square.row))
    cv2.polylines(canvas, [_fixed(homography.to_pixels(outline))], True, colour, width, cv2.LINE_AA, _SHIFT)
