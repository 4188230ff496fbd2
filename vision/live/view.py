"""How good a camera's view of the board is: for setting it up.

Codes of the items, their values and units:
in-view        least distance of a corner of the grid from the edge of the frame, squares; negative: outside
square-pixels  side of a square, pixels; where the board is farthest away
sharp          blur beyond that of few pixels, sigma in squares; small is good
bright         grey level of the brightest 2 % of the board
burnt-out      share of the board that is white all over; small is good
tilt           side of the smallest square over that of the largest, 1 seen straight from above
steady         how far the picture shakes, squares; small is good
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import GRID, SIZE, Corners, Homography, Lens
from vision.live.sight import Place, ViewAdvice, ViewItem
from vision.pixels import Pixels
from vision.quality import BURNT, blur
from vision.rectify import rectify

CODES = ("in-view", "square-pixels", "sharp", "bright", "burnt-out", "tilt", "steady")

USELESS, ENOUGH, IDEAL = 0, 1, 2
LEVELS: dict[str, tuple[float, float, float]] = {
    "in-view": (-0.5, 0.1, 0.5),
    "square-pixels": (10, 20, 36),
    "sharp": (0.09, 0.05, 0.03),
    "bright": (40, 90, 150),
    "burnt-out": (0.2, 0.03, 0.002),
    "tilt": (0.3, 0.55, 0.75),
    "steady": (0.5, 0.2, 0.05),
}
"""For each code the value that is useless, the one that is just good enough, and from which on it is ideal."""


def assess_view(pixels: Pixels, place: Place | Corners | None, shaking: float | None = None) -> ViewAdvice:
    """What is good and bad of a frame, the worst first.

    place: where the grid lies; None when no board was found: only the brightness of the frame is told then, and that
    nothing is in view
    shaking: how far the picture shakes, squares, where known
    """
    if place is None:
        grey = cv2.cvtColor(pixels[::4, ::4], cv2.COLOR_BGR2GRAY)
        return _advice({"in-view": -SIZE / 2, "bright": float(np.percentile(grey, 98))})
    height, width = pixels.shape[:2]
    corners, bend = (place, 0.0) if isinstance(place, Corners) else (place.corners, place.lens_k)
    lens = Lens.of_picture(bend, width, height) if bend else None
    grid = Homography.from_corners(corners)
    lattice = grid.lattice()
    across, down = (np.linalg.norm(np.diff(lattice, axis=axis), axis=-1) for axis in (1, 0))
    sides = np.sqrt((across[:-1] + across[1:]) / 2 * (down[:, :-1] + down[:, 1:]) / 2)
    board = rectify(pixels, corners, lens)
    grey = cv2.cvtColor(board.pixels, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(board.pixels, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    white = small.min(axis=-1) >= BURNT
    values = {
        "in-view": _room(grid, width, height),
        "square-pixels": float(sides.min()),
        "sharp": blur(board),
        "bright": float(np.percentile(grey[::2, ::2], 98)),
        "burnt-out": float(white.mean()),
        "tilt": _shape(sides, across, down),
    }
    return _advice(values if shaking is None else values | {"steady": shaking})


def _room(grid: Homography, width: int, height: int) -> float:
    """Least distance of a corner from the edge of the frame, in sides of the squares at that corner."""
    corners = grid.to_pixels(GRID)
    inward = GRID + np.sign(SIZE / 2 - GRID)
    side = np.linalg.norm(grid.to_pixels(inward) - corners, axis=-1) / np.sqrt(2)
    room = np.minimum(corners, np.array([width, height]) - 1 - corners).min(axis=-1)
    return float((room / side).min())


def _shape(sides: np.ndarray, across: np.ndarray, down: np.ndarray) -> float:
    """How much the view is slanted: the smallest square over the largest, or the short side of squares over the long
    one where that is less (a long focal length shows no vanishing point). Boards are a tenth out of square."""
    flat = float(np.median(across) / np.median(down))
    return float(min(sides.min() / sides.max(), min(flat, 1 / flat) * 1.1, 1.0))


def _advice(values: dict[str, float]) -> ViewAdvice:
    items = []
    for code, value in values.items():
        useless, enough, ideal = LEVELS[code]
        sign = 1 if ideal > useless else -1
        share = float(np.interp(sign * value, (sign * useless, sign * ideal), (0, 1)))
        items.append(ViewItem(code, round(value, 4), ideal, share, sign * value >= sign * enough))
    return ViewAdvice(tuple(sorted(items, key=lambda item: (item.ok, item.share))))
