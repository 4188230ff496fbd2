"""Whether something that is no tile lies over the board, still or not: a hand, an arm, a sleeve, a cat."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.motion import MARGIN, PER_SQUARE, Window, beyond
from vision.pixels import Pixels

OVER = 0.6
"""Squares that a thing must cover to be over the board."""

OUT, FAR_OUT = 0.3, 0.45
"""Squares (area) of it that must lie farther out than FAR_OUT squares beyond the grid: a tile's shadow does not."""

THICK = 1.15
"""Half the breadth in squares of a thing that is no row of tiles, wherever it lies."""

ROOM = 0.15
"""What reaches the edge of a frame that ends so near the grid, in squares beyond FAR_OUT, goes on beyond it."""


def covers(mask: NDArray[np.bool_], valid: NDArray[np.bool_]) -> bool:
    """Whether what changed since the board lay free is no matter of tiles.

    mask: (SIDE, SIDE) what changed (`vision.live.motion.Change`); valid: what of it lies inside the frame

    Tiles are squares inside the grid, in rows; a hand comes from somewhere: it reaches over the grid's edge. Where the
    frame ends close to the grid, it reaches the frame's end.
    """
    joined = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    joined = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    if not joined.any():
        return False
    square = PER_SQUARE**2
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    away = beyond()
    far = far_out(valid)
    for k in range(1, count):
        if stats[k, cv2.CC_STAT_AREA] < OVER * square:
            continue
        part = labels == k
        over = int(np.count_nonzero(part & (away < 0)))
        if over < OVER * square:
            continue
        if np.count_nonzero(part & far) >= OUT * square:
            return True
        inner = cv2.distanceTransform(np.pad((part & (away < 0.3)).astype(np.uint8), 1), cv2.DIST_L2, 3)
        if inner.max() > THICK * PER_SQUARE:
            return True
    return False


def far_out(valid: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(SIDE, SIDE) where only things are that reach over the grid's edge."""
    away = beyond()
    end = (
        valid & (cv2.erode(np.pad(valid, 3, mode="edge").astype(np.uint8), np.ones((7, 7), np.uint8)) == 0)[3:-3, 3:-3]
    )
    return valid & (away > FAR_OUT) | end & (away > FAR_OUT - ROOM - 0.15)


def margin(window: Window) -> NDArray[np.bool_]:
    """(SIDE, SIDE) the surroundings of the board in a patch, as far as they are in the frame."""
    return window.valid & (beyond() > 0.25) & (beyond() < MARGIN)


def went(before: Pixels, after: Pixels, mask: NDArray[np.bool_]) -> bool:
    """Whether what changed rather went away than came: its outline is seen in the first picture, not in the second.

    After Cucchiara et al. 2003 (IEEE PAMI 25:10), who tell ghosts of things that had lain in the background from
    objects by it.
    """
    joined = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    joined = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    outline = cv2.morphologyEx(joined, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).astype(bool)
    if not outline.any():
        return False
    first, second = (float(_slope(patch)[outline].mean()) for patch in (before, after))
    return first > WENT * second


WENT = 1.4
"""By how much the outline must be clearer in the picture in which the thing lay."""


def _slope(patch: Pixels) -> NDArray[np.float32]:
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)), np.float32)
