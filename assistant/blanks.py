"""Blanks whose letter nobody has said: no photo shows it, and no score needs it; where the dictionary is open the words
they stand in propose it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from scorer.adjudication import Referee
from scorer.board import Board, Direction, Square
from scorer.lexicon import Answer
from scorer.rules import RuleSet
from scorer.tiles import BLANK, TileSet, letter_of


@dataclass(frozen=True)
class OpenBlank:
    """A blank without a letter.

    letters: those that make a word of each word it stands in; None where the rules keep the dictionary closed (R7.7) or
    there is none: then it is for the players to say
    """

    square: Square
    letters: tuple[str, ...] | None


def open_blanks(board: Board, rules: RuleSet, tile_set: TileSet, referee: Referee | None) -> tuple[OpenBlank, ...]:
    """The blanks on the board whose letter is not known, row by row."""
    asked = referee if referee is not None and referee.lists and rules.open_dictionary else None
    return tuple(
        OpenBlank(square, None if asked is None else _letters(board, square, rules, tile_set, asked))
        for square, tile in board
        if tile == BLANK
    )


def _letters(board: Board, square: Square, rules: RuleSet, tile_set: TileSet, referee: Referee) -> tuple[str, ...]:
    words = [board.run(square, square, way) for way in Direction]
    patterns = [
        ["_" if one == square else letter_of(board.at(one) or BLANK) for one in word] for word in words if len(word) > 1
    ]
    return tuple(
        letter
        for letter in sorted(tile_set.letters)
        if patterns and all(_is_word(pattern, letter, rules, tile_set, referee) for pattern in patterns)
    )


def _is_word(pattern: Sequence[str], letter: str, rules: RuleSet, tile_set: TileSet, referee: Referee) -> bool:
    """Whether there is a word with this letter at the mark, and any at other open blanks."""
    choices = [[letter] if char == "_" else sorted(tile_set.letters) if char == BLANK else [char] for char in pattern]
    words = ["".join(word) for word in product(*choices)]
    found = (ruling.verdict.answer for ruling in referee.beforehand(words, rules))
    return any(answer in (Answer.VALID, Answer.DOUBTFUL) for answer in found)  # doubtful words are laid as well
