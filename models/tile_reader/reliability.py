"""Whether the reader's probabilities are worth what they say: share right by confidence, and where to begin to doubt.

Counted over all squares that are judged and whose truth is among the classes, as the run-time reads them: after the
letters of the tile set and the colours of the photo have had their say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from models.tile_reader.outcome import Outcome, table
from vision.reading import EMPTY

EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)
"""Bins of confidence: narrow where nearly all squares are."""

THRESHOLDS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)


@dataclass(frozen=True)
class Squares:
    """Squares of many photos.

    confidence: (n,) probability of what is said; right: (n,) whether it is; tile: (n,) whether a tile lies there or is
    seen there
    """

    confidence: NDArray[np.float64]
    right: NDArray[np.bool_]
    tile: NDArray[np.bool_]

    @classmethod
    def of(cls, outcomes: Iterable[Outcome]) -> Squares:
        parts = [
            (
                outcome.reading.confidence[outcome.known],
                outcome.right[outcome.known],
                (outcome.tile | (outcome.got != EMPTY))[outcome.known],
            )
            for outcome in outcomes
            if outcome.reading is not None
        ]
        if not parts:
            return cls(np.empty(0), np.empty(0, bool), np.empty(0, bool))
        return cls(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    @property
    def tiles(self) -> Squares:
        """Those with a tile."""
        return Squares(self.confidence[self.tile], self.right[self.tile], self.tile[self.tile])


@dataclass(frozen=True)
class Bin:
    """Squares whose confidence is from `low` (included) to `high` (not, but for 1)."""

    low: float
    high: float
    count: int
    right: int
    confidence: float

    @property
    def share(self) -> float:
        """Share of the squares that are right."""
        return self.right / self.count if self.count else float("nan")

    @property
    def gap(self) -> float:
        """Share right less mean confidence: negative where the reader is too sure of itself."""
        return self.share - self.confidence


def bins(squares: Squares, edges: Sequence[float] = EDGES) -> list[Bin]:
    """All bins, empty ones too; `confidence` is the mean of the bin's squares."""
    place = np.clip(np.searchsorted(edges, squares.confidence, side="right") - 1, 0, len(edges) - 2)
    out = []
    for k, (low, high) in enumerate(pairwise(edges)):
        chosen = place == k
        count = int(chosen.sum())
        mean = float(squares.confidence[chosen].mean()) if count else float("nan")
        out.append(Bin(low, high, count, int(squares.right[chosen].sum()), mean))
    return out


def calibration_error(binned: Sequence[Bin]) -> float:
    """Expected calibration error: mean gap of the bins, by their counts (Naeini et al. 2015)."""
    total = sum(b.count for b in binned)
    return sum(b.count * abs(b.gap) for b in binned if b.count) / max(total, 1)


def reliability_table(outcomes: Iterable[Outcome]) -> str:
    """Share right by confidence, of all squares and of those with a tile, and the expected calibration errors."""
    squares = Squares.of(outcomes)
    every, tiles = bins(squares), bins(squares.tiles)
    rows = [(f"{b.low:g} to {b.high:g}", *_cells(b), *_cells(t)) for b, t in zip(every, tiles, strict=True) if b.count]
    head = ("confidence", "squares", "mean", "right", "wrong", "tiles", "mean", "right", "wrong")
    return (
        table(head, rows)
        + f"\n\nexpected calibration error: {calibration_error(every):.5f} of {len(squares.right)} squares, "
        + f"{calibration_error(tiles):.5f} of {len(squares.tiles.right)} with a tile"
    )


def _cells(b: Bin) -> tuple[str, ...]:
    return (str(b.count), *((f"{b.confidence:.4f}", f"{b.share:.4f}") if b.count else "--"), str(b.count - b.right))


@dataclass(frozen=True)
class Doubt:
    """What comes of doubting squares below a probability, among `squares` judged ones of boards that were found.

    marked: squares marked doubtful, for whatever reason; needless: of these the right ones; silent: wrong and unmarked;
    foreign: prints that the reader does not know, taken for letters and unmarked (they do not count as wrong)
    """

    below: float
    squares: int
    marked: int
    needless: int
    silent: int
    foreign: int


