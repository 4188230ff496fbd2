"""Which letter each tile has, by all photos in which it lies.

Several photos of a tile are never surer together than the surest of them alone: what makes a tile look like another
one is mostly on all photos of it, and five equal doubts are not a certainty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from scorer.board import SIZE, Board, Square
from scorer.letter_model import Prior
from scorer.placement import Placement
from scorer.tiles import TileSet
from vision.reading import BLANK, COVERED, EMPTY, MISREAD, BoardReading
from vision.steps import MoveRef, Step
from vision.wording import Candidates, weighed_by_words

Floats = NDArray[np.float64]

LATER = 0.5
"""Weight of a photo after the first one of a tile."""

NO_PRINT = 0.3
"""From this probability on that a tile bears a print no class stands for it is doubted; below, the tile set says that
there is no such tile, and a part of that probability, SAME_SET, goes to the letters."""

SAME_SET = 0.7

SLIP = MISREAD / 30
"""How often a letter of which the reader is sure is a certain other one."""

SPENT = 0.05
"""Tiles that may be left of a letter of which the set has none left: one that lies there may be misread."""

STRETCHED = 0.5
"""How much counts of what a photo says of a tile read as a letter of which more are read than the set has: some of
these are misread, so the reader is not to be trusted with this letter on these tiles."""

LOOK_AHEAD = 4
"""Photos after the move's own that have a say about its letters at the end."""


def fused(readings: Sequence[BoardReading], square: Square) -> tuple[tuple[str, float], ...]:
    """The tile on a square by several photos of it, likeliest first; that there is a tile is taken for granted."""
    memory = Memory()
    for reading in readings:
        memory = memory.with_photo(reading, [square])
    return memory.candidates(square)


