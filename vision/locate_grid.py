"""The 16 lines each way inside a proposed quad, and which 15 x 15 squares between them are the board.

Two measures, each blind where the other sees:
comb contrast   edges lie on 16 equally spaced lines and not half-way between them: fixes pitch and phase, blind to
                shifts by whole squares;
premium share   how much the colour of a square says about its premium class, as a share of the entropy of the classes
                (mutual information; Cover and Thomas, Elements of Information Theory, ch. 2): fixes the whole squares
                and refuses other grids; covered squares lower it but do not mislead it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.board import STANDARD, Premium, Square
from vision.geometry import SIZE, warped

FLAT = 300
"""Side of the proposed quad in the flat picture in which lines are looked for, pixels."""

BORDER = 30
"""Surroundings of the quad in that picture, pixels on each side."""

SHIFTS = 3
"""Whole squares that a comb may be off in each direction."""

CLUSTERS = 12
"""Colours that the squares are sorted into: five classes, tiles, table, and some to spare for uneven light."""


LAB_WEIGHTS = np.array((0.6, 1.0, 1.0), np.float32)
"""Brightness tells classes apart less surely than colour does."""


@dataclass(frozen=True)
class Comb:
    """16 equally spaced lines along one axis of a flat picture: position of the first, distance, contrast."""

    start: float
    pitch: float
    contrast: float


@dataclass(frozen=True)
class GridGuess:
    """A grid in the small picture.

    matrix: 3x3, grid units -> pixels of the small picture
    premium: premium share, 0 to 1 (see module)
    rival: highest premium share among the same lines shifted by whole squares
    contrast: comb contrast, mean of both axes
    """

    matrix: NDArray[np.float64]
    premium: float
    rival: float
    contrast: float

    @property
    def score(self) -> float:
        return self.premium + 0.05 * min(self.contrast, 3.0)


def premium_classes() -> NDArray[np.intp]:
    """(15, 15) class of each square of the standard layout: 0 plain, 1 to 4 the premiums."""
    kinds = list(Premium)
    return np.array([[kinds.index(STANDARD.premium(Square(row, col))) for col in range(SIZE)] for row in range(SIZE)])


@lru_cache(maxsize=1)
def _template() -> tuple[NDArray[np.float32], float]:
    """One-hot classes, (225, 5), and their entropy in nats."""
    classes = premium_classes().ravel()
    one_hot = np.eye(5, dtype=np.float32)[classes]
    share = one_hot.mean(axis=0)
    return one_hot, float(-(share * np.log(share)).sum())


def flatten(picture: NDArray[np.uint8], quad: NDArray[np.float64]) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The quad as a square of FLAT pixels with BORDER around it, and the 3x3 map from there to the picture."""
    lo, hi = BORDER - 0.5, BORDER + FLAT - 0.5
    square = np.array([(lo, lo), (hi, lo), (hi, hi), (lo, hi)], np.float32)
    matrix = cv2.getPerspectiveTransform(square, quad.astype(np.float32)).astype(np.float64)
    return warped(picture, matrix, FLAT + 2 * BORDER), matrix


def line_profile(flat: NDArray[np.uint8], axis: int) -> NDArray[np.float64]:
    """How much each column (axis 1) or row (axis 0) of a flat picture looks like a long straight edge.

    Signed gradients are averaged over short stretches along the line first: letters and texture cancel, lines do not.
    Each stretch is scaled by its own mean, so that shadow counts like light.
    """
    if axis == 0:
        flat = flat.swapaxes(0, 1).copy()
    gradient = cv2.Sobel(flat, cv2.CV_32F, 1, 0, ksize=1)
    stretches = cv2.resize(gradient, (flat.shape[1], 24), interpolation=cv2.INTER_AREA)
    strength = np.abs(stretches).sum(axis=2)
    strength = np.minimum(strength / (strength.mean(axis=1, keepdims=True) + 1.0), 4.0)
    return cv2.GaussianBlur(strength.mean(axis=0).reshape(1, -1), (0, 0), 0.8).ravel().astype(np.float64)


