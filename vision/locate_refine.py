"""The exact grid from a rough one: hundreds of line offsets, one homography."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import SIZE, Homography, Lens, warped

MARGIN = 1
"""Squares of surroundings in the flat picture."""

ON_LINE = 0.12
"""An edge counts as on the line up to this distance, squares."""

_Found = tuple[NDArray[np.float64], NDArray[np.float64], float]


@dataclass(frozen=True)
class LineOffsets:
    """What was measured on the lines of a flat picture, one entry a stretch of line between two crossings.

    Index [axis, line 0..15, stretch 0..14]; axis 0: lines x = const, axis 1: lines y = const.
    offset: where the line is seen, in squares from where it was expected
    weight: how distinct it is, 0 to 1
    on_line: share of stretches whose strongest edge within the whole square lies on the expected line
    """

    offset: NDArray[np.float64]
    weight: NDArray[np.float64]
    on_line: float

    @property
    def bend(self) -> float:
        """Root mean square over 3 x 3 parts of the board and both axes of the median offset there, in squares.

        About a hundredth for a flat board; more when no homography fits: a folded board, a bent print, a wrong grid.
        """
        middles = []
        for offset, weight in zip(self.offset, self.weight, strict=True):
            for i in range(0, SIZE, SIZE // 3):
                for j in range(0, SIZE, SIZE // 3):
                    part = np.s_[i + (i > 0) : i + 6, j : j + 5]
                    clear = offset[part][weight[part] > 0.4]
                    middles.append(float(np.median(clear)) if len(clear) >= 8 else 0.0)
        return float(np.sqrt(np.mean(np.square(middles))))


def beside(lines: LineOffsets, squares: NDArray[np.bool_], weight: float) -> LineOffsets:
    """The lines with another weight for the stretches beside these squares, (15, 15) by row and column."""
    none = np.zeros((1, SIZE), bool)
    factor = []
    for across in (squares.T, squares):  # axis 0: line i lies between columns i - 1 and i
        touched = np.concatenate([none, across]) | np.concatenate([across, none])
        factor.append(np.where(touched, weight, 1.0))
    return LineOffsets(lines.offset, lines.weight * np.stack(factor), lines.on_line)


def flat_grid(
    picture: NDArray[np.uint8], matrix: NDArray[np.float64], pixels_per_square: int, lens: Lens | None = None
) -> NDArray[np.uint8]:
    """The grid seen straight from above with MARGIN squares around it; matrix: grid units -> straight pixels."""
    side = (SIZE + 2 * MARGIN) * pixels_per_square
    p = float(pixels_per_square)
    to_grid = np.array([[1 / p, 0, 0.5 / p - MARGIN], [0, 1 / p, 0.5 / p - MARGIN], [0, 0, 1]])
    return warped(picture, matrix @ to_grid, side, lens)


def measure_lines(flat: NDArray[np.uint8], pixels_per_square: int, window: float, matched: bool) -> LineOffsets:
    """Looks for each stretch of line within +-window squares of its place in a picture made by `flat_grid`.

    matched: compare with this board's own line profile (for a grid that is right to a quarter of a square) instead of
    taking the strongest edge. A broad line or a raised bar has two edges; the middle between them is found that way.
    """
    found = []
    for axis in (0, 1):
        strength = _edge_strength(flat if axis == 0 else flat.swapaxes(0, 1).copy(), pixels_per_square)
        found.append((_match if matched else _strongest)(strength, pixels_per_square, window))
    return LineOffsets(
        np.stack([f[0] for f in found]), np.stack([f[1] for f in found]), float(np.mean([f[2] for f in found]))
    )


def _edge_strength(flat: NDArray[np.uint8], p: int) -> NDArray[np.float32]:
    """(15 stretches, width): signed gradient across the upright lines, averaged along each stretch, then its size."""
    gradient = cv2.Sobel(flat, cv2.CV_32F, 1, 0, ksize=1)
    rows = gradient[MARGIN * p : (MARGIN + SIZE) * p].reshape(SIZE, p, gradient.shape[1], 3)
    inset = max(1, round(0.15 * p))
    strength = np.abs(rows[:, inset : p - inset].mean(axis=1)).sum(axis=2)
    return cv2.GaussianBlur(strength, (0, 0), sigmaX=0.04 * p, sigmaY=1e-6)


def _around(strength: NDArray[np.float32], p: int, reach: int) -> NDArray[np.float32]:
    """(16 lines, 15 stretches, 2 reach): pixel k lies (k + .5 - reach) / p squares from the expected line."""
    return np.stack([strength[:, (MARGIN + i) * p - reach : (MARGIN + i) * p + reach] for i in range(SIZE + 1)])


def _strongest(strength: NDArray[np.float32], p: int, window: float) -> _Found:
    """Offset of the strongest edge of each stretch, its weight, and the share that is strongest on the line."""
    around = _around(strength, p, p // 2)
    place = (np.arange(around.shape[2]) + 0.5) / p - 0.5
    on_line = float(np.mean(np.abs(place[around.argmax(axis=2)]) < ON_LINE))
    inside = np.abs(place) <= window
    part, where = around[..., inside], place[inside]
    peak = part.argmax(axis=2)
    top = np.take_along_axis(part, peak[..., None], axis=2)[..., 0]
    level = np.median(around, axis=2)
    near = np.exp(-0.5 * ((where - where[peak][..., None]) / 0.06) ** 2) * np.maximum(part - level[..., None], 0)
    offset = (near * where).sum(axis=2) / (near.sum(axis=2) + 1e-9)
    contrast = (top - level) / (level + top + 2.0)
    at_end = (peak == 0) | (peak == len(where) - 1)
    return offset, np.where(at_end, 0.0, np.clip(contrast, 0, 1)), on_line


def line_profile_of_board(around: NDArray[np.float32]) -> tuple[NDArray[np.float64], float]:
    """The edge profile that this board's lines have in common, over one square, and its centre in pixels.

    around: (stretches, pixels of one square) edge strength. The profile is taken to be symmetric about the line and, as
    the lines repeat, about the middle of the square; the centre is where it fits its mirror image best.
    """
    scaled = around / (around.mean(axis=1, keepdims=True) + 1e-3)
    profile = np.median(scaled, axis=0).astype(np.float64)
    profile -= profile.mean()
    count = len(profile)
    fine = 8
    spectrum = np.fft.rfft(profile)
    # mirror product at c: sum over t of profile(c + t) profile(c - t), for all c in steps of 1/(2 fine) pixel
    product = np.fft.irfft(spectrum**2, count * fine)
    sums = np.arange(count * fine) / fine  # index sum k + l of mirrored pixels, modulo count
    middle = (count - 1) / 2  # pixel place of the expected line
    offset = ((sums - 2 * middle + count / 2) % count - count / 2) / 2  # in (-count/4, count/4)
    centre = float(offset[int(np.argmax(product))])
    return profile, centre


def _match(strength: NDArray[np.float32], p: int, window: float) -> _Found:
    """Offset of each stretch against the symmetric profile of all lines; the outer lines do not shape the profile."""
    square = _around(strength, p, p // 2)
    profile, centre = line_profile_of_board(square[1:-1].reshape(-1, square.shape[2]))
    half = round(0.35 * p)
    reach = half + p // 2
    place = np.arange(2 * half) + 0.5 - half
    middle = (len(profile) - 1) / 2
    pixels = np.arange(len(profile))
    right = np.interp(middle + centre + place, pixels, profile, period=len(profile))
    left = np.interp(middle + centre - place, pixels, profile, period=len(profile))
    template = (right + left) / 2
    template -= template.mean()
    template /= np.linalg.norm(template) + 1e-9
    windows = np.lib.stride_tricks.sliding_window_view(_around(strength, p, reach), 2 * half, axis=2)
    product = windows @ template  # (16, 15, p + 1)
    spread = windows.std(axis=3) * np.sqrt(2 * half)
    place = (np.arange(product.shape[2]) - p // 2) / p
    on_line = float(np.mean(np.abs(place[product.argmax(axis=2)]) < ON_LINE))
    inside = np.flatnonzero(np.abs(place) <= window)
    part = product[..., inside]
    peak = np.clip(part.argmax(axis=2), 1, len(inside) - 2)
    below, top, above = (np.take_along_axis(part, (peak + k)[..., None], axis=2)[..., 0] for k in (-1, 0, 1))
    bend = below - 2 * top + above
    vertex = np.where(bend < 0, 0.5 * (below - above) / np.where(bend < 0, bend, -1), 0)
    offset = place[inside][peak] + np.clip(vertex, -1, 1) / p
    likeness = top / (np.take_along_axis(spread[..., inside], peak[..., None], axis=2)[..., 0] + 1.0)
    is_peak = (top >= below) & (top >= above)
    return offset, np.where(is_peak, np.clip(likeness, 0, 1), 0.0), on_line


def fit(lines: LineOffsets, scale: float) -> NDArray[np.float64]:
    """Correction of the grid, 3x3: grid units as expected -> grid units as seen.

    Iteratively re-weighted least squares with Tukey's biweight (Huber, Robust Statistics, 1981); a line x = i, measured
    at (i, j + 1/2), fixes x only. `scale`: offset in squares from the common solution beyond which a stretch is not
    believed.
    """
    return _solved(lines, scale, None)[0]


@dataclass(frozen=True)
class BentFit:
    """A correction of grid and lens together, beside one of the grid alone.

    correction: 3x3 as of `fit`, for the corrected lens; lens
    matters: largest distance between the two solutions on the grid, squares
    gain: share of the squared offsets left by the grid alone that the lens explains
    """

    correction: NDArray[np.float64]
    lens: Lens
    matters: float
    gain: float


def fit_bent(lines: LineOffsets, scale: float, matrix: NDArray[np.float64], lens: Lens) -> BentFit:
    """As `fit`, with the lens's k as one more unknown; matrix: grid units -> straight pixels of the present lens.

    The lines were measured through `lens`. A point seen at straight pixel s lies at s + (b - middle) r^2 dk through a
    lens of k + dk (b its bent pixel), which is linear in dk, so that the least squares stay linear.
    """
    where = np.stack(_places(), axis=-1)
    push = _lens_push(where, matrix, lens)
    plain, _, left = _solved(lines, scale, None)
    correction, dk, left_bent = _solved(lines, scale, (push[0][..., 0], push[1][..., 1]))
    row, col = np.mgrid[0 : SIZE + 1, 0 : SIZE + 1].astype(np.float64)
    crossings = np.stack([col, row], axis=-1)
    shift = _lens_push(crossings[None], matrix, lens)[0] * dk
    bent = Homography(correction).to_pixels(crossings) - shift
    matters = float(np.linalg.norm(bent - Homography(plain).to_pixels(crossings), axis=-1).max())
    return BentFit(correction, Lens(lens.k + dk, lens.middle, lens.radius), matters, 1 - left_bent / max(left, 1e-12))


def _places() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Column and row of the middle of each stretch, (2, 16, 15) each, indexed like `LineOffsets`."""
    at, along = np.meshgrid(np.arange(SIZE + 1.0), np.arange(SIZE) + 0.5, indexing="ij")
    return np.stack([at, along]), np.stack([along, at])


