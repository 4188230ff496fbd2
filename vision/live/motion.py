"""The board small and flat, and what changed between two such pictures whatever the light and the camera's shaking did.

A frame is shrunk, and the board with its surroundings is taken from it as a small square picture, a *patch*: always the
same squares at the same pixels, so that patches can be compared also after the camera was moved.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import SIZE, Lens, straight_grid
from vision.live.sight import Place
from vision.pixels import Pixels

Floats = NDArray[np.float32]

PER_SQUARE = 8
"""Pixels a square in a patch."""

MARGIN = 2
"""Squares of surroundings on each side of a patch."""

COUNT = SIZE + 2 * MARGIN
SIDE = COUNT * PER_SQUARE

LONGER_SIDE = 480
"""Most pixels of the longer side of a shrunk frame."""

LEAST_STEP, NOISES = 9.0, 4.0
"""Levels by which a pixel must leave the range of its neighbours to have changed; besides, so many sigma of noise."""

MOST_NOISE = 8.0
"""Levels (sigma) of noise that are believed."""

LEAST_GAIN, MOST_GAIN = 0.2, 5.0
"""What the light may change by."""

FOLLOWED = 8.0
"""Pixels of the shrunk frame that a shaking camera is followed."""


def shrunk(pixels: Pixels) -> Pixels:
    """The frame halved until its longer side is LONGER_SIDE at most. Halving is the cheapest way of shrinking by area:
    OpenCV's linear interpolation is then the mean of four pixels, and vectorised."""
    height, width = pixels.shape[:2]
    small = small_size(width, height)
    while (width, height) != small:
        width, height = width // 2, height // 2
        pixels = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_LINEAR)
    return pixels


def small_size(width: int, height: int) -> tuple[int, int]:
    """Width and height of a shrunk frame."""
    while max(width, height) > LONGER_SIDE and min(width, height) >= 2:
        width, height = width // 2, height // 2
    return width, height


