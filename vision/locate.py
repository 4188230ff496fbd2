"""Finding the grid without learning: rough quads, combs of lines, premium colours, then a fit of all 16 x 16 lines.

Steps: shrink -> quads from line segments (`locate_pencils`), and from many masks where those do not settle it
(`locate_proposals`) -> 16 lines each way inside each quad and the whole-square shift that the premium colours ask for
(`locate_grid`) -> homography from some 480 stretches of line, at full resolution in the end (`locate_refine`) ->
self-check of the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import GRID, SIZE, Corners, Homography, Lens, warped
from vision.locate_grid import (
    LAB_WEIGHTS,
    Comb,
    GridGuess,
    cluster,
    combs,
    flatten,
    guess,
    line_profile,
    premium_map,
    tile_like,
)
from vision.locate_pencils import pencil_proposals
from vision.locate_proposals import clockwise, proposals
from vision.locate_refine import fit, flat_grid, measure_lines
from vision.locator import BoardLocator, Location
from vision.photo import Photo

SMALL_SIDE = 800
"""Longer side of the picture in which the grid is looked for, pixels."""

LEAST_SIDE = 100
"""Shorter side of a picture below which nothing is looked for, pixels."""

COARSE = 16
"""Pixels a square in the flat picture for the first fit."""

FINE = 32
"""Pixels a square in the flat picture for the final fit."""

SURE = 0.9
"""Quality of a first fit that ends the search."""

CUT_OFF = 7
"""With more squares than this (half a row) outside the picture the board counts as cut off."""


@dataclass(frozen=True)
class SelfCheck:
    """What speaks for a fitted grid.

    premium: premium share of its colours (`vision.locate_grid`), 0 to 1
    rival: highest premium share of the same lines one or two squares off
    half_off: highest premium share half a square off, as a share of `premium`: about a half for a right grid, more than
        one for a grid that is itself half a square off
    on_line: share of stretches of line whose best place within the whole square is the expected one, 0 to 1
    bend: what the homography leaves of the lines' offsets (`LineOffsets.bend`), squares
    outside: squares whose middle lies outside the picture
    """

    premium: float
    rival: float
    half_off: float
    on_line: float
    bend: float
    outside: int

    @property
    def quality(self) -> float:
        """0 to 1; whole-square shifts show in the first two parts, shifts by part of a square in the last two."""
        whole = _ramp(self.premium, 0.12, 0.25) * _ramp(self.premium - self.rival, 0.05, 0.15)
        whole *= _ramp(self.rival / max(self.premium, 0.01), 0.55, 0.4)  # checks look much alike after a shift
        part = _ramp(self.on_line, 0.3, 0.6) * _ramp(self.half_off, 1.0, 0.75) * _ramp(self.bend, 0.06, 0.025)
        return float(whole * part**0.5)


@dataclass(frozen=True)
class FittedGrid:
    """A grid in a picture (`matrix`: grid units -> pixels) with what speaks for it."""

    matrix: NDArray[np.float64]
    check: SelfCheck


@dataclass(frozen=True)
class ClassicLocator(BoardLocator):
    """Locates the grid by its lines and premium colours. Deterministic; needs no model.

    least_quality: a grid below it is not returned
    sure_quality, most_bend: a grid below the one or above the other is returned with the warning "grid-unsure"
    """

    least_quality: float = 0.4
    sure_quality: float = 0.75
    most_bend: float = 0.03

    def locate(self, photo: Photo) -> Location:
        grid = find_grid(photo.pixels)
        if grid is None:
            return Location(None, reason="no-board")
        quality = grid.check.quality
        if quality < self.least_quality:
            return Location(None, quality, reason="no-board")
        if grid.check.outside > CUT_OFF:
            return Location(None, quality, reason="board-cut-off")
        unsure = quality < self.sure_quality or grid.check.bend > self.most_bend
        warnings = ["grid-unsure"] if unsure else []
        if grid.check.outside:
            warnings.append("board-cut-off")
        corners = clockwise(Homography(grid.matrix).to_pixels(GRID))
        return Location(Corners.of(corners), quality, warnings=tuple(warnings))


def find_grid(pixels: NDArray[np.uint8]) -> FittedGrid | None:
    """The best grid in a BGR picture, good or not; None when nothing is like one."""
    small, factor = shrink(pixels, SMALL_SIDE)
    if min(small.shape[:2]) < LEAST_SIDE:
        return None
    coarse = search(small)
    if coarse is None:
        return None
    matrix = scaled(1 / factor) @ coarse.matrix
    part, to_part = board_part(pixels, Homography(matrix))
    lab = to_lab(part)
    fitted = settle(lab, to_part @ matrix, FINE, ((0.25, False), (0.25, True), (0.15, True)))
    matrix = np.linalg.inv(to_part) @ fitted
    return FittedGrid(matrix, examine(lab, fitted, squares_outside(matrix, pixels.shape)))


def search(bgr: NDArray[np.uint8]) -> FittedGrid | None:
    """The grid in a small picture, roughly fitted: cheap proposals first, all of them when it stays in doubt."""
    lab = to_lab(bgr)
    best: FittedGrid | None = None
    for quads in (lambda: pencil_proposals(np.ascontiguousarray(lab[..., 0])), lambda: proposals(bgr, lab)):
        for one in guesses(lab, quads()):
            matrix = settle(lab, one.matrix, COARSE, ((0.35, False), (0.25, False)))
            fitted = FittedGrid(matrix, examine(lab, matrix, squares_outside(matrix, lab.shape)))
            if best is None or fitted.check.quality > best.check.quality:
                best = fitted
            if best.check.quality > SURE:
                return best
    return best


def guesses(lab: NDArray[np.uint8], quads: Iterable[NDArray[np.float64]], count: int = 2) -> list[GridGuess]:
    """The best grids inside the quads, at most `count`, best first; looks at the quads with the clearest lines only."""
    ranked: list[tuple[float, int, NDArray[np.uint8], NDArray[np.float64], list[Comb], list[Comb]]] = []
    for number, quad in enumerate(quads):
        flat, matrix = flatten(lab, quad)
        across, down = (combs(line_profile(flat, axis), 3) for axis in (1, 0))
        if across and down:
            ranked.append((min(across[0].contrast, down[0].contrast), number, flat, matrix, across, down))
    ranked.sort(key=lambda item: (-item[0], item[1]))
    found: list[GridGuess] = []
    for _, _, flat, matrix, across, down in ranked[:16]:
        one = guess(flat, matrix, across, down)
        found.append(one)
        if one.premium > 0.5 and one.premium - one.rival > 0.25:
            break
    found.sort(key=lambda one: -one.score)
    return found[:count]


def settle(
    lab: NDArray[np.uint8], matrix: NDArray[np.float64], pixels_per_square: int, steps: Sequence[tuple[float, bool]]
) -> NDArray[np.float64]:
    """Fits the grid to the lines once a step: (window in squares, matched or not), see `measure_lines`."""
    for window, matched in steps:
        flat = flat_grid(lab, matrix, pixels_per_square)
        matrix = matrix @ fit(measure_lines(flat, pixels_per_square, window, matched), scale=window / 2)
        matrix = matrix / matrix[2, 2]
    return matrix


def examine(lab: NDArray[np.uint8], matrix: NDArray[np.float64], outside: int, lens: Lens | None = None) -> SelfCheck:
    """Self-check of a grid: `matrix` maps grid units to straight pixels of the picture."""
    lines = measure_lines(flat_grid(lab, matrix, FINE, lens), FINE, 0.3, True)
    shares = PremiumShares(lab, matrix, lens)
    premium, rival = shares.here_and_near()
    half = max(shares.moved(right, down) for right, down in ((-0.5, 0), (0.5, 0), (0, -0.5), (0, 0.5)))
    return SelfCheck(premium, rival, half / max(premium, 0.01), lines.on_line, lines.bend, outside)


class PremiumShares:
    """How well the premium layout fits a grid and its neighbourhood (premium share, `vision.locate_grid`)."""

    def __init__(self, lab: NDArray[np.uint8], matrix: NDArray[np.float64], lens: Lens | None = None) -> None:
        self._p, self._reach = 8, 2
        p, reach = self._p, self._reach
        to_grid = np.array([[1 / p, 0, 0.5 / p - reach - 0.5], [0, 1 / p, 0.5 / p - reach - 0.5], [0, 0, 1]])
        self._flat = warped(lab, matrix @ to_grid, (SIZE + 2 * reach + 1) * p, lens)

    def here_and_near(self) -> tuple[float, float]:
        """The share of the grid itself, and the highest one or two whole squares off."""
        whole = premium_map(self._colours(-self._reach, -self._reach, SIZE + 2 * self._reach), (10, 15))
        here = float(whole[self._reach, self._reach])
        whole[self._reach, self._reach] = -1
        return here, float(whole.max())

    def moved(self, right: float, down: float) -> float:
        """The share of the grid moved by parts of a square."""
        return float(premium_map(self._colours(right, down, SIZE), (10, 15))[0, 0])

    def tiles(self) -> NDArray[np.bool_]:
        """(15, 15) squares of the grid that look like tiles (`vision.locate_grid.tile_like`)."""
        colours = self._colours(0, 0, SIZE).reshape(-1, 3) * LAB_WEIGHTS
        return tile_like(cluster(colours).reshape(SIZE, SIZE))

    def _colours(self, right: float, down: float, count: int) -> NDArray[np.float32]:
        """(count, count, 3) mean colours of the middles of squares, the first one `right` and `down` of square A1."""
        p = self._p
        x, y = (round((self._reach + 0.5 + offset) * p) for offset in (right, down))
        squares = self._flat[y : y + count * p, x : x + count * p].reshape(count, p, count, p, 3)
        return squares[:, 2:6, :, 2:6].astype(np.float32).mean(axis=(1, 3))


def squares_outside(matrix: NDArray[np.float64], shape: tuple[int, ...]) -> int:
    """How many of the 225 squares have their middle outside a picture of this shape."""
    row, col = np.mgrid[0:SIZE, 0:SIZE] + 0.5
    middles = Homography(matrix).to_pixels(np.stack([col, row], axis=-1))
    inside = (middles >= 0).all(axis=-1) & (middles <= (shape[1] - 1, shape[0] - 1)).all(axis=-1)
    return int((~inside).sum())


def shrink(pixels: NDArray[np.uint8], side: int) -> tuple[NDArray[np.uint8], float]:
    """The picture by area with its longer side at `side` pixels at most, and the factor."""
    height, width = pixels.shape[:2]
    factor = min(1.0, side / max(height, width))
    if factor == 1.0:
        return pixels, 1.0
    size = max(1, round(width * factor)), max(1, round(height * factor))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8), factor


def to_lab(bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """8-bit L*a*b* as OpenCV scales it."""
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB), np.uint8)


def scaled(factor: float) -> NDArray[np.float64]:
    """3x3 map between pixels of a picture and of the picture `factor` times as large (centres at whole numbers)."""
    return np.array([[factor, 0, 0.5 * factor - 0.5], [0, factor, 0.5 * factor - 0.5], [0, 0, 1]])


def board_part(
    pixels: NDArray[np.uint8], homography: Homography, reach: float = 1.5
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The board's part of the photo at about FINE pixels a square, and the 3x3 map from the photo's pixels to its.

    reach: surroundings, squares
    """
    outer = homography.to_pixels(GRID + np.sign(GRID - SIZE / 2) * reach)
    height, width = pixels.shape[:2]
    x0, y0 = np.clip(np.floor(outer.min(axis=0)).astype(int), 0, (width - 2, height - 2))
    x1, y1 = np.clip(np.ceil(outer.max(axis=0)).astype(int) + 1, (x0 + 2, y0 + 2), (width, height))
    part = pixels[y0:y1, x0:x1]
    factor = 1.0
    side = homography.square_side()
    if side > 1.6 * FINE:
        part, factor = shrink(part, round(1.2 * FINE / side * max(part.shape[:2])))
    return part, scaled(factor) @ np.array([[1.0, 0, -x0], [0, 1, -y0], [0, 0, 1]])


def _ramp(value: float, low: float, high: float) -> float:
    """0 at `low`, 1 at `high` and beyond; `high` may be the smaller one."""
    return float(np.clip((value - low) / (high - low), 0, 1))
