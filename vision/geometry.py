"""Corners of the grid and the homography they define.

Grid units: column and row as floats, (0, 0) the outer top-left corner of the 15x15 grid in reading
orientation, (15, 15) its outer bottom-right corner; the centre of square (row r, col c) is (c + .5, r + .5).
Pixels: x right, y down, in the photo after its EXIF rotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pixels import Pixels

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


@dataclass(frozen=True)
class Lens:
    """Radial bend of a picture: straight = middle + (bent - middle) * (1 + k r^2), r in halves of the diagonal.

    One coefficient of Brown's model (1971), centred in the picture; that far a phone's lens is told from one photo of
    a board. middle: (x, y) pixels; radius: half the diagonal, pixels. k > 0: straight lines bulge outwards (barrel).
    """

    k: float
    middle: tuple[float, float]
    radius: float

    @classmethod
    def of_picture(cls, k: float, width: int, height: int) -> Lens:
        return cls(k, ((width - 1) / 2, (height - 1) / 2), float(np.hypot(width, height)) / 2)

    def straighten(self, points: NDArray[np.floating]) -> NDArray[np.float64]:
        """(..., 2) pixels of the photo -> pixels of the picture a lens without bend would have taken."""
        away = np.asarray(points, np.float64) - self.middle
        squared = (away**2).sum(axis=-1, keepdims=True) / self.radius**2
        return np.asarray(self.middle + away * (1 + self.k * squared), np.float64)

    def bend(self, points: NDArray[np.floating]) -> NDArray[np.float64]:
        """The inverse of `straighten`, by fixed-point iteration; to 1e-6 pixels for |k| up to 0.1 in the picture."""
        wanted = np.asarray(points, np.float64) - self.middle
        away = wanted.copy()
        for _ in range(16):
            away = wanted / (1 + self.k * (away**2).sum(axis=-1, keepdims=True) / self.radius**2)
        return np.asarray(away + self.middle, np.float64)

    def after(self, matrix: NDArray[np.floating]) -> Lens:
        """The same lens in a cut-out or scaled copy of the picture; matrix: 3x3 scale and shift of its pixels."""
        x, y = _apply(np.asarray(matrix, np.float64), np.array(self.middle))
        return Lens(self.k, (float(x), float(y)), self.radius * float(matrix[0, 0]))


def seen_corners(grid: Homography, lens: Lens) -> Corners:
    """Corners of a bent grid: of the homography nearest to all its crossings, so that lines between them lie nearest.

    grid: grid units -> straight pixels. Least squares; without bend exactly the grid's corners.
    """
    return _nearest(lens.bend(grid.lattice())).corners if lens.k else grid.corners


def straight_grid(corners: Corners, lens: Lens | None) -> Homography:
    """The inverse of `seen_corners`, but for the square of the bend: grid units -> straight pixels."""
    grid = Homography.from_corners(corners)
    return _nearest(lens.straighten(grid.lattice())) if lens is not None and lens.k else grid


def _nearest(lattice: NDArray[np.float64]) -> Homography:
    """The homography from grid units nearest to given places (16, 16, 2) of the crossings."""
    row, col = np.mgrid[0 : SIZE + 1, 0 : SIZE + 1].astype(np.float64)
    grid = np.stack([col, row], axis=-1).reshape(-1, 2)
    return Homography(np.asarray(cv2.findHomography(grid, lattice.reshape(-1, 2))[0], np.float64))


def warped(picture: Pixels, matrix: NDArray[np.floating], side: int, lens: Lens | None = None) -> Pixels:
    """A square picture of `side` pixels; matrix: its pixels -> straight pixels of the given one. No anti-aliasing.

    lens: what bends straight pixels to those of the picture; None if nothing does.
    """
    if lens is None or lens.k == 0:
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return cv2.warpPerspective(picture, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    # where each pixel comes from is smooth: worked out on a mesh and interpolated
    at = np.linspace(0, side - 1, MESH)
    mesh = lens.bend(_apply(np.asarray(matrix, np.float64), np.stack(np.meshgrid(at, at), axis=-1))).astype(np.float32)
    spread = _from_mesh(side)
    x, y = (spread @ mesh[..., k] @ spread.T for k in (0, 1))
    return cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


MESH = 33
"""Points a side at which the way through the lens is worked out."""


@lru_cache(maxsize=8)
def _from_mesh(side: int) -> NDArray[np.float32]:
    """(side, MESH) weights of the mesh points for each pixel: linear between two neighbours."""
    place = np.linspace(0, MESH - 1, side)
    return np.maximum(1 - np.abs(place[:, None] - np.arange(MESH)), 0).astype(np.float32)


def _apply(matrix: NDArray[np.float64], points: NDArray[np.floating]) -> NDArray[np.float64]:
    flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(flat, matrix), np.float64).reshape(np.shape(points))