@lru_cache(maxsize=4)
def _comb_table(length: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.intp], NDArray[np.intp]]:
    """Starts, pitches and the sample positions (half pixels) of lines and of the middles between them."""
    starts, pitches = [], []
    for pitch in np.arange(0.5 * FLAT / SIZE, 1.15 * FLAT / SIZE, 0.25):
        first = np.arange(1.0, length - 2.0 - SIZE * pitch, 0.5)
        starts.append(first)
        pitches.append(np.full(len(first), pitch))
    start, pitch = np.concatenate(starts), np.concatenate(pitches)
    lines = start[:, None] + pitch[:, None] * np.arange(SIZE + 1)
    middles = start[:, None] + pitch[:, None] * (np.arange(SIZE) + 0.5)
    return start, pitch, np.rint(2 * lines).astype(np.intp).T.copy(), np.rint(2 * middles).astype(np.intp).T.copy()


def combs(profile: NDArray[np.float64], count: int) -> list[Comb]:
    """The best combs of distinct pitch or phase, best first."""
    length = len(profile)
    start, pitch, lines, middles = _comb_table(length)
    fine = np.interp(np.arange(2 * length) / 2, np.arange(length), profile)
    score = (fine[lines].mean(axis=0) - fine[middles].mean(axis=0)) / (profile.std() + 1e-9)
    best = np.flatnonzero(score > score.max() - 1.0)
    found: list[Comb] = []
    for k in best[np.argsort(-score[best], kind="stable")][:4000]:
        comb = Comb(float(start[k]), float(pitch[k]), float(score[k]))
        if all(_distinct(comb, other) for other in found):
            found.append(comb)
            if len(found) == count:
                break
    return found


def _distinct(one: Comb, other: Comb) -> bool:
    """Whether the middle lines of two combs differ by more than a fraction of a square, whole squares aside."""
    if abs(one.pitch - other.pitch) > 0.025 * other.pitch:
        return True
    middle = (one.start - other.start) / other.pitch + 7.5 * (one.pitch / other.pitch - 1)
    return abs(middle - round(middle)) > 0.25


def cluster(colours: NDArray[np.float32], clusters: int = CLUSTERS) -> NDArray[np.intp]:
    """Labels 0..clusters-1 of (n, 3) colours: k-means from farthest-first seeds, no random numbers."""
    seeds = [np.median(colours, axis=0)]
    nearest = np.full(len(colours), np.inf)
    for _ in range(clusters - 1):
        nearest = np.minimum(nearest, _distances(colours, seeds[-1][None])[:, 0])
        seeds.append(colours[int(np.argsort(nearest, kind="stable")[int(0.985 * len(colours))])])
    centres = np.array(seeds)
    labels = np.zeros(len(colours), np.intp)
    for _ in range(8):
        labels = _distances(colours, centres).argmin(axis=1)
        member = np.eye(clusters, dtype=np.float32)[labels]
        size = member.sum(axis=0)
        centres = np.where(size[:, None] > 0, member.T @ colours / np.maximum(size, 1)[:, None], centres)
    return labels


