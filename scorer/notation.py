"""How squares and moves are written.

German players letter the ROWS and number the columns: ``H4`` is row H from column 4, across; ``5G`` is column 5 from
row G, down. International records (GCG, CGP) number the rows and letter the columns: ``8D`` is row 8 from column D,
across; ``D8`` is down. Reading one as the other mirrors the whole game, and since the board is symmetric no score and
no rule shows it: the notation has to be known.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from scorer.board import SIZE, Board, Direction, Square
from scorer.errors import NotationError
from scorer.placement import Placement, PlacementFault
from scorer.tiles import BLANK, is_tile, same_letter

_LETTERS = "ABCDEFGHIJKLMNO"
_COORDINATE = re.compile(r"([A-Oa-o])([0-9]{1,2})|([0-9]{1,2})([A-Oa-o])")


class Notation(StrEnum):
    """Who is lettered: the rows (German) or the columns (international)."""

    GERMAN = "german"
    INTERNATIONAL = "international"

    @property
    def letter_first(self) -> Direction:
        """Direction of a word whose coordinate starts with the letter."""
        return Direction.ACROSS if self is Notation.GERMAN else Direction.DOWN


class Coordinate(NamedTuple):
    """Where a word starts and how it runs."""

    square: Square
    direction: Direction


def is_coordinate(text: str) -> bool:
    """Whether the text has the form of a coordinate: a letter A to O with a number before or behind it."""
    return _COORDINATE.fullmatch(text) is not None


def parse_coordinate(text: str, notation: Notation) -> Coordinate:
    """The start and direction a coordinate gives, capital or lower-case letter; NotationError when it is none."""
    match = _COORDINATE.fullmatch(text)
    if match is None:
        raise NotationError(
            f"{text!r} is no coordinate",
            code="bad-coordinate",
            hint="A coordinate is a letter A-O and a number 1-15: H4 or 5G.",
            text=text,
        )
    letter = _LETTERS.index((match[1] or match[4]).upper())
    number = int(match[2] or match[3])
    if not 1 <= number <= SIZE:
        raise NotationError(f"{text!r}: there is no number {number} on the board", code="bad-coordinate", text=text)
    direction = notation.letter_first if match[1] else notation.letter_first.other
    german = notation is Notation.GERMAN
    return Coordinate(Square(letter, number - 1) if german else Square(number - 1, letter), direction)


def format_coordinate(coordinate: Coordinate, notation: Notation) -> str:
    """The coordinate of a word, the inverse of ``parse_coordinate``; NotationError off the board."""
    square, direction = coordinate
    letter, number = _square_names(square, notation)
    return f"{letter}{number}" if direction is notation.letter_first else f"{number}{letter}"


def format_square(square: Square, notation: Notation) -> str:
    """The name of a single square, letter first; NotationError off the board."""
    return "".join(_square_names(square, notation))


def _square_names(square: Square, notation: Notation) -> tuple[str, str]:
    if not square.on_board:
        raise NotationError(f"{square} is not on the board", code="off-board")
    row, col = square
    letter, number = (row, col) if notation is Notation.GERMAN else (col, row)
    return _LETTERS[letter], str(number + 1)


class Mark(NamedTuple):
    """One square of a written word.

    tile: the tile the text names, None for ``.``
    lies: whether the text says that it lay there before; without, it may be new or lie there
    """

    tile: str | None
    lies: bool


class ResolvedMove(NamedTuple):
    """What a written move lays on a board.

    placement: the new tiles
    faults:    what the text claims of the board and is not so: GAP for a tile that does not lie there,
               SQUARE_TAKEN for another letter, OFF_BOARD for a word that leaves the board
    """

    placement: Placement
    faults: PlacementFault


@dataclass(frozen=True)
class MoveText:
    """A written move: ``H4 FIRNS``, ``5G V.TEN``, ``A7 sECH.IG``, ``8D (QU)IZ``.

    One mark for each square of the main word: a capital for a tile, lower case for a blank, ``_`` or ``?`` for a blank
    whose letter was not written down, ``.`` or letters in brackets for tiles that lie there.
    """

    start: Square
    direction: Direction
    marks: tuple[Mark, ...]

    @classmethod
    def parse(cls, text: str, notation: Notation) -> MoveText:
        """The move of a text ``coordinate word``; NotationError when it is none."""
        parts = text.split()
        if len(parts) != 2:
            raise NotationError(
                f"{text!r} is no move",
                code="bad-move",
                hint="A move is a coordinate and the word: H4 FIRNS.",
                text=text,
            )
        return cls.of(parts[0], parts[1], notation)

    @classmethod
    def of(cls, coordinate: str, word: str, notation: Notation) -> MoveText:
        """The move of a coordinate and a word; NotationError when they are none."""
        start, direction = parse_coordinate(coordinate, notation)
        return cls(start, direction, _parse_word(word))

    @property
    def word(self) -> str:
        """The word as written, brackets for letters that are said to lie there."""
        text = "".join(
            "." if mark.tile is None else f"({mark.tile})" if mark.lies else mark.tile for mark in self.marks
        )
        return text.replace(")(", "")

    def text(self, notation: Notation) -> str:
        """The text of the move, the inverse of ``parse``."""
        return f"{format_coordinate(Coordinate(self.start, self.direction), notation)} {self.word}"

    def resolve(self, board: Board) -> ResolvedMove:
        """What the move lays on this board; a claim that the board contradicts is a fault, never an error."""
        new: dict[Square, str] = {}
        faults = PlacementFault.NONE
        square = self.start
        for tile, lies in self.marks:
            there = board.at(square)
            if there is None:
                if not square.on_board:
                    faults |= PlacementFault.OFF_BOARD
                if lies:
                    faults |= PlacementFault.GAP
                elif tile is not None:
                    new[square] = tile
            elif tile not in (there, None) and not same_letter(there, tile):
                faults |= PlacementFault.SQUARE_TAKEN
                if not lies:
                    new[square] = tile
            square = square.step(self.direction)
        return ResolvedMove(Placement.of(new), faults)


def _parse_word(word: str) -> tuple[Mark, ...]:
    marks: list[Mark] = []
    bracket = False
    for char in unicodedata.normalize("NFC", word).replace("_", BLANK):
        if char in "()" and bracket == (char == ")"):
            bracket = not bracket
        elif char == "." and not bracket:
            marks.append(Mark(None, lies=True))
        elif is_tile(char):
            marks.append(Mark(char, lies=bracket))
        else:
            raise NotationError(f"{word!r}: {char!r} is no tile", code="bad-move-char", text=word, char=char)
    if bracket or not marks:
        raise NotationError(f"{word!r} is no word", code="bad-word" if word else "no-word", text=word)
    return tuple(marks)