def _lens_push(grid: NDArray[np.float64], matrix: NDArray[np.float64], lens: Lens) -> NDArray[np.float64]:
    """How far each grid point moves, in grid units, for a change of the lens's k by 1; same shape."""
    homography = Homography(matrix)
    straight = homography.to_pixels(grid)
    away = lens.bend(straight) - np.array(lens.middle)
    step = away * ((away**2).sum(axis=-1, keepdims=True) / lens.radius**2)
    small = 1e-3  # the map is not linear: its derivative, by a small step
    return (homography.to_grid(straight + small * step) - grid) / small


def _solved(
    lines: LineOffsets, scale: float, push: tuple[NDArray[np.float64], NDArray[np.float64]] | None
) -> tuple[NDArray[np.float64], float, float]:
    """The correction, the change of the lens's k (0 without `push`), and the weighted mean square of what is left."""
    at, along = np.meshgrid(np.arange(SIZE + 1.0), np.arange(SIZE) + 0.5, indexing="ij")
    one, nil = np.ones(at.size), np.zeros(at.size)
    u, v = at.ravel(), along.ravel()
    seen_x, seen_y = u + lines.offset[0].ravel(), u + lines.offset[1].ravel()
    rows = np.concatenate([
        np.column_stack([u, v, one, nil, nil, nil, -seen_x * u, -seen_x * v]),
        np.column_stack([nil, nil, nil, v, u, one, -seen_y * v, -seen_y * u]),
    ])  # fmt: skip
    start = np.array([1, 0, 0, 0, 1, 0, 0, 0], np.float64)
    ease = np.array([1, 1, 1, 1, 1, 1, 30, 30], np.float64)  # keeps a grid with few visible lines where it is
    if push is not None:
        rows = np.column_stack([rows, -np.concatenate([push[0].ravel(), push[1].ravel()])])
        start, ease = np.append(start, 0.0), np.append(ease, 10.0)
    target = np.concatenate([seen_x, seen_y])
    weight = lines.weight.reshape(-1)
    solution, w = start, weight
    residual = target - rows @ solution
    prior = 1e-6 * np.diag(ease**2)
    for _ in range(12):
        spread = max(scale, 3.0 * float(np.median(np.abs(residual[weight > 0.05]))) if np.any(weight > 0.05) else scale)
        w = np.sqrt(weight * np.maximum(1 - (residual / spread) ** 2, 0) ** 2)
        weighted = rows * (w**2)[:, None]
        solution = np.linalg.solve(weighted.T @ rows + prior, weighted.T @ target + prior @ start)
        residual = target - rows @ solution
    left_over = float((w**2 * residual**2).sum() / max((w**2).sum(), 1e-9))
    return np.append(solution[:8], 1.0).reshape(3, 3), float(solution[8]) if push is not None else 0.0, left_over
