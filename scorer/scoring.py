"""The score of a placement, with every step of the sum (R5.1 to R5.8)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

from scorer.board import Board, Direction, Premium, Square
from scorer.notation import Coordinate, MoveText, Notation, format_coordinate
from scorer.placement import SHAPE_FAULTS, Placement, PlacementFault, check_placement
from scorer.rules import RuleSet
from scorer.tiles import TileSet


@dataclass(frozen=True)
class LetterScore:
    """One letter of a word.

    tile:    as it lies there: capital, lower case for a blank, ``?`` for a blank of unknown letter
    value:   points of the tile alone, 0 for a blank
    premium: what its square does in this turn: NONE for a tile that lay there before (R5.3)
    new:     whether the tile was laid in this turn
    """

    square: Square
    tile: str
    value: int
    premium: Premium
    new: bool

    @property
    def score(self) -> int:
        """Points in this word before the word is multiplied."""
        return self.value * self.premium.letter_multiplier


@dataclass(frozen=True)
class WordScore:
    """One word that a placement forms: letters times their premiums first, then the word's multiplier (R5.2)."""

    direction: Direction
    letters: tuple[LetterScore, ...]

    @property
    def word(self) -> str:
        """The letters as they lie on the board, blanks in lower case."""
        return "".join(letter.tile for letter in self.letters)

    @property
    def start(self) -> Square:
        return self.letters[0].square

    @property
    def letter_sum(self) -> int:
        """Points of the letters with their premiums, before the word is multiplied."""
        return sum(letter.score for letter in self.letters)

    @property
    def multiplier(self) -> int:
        """Product of the word premiums covered in this turn (R5.4)."""
        return prod(letter.premium.word_multiplier for letter in self.letters)

    @property
    def score(self) -> int:
        return self.letter_sum * self.multiplier

    def __len__(self) -> int:
        """Number of letters."""
        return len(self.letters)


@dataclass(frozen=True)
class Play:
    """A placement with its words and points.

    words:       the main word, then the cross words in the order of their new tiles; none when it forms no word
    bingo_bonus: points for a full rack laid in one turn, 0 without (R5.7)
    faults:      everything the rules hold against it; the score is that of what lies there all the same
    """

    placement: Placement
    words: tuple[WordScore, ...]
    bingo_bonus: int
    faults: PlacementFault

    @property
    def main_word(self) -> WordScore | None:
        return self.words[0] if self.words else None

    @property
    def direction(self) -> Direction | None:
        """Direction of the main word."""
        return self.words[0].direction if self.words else None

    @property
    def start(self) -> Square | None:
        """First square of the main word."""
        return self.words[0].start if self.words else None

    @cached_property
    def score(self) -> int:
        """Points of all words and the bonus."""
        return sum(word.score for word in self.words) + self.bingo_bonus

    @property
    def legal(self) -> bool:
        """Whether the placement has no fault; whether its words exist is another question."""
        return not self.faults

    def text(self, notation: Notation) -> str:
        """The play as written on a score sheet (``12G STREUNE.``), "" when it forms no word."""
        if not self.words:
            return ""
        word = "".join(letter.tile if letter.new else "." for letter in self.words[0].letters)
        return f"{format_coordinate(Coordinate(self.words[0].start, self.words[0].direction), notation)} {word}"


def score_placement(board: Board, placement: Placement, rules: RuleSet, tile_set: TileSet) -> Play:
    """The play a placement on this board makes; never raises.

    A placement with faults scores what lies there as long as its tiles form words (it is not connected, say); without
    words (a gap, a taken square, ...) it has none and 0 points. A single tile's main word is the longer one, across
    when both are equal; a single tile without neighbours is a word of one letter.
    """
    faults = check_placement(board, placement, rules, tile_set)
    if faults & SHAPE_FAULTS:
        return Play(placement, (), 0, faults)

    after = board.placed(placement.by_square)

    def word_at(square: Square, direction: Direction) -> WordScore:
        return _word(after, square, direction, placement, rules, tile_set)

    first = placement.squares[0]
    if placement.direction is not None:
        main = word_at(first, placement.direction)
    else:
        main = max(word_at(first, Direction.ACROSS), word_at(first, Direction.DOWN), key=len)
    crossing = (word_at(square, main.direction.other) for square in placement.squares)
    words = (main, *(word for word in crossing if len(word) > 1))
    return Play(placement, words, rules.bingo_bonus if len(placement) == rules.rack_size else 0, faults)


def score_move(board: Board, move: MoveText, rules: RuleSet, tile_set: TileSet) -> Play:
    """The play a written move makes on this board, with the faults of the writing too; never raises.

    A move that claims a tile where none lies, or another letter than the one that lies there, has that as a fault.
    """
    resolved = move.resolve(board)
    play = score_placement(board, resolved.placement, rules, tile_set)
    return Play(play.placement, play.words, play.bingo_bonus, play.faults | resolved.faults)


def _word(
    board: Board, square: Square, direction: Direction, placement: Placement, rules: RuleSet, tile_set: TileSet
) -> WordScore:
    """The word through a square of a board on which the placement already lies."""
    while board.at(square.step(direction, -1)) is not None:
        square = square.step(direction, -1)
    letters = []
    while (tile := board.at(square)) is not None:
        new = square in placement.by_square
        premium = rules.layout.premium(square) if new else Premium.NONE
        letters.append(LetterScore(square, tile, tile_set.value(tile), premium, new))
        square = square.step(direction)
    return WordScore(direction, tuple(letters))