class Window:
    """Takes patches from the shrunk frames of one place of the board.

    valid: (SIDE, SIDE) bool, what of a patch lies inside the frame; beyond, its edge is repeated
    """

    def __init__(self, place: Place) -> None:
        width, height = place.size
        small = small_size(width, height)
        lens = Lens.of_picture(place.lens_k, width, height)
        grid = straight_grid(place.corners, lens)
        at = (np.arange(SIDE) + 0.5) / PER_SQUARE - MARGIN
        points = grid.to_pixels(np.stack(np.meshgrid(at, at), axis=-1))
        points = lens.bend(points) if lens.k else points
        factor = np.array(small) / place.size
        maps = (points + 0.5) * factor - 0.5
        self._maps = np.ascontiguousarray(np.moveaxis(maps, -1, 0), np.float32)
        self.valid = np.asarray(((maps >= -0.5) & (maps <= np.array(small) - 0.5)).all(axis=-1))
        middle = SIDE // 2
        right, down = maps[middle, middle + 1] - maps[middle, middle], maps[middle + 1, middle] - maps[middle, middle]
        self.jacobian = np.stack([right, down], axis=-1)
        """2x2, pixels of the shrunk frame for a pixel of a patch, in the middle of the board."""
        self.squares = np.linalg.inv(self.jacobian) / PER_SQUARE
        """2x2, squares for a pixel of the shrunk frame."""

    def take(self, small: Pixels, offset: NDArray[np.floating]) -> Pixels:
        """(SIDE, SIDE, 3) uint8 BGR; offset: by how much the frame is known to be shifted, pixels of the shrunk one."""
        x, y = self._maps + np.asarray(offset, np.float32)[:, None, None]
        return cv2.remap(small, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


@dataclass(frozen=True)
class Change:
    """What differs between two patches, the light apart.

    mask:  (SIDE, SIDE) bool, only where both are inside the frame
    shift: pixels of a patch (right, down) by which what did not change lies further in the second
    noise: sigma of what did not change, levels
    """

    mask: NDArray[np.bool_]
    shift: NDArray[np.float64]
    noise: float

    @property
    def share(self) -> float:
        """Of the board's squares and what lies between them, how much changed."""
        return float(self.mask[BOARD].mean())

    def moved(self) -> bool:
        """Whether something over the board changed that is larger than noise: a fingertip, or lines everywhere."""
        zone = self.mask[ZONE].astype(np.uint8)
        if not zone.any():
            return False
        return bool(zone.mean() > LINES_MOVED or cv2.boxFilter(zone, cv2.CV_32F, (DENSE, DENSE)).max() > 0.7)


def _inner(reach: float) -> tuple[slice, slice]:
    """The part of a patch that reaches so many squares beyond the grid."""
    cut = round((MARGIN - reach) * PER_SQUARE)
    return np.s_[cut : SIDE - cut, cut : SIDE - cut]


BOARD = _inner(0)
ZONE = _inner(0.25)
"""Where something that moves is over the board: tiles stand out beyond the grid a little."""

DENSE = 5
"""Side in pixels of a patch, of the smallest thing that counts as moved."""

LINES_MOVED = 0.05
"""Share of changed pixels above which the camera moved, however thin the lines are that changed."""

_NEAR = np.ones((3, 3), np.uint8)


def compare(before: Pixels, after: Pixels, valid: NDArray[np.bool_], noise: float, fine: bool = False) -> Change:
    """What changed between two patches.

    fine: the light's field may change over a square already; what is left then has edges

    The light of the second is that of the first times a field that is even over several squares (`_light`). A pixel
    changed that lies outside the range of levels which the other patch shows within a pixel around: so a camera that
    shakes by less than that changes nothing. The shift of what did not change is one step of Lucas and Kanade (1981).
    """
    lit = _lit(before, after)
    lit = _lit_finely(lit, after) if fine else lit
    step = LEAST_STEP + NOISES * min(noise, MOST_NOISE)
    mask = (_outside(lit, after, step) | _outside(after, lit, step)) & valid
    one, other = (patch[..., 1].astype(np.float32) for patch in (lit, after))
    rest = valid & ~cv2.dilate(mask.view(np.uint8), _NEAR).view(bool)
    rest[0], rest[-1], rest[:, 0], rest[:, -1] = False, False, False, False
    shift, sigma = np.zeros(2), noise
    if np.count_nonzero(rest) > SIDE * SIDE // 8:
        difference = (other - one)[rest]
        right = (cv2.Sobel(one, cv2.CV_32F, 1, 0, ksize=1) / 2)[rest]
        down = (cv2.Sobel(one, cv2.CV_32F, 0, 1, ksize=1) / 2)[rest]
        slopes = np.array([[right @ right, right @ down], [right @ down, down @ down]], np.float64)
        wanted = np.array([right @ difference, down @ difference], np.float64)
        shift = np.clip(np.linalg.solve(slopes + np.eye(2), -wanted), -1.0, 1.0)
        sigma = float(np.median(np.abs(difference[::4]))) * 1.4826
    return Change(mask, shift, sigma)


def _outside(of: Pixels, patch: Pixels, step: float) -> NDArray[np.bool_]:
    """Pixels of the patch outside the range of levels of the other one around them, by more than a step."""
    least, most = cv2.erode(of, _NEAR), cv2.dilate(of, _NEAR)
    beyond = cv2.max(cv2.subtract(patch, most), cv2.subtract(least, patch))
    return brightest(beyond) > step


def brightest(pixels: Pixels) -> Pixels:
    """(h, w) the largest of the three channels of each pixel."""
    blue, green, red = cv2.split(pixels)
    return cv2.max(cv2.max(blue, green), red)


def _lit(before: Pixels, after: Pixels) -> Pixels:
    """The first patch in the light of the second.

    For each square and channel the ratio of their means; then its median over 5x5 squares, since tiles laid in a row
    and fingers fill less than half of that, while a soft shadow's slope is its own median.
    """
    ratio = np.log((_means(after) + 6) / (_means(before) + 6))
    field = np.clip(np.exp(cv2.medianBlur(ratio, 5)), LEAST_GAIN, MOST_GAIN)
    if field.min() > 0.99 and field.max() < 1.01:
        return before
    wide = cv2.resize(field, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
    return cv2.multiply(before, wide, dtype=cv2.CV_8U)


def _lit_finely(before: Pixels, after: Pixels) -> Pixels:
    """The first patch with the same means over two squares as the second."""
    side = 2 * PER_SQUARE + 1
    one, other = (cv2.blur(patch.astype(np.float32), (side, side)) for patch in (before, after))
    return cv2.multiply(before, np.clip((other + 6) / (one + 6), LEAST_GAIN, MOST_GAIN), dtype=cv2.CV_8U)


def _means(patch: Pixels) -> Floats:
    return cv2.resize(patch, (COUNT, COUNT), interpolation=cv2.INTER_AREA).astype(np.float32)


@lru_cache(maxsize=1)
def beyond() -> Floats:
    """(SIDE, SIDE) how many squares a pixel of a patch lies beyond the grid; negative inside."""
    at = (np.arange(SIDE) + 0.5) / PER_SQUARE - MARGIN
    out = np.maximum(-at, at - SIZE)
    return np.maximum(out[:, None], out[None]).astype(np.float32)