def doubts(outcomes: Sequence[Outcome], thresholds: Sequence[float] = THRESHOLDS) -> list[Doubt]:
    """One line of the table for each threshold."""
    found = [outcome for outcome in outcomes if outcome.reading is not None]
    out = []
    for threshold in thresholds:
        sums = np.zeros(5, int)
        for outcome in found:
            marked = outcome.doubtful_below(threshold)
            needless, silent = outcome.right & marked, outcome.judged & ~outcome.right & ~marked
            masks = (outcome.judged, outcome.judged & marked, needless, silent, outcome.foreign & ~marked)
            sums += [mask.sum() for mask in masks]
        out.append(Doubt(threshold, *map(int, sums)))
    return out


def threshold_table(outcomes: Sequence[Outcome]) -> str:
    """Share marked doubtful and errors without a mark, by threshold of doubt."""
    rows = [
        (f"{d.below:g}", f"{d.marked / max(d.squares, 1):.4f}", str(d.needless), str(d.silent), str(d.foreign))
        for d in doubts(outcomes)
    ]
    return table(("doubt below", "doubtful", "right, but marked", "silent", "foreign, silent"), rows)


WIDTH, HEIGHT, PAD = 560, 420, 60
DECADES = 4.0
"""The diagram's scale is logarithmic in the distance from 1, and ends at 0.9999."""

TICKS = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9999)
COLOURS = ("#0b6fa4", "#c2570c", "#4d7c0f")


def diagram(pooled: Mapping[str, Sequence[Outcome]]) -> str:
    """SVG: share right over confidence, one curve a source, with 95 % intervals; on the diagonal they agree."""

    def x(p: float) -> str:
        return f"{PAD + _scale(p) * (WIDTH - PAD - 20):.1f}"

    def y(p: float) -> str:
        return f"{HEIGHT - PAD - _scale(p) * (HEIGHT - PAD - 20):.1f}"

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="12" fill="#333">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for tick in TICKS:
        out += [
            f'<path d="M{x(tick)} {y(0)}V{y(1)}M{x(0)} {y(tick)}H{x(1)}" stroke="#ddd" fill="none"/>',
            f'<text x="{x(tick)}" y="{HEIGHT - PAD + 16}" text-anchor="middle">{tick:g}</text>',
            f'<text x="{PAD - 6}" y="{y(tick)}" dy="4" text-anchor="end">{tick:g}</text>',
        ]
    out += [
        f'<path d="M{x(0)} {y(1)}V{y(0)}H{x(1)}" stroke="#333" fill="none"/>',
        f'<path d="M{x(0)} {y(0)}L{x(1)} {y(1)}" stroke="#999" stroke-dasharray="4 4" fill="none"/>',
        f'<text x="{(PAD + WIDTH) / 2}" y="{HEIGHT - 18}" text-anchor="middle">confidence</text>',
        f'<text transform="translate(16 {(HEIGHT - PAD) / 2}) rotate(-90)" text-anchor="middle">share right</text>',
        f'<text x="{WIDTH - 30}" y="{HEIGHT - PAD - 12}" text-anchor="end" fill="#777">below: too sure</text>',
    ]
    for k, (name, outcomes) in enumerate(pooled.items()):
        colour, drawn = COLOURS[k % len(COLOURS)], [b for b in bins(Squares.of(outcomes)) if b.count]
        path = "L".join(f"{x(b.confidence)} {y(b.share)}" for b in drawn)
        out.append(f'<g stroke="{colour}" fill="{colour}"><path d="M{path}" fill="none" stroke-width="1.5"/>')
        for b in drawn:
            low, high = wilson(b.right, b.count)
            out.append(f'<path d="M{x(b.confidence)} {y(low)}V{y(high)}" opacity=".5"/>')
            out.append(f'<circle cx="{x(b.confidence)}" cy="{y(b.share)}" r="3"/>')
        label = f"{name} ({sum(b.count for b in drawn):,} squares)"
        out.append(f'<text x="{PAD + 14}" y="{36 + 18 * k}" stroke="none">{label}</text></g>')
    return "\n".join([*out, "</svg>", ""])


def _scale(p: float) -> float:
    """0 to 1: place of a probability on the diagram's axes."""
    return float(min(-np.log10(max(1 - p, 1e-12)) / DECADES, 1.0))


def wilson(right: int, count: int, z: float = 1.96) -> tuple[float, float]:
    """95 % interval of a share (Wilson 1927)."""
    share, spread = right / count, z * z / count
    middle = share + spread / 2
    reach = z * float(np.sqrt(share * (1 - share) / count + spread / (4 * count)))
    return (middle - reach) / (1 + spread), (middle + reach) / (1 + spread)
