"""Corners of the grid and the homography they define.

Grid units: column and row as floats, (0, 0) the outer top-left corner of the 15x15 grid in reading
orientation, (15, 15) its outer bottom-right corner; the centre of square (row r, col c) is (c + .5, r + .5).
Pixels: x right, y down, in the photo after its EXIF rotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

SIZE = 15
GRID = np.array([(0, 0), (SIZE, 0), (SIZE, SIZE), (0, SIZE)], np.float64)


@dataclass(frozen=True)
class Corners:
    """Outer corners of the 15x15 grid, top-left, top-right, bottom-right, bottom-left; (x, y) in pixels."""

    points: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        if len(self.points) != 4 or any(len(p) != 2 for p in self.points):
            raise ValueError("corners are four (x, y) pairs")

    @classmethod
    def of(cls, points: Sequence[Sequence[float]] | NDArray[np.floating]) -> Corners:
        return cls(tuple((float(x), float(y)) for x, y in points))

    @property
    def array(self) -> NDArray[np.float64]:
        """(4, 2) pixels."""
        return np.array(self.points, np.float64)

    def turned(self, quarters: int) -> Corners:
        """The same grid read with another corner as top-left: `quarters` steps clockwise along the corners."""
        k = quarters % 4
        return Corners(self.points[k:] + self.points[:k])

    def scaled(self, factor: float) -> Corners:
        """The same corners in a picture `factor` times as large."""
        return Corners.of(self.array * factor)


@dataclass(frozen=True)
class Homography:
    """Projective map from grid units (col, row) to pixels; `matrix` is 3x3."""

    matrix: NDArray[np.float64]

    @classmethod
    def from_corners(cls, corners: Corners) -> Homography:
        """Exact map through the four corners."""
        return cls(
            cv2.getPerspectiveTransform(GRID.astype(np.float32), corners.array.astype(np.float32)).astype(np.float64)
        )

    @cached_property
    def inverse(self) -> NDArray[np.float64]:
        """3x3, pixels to grid units."""
        return np.asarray(np.linalg.inv(self.matrix), np.float64)

    def to_pixels(self, grid_points: NDArray[np.floating]) -> NDArray[np.float64]:
        """(..., 2) grid units -> (..., 2) pixels."""
        return _apply(self.matrix, grid_points)

    def to_grid(self, pixels: NDArray[np.floating]) -> NDArray[np.float64]:
        """(..., 2) pixels -> (..., 2) grid units."""
        return _apply(self.inverse, pixels)

    @property
    def corners(self) -> Corners:
        return Corners.of(self.to_pixels(GRID))

    def lattice(self) -> NDArray[np.float64]:
        """(16, 16, 2) pixels of the grid crossings, indexed [row, col]."""
        row, col = np.mgrid[0 : SIZE + 1, 0 : SIZE + 1].astype(np.float64)
        return self.to_pixels(np.stack([col, row], axis=-1))

    def square_side(self) -> float:
        """Median side of a square in pixels."""
        grid = self.lattice()
        sides = [np.linalg.norm(np.diff(grid, axis=axis), axis=-1).ravel() for axis in (0, 1)]
        return float(np.median(np.concatenate(sides)))


def _apply(matrix: NDArray[np.float64], points: NDArray[np.floating]) -> NDArray[np.float64]:
    flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(flat, matrix), np.float64).reshape(np.shape(points))
