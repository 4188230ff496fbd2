"""The score of a placement, with every step of the sum (R5.1 to R5.8, house rules R12.1 and R12.3)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import prod
from typing import NamedTuple

from scorer.board import Board, Direction, Premium, Square
from scorer.notation import Coordinate, MoveText, Notation, format_coordinate
from scorer.placement import SHAPE_FAULTS, Placement, PlacementFault, check_placement
from scorer.rules import RuleSet, ThemeUnit, ThemeWhen
from scorer.tiles import BLANK, TileSet, letter_of


class LetterScore(NamedTuple):
    """One letter of a word.

    tile:    as it lies there: capital, lower case for a blank, ``?`` for a blank of unknown letter
    value:   points of the tile alone, 0 for a blank and for a tile that counts nothing by house rule (R12.1)
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
    """One word that a placement forms: letters times their premiums first, then the word's multiplier (R5.2).

    theme_bonus: points for a theme word that are added to the letters and multiplied with them, by house rule (R12.3)
    """

    direction: Direction
    letters: tuple[LetterScore, ...]
    theme_bonus: int = 0

    @property
    def word(self) -> str:
        """The letters as they lie on the board, blanks in lower case."""
        return "".join(letter.tile for letter in self.letters)

    @property
    def capitals(self) -> str:
        """The word in capitals, as word lists have it; ``?`` where the letter of a blank is not known."""
        return "".join([letter_of(letter.tile) for letter in self.letters])

    @property
    def start(self) -> Square:
        return self.letters[0].square

    @property
    def letter_sum(self) -> int:
        """Points of the letters with their premiums, before the word is multiplied."""
        return sum([letter.score for letter in self.letters])

    @property
    def multiplier(self) -> int:
        """Product of the word premiums covered in this turn (R5.4)."""
        return prod([letter.premium.word_multiplier for letter in self.letters])

    @property
    def score(self) -> int:
        return (self.letter_sum + self.theme_bonus) * self.multiplier

    def __len__(self) -> int:
        """Number of letters."""
        return len(self.letters)


@dataclass(frozen=True)
class Play:
    """A placement with its words and points.

    words:       the main word, then the cross words in the order of their new tiles; none when it forms no word
    bingo_bonus: points for a full rack laid in one turn, 0 without (R5.7)
    faults:      everything the rules hold against it; the score is that of what lies there all the same
    theme_bonus: points for theme words that nothing multiplies, by house rule (R12.3); see WordScore for the others
    """

    placement: Placement
    words: tuple[WordScore, ...]
    bingo_bonus: int
    faults: PlacementFault
    theme_bonus: int = 0

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

    @property
    def score(self) -> int:
        """Points of all words and the bonuses."""
        return sum([word.score for word in self.words]) + self.bingo_bonus + self.theme_bonus

    @property
    def open_blanks(self) -> tuple[Square, ...]:
        """Where it lays blanks whose letter is not known yet (R6.3)."""
        return tuple(square for square, tile in self.placement.tiles if tile == BLANK)

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


def score_placement(
    board: Board,
    placement: Placement,
    rules: RuleSet,
    tile_set: TileSet,
    *,
    theme_words: Collection[str] = (),
    worthless: Collection[Square] = frozenset(),
) -> Play:
    """The play a placement on this board makes; never raises.

    A placement with faults scores what lies there as long as its tiles form words (it is not connected, say); without
    words (a gap, a taken square, ...) it has none and 0 points. A single tile's main word is the longer one, across
    when both are equal; a single tile without neighbours is a word of one letter.

    theme_words: the words of the agreed theme, in capitals (R12.3)
    worthless:   squares whose tile counts nothing: a letter that was swapped in for a blank, where the table agreed
                 that it stays worth as little as the blank (R12.1)
    """
    faults = check_placement(board, placement, rules, tile_set)
    if faults and faults & SHAPE_FAULTS:
        return Play(placement, (), 0, faults)

    words = _words(board, placement, rules, tile_set, worthless)
    theme_bonus = 0
    if theme_words and rules.theme_bonus:
        words, theme_bonus = _with_theme(words, theme_words, rules)
    bingo_bonus = rules.bingo_bonus if len(placement) == rules.rack_size else 0
    return Play(placement, tuple(words), bingo_bonus, faults, theme_bonus)


def score_move(
    board: Board,
    move: MoveText,
    rules: RuleSet,
    tile_set: TileSet,
    *,
    theme_words: Collection[str] = (),
    worthless: Collection[Square] = frozenset(),
) -> Play:
    """The play a written move makes on this board, with the faults of the writing too; never raises.

    A move that claims a tile where none lies, or another letter than the one that lies there, has that as a fault.
    ``theme_words`` and ``worthless`` as for ``score_placement``.
    """
    placement, faults = move.resolve(board)
    play = score_placement(board, placement, rules, tile_set, theme_words=theme_words, worthless=worthless)
    return replace(play, faults=play.faults | faults) if faults else play


def _words(
    board: Board, placement: Placement, rules: RuleSet, tile_set: TileSet, worthless: Collection[Square]
) -> list[WordScore]:
    """The words that a placement without faults of its shape forms, the main word first."""
    rows, premiums, value, none = board.rows, rules.layout.premiums, tile_set.value, Premium.NONE
    laid = {
        square: LetterScore(square, tile, value(tile), premiums[square.row][square.col], True)
        for square, tile in placement.tiles
    }

    def word(run: tuple[Square, ...], direction: Direction) -> WordScore:
        letters = []
        for square in run:
            letter = laid.get(square)
            if letter is None:
                tile = rows[square.row][square.col]
                letter = LetterScore(square, tile, 0 if square in worthless else value(tile), none, False)
            letters.append(letter)
        return WordScore(direction, tuple(letters))

    squares, direction = placement.squares, placement.direction
    first, last = squares[0], squares[-1]
    if direction is None:
        across, down = (board.run(first, first, way) for way in Direction)
        direction = Direction.ACROSS if len(across) >= len(down) else Direction.DOWN
    crossing = direction.other
    words = [word(board.run(first, last, direction), direction)]
    words += [
        word(board.run(square, square, crossing), crossing) for square in squares if board.adjoins(square, crossing)
    ]
    return words


def _with_theme(words: list[WordScore], theme_words: Collection[str], rules: RuleSet) -> tuple[list[WordScore], int]:
    """The words with the bonus that is multiplied with them, and the bonus that is not (R12.3)."""
    themed = [word for word in words if word.capitals in theme_words]
    if rules.theme_unit is ThemeUnit.TURN:
        themed = themed[:1]
    if rules.theme_when is ThemeWhen.AFTER:
        return words, rules.theme_bonus * len(themed)
    return [replace(word, theme_bonus=rules.theme_bonus) if word in themed else word for word in words], 0