@dataclass(frozen=True)
class Memory:
    """What the photos so far say of the tiles that lie there.

    classes: characters of the last axis, those of the readings; none before the first
    total:   (15, 15, K) weighted sum of the log-likelihoods of each square's pictures
    alone:   (15, 15, K) the best log-probability of a single photo
    photos:  (15, 15) how many photos of the tile there are; 0 where no tile lies
    told:    (15, 15) characters that are known without a photo, or "" where they are not
    """

    classes: tuple[str, ...] = ()
    total: Floats | None = None
    alone: Floats | None = None
    photos: NDArray[np.int64] | None = None
    told: NDArray[np.str_] | None = None

    @classmethod
    def of(cls, position: Board) -> Memory:
        """Of tiles that are known."""
        told = np.array([list(row) for row in position.rows])
        return cls(told=np.where(told == EMPTY, "", told))

    @cached_property
    def log_probs(self) -> Floats | None:
        """(15, 15, K) log-probabilities of the letters; None before the first photo."""
        if self.total is None or self.alone is None or self.photos is None:
            return None
        total = self.total.copy()
        total[..., [self.classes.index(char) for char in (EMPTY, COVERED)]] = -np.inf
        together = total - np.logaddexp.reduce(total, axis=-1, keepdims=True)
        out = np.minimum(together, self.alone)
        if self.told is not None:
            for row, col in np.argwhere(self.told != ""):
                char = str(self.told[row, col])
                char = BLANK if char.islower() else char
                out[row, col] = [0.0 if one == char else -np.inf for one in self.classes]
        return out

    @cached_property
    def expected(self) -> Floats | None:
        """(15, 15, K) what a further photo of each tile should show, logarithms: its letter as far as it is known, and
        any tile alike as far as not; None before the first photo."""
        if self.log_probs is None or self.photos is None:
            return None
        tile = np.array([char not in (EMPTY, COVERED) for char in self.classes])
        probs = np.exp(self.log_probs)
        probs += np.maximum(1 - probs.sum(axis=-1, keepdims=True), 0) / tile.sum() * tile
        unseen = self.photos == 0
        if self.told is not None:
            unseen &= self.told == ""
        probs[unseen] = tile  # as for a new tile, of which any letter will do
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(probs))

    def with_photo(self, reading: BoardReading, squares: Collection[Square]) -> Memory:
        """With one more photo of the tiles on these squares; what is covered in it says nothing."""
        squares = [square for square in squares if not reading.hidden[square]]
        shape = (SIZE, SIZE, len(reading.classes))
        total = np.zeros(shape) if self.total is None else self.total.copy()
        alone = np.full(shape, -60.0) if self.alone is None else self.alone.copy()
        photos = np.zeros((SIZE, SIZE), np.int64) if self.photos is None else self.photos.copy()
        if squares:
            rows, cols = np.array([*squares], np.intp).reshape(-1, 2).T
            weight = np.where(photos[rows, cols] == 0, 1.0, LATER)
            alone_here = _as_tiles(reading)[rows, cols]
            spread = (1 - np.exp(alone_here).sum(axis=-1, keepdims=True)).clip(0) / len(reading.classes)
            total[rows, cols] += weight[:, None] * np.log((1 - MISREAD) * (np.exp(alone_here) + spread) + SLIP)
            alone[rows, cols] = np.maximum(alone[rows, cols], alone_here)
            photos[rows, cols] += 1
        return replace(self, classes=reading.classes, total=total, alone=alone, photos=photos)

    def knowing(self, tiles: Mapping[Square, str]) -> Memory:
        """With tiles of which a person has said what they are."""
        if not tiles:
            return self
        told = np.full((SIZE, SIZE), "", dtype="<U1") if self.told is None else self.told.copy()
        for square, char in tiles.items():
            told[square] = char
        return replace(self, told=told)

    def without(self, squares: Iterable[Square]) -> Memory:
        """Without the tiles on these squares."""
        gone = [*squares]
        if not gone:
            return self
        rows, cols = np.array(gone, np.intp).reshape(-1, 2).T
        out = self
        if self.told is not None:
            told = self.told.copy()
            told[rows, cols] = ""
            out = replace(out, told=told)
        if self.total is not None and self.alone is not None and self.photos is not None:
            total, alone, photos = self.total.copy(), self.alone.copy(), self.photos.copy()
            total[rows, cols], alone[rows, cols], photos[rows, cols] = 0.0, -60.0, 0
            out = replace(out, total=total, alone=alone, photos=photos)
        return out

    def candidates(self, square: Square) -> tuple[tuple[str, float], ...]:
        """The tile on a square, likeliest first, down to 1 in 1000; nothing before the first photo."""
        if self.log_probs is None:
            return ()
        probabilities = np.exp(self.log_probs[square])
        order = np.argsort(-probabilities, kind="stable")
        return tuple((self.classes[k], float(probabilities[k])) for k in order if probabilities[k] >= 1e-3)

    def lettered(self, position: Board) -> Board:
        """The position with the likeliest letters; those that are told stay."""
        if self.log_probs is None or self.photos is None:
            return position
        best = np.array(self.classes)[self.log_probs.argmax(axis=-1)]
        told = np.full((SIZE, SIZE), "") if self.told is None else self.told
        rows = []
        for row, text in enumerate(position.rows):
            kept = [char == EMPTY or not self.photos[row, col] for col, char in enumerate(text)]
            read = [char if keep else str(seen) for char, keep, seen in zip(text, kept, best[row], strict=True)]
            rows.append(
                "".join(str(t) if t and c != EMPTY else r for c, t, r in zip(text, told[row], read, strict=True))
            )
        return Board(tuple(rows))


def _as_tiles(reading: BoardReading) -> Floats:
    """(15, 15, K) log-probabilities of the characters, given that all tiles are of the tile set."""
    probs = np.exp(reading.log_probs.astype(np.float64))
    foreign = np.maximum(1 - probs.sum(axis=-1, keepdims=True), 0)
    share = np.where(foreign < NO_PRINT, SAME_SET * foreign / np.maximum(1 - foreign, 1e-9), 0.0)
    tile = np.array([char not in (EMPTY, COVERED) for char in reading.classes])
    return np.asarray(np.log(np.maximum(probs * (1 + share * tile), 1e-26)))


# --- all tiles of a game ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Settled:
    """The letters of one move by all photos.

    letters:    the likeliest tile of each square
    candidates: by the photos and what people said alone, likeliest first, with probabilities
    proposed:   the same with the words they form weighed in, where they are open
    at_first:   the likeliest tile by the move's own photo
    torn:       squares that look surely like one tile on the move's own photo and surely like another one later
    """

    letters: Mapping[Square, str]
    candidates: Mapping[Square, Candidates]
    proposed: Mapping[Square, Candidates]
    at_first: Mapping[Square, str]
    torn: frozenset[Square] = frozenset()


