"""What became of one measured photo, and the tables summed over many."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from models.tile_reader.classes import CLASSES, OTHER
from vision.geometry import Corners, Homography
from vision.reading import BLANK, COVERED, EMPTY, BoardReading

LETTERS = frozenset(filter(str.isalpha, CLASSES))
"""Letters that the reader knows; of any other it is asked only that it sees a tile."""

LOCATED = 0.25
"""Largest error of a grid that counts as found, in squares."""

COLUMNS = ("photos", "located", "err", "squares", "tiles", "boards", "silent", "doubtful", "ratio")

KINDS = ("Ä/A", "Ö/O", "Ü/U", "Q/O", "blank/empty", "empty/covered", "others", "foreign")
"""Confusions that are counted apart, either way round; foreign: a print that the reader does not know, taken for a
letter that it knows."""

_KIND = {frozenset(kind.split("/")): kind for kind in KINDS[:4]} | {
    frozenset((BLANK, EMPTY)): "blank/empty",
    frozenset((EMPTY, COVERED)): "empty/covered",
}

Chars = NDArray[np.str_]
Mask = NDArray[np.bool_]


def grid_errors(truth: Corners, found: Corners) -> tuple[float, float]:
    """Mean and largest distance of the 16x16 crossings, in sides of the true square that lies there."""
    a, b = Homography.from_corners(truth).lattice(), Homography.from_corners(found).lattice()
    side = np.linalg.norm(np.diff(a, axis=1), axis=2)
    distance = np.linalg.norm(a - b, axis=2) / side[:, [*range(side.shape[1]), -1]]
    return float(distance.mean()), float(distance.max())


def grid_error(truth: Corners, found: Corners) -> float:
    """Largest distance of the 16x16 crossings, in squares."""
    return grid_errors(truth, found)[1]


@dataclass(frozen=True)
class Outcome:
    """One photo: what lies there and what was read.

    truth: 15 strings; '.' empty, '?' blank tile, capital a letter (of any language), '*' not to be judged
    reading: None when no board was found
    error: mean and largest error of the grid, in squares
    ratio: seconds of reading the photo over those of decoding its file
    covered: (15, 15) squares known to be hidden; `truth` then says what lies beneath. Not judged, except that what is
             asserted of them counts among the confusions
    """

    truth: tuple[str, ...]
    reading: BoardReading | None = None
    error: tuple[float, float] | None = None
    ratio: float | None = None
    covered: Mask | None = None

    @classmethod
    def of(
        cls,
        truth: Sequence[str],
        reading: BoardReading | None,
        corners: Corners | None = None,
        found: Corners | None = None,
        ratio: float | None = None,
        covered: Mask | None = None,
    ) -> Outcome:
        """An outcome from the true and the found corners; an empty board may be found any side up."""
        error = None
        if corners is not None and found is not None:
            turns = range(1 if any(char not in (EMPTY, COVERED) for row in truth for char in row) else 4)
            error = min((grid_errors(corners, found.turned(k)) for k in turns), key=lambda e: e[1])
        return cls(tuple(truth), reading, error, ratio, covered)

    @property
    def located(self) -> bool:
        """Whether the grid is right to a quarter of a square, and the right way up."""
        return self.error is not None and self.error[1] < LOCATED

    @cached_property
    def want(self) -> Chars:
        """(15, 15) what lies there, a blank always as '?'."""
        return _chars([BLANK if char.islower() else char for char in row] for row in self.truth)

    @cached_property
    def judged(self) -> Mask:
        """(15, 15) squares that count."""
        judged: Mask = self.want != COVERED
        return judged if self.covered is None else judged & ~self.covered

    @cached_property
    def got(self) -> Chars:
        """(15, 15) what the reading says; empty where there is none."""
        if self.reading is None:
            return np.full(self.want.shape, "")
        return _chars([BLANK if char.islower() else char for char in row] for row in self.reading.rows)

    @cached_property
    def likeliest(self) -> Chars:
        """(15, 15) the reading's likeliest class, those included that no board shows: "covered", and what is none of
        its characters, to which it gives what lacks of its probability."""
        if self.reading is None:
            return self.got
        probs = np.exp(self.reading.log_probs.astype(np.float64))
        top = np.array(self.reading.classes)[probs.argmax(axis=-1)]
        top = np.where(1 - probs.sum(axis=-1) > probs.max(axis=-1), OTHER, top)
        shown = np.isin(top, [EMPTY, BLANK, *LETTERS])
        return np.where(shown, self.got, top)

    @cached_property
    def tile(self) -> Mask:
        """(15, 15) judged squares that hold a tile."""
        tile: Mask = self.judged & (self.want != EMPTY)
        return tile

    @cached_property
    def known(self) -> Mask:
        """(15, 15) judged squares whose truth is among the classes."""
        return self.judged & np.isin(self.want, [EMPTY, BLANK, *LETTERS])

    @cached_property
    def right(self) -> Mask:
        """(15, 15) judged squares read right; of a letter that no class stands for, any tile is right."""
        if self.reading is None:
            return np.zeros_like(self.judged)
        right: Mask = self.judged & np.where(self.known, self.got == self.want, self.got != EMPTY)
        return right

    @cached_property
    def foreign(self) -> Mask:
        """(15, 15) judged squares with a print that the reader does not know, taken for a letter that it knows."""
        foreign: Mask = self.judged & ~self.known & np.isin(self.likeliest, list(LETTERS))
        return foreign

    @cached_property
    def doubtful(self) -> Mask:
        """(15, 15) squares that the reading marks."""
        return self.doubtful_below(None)

    def doubtful_below(self, threshold: float | None) -> Mask:
        """(15, 15) squares that the reading would mark with another threshold of doubt."""
        out = np.zeros_like(self.judged)
        if self.reading is not None:
            limit = self.reading.doubt_below if threshold is None else threshold
            for row, col in self.reading.suspects:
                out[row, col] = True
            out |= self.reading.confidence < limit
        return out

    @property
    def silent(self) -> Mask:
        """(15, 15) wrong squares of a board that was found, without a mark: what must not happen."""
        return self.judged & ~self.right & ~self.doubtful & (self.reading is not None)

    def confusions(self) -> list[tuple[str, str, bool]]:
        """(what lies there, what it is taken for, silent) of each wrong square of a board that was found.

        Besides wrong squares these are squares taken for covered, or for a print that the reader does not know, of
        which the reading shows, and doubts, the next likeliest character; prints that it does not know taken for
        letters; and covered squares of which something is said that is not even what lies beneath.
        """
        if self.reading is None:
            return []
        unclear = self.known & (self.likeliest != self.got)
        wrong = (self.judged & ~self.right) | unclear | self.foreign
        out = [
            (str(self.want[k]), str(self.likeliest[k]), not self.doubtful[k]) for k in map(tuple, np.argwhere(wrong))
        ]
        if self.covered is not None:
            asserted = self.covered & (self.want != COVERED) & (self.likeliest == self.got) & (self.got != self.want)
            out += [(COVERED, str(self.got[k]), not self.doubtful[k]) for k in map(tuple, np.argwhere(asserted))]
        return out


def kind_of(want: str, got: str) -> str:
    """Which of KINDS a confusion is."""
    if want not in (EMPTY, BLANK, COVERED) and want not in LETTERS and got in LETTERS:
        return "foreign"
    return _KIND.get(frozenset((want, got)), "others")


@dataclass
class Tally:
    """Sums over photos; what each column is, `row` tells."""

    boards: int = 0
    located: int = 0
    squares: int = 0
    seen: int = 0
    right: int = 0
    tiles: int = 0
    tiles_right: int = 0
    exact: int = 0
    silent: int = 0
    doubtful: int = 0
    errors: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    confusions: Counter[str] = field(default_factory=Counter)
    silent_confusions: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, outcomes: Iterable[Outcome]) -> Tally:
        tally = cls()
        for outcome in outcomes:
            tally.include(outcome)
        return tally

    def include(self, outcome: Outcome) -> None:
        found, judged = outcome.reading is not None, int(outcome.judged.sum())
        self.boards += 1
        self.located += outcome.located
        self.squares += judged
        self.tiles += int(outcome.tile.sum())
        self.right += int(outcome.right.sum())
        self.tiles_right += int((outcome.right & outcome.tile).sum())
        self.exact += int(outcome.right.sum()) == judged
        if found:
            self.seen += judged
            self.silent += int(outcome.silent.sum())
            self.doubtful += int((outcome.doubtful & outcome.judged).sum())
        if outcome.error is not None:
            self.errors.append(outcome.error[0])
        if outcome.ratio is not None:
            self.ratios.append(outcome.ratio)
        for want, got, silent in outcome.confusions():
            self.confusions[f"{want}>{got}"] += 1
            self.silent_confusions[f"{want}>{got}"] += silent

    def row(self) -> tuple[str, ...]:
        """The figures of COLUMNS.

        photos; located: grids right to a quarter of a square; err: median of the grids' mean errors, in squares;
        squares, tiles: share of all squares, and of those with a tile, read right, a photo without a reading counting
        as all wrong; boards: photos without an error; silent: wrong squares not marked doubtful, and doubtful: share
        of squares marked, both in photos that have a reading; ratio: median of reading time over decoding time.
        """
        return (
            str(self.boards),
            str(self.located),
            _median(self.errors, "{:.3f}"),
            f"{self.right / max(self.squares, 1):.5f}",
            f"{self.tiles_right / max(self.tiles, 1):.5f}",
            str(self.exact),
            str(self.silent),
            f"{self.doubtful / max(self.seen, 1):.4f}",
            _median(self.ratios, "{:.2f}"),
        )

    def by_kind(self) -> dict[str, tuple[int, int]]:
        """For each of KINDS: how many confusions, and how many of these without a mark."""
        out = dict.fromkeys(KINDS, (0, 0))
        for pair, count in self.confusions.items():
            kind = kind_of(*pair.split(">"))
            out[kind] = (out[kind][0] + count, out[kind][1] + self.silent_confusions[pair])
        return out


def figures(sets: dict[str, list[Outcome]]) -> str:
    """The main table: a line for each set, and one for all."""
    return table(("set", *COLUMNS), [(name, *tally.row()) for name, tally in tallies(sets).items()])


def confusion_table(sets: dict[str, list[Outcome]]) -> str:
    """Confusions by kind: how many, and how many of them without a mark."""
    return table(
        ("wrong (silent)", *KINDS),
        [
            (name, *(f"{n} ({silent})" if n else "0" for n, silent in tally.by_kind().values()))
            for name, tally in tallies(sets).items()
        ],
    )


def commonest(sets: dict[str, list[Outcome]], count: int) -> str:
    """The commonest single confusions, what lies there first."""
    tally = Tally.of(outcome for outcomes in sets.values() for outcome in outcomes)
    return table(
        ("taken for", "times", "silent"),
        [(pair, str(n), str(tally.silent_confusions[pair])) for pair, n in tally.confusions.most_common(count)],
    )


def tallies(sets: dict[str, list[Outcome]]) -> dict[str, Tally]:
    """One tally a set, and "ALL" where there is more than one."""
    out = {name: Tally.of(outcomes) for name, outcomes in sets.items()}
    if len(sets) > 1:
        out["ALL"] = Tally.of(outcome for outcomes in sets.values() for outcome in outcomes)
    return out


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Markdown that can be read on a terminal as well: the first column to the left, figures to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *others = zip(cells, widths, strict=True)
        return "| " + " | ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]) + " |"

    rule = "|" + "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])]) + "|"
    return "\n".join([line(head), rule, *map(line, rows)])


def _chars(rows: Iterable[Iterable[str]]) -> Chars:
    return np.array([list(row) for row in rows], dtype="<U1")


def _median(values: Sequence[float], form: str) -> str:
    return form.format(statistics.median(values)) if values else "-"
