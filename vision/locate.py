"""Finding the grid without learning: quads, combs of lines, premium colours, then a fit of all 16 x 16 lines.

Steps: shrink -> quads from many masks (`locate_proposals`) -> 16 lines each way inside each quad and the whole-square
shift that the premium colours ask for (`locate_grid`) -> homography from some 480 stretches of line at full resolution
(`locate_refine`) -> self-check on the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import GRID, SIZE, Corners, Homography
from vision.locate_grid import Comb, GridGuess, cluster, combs, flatten, guess, line_profile, premium_shares
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


@dataclass(frozen=True)
class SelfCheck:
    """What speaks for a fitted grid.

    premium: premium share of its colours (`vision.locate_grid`)
    rival: highest premium share of the same lines one or two squares off
    on_line: share of stretches of line whose best place within the whole square is the expected one
    """

    premium: float
    rival: float
    on_line: float

    @property
    def quality(self) -> float:
        parts = (
            _ramp(self.premium, 0.1, 0.35),
            _ramp(self.premium - self.rival, 0.05, 0.2),
            _ramp(self.on_line, 0.35, 0.7),
        )
        return float(min(parts) ** 0.5 * np.mean(parts) ** 0.5)


def _ramp(value: float, low: float, high: float) -> float:
    return float(np.clip((value - low) / (high - low), 0, 1))


@dataclass(frozen=True)
class FittedGrid:
    """A grid in the photo's pixels (`matrix`: grid units -> pixels) with what speaks for it."""

    matrix: NDArray[np.float64]
    guess: GridGuess
    check: SelfCheck


@dataclass(frozen=True)
class ClassicLocator(BoardLocator):
    """Locates the grid by its lines and premium colours. Deterministic; needs no model.

    least_quality: a grid below it is not returned
    """

    least_quality: float = 0.5

    def locate(self, photo: Photo) -> Location:
        grid = find_grid(photo.pixels)
        if grid is None:
            return Location(None, reason="no-board")
        quality = grid.check.quality
        if quality < self.least_quality:
            return Location(None, quality, reason="no-board")
        return Location(Corners.of(clockwise(Homography(grid.matrix).to_pixels(GRID))), quality)


def find_grid(pixels: NDArray[np.uint8]) -> FittedGrid | None:
    """The best grid in a picture, good or not; None when nothing is like one."""
    small, factor = shrink(pixels, SMALL_SIDE)
    if min(small.shape[:2]) < LEAST_SIDE:
        return None
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)
    best = search(small, lab)
    if best is None:
        return None
    coarse = scaled(1 / factor) @ settle(lab, best.matrix, COARSE, ((0.35, False), (0.25, False)))
    part, to_part = board_part(pixels, Homography(coarse))
    part_lab = cv2.cvtColor(part, cv2.COLOR_BGR2LAB)
    fitted = settle(part_lab, to_part @ coarse, FINE, ((0.25, False), (0.25, True), (0.15, True)))
    return FittedGrid(np.linalg.inv(to_part) @ fitted, best, examine(part_lab, fitted))


def scaled(factor: float) -> NDArray[np.float64]:
    """3x3 map between pixels of a picture and of the picture `factor` times as large (centres at whole numbers)."""
    return np.array([[factor, 0, 0.5 * factor - 0.5], [0, factor, 0.5 * factor - 0.5], [0, 0, 1]])


def shrink(pixels: NDArray[np.uint8], side: int) -> tuple[NDArray[np.uint8], float]:
    """The picture by area at `side` pixels at most, and the factor."""
    height, width = pixels.shape[:2]
    factor = min(1.0, side / max(height, width))
    if factor == 1.0:
        return pixels, 1.0
    size = max(1, round(width * factor)), max(1, round(height * factor))
    return cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), factor


def search(bgr: NDArray[np.uint8], lab: NDArray[np.uint8]) -> GridGuess | None:
    """The best grid of all proposals, or None when there is nothing like one."""
    ranked: list[tuple[float, int, NDArray[np.uint8], NDArray[np.float64], list[Comb], list[Comb]]] = []
    for number, quad in enumerate(proposals(bgr, lab)):
        flat, matrix = flatten(lab, quad)
        across, down = (combs(line_profile(flat, axis), 3) for axis in (1, 0))
        ranked.append((min(across[0].contrast, down[0].contrast), number, flat, matrix, across, down))
    ranked.sort(key=lambda item: (-item[0], item[1]))
    best: GridGuess | None = None
    for _, _, flat, matrix, across, down in ranked[:16]:
        one = guess(flat, matrix, across, down)
        if best is None or one.score > best.score:
            best = one
        if best.premium > 0.5 and best.premium - best.rival > 0.25:
            break
    return best


def settle(
    lab: NDArray[np.uint8], matrix: NDArray[np.float64], pixels_per_square: int, steps: Sequence[tuple[float, bool]]
) -> NDArray[np.float64]:
    """Fits the grid to the lines once a step: (window in squares, matched or not), see `measure_lines`."""
    for window, matched in steps:
        flat = flat_grid(lab, matrix, pixels_per_square)
        matrix = matrix @ fit(measure_lines(flat, pixels_per_square, window, matched), scale=window / 2)
        matrix = matrix / matrix[2, 2]
    return matrix


def examine(lab: NDArray[np.uint8], matrix: NDArray[np.float64]) -> SelfCheck:
    """Self-check of a grid: `matrix` maps grid units to pixels of the picture."""
    flat = flat_grid(lab, matrix, FINE)
    on_line = measure_lines(flat, FINE, 0.15, True).on_line
    p, reach = 8, 2
    to_grid = np.array([[1 / p, 0, 0.5 / p - reach], [0, 1 / p, 0.5 / p - reach], [0, 0, 1]])
    side = (SIZE + 2 * reach) * p
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    smooth = cv2.warpPerspective(lab, matrix @ to_grid, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    count = SIZE + 2 * reach
    middles = smooth.reshape(count, p, count, p, 3)[:, 2:6, :, 2:6].astype(np.float32).mean(axis=(1, 3))
    shares = premium_shares(cluster((middles * (0.6, 1, 1)).astype(np.float32).reshape(-1, 3)).reshape(count, count))
    own = float(shares[reach, reach])
    shares[reach, reach] = -1
    return SelfCheck(own, float(shares.max()), on_line)


def board_part(pixels: NDArray[np.uint8], homography: Homography) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The board's part of the photo at about FINE pixels a square, and the 3x3 map from the photo's pixels to its."""
    reach = 1.5
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
