"""Tiles have a height: their tops are nearer to the camera than the print.

In a view from the side the tops' plane lies shifted against the print, at 45 degrees by a quarter of a square: on the
print's plane a letter leaves its square, and its tile hides part of the empty square behind it. On the tops' plane
tiles lie in their squares, but empty squares show what is printed beside them. So the board is looked at on both.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scorer.board import Square
from vision.geometry import GRID, SIZE, Corners, Homography, Lens, seen_corners, straight_grid
from vision.pixels import Pixels
from vision.reading import COVERED, EMPTY, BoardReading, TileReader
from vision.rectify import rectify

FOCAL = (0.85, 0.45)
"""What focal lengths are met, in diagonals of the picture: median and spread (of the natural logarithm). Phones have
0.55 to 0.65, photos cut down to the board more."""

ASPECT = (1.02, 0.03)
"""How much higher than wide squares are: median and spread; some editions are 8 % higher."""

NOISE = 0.01
"""How exactly the corners tell angles (radians) and proportions of the grid."""

TOPS = 0.2
"""Height of tiles above the print, in squares: they are 0.17 to 0.29 high, and some lie sunk between ridges. The reader
bears a tenth of a square to either side."""

LEAST_SHIFT = 0.15
"""Squares by which the tops must seem moved, somewhere on the board, for a second look to be worth its time."""

CONTRADICTS = 0.8
"""Probability of another letter on the print's plane from which the letter on the tops' plane is doubted."""

_FOCALS = np.exp(np.linspace(np.log(0.3), np.log(5), 80))
_ASPECTS = np.exp(np.linspace(np.log(0.94), np.log(1.12), 25))


@dataclass(frozen=True)
class View:
    """A camera over the board.

    grid: 3x3, grid units on the print to pixels
    lift: (3,) what a height of one square adds to homogeneous pixels: the vanishing point of the board's normal
    tilt: degrees between the line of sight to the board's middle and the board's normal
    focal: focal length in pixels; aspect: height of a square over its width
    """

    grid: NDArray[np.float64]
    lift: NDArray[np.float64]
    tilt: float
    focal: float
    aspect: float

    def plane(self, height: float) -> NDArray[np.float64]:
        """3x3, grid units of the plane `height` squares above the print to pixels."""
        lifted = self.grid.copy()
        lifted[:, 2] += height * self.lift
        return lifted

    def corners(self, height: float) -> Corners:
        """Of the grid lifted to that height, in pixels."""
        return Homography(self.plane(height)).corners

    def shift(self, height: float) -> float:
        """Squares by which a point at that height seems to be moved on the print; the most over the board."""
        moved = Homography(self.grid).to_grid(self.corners(height).array) - GRID
        return float(np.linalg.norm(moved, axis=1).max())


def view_of(corners: Corners, width: int, height: int) -> View | None:
    """The camera from the grid in a picture of that size (pixels), or None where there is no such camera.

    Square pixels and the optical axis through the picture's middle are taken for granted. Then the two sides of the
    grid being at right angles and of known proportion are two equations for the focal length (Zhang 2000, section 3.1).
    From above they say nothing about it, from in front they cannot tell it from the squares' proportion; hence the
    likeliest focal length and proportion are taken, given what is usual. Corners of a mirrored grid give None.
    """
    matrix = Homography.from_corners(corners).matrix
    diagonal = float(np.hypot(width, height))
    middle = ((width - 1) / 2, (height - 1) / 2)
    to_middle = np.array(
        [[1 / diagonal, 0, -middle[0] / diagonal], [0, 1 / diagonal, -middle[1] / diagonal], [0, 0, 1]]
    )
    seen = to_middle @ matrix
    if np.linalg.det(seen) <= 0:
        return None
    focal, aspect = _likeliest(seen[:, 0], seen[:, 1])
    lens = np.array([focal, focal, 1.0])
    right, down = (seen / lens[:, None]).T[:2]
    normal = np.cross(right, down / aspect)
    scale = np.sqrt(np.linalg.norm(right) * np.linalg.norm(down / aspect))
    normal /= scale
    sight = (seen @ [SIZE / 2, SIZE / 2, 1]) / lens
    cosine = normal @ sight / (np.linalg.norm(normal) * np.linalg.norm(sight))
    lift = -np.linalg.inv(to_middle) @ (lens * normal)
    return View(matrix, lift, float(np.degrees(np.arccos(min(cosine, 1)))), focal * diagonal, aspect)


def _likeliest(right: NDArray[np.float64], down: NDArray[np.float64]) -> tuple[float, float]:
    """Focal length (diagonals) and proportion of the squares from the first two columns of the homography."""
    focals, aspects = np.meshgrid(_FOCALS, _ASPECTS, indexing="ij")
    sides = [np.stack([v[0] / _FOCALS, v[1] / _FOCALS, np.full_like(_FOCALS, v[2])]) for v in (right, down)]
    lengths = [np.linalg.norm(side, axis=0) for side in sides]
    slant = (sides[0] * sides[1]).sum(axis=0) / (lengths[0] * lengths[1])
    stretch = np.log(lengths[1] / lengths[0])[:, None] - np.log(aspects)
    cost = (slant[:, None] ** 2 + stretch**2) / NOISE**2
    cost += (np.log(focals / FOCAL[0]) / FOCAL[1]) ** 2 + (np.log(aspects / ASPECT[0]) / ASPECT[1]) ** 2
    best = np.unravel_index(cost.argmin(), cost.shape)
    return float(focals[best]), float(aspects[best])


def read_at_depth(
    pixels: Pixels,
    corners: Corners,
    reader: TileReader,
    letters: Collection[str],
    first: BoardReading,
    lens: Lens | None = None,
) -> BoardReading:
    """The reading with the tiles seen on the plane of their tops; `first` itself where that does not matter.

    pixels: the photo; corners: of the grid on the print, in these pixels, in reading order; letters: that can occur
    first: what the reader says of the board rectified by these corners and this lens; lens: as for `rectify`
    """
    height, width = pixels.shape[:2]
    view = view_of(straight_grid(corners, lens).corners, width, height)
    if view is None or view.shift(TOPS) < LEAST_SHIFT:
        return first
    tops = view.corners(TOPS) if lens is None else seen_corners(Homography(view.plane(TOPS)), lens)
    return combined(first, reader.read(rectify(pixels, tops, lens), letters))


def combined(ground: BoardReading, tops: BoardReading) -> BoardReading:
    """One reading from those on the print's plane and on the tops'.

    Whether there is a tile both say: the mean of their log-odds. Which one, the tops' plane says; what there is without
    a tile, the print's. Doubted are tiles that differ, and squares of which neither is sure, whatever the photo's
    colours say of them later. Where tiles read better on the print's plane, as on a grid with ridges as high as the
    tiles, their tops lie there: `ground` is returned as it is.
    """
    tile = np.array([char not in (EMPTY, COVERED) for char in ground.classes])
    odds = (_tile_log_odds(ground) + _tile_log_odds(tops)) / 2
    held = odds > 0
    if tops.log_probs[held].max(axis=-1).sum() < ground.log_probs[held].max(axis=-1).sum():
        return ground
    log_probs = np.where(
        tile,
        tops.log_probs - np.log1p(np.exp(-odds))[..., None] + np.log1p(np.exp(-_tile_log_odds(tops)))[..., None],
        ground.log_probs - np.log1p(np.exp(odds))[..., None] + np.log1p(np.exp(_tile_log_odds(ground)))[..., None],
    )
    suspects = {s for s in tops.suspects if held[s]} | {s for s in ground.suspects if not held[s]}
    suspects |= {
        square
        for square in ground.showing(lambda char: char != EMPTY) & tops.showing(lambda char: char != EMPTY)
        if ground.confidence[square] > CONTRADICTS and ground.at(square).char != tops.at(square).char
    }
    unsure = (ground.confidence < ground.doubt_below) & (tops.confidence < tops.doubt_below)
    suspects |= {Square(int(row), int(col)) for row, col in np.argwhere(unsure)}
    return replace(tops, log_probs=np.maximum(log_probs, -60).astype(np.float32), suspects=frozenset(suspects))


def _tile_log_odds(reading: BoardReading) -> NDArray[np.float64]:
    """(15, 15) natural logarithm of the odds that a square holds a tile, of whatever print."""
    none = [k for k, char in enumerate(reading.classes) if char in (EMPTY, COVERED)]
    without = np.exp(reading.log_probs[..., none].astype(np.float64)).sum(axis=-1).clip(1e-9, 1 - 1e-9)
    return np.asarray(np.log1p(-without) - np.log(without))