def settle_letters(
    steps: Sequence[Step],
    readings: Sequence[BoardReading | None],
    tile_set: TileSet,
    sure: float,
    prior: Prior | None = None,
    known: Mapping[tuple[int, Square], str] = MappingProxyType({}),
    start: Board | None = None,
) -> dict[MoveRef, Settled]:
    """Each move's letters by its own photo and the following ones in which its tiles lie.

    steps:    what each photo was taken for
    readings: None for photos that cannot be read or show no position of this game
    tile_set: how many there are of each letter; the reader knows nothing of that, for it all are equally frequent
    sure:     probability from which a letter is not open
    prior:    weighs open letters by the words they form; it has no say about moves that were taken back, which are the
              ones whose words do not exist
    known:    what people said of a tile, by photo and square
    start:    what lay there before the first photo, an empty board if None
    """
    position = start or Board.empty()  # "?" where a letter is not sure
    gone_at = {ref: number for number, step in enumerate(steps) for ref in step.removed}
    seen: dict[MoveRef, dict[Square, _Seen]] = {}
    for number, step in enumerate(steps):
        for before, placement in ((True, step.before), (False, step.placement)):
            if placement.tiles:
                ref = (number, before)
                lying = range(number, gone_at.get(ref, len(steps)))
                of_it = [reading for k in lying if (reading := readings[k]) is not None][: 1 + LOOK_AHEAD]
                told = {s: known[k, s] for s in placement.squares for k in lying if (k, s) in known}
                seen[ref] = {s: _Seen.of(s, char, of_it, told.get(s)) for s, char in placement.tiles}
    new = [one.best for ref, move in seen.items() if ref not in gone_at for one in move.values()]
    supply = _Supply(tile_set, [*(tile for _, tile in position), *new])

    out: dict[MoveRef, Settled] = {}
    for number, step in enumerate(steps):
        gone = {square for ref in step.removed if ref in out for square in out[ref].letters}
        position = position.removed(gone & position.occupied)
        for ref in ((number, True), (number, False)):
            if ref in seen:
                weighed = {s: supply.weighed(one, ref not in gone_at) for s, one in seen[ref].items()}
                proposed = weighed
                if prior is not None and ref not in gone_at:
                    proposed = weighed_by_words(position, weighed, prior, sure)
                letters = {square: ranked[0][0] for square, ranked in proposed.items()}
                at_first = {square: one.at_first[0] for square, one in seen[ref].items()}
                torn = {
                    square
                    for square, one in seen[ref].items()
                    if not one.told and one.at_first[1] >= sure and one.at_first[0] != letters[square]
                }
                out[ref] = Settled(letters, weighed, proposed, at_first, frozenset(torn))
                certain = {s: char if weighed[s][0][1] >= sure else BLANK for s, char in letters.items()}
                position = position.placed(Placement.of(certain).fitting(position))
    return out


@dataclass(frozen=True)
class _Seen:
    """What is known of one tile: its likeliest character, all of them, the one by its move's own photo alone."""

    best: str
    ranked: Candidates
    at_first: tuple[str, float]
    told: bool = False

    @classmethod
    def of(cls, square: Square, char: str, readings: Sequence[BoardReading], told: str | None) -> _Seen:
        if told is not None or not readings:  # said by a person, or found by other means than its photos
            char = told or char
            return cls(char, ((char, 1.0),), (char, 1.0), told=True)
        own, ranked = fused(readings[:1], square), fused(readings, square)
        if not ranked:  # covered on all of them
            return cls(BLANK, ((BLANK, 0.0),), (BLANK, 0.0))
        return cls(ranked[0][0], ranked, own[0] if own else (ranked[0][0], 0.0))


class _Supply:
    """How many tiles of each kind are left, by all that lie on the board at the end."""

    def __init__(self, tile_set: TileSet, lying: Iterable[str]) -> None:
        self._tile_set, self._lying = tile_set, Counter(BLANK if char.islower() else char for char in lying)

    def weighed(self, seen: _Seen, on_board: bool) -> Candidates:
        """The candidates for a tile, weighed by how many of each the other tiles leave; together as sure as before."""
        if seen.told or seen.ranked[0][1] == 0:
            return seen.ranked
        own = self._lying[seen.best]
        power = STRETCHED if own > self._tile_set.count(seen.best) else 1.0

        def left(char: str) -> float:
            others = self._lying[char] - (on_board and char == seen.best)
            return max(self._tile_set.count(char) - others, SPENT)

        weights = {char: probability**power * left(char) for char, probability in seen.ranked}
        factor = sum(probability for _, probability in seen.ranked) / sum(weights.values())
        return tuple(sorted(((char, w * factor) for char, w in weights.items()), key=lambda pair: -pair[1]))
