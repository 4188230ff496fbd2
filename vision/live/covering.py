"""Whether something that is no tile lies over the board, still or not: a hand, an arm, a sleeve, a cat."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import SIZE, Lens, straight_grid
from vision.live.motion import MARGIN, PER_SQUARE, beyond
from vision.live.sight import Place
from vision.locate import board_part, to_lab
from vision.locate_pose import FLAT
from vision.locate_refine import ON_LINE, flat_grid, measure_lines
from vision.pixels import Pixels

Mask = NDArray[np.bool_]

OVER, LEAST = 0.35, 0.6
"""Squares (area) of the grid that things must cover to be over the board, and that each must have in all."""

OUT, FAR_OUT = 0.3, 0.45
"""Squares (area) of it that must lie farther out than FAR_OUT squares beyond the grid: a tile's shadow does not."""

END_OUT = 0.3
"""The same where the frame ends so near the grid that a thing cannot be seen farther out."""

THICK = 1.15
"""Half the breadth in squares of a thing that is no row of tiles, wherever it lies."""

SEEN, HIDDEN = 1.2, -1.6
"""What a stretch of the grid's lines under a thing tells: log-odds for nothing lying there of one that is seen (0.85 to
0.25, free to hidden), and of one that was seen before and is not (0.15 to 0.75)."""

FREE = 3.5
"""Log-odds that nothing lies there from which on that is believed."""

LOST = 0.25
"""Share of the lines seen before, if more than one, from which on a thing may hide some of them and shade the rest."""

_SMALL, _WIDE = np.ones((3, 3), np.uint8), np.ones((5, 5), np.uint8)


def covering(mask: Mask, valid: Mask, beside: bool = True) -> list[Mask]:
    """What of a change is no matter of tiles: the things that lie over the board, each (SIDE, SIDE).

    mask: what changed since the board lay free (`vision.live.motion.Change`); valid: what of it lies inside the frame
    beside: what lies beside the board was the same then; a camera that was moved sees the table otherwise

    Tiles are squares inside the grid, in rows; a hand comes from somewhere: it reaches over the grid's edge. Where the
    frame ends close to the grid, it reaches the frame's end.
    """
    joined = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, _WIDE)
    joined = cv2.morphologyEx(joined, cv2.MORPH_OPEN, _SMALL)
    away, far = beyond(), far_out(valid)
    square = PER_SQUARE**2
    reaching: list[Mask] = []
    thick: list[Mask] = []
    for outline in cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        part = np.zeros(mask.shape, np.uint8)
        cv2.drawContours(part, [outline], -1, 1, cv2.FILLED)
        thing = part.astype(bool) & joined.astype(bool)
        if np.count_nonzero(thing) < LEAST * square or not (thing & (away < 0)).any():
            continue
        if beside and np.count_nonzero(thing & far) >= OUT * square:
            reaching.append(thing)
        elif _breadth(thing & (away < 0.3)) > THICK:
            thick.append(thing)
    over = sum(np.count_nonzero(thing & (away < 0)) for thing in reaching)  # the fingers of a hand
    return thick + (reaching if over >= OVER * square else [])


def _breadth(thing: Mask) -> float:
    """Half the breadth of a thing where it is broadest, squares."""
    padded = np.pad(thing.astype(np.uint8), 1)
    return float(cv2.distanceTransform(padded, cv2.DIST_L2, 3).max()) / PER_SQUARE


def far_out(valid: Mask) -> Mask:
    """(SIDE, SIDE) where only things are that reach over the grid's edge."""
    away = beyond()
    inner = cv2.erode(np.pad(valid, 3, mode="edge").astype(np.uint8), np.ones((7, 7), np.uint8))[3:-3, 3:-3]
    return valid & ((away > FAR_OUT) | (inner == 0) & (away > END_OUT))


def lines_seen(pixels: Pixels, place: Place) -> Mask:
    """[axis, line 0..15, stretch 0..14] whether each stretch of the grid's lines is seen where it should be.

    Of the lines on a free board three quarters are, under a hand a quarter, by chance (`vision.locate_refine`).
    """
    lens = Lens.of_picture(place.lens_k, *place.size)
    grid = straight_grid(place.corners, lens)
    part, to_part = board_part(pixels, grid)
    flat = flat_grid(to_lab(part), to_part @ grid.matrix, FLAT, lens.after(to_part))
    lines = measure_lines(flat, FLAT, 0.5, False)
    return np.asarray((np.abs(lines.offset) < ON_LINE) & (lines.weight > 0))


def lies_there(thing: Mask, before: Mask, now: Mask, doubt: bool = True) -> bool:
    """Whether what seems to be a thing over the board is one; not when the lines of the grid are seen where it lies.

    thing: (SIDE, SIDE) where it lies; before, now: `lines_seen` when the board was looked at, and with the thing.
    A thing that lay there before and was taken away hides none, and a shadow's edge neither. Where there are too few
    lines to tell, it is taken for one.

    doubt: whether it may be one also if most lines are seen: what changed may be its shadow for the greater part
    """
    under = np.stack([_stretches(thing), _stretches(thing.T)])
    hidden = np.count_nonzero(under & before & ~now)
    odds = SEEN * np.count_nonzero(under & now) + HIDDEN * hidden
    shades = doubt and hidden > 1 and hidden >= LOST * np.count_nonzero(under & before)
    return bool(odds < FREE or shades)


def _stretches(thing: Mask) -> Mask:
    """(16, 15) which stretches of the upright lines lie under a thing."""
    first = MARGIN * PER_SQUARE
    rows = thing[first : first + SIZE * PER_SQUARE].reshape(SIZE, PER_SQUARE, -1).mean(axis=1)
    at = first + PER_SQUARE * np.arange(SIZE + 1)
    return np.asarray((rows[:, at - 1] + rows[:, at]).T / 2 > 0.6)
