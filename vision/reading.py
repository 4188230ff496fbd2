"""What a reader says about the 225 squares: the interface of the readers and its values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scorer.board import Square
from vision.geometry import SIZE
from vision.pixels import Pixels
from vision.rectify import BoardImage
from vision.turn import TurnEvidence, as_totals

EMPTY, BLANK, COVERED = ".", "?", "*"
"""Classes beside the capital letters: no tile, a tile without a letter, something over the square."""


MISREAD = 1e-3
"""How often a letter of which the reader is sure is another one all the same; and no tile a blank."""

UNSEEN = 1e-4
"""How often a reader is sure that no tile lies where one does, or of a blank where none does."""

GHOST = 1e-5
"""How often it is sure of a letter where no tile lies: of 351,000 empty squares on rendered games of none by 0.99."""

SAID_EMPTY = 50.0
"""By how much likelier a square is empty of which a person has said of an earlier photo that it is: what looks half
like a tile there, on an edge of light or between two tiles, will do so again; a tile laid there is far surer."""


@dataclass(frozen=True)
class SquareReading:
    """One square: the best character, the probability that it is right, and all candidates, best first."""

    square: Square
    char: str
    confidence: float
    candidates: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class BoardReading:
    """All squares of one board.

    log_probs: (15, 15, K) natural logarithms of calibrated probabilities, indexed [row, col, class]; what a square's
        probabilities lack to 1 is that of a tile with a print that no class stands for, a foreign letter
    classes:   the K characters: EMPTY, BLANK, COVERED and capital letters
    doubt_below: a square whose probability is lower is doubtful
    suspects:  squares that are doubtful for another reason than their own probability
    """

    log_probs: NDArray[np.float32]
    classes: tuple[str, ...]
    doubt_below: float
    suspects: frozenset[Square] = frozenset()

    @cached_property
    def index(self) -> dict[str, int]:
        """Position of each character among the classes."""
        return {char: k for k, char in enumerate(self.classes)}

    @cached_property
    def likelihoods(self) -> NDArray[np.float64]:
        """(15, 15, K) log-likelihood of each square's picture if it held each class; not to be written to.

        A covered square says nothing: its probability goes to all classes alike. A foreign letter says that there is a
        tile, not which: its probability goes to all tiles alike.
        """
        probs = np.exp(self.log_probs.astype(np.float64))
        foreign = np.maximum(1 - probs.sum(axis=-1, keepdims=True), 0)
        tile = np.array([char not in (EMPTY, COVERED) for char in self.classes])
        hidden = probs[..., self.index[COVERED], None].copy()
        probs[..., self.index[COVERED]] = 0
        no_tile = probs[..., self.index[EMPTY], None].copy()
        floor = UNSEEN + (MISREAD - UNSEEN) * (1 - hidden - no_tile) * tile
        floor[..., self.index[BLANK], None] += (MISREAD - UNSEEN) * no_tile
        blank = probs[..., self.index[BLANK], None]
        floor[..., self.index[EMPTY], None] = GHOST + (UNSEEN - GHOST) * blank
        return np.log((1 - MISREAD) * (probs + hidden + foreign * tile) + floor)

    @cached_property
    def hidden(self) -> NDArray[np.bool_]:
        """(15, 15) squares that something covers: what lies there cannot be seen."""
        return np.asarray(self.log_probs[..., self.index[COVERED]] > np.log(0.5))

    @cached_property
    def _best(self) -> NDArray[np.intp]:
        visible = self.log_probs.copy()
        # a board has no character for "covered": say the likeliest, doubt it
        visible[..., self.index[COVERED]] = -np.inf
        return visible.argmax(axis=-1)

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """The board as 15 strings: '.', '?' or a capital letter a square."""
        return tuple("".join(self.classes[k] for k in row) for row in self._best)

    @cached_property
    def confidence(self) -> NDArray[np.float64]:
        """(15, 15) probability that the character in `rows` is right."""
        best = np.take_along_axis(self.log_probs, self._best[..., None], axis=-1)[..., 0]
        return np.exp(best.astype(np.float64))

    @cached_property
    def doubtful(self) -> tuple[Square, ...]:
        """Squares a person must look at, row by row."""
        unsure = {Square(int(r), int(c)) for r, c in np.argwhere(self.confidence < self.doubt_below)}
        return tuple(sorted(unsure | self.suspects))

    def showing(self, wanted: Callable[[str], bool]) -> frozenset[Square]:
        """The squares whose character is a wanted one."""
        return frozenset(Square(r, c) for r, row in enumerate(self.rows) for c, char in enumerate(row) if wanted(char))

    def log_prob(self, square: Square, char: str) -> float:
        """Logarithm of the probability of a character of a board (lower case: a blank)."""
        return float(self.log_probs[square.row, square.col, self.index[BLANK if char.islower() else char]])

    def likelihood(self, tiles: Iterable[tuple[Square, str]]) -> float:
        """Log-likelihood of the picture if these tiles lie there (lower case: a blank), whatever lies elsewhere."""
        total = 0.0
        for square, char in tiles:
            known = self.index.get(BLANK if char.islower() else char)
            total += float(np.log(MISREAD) if known is None else self.likelihoods[square][known])
        return total

    def at(self, square: Square) -> SquareReading:
        """One square with its candidates down to a probability of 1 in 1000."""
        probs = np.exp(self.log_probs[square.row, square.col].astype(np.float64))
        order = [k for k in np.argsort(-probs) if probs[k] >= 1e-3]
        return SquareReading(
            square,
            self.rows[square.row][square.col],
            float(self.confidence[square.row, square.col]),
            tuple((self.classes[k], float(probs[k])) for k in order),
        )

    def restricted(self, letters: Collection[str]) -> BoardReading:
        """The reading given that only these letters can occur (the tile set's)."""
        keep = np.array([char in (EMPTY, BLANK, COVERED) or char in letters for char in self.classes])
        allowed = np.where(keep, self.log_probs, -np.inf)
        excluded = np.exp(self.log_probs[..., ~keep].astype(np.float64)).sum(axis=-1, keepdims=True)
        total = np.log(np.maximum(1 - excluded, 1e-12))
        # Where the picture shows a letter outside the set nothing is left of the probability: keep that as doubt.
        lost = total < np.log(0.5)
        suspects = {Square(int(r), int(c)) for r, c in np.argwhere(lost[..., 0])}
        return replace(
            self,
            log_probs=np.maximum(allowed - total, -60).astype(np.float32),
            suspects=self.suspects | suspects,
        )

    def pinned(self, known: Mapping[Square, str]) -> BoardReading:
        """The reading with squares of which a person has said what lies there ('.': nothing, lower case: a blank)."""
        log_probs = self.log_probs.copy()
        for square, char in known.items():
            wanted = self.index.get(BLANK if char.islower() else char)
            if wanted is not None:
                log_probs[square] = -60.0
                log_probs[square.row, square.col, wanted] = 0.0
        return replace(self, log_probs=log_probs, suspects=self.suspects - frozenset(known))

    def expecting_empty(self, squares: Collection[Square]) -> BoardReading:
        """The reading with squares of which a person has said of an earlier photo that no tile lies there."""
        log_probs = self.log_probs.copy()
        for square in squares:
            empty = float(np.exp(log_probs[square.row, square.col, self.index[EMPTY]]))
            log_probs[square.row, square.col, self.index[EMPTY]] += np.log(SAID_EMPTY)
            log_probs[square] -= np.log1p(empty * (SAID_EMPTY - 1))
        return replace(self, log_probs=log_probs)

    def suspecting(self, squares: Collection[Square]) -> BoardReading:
        """The reading with more squares marked doubtful."""
        return replace(self, suspects=self.suspects | frozenset(squares))


@dataclass(frozen=True)
class Turned:
    """A reading together with the turn of the board that it was read in.

    evidence: what is known of the turn, counted from the given corner; `reading` is in its likeliest turn
    again: reads in another turn, `quarters` from the given corner; it costs another reading
    """

    reading: BoardReading
    evidence: TurnEvidence
    again: Callable[[int], BoardReading]

    @property
    def quarters(self) -> int:
        """The board's reading top-left is the corner so many steps clockwise from the given one."""
        return self.evidence.quarters

    @property
    def sure(self) -> bool:
        """False when it is not known which side is up (an empty board, or only I, O, N, ...)."""
        return self.evidence.sure

    def weighed(self, evidence: TurnEvidence) -> Turned:
        """The reading in the turn that this evidence speaks for."""
        same = evidence.quarters == self.quarters
        return Turned(self.reading if same else self.again(evidence.quarters), evidence, self.again)

    def in_all_turns(self) -> tuple[BoardReading, ...]:
        """The readings in the four turns, this one first, then the corners clockwise; three more readings."""
        return (self.reading, *(self.again((self.quarters + k) % 4) for k in (1, 2, 3)))


class TileReader(ABC):
    """Reads the squares of a rectified board. Engines: a network (OnnxReader), Tesseract (TesseractReader)."""

    name: str

    @abstractmethod
    def read(self, board: BoardImage, letters: Collection[str]) -> BoardReading:
        """Reads all squares as they lie; `letters` are those that can occur."""

    def read_turned(self, board: BoardImage, letters: Collection[str]) -> Turned:
        """Reads all squares of a board that may lie in any of four turns: the one whose letters are likeliest."""
        readings = [self.read(board.turned(quarters), letters) for quarters in range(4)]
        scores = [
            float(sum(np.log(r.confidence[np.array([[ch.isalpha() for ch in row] for row in r.rows])])))
            for r in readings
        ]
        seen = [sum(ch.isalpha() for row in r.rows for ch in row) for r in readings]
        # A turn in which fewer letters are recognised must not win by silence: each one missing counts as a bad guess.
        totals = np.array(scores) + np.log(0.1) * (max(seen) - np.array(seen))
        return turned_by(totals, lambda quarters: readings[quarters])

    def read_shifted(
        self,
        board: BoardImage,
        letters: Collection[str],
        squares: Collection[Square],
        shifts: Sequence[tuple[int, int]],
    ) -> tuple[BoardReading, ...] | None:
        """What a grid that lies so many pixels of the board further right and down would show, a reading for each
        shift. They hold at these squares only, no others are looked at. None from a reader to which that costs much."""
        return None

    def letter_turns(self, crops: Pixels) -> tuple[NDArray[np.floating], NDArray[np.floating]] | None:
        """What single prints tell of how they stand, shown as (n, 48, 48, 3) uint8 BGR crops of tiles of one kind: the
        probability (n,) that it is a letter that looks like no other when turned, from its best side, and
        log-probabilities (n, 4) of the counter-clockwise quarters that make it upright. None from a reader that cannot
        say."""
        return None


def turned_by(totals: NDArray[np.floating], read: Callable[[int], BoardReading], agreeing: bool = True) -> Turned:
    """The likeliest of four turns by the tiles' total log-likelihoods; `read` gives the reading in a turn."""
    evidence = TurnEvidence(as_totals(totals), agreeing)
    reading = read(evidence.quarters)
    bare = all(char == EMPTY for row in reading.rows for char in row)
    return Turned(reading, replace(evidence, bare=bare), read)


def empty_log_probs(classes: tuple[str, ...]) -> NDArray[np.float32]:
    """(15, 15, K) for an engine to fill."""
    return np.full((SIZE, SIZE, len(classes)), -60.0, np.float32)
