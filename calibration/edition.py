"""Which board it is: the colours of its five kinds of square, compared as they would look in one light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.board import STANDARD, Premium, Square
from vision.geometry import SIZE, Corners, Homography
from vision.pixels import Pixels
from vision.reading import EMPTY

KINDS = tuple(Premium)
"""Plain squares first."""

FEWEST = 2
"""Empty squares of a kind without which nothing is said of its colour."""

FEWEST_KINDS = 4
"""Kinds that two boards must both show to be compared."""

OTHER_BOARD = 0.08
"""Difference above which it is another board. The same rendered board in two random lights: 99 of 100 pairs below
0.072; two random boards: 88 of 100 above. Real photos of a fixed rig: 0.022 at most. Boards of one colour scheme in
other shades are not told apart (German and US boards with a pale ground: 0.01 to 0.07)."""

DARKEST = 0.01
"""Least linear light, 0 to 1: what is darker is noise."""

LIGHTNESS = 0.5
"""How much a difference of L* counts beside one of a* or b*: shadows and exposure change it most."""

_KIND_OF = np.array([[KINDS.index(STANDARD.premium(Square(r, c))) for c in range(SIZE)] for r in range(SIZE)])


@dataclass(frozen=True)
class BoardEdition:
    """Median colour of each kind of square (`KINDS`), CIE L*a*b* (D65); None where too few were seen empty."""

    colours: tuple[tuple[float, float, float] | None, ...]

    @classmethod
    def seen(cls, pixels: Pixels, corners: Corners, rows: Sequence[str]) -> BoardEdition:
        """From a photo: of the squares read as empty. corners: reading order, in these pixels; rows: the reading.

        A lens's bend, a few hundredths of a square, does not matter to the middles of squares.
        """
        inside = (np.arange(5) + 0.5) / 5 * 0.6 + 0.2
        row, col, down, right = np.meshgrid(np.arange(SIZE), np.arange(SIZE), inside, inside, indexing="ij")
        points = np.stack([col + right, row + down], axis=-1).reshape(SIZE, SIZE, -1, 2)
        where = Homography.from_corners(corners).to_pixels(points)
        x, y = (np.clip(np.rint(where[..., k]).astype(int), 0, pixels.shape[1 - k] - 1) for k in (0, 1))
        squares = np.median(_to_lab(pixels[y, x].astype(np.float32) / 255), axis=2)
        empty = np.array([[char == EMPTY for char in line] for line in rows])
        shown = [squares[empty & (kind == _KIND_OF)] for kind in range(len(KINDS))]
        medians = [np.median(some, axis=0) if len(some) >= FEWEST else None for some in shown]
        return cls(tuple(None if m is None else (float(m[0]), float(m[1]), float(m[2])) for m in medians))

    @classmethod
    def of_several(cls, editions: Sequence[BoardEdition]) -> BoardEdition:
        """The median of what several photos show, kind by kind; nothing is known of none."""
        colours: list[tuple[float, float, float] | None] = []
        for kind in range(len(KINDS)):
            known = [colour for one in editions if (colour := one.colours[kind]) is not None]
            middle = np.median(known, axis=0) if known else None
            colours.append(None if middle is None else (float(middle[0]), float(middle[1]), float(middle[2])))
        return cls(tuple(colours))


def edition_difference(one: BoardEdition, other: BoardEdition) -> float | None:
    """One minus the correlation of the two patterns of colour in one light, 0 to 2; None when too few kinds are known.

    Another light multiplies each of red, green and blue, to first order (von Kries 1902; Wandell, Foundations of
    Vision, ch. 9): the second board is relit so that both add up to the same colour. A paler picture is no other board,
    so that the differences between the kinds are compared in proportion.
    """
    pairs = [(a, b) for a, b in zip(one.colours, other.colours, strict=True) if a is not None and b is not None]
    if len(pairs) < FEWEST_KINDS:
        return None
    first, second = (np.array(side, np.float64) for side in zip(*pairs, strict=True))
    light, relit = _linear(first), _linear(second)
    second = _lab_of_linear(np.clip(relit * light.sum(axis=0) / relit.sum(axis=0), 0, 1))
    first, second = ((side - side.mean(axis=0)) * (LIGHTNESS, 1, 1) for side in (first, second))
    size = np.sqrt((first**2).sum() * (second**2).sum())
    return float(1 - (first * second).sum() / max(size, 1e-9))


def edition_differs(one: BoardEdition, other: BoardEdition) -> bool:
    """Whether these are surely the colours of two boards; False where too little is seen to say."""
    difference = edition_difference(one, other)
    return difference is not None and difference > OTHER_BOARD


def _to_lab(bgr: NDArray[np.float32]) -> NDArray[np.float64]:
    """(..., 3) sRGB, 0 to 1, to CIE L*a*b*."""
    flat = np.ascontiguousarray(bgr, np.float32).reshape(1, -1, 3)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2LAB), np.float64).reshape(bgr.shape)


def _linear(lab: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 3) CIE L*a*b* to linear blue, green, red, at least DARKEST (IEC 61966-2-1)."""
    bgr = cv2.cvtColor(lab.astype(np.float32)[None], cv2.COLOR_LAB2BGR)[0].astype(np.float64)
    return np.maximum(np.where(bgr <= 0.04045, bgr / 12.92, ((np.maximum(bgr, 0) + 0.055) / 1.055) ** 2.4), DARKEST)


def _lab_of_linear(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    bgr = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return _to_lab(bgr.astype(np.float32))