def _distances(colours: NDArray[np.float32], centres: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, k) squared distances of (n, 3) colours from (k, 3) centres."""
    return (colours * colours).sum(axis=1)[:, None] - 2 * (colours @ centres.T) + (centres * centres).sum(axis=1)


def premium_shares(labels: NDArray[np.intp]) -> NDArray[np.float64]:
    """Premium share of each 15 x 15 window of a label picture (n, n): (n - 14, n - 14), chance level taken off."""
    one_hot, entropy = _template()
    clusters = int(labels.max()) + 1
    member = np.eye(clusters, dtype=np.float32)[labels]
    windows = np.lib.stride_tricks.sliding_window_view(member, (SIZE, SIZE), axis=(0, 1))
    count = windows.shape[0]
    joint = (windows.reshape(count * count * clusters, SIZE * SIZE) @ one_hot).reshape(count, count, clusters, 5)
    joint = joint.astype(np.float64) / SIZE**2
    expected = joint.sum(axis=3, keepdims=True) * joint.sum(axis=2, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        information = np.where(joint > 0, joint * np.log(joint / expected), 0.0).sum(axis=(2, 3))
    used = (joint.sum(axis=3) > 0).sum(axis=2)
    chance = (used - 1) * 4 / (2 * SIZE**2)  # Miller and Madow 1955
    return (information - chance) / entropy


def premium_map(colours: NDArray[np.float32], numbers: tuple[int, ...]) -> NDArray[np.float64]:
    """Premium shares (n - 14, n - 14) of a map of square colours (n, n, 3), 8-bit L*a*b* as OpenCV scales it.

    The larger of two readings counts: colours as they are, and colours relative to the light around each square, which
    a shadow does not split (L* + 16, a* and b* all grow with the cube root of the light). Averaged over clusterings
    into each of `numbers` colours, since one clustering may join two classes by chance.
    """
    count = len(colours)
    light = cv2.medianBlur(np.ascontiguousarray(colours[..., 0]).astype(np.uint8), 7) * (100 / 255) + 16
    even = (colours * (100 / 255, 1, 1) + (16, -128, -128)) * (60 / light)[..., None]
    readings = []
    for reading in (colours * LAB_WEIGHTS, (even * (1.5, 1, 1)).astype(np.float32)):
        sorts = [cluster(reading.reshape(-1, 3), number).reshape(count, count) for number in numbers]
        readings.append(np.mean([premium_shares(sort) for sort in sorts], axis=0))
    return np.maximum(*readings)


def tile_like(labels: NDArray[np.intp]) -> NDArray[np.bool_]:
    """(15, 15) squares whose colour is found on premium and plain squares alike, as that of tiles is.

    labels: the colour each square was sorted into, (15, 15). The colour of board says which class a square is of; how
    much it says is the Kullback-Leibler divergence of the classes under it from those of the whole board.
    """
    one_hot, _ = _template()
    member = np.eye(int(labels.max()) + 1)[labels.ravel()]
    joint = member.T @ one_hot
    share = joint / np.maximum(joint.sum(axis=1, keepdims=True), 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        says = np.where(share > 0, share * np.log(share / one_hot.mean(axis=0)), 0.0).sum(axis=1)
    return np.asarray((says < TELLING)[labels])


TELLING = 0.15
"""Nats that the colour of board says at least: plain squares say 0.31, tiles about nothing."""


def square_colours(
    lab: NDArray[np.uint8], columns: NDArray[np.float64], rows: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Mean colour of the middle of each square between the given lines of a flat picture: (rows, columns, 3)."""
    total = cv2.integral(lab).astype(np.float64)

    def ends(lines: NDArray[np.float64], length: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        pitch = np.diff(lines)
        low = np.clip(np.rint(lines[:-1] + 0.25 * pitch + 0.5), 0, length - 2).astype(np.intp)
        high = np.clip(np.rint(lines[:-1] + 0.75 * pitch + 0.5), low + 1, length).astype(np.intp)
        return low, np.maximum(high, low + 1)

    x0, x1 = ends(columns, lab.shape[1])
    y0, y1 = ends(rows, lab.shape[0])
    sums = total[np.ix_(y1, x1)] - total[np.ix_(y0, x1)] - total[np.ix_(y1, x0)] + total[np.ix_(y0, x0)]
    area = np.outer(y1 - y0, x1 - x0)[..., None]
    return (sums / area).astype(np.float32)


def guess(flat: NDArray[np.uint8], to_picture: NDArray[np.float64], across: list[Comb], down: list[Comb]) -> GridGuess:
    """The best grid made of one comb of each axis, in whichever whole-square shift the colours fit best."""
    best: GridGuess | None = None
    count = SIZE + 2 * SHIFTS
    steps = np.arange(count + 1, dtype=np.float64) - SHIFTS
    for comb_x in across:
        for comb_y in down:
            if not 0.7 < comb_x.pitch / comb_y.pitch < 1 / 0.7:
                continue
            colours = square_colours(flat, comb_x.start + steps * comb_x.pitch, comb_y.start + steps * comb_y.pitch)
            shares = premium_map(colours, (CLUSTERS,))
            row, col = np.unravel_index(int(np.argmax(shares)), shares.shape)
            share = float(shares[row, col])
            shares[row, col] = -1
            x, y = comb_x.start + (col - SHIFTS) * comb_x.pitch, comb_y.start + (row - SHIFTS) * comb_y.pitch
            lines = np.array([[comb_x.pitch, 0, x], [0, comb_y.pitch, y], [0, 0, 1.0]])
            one = GridGuess(to_picture @ lines, share, float(shares.max()), (comb_x.contrast + comb_y.contrast) / 2)
            if best is None or one.score > best.score:
                best = one
    if best is None:
        return GridGuess(to_picture, 0.0, 0.0, 0.0)
    return best
