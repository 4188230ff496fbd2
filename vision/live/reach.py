"""From which side something reached over the board."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from vision.geometry import SIZE, Homography
from vision.live.covering import Mask, far_out
from vision.live.motion import MARGIN, PER_SQUARE
from vision.live.sight import Place

AGREE = 0.8
"""Length of the mean of the directions from which on they are one: 1 for all the same, 0 for all around."""

FEWEST = 2
"""Frames on which something must have reached over the edge."""


class Reach:
    """The direction of what reached over the board during one disturbance: the middle of the part of it that lies
    beyond the edge, as seen from the board's middle. Mean of directions: Fisher, Statistical Analysis of Circular Data
    (1993), 2.3.1."""

    def __init__(self) -> None:
        self._sum, self._frames = np.zeros(2), 0

    def add(self, things: Iterable[Mask], valid: Mask, place: Place) -> None:
        """One frame. things: what lies over the board, (SIDE, SIDE) each; valid: what of them is inside the frame"""
        outside = np.logical_or.reduce([thing & far_out(valid) for thing in things] or [np.zeros_like(valid)])
        if not outside.any():
            return
        rows, cols = np.nonzero(outside)
        point = (np.array([cols.mean(), rows.mean()]) + 0.5) / PER_SQUARE - MARGIN
        self._sum += _direction(place, point)
        self._frames += 1

    @property
    def degrees(self) -> float | None:
        """In the picture, 0 to the right and 90 down; None when nothing reached over the edge, or it came from several
        sides."""
        if self._frames < FEWEST or np.hypot(*self._sum) < AGREE * self._frames:
            return None
        return float(np.degrees(np.arctan2(self._sum[1], self._sum[0])))


def _direction(place: Place, point: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit vector in the picture from the board's middle to a point in squares."""
    middle, there = Homography.from_corners(place.corners).to_pixels(np.array([[SIZE / 2, SIZE / 2], point]))
    way = there - middle
    return np.asarray(way / max(float(np.hypot(*way)), 1e-9))
