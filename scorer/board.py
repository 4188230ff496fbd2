"""The board: squares, premium squares, and the immutable position of the tiles.

Rows and columns are zero-based, row 0 at the top and column 0 at the left in reading orientation. How a square is
called in German or international games is a matter of ``scorer.notation``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import cached_property
from typing import NamedTuple

from scorer.errors import BoardError, NotationError
from scorer.tiles import is_blank, is_tile

SIZE = 15
"""Rows and columns of the board (R1.1)."""

EMPTY = "."
"""An empty square in the text form of a board."""


class Direction(StrEnum):
    """Reading direction of a word: left to right or top to bottom (R4.5)."""

    ACROSS = "across"
    DOWN = "down"

    @property
    def other(self) -> Direction:
        """The direction of the cross words."""
        return Direction.DOWN if self is Direction.ACROSS else Direction.ACROSS


class Square(NamedTuple):
    """A square by zero-based row and column; it may lie off the board, see ``on_board``."""

    row: int
    col: int

    @property
    def on_board(self) -> bool:
        return 0 <= self.row < SIZE and 0 <= self.col < SIZE

    def step(self, direction: Direction, count: int = 1) -> Square:
        """The square ``count`` squares further (back, when negative), on the board or not."""
        if direction is Direction.ACROSS:
            return Square(self.row, self.col + count)
        return Square(self.row + count, self.col)

    @property
    def neighbours(self) -> tuple[Square, ...]:
        """The squares above, below, left and right of it, on the board or not."""
        return tuple(self.step(direction, count) for direction in Direction for count in (-1, 1))


SQUARES = tuple(tuple(Square(row, col) for col in range(SIZE)) for row in range(SIZE))
"""Every square of the board by row and column, so that none has to be made anew."""

_SQUARES_DOWN = tuple(zip(*SQUARES, strict=True))


class Premium(Enum):
    """What a square does to the first tile laid on it: (multiplies the letter, multiplies the word)."""

    NONE = (1, 1)
    DOUBLE_LETTER = (2, 1)
    TRIPLE_LETTER = (3, 1)
    DOUBLE_WORD = (1, 2)
    TRIPLE_WORD = (1, 3)

    def __init__(self, letter_multiplier: int, word_multiplier: int) -> None:
        self.letter_multiplier = letter_multiplier
        self.word_multiplier = word_multiplier


_SYMBOLS = {
    ".": Premium.NONE,
    "d": Premium.DOUBLE_LETTER,
    "t": Premium.TRIPLE_LETTER,
    "D": Premium.DOUBLE_WORD,
    "T": Premium.TRIPLE_WORD,
    "*": Premium.DOUBLE_WORD,  # the star counts as a double word (R4.2)
}


@dataclass(frozen=True)
class BoardLayout:
    """Premium squares as 15 readable strings.

    ``.`` plain, ``d`` double letter, ``t`` triple letter, ``D`` double word, ``T`` triple word, ``*`` the star that the
    first word must cover; the star is a double word as well. Exactly one star. ValueError for anything else.
    """

    rows: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.rows) != SIZE or any(len(row) != SIZE for row in self.rows):
            raise ValueError(f"a layout has {SIZE} rows of {SIZE} squares")
        symbols = "".join(self.rows)
        if not set(symbols) <= set(_SYMBOLS) or symbols.count("*") != 1:
            raise ValueError(f"a layout has one star and squares from {''.join(_SYMBOLS)}")

    @cached_property
    def star(self) -> Square:
        """The square the first word must cover."""
        return Square(*divmod("".join(self.rows).index("*"), SIZE))

    @cached_property
    def premiums(self) -> tuple[tuple[Premium, ...], ...]:
        """The premium printed on each square, by row and column."""
        return tuple(tuple(_SYMBOLS[symbol] for symbol in row) for row in self.rows)

    def premium(self, square: Square) -> Premium:
        """The premium printed on a square of the board; IndexError off the board."""
        if not square.on_board:
            raise IndexError(f"{square} is not on the board")
        return self.premiums[square.row][square.col]


STANDARD = BoardLayout(
    (
        "T..d...T...d..T",
        ".D...t...t...D.",
        "..D...d.d...D..",
        "d..D...d...D..d",
        "....D.....D....",
        ".t...t...t...t.",
        "..d...d.d...d..",
        "T..d...*...d..T",
        "..d...d.d...d..",
        ".t...t...t...t.",
        "....D.....D....",
        "d..D...d...D..d",
        "..D...d.d...D..",
        ".D...t...t...D.",
        "T..d...T...d..T",
    )
)
"""The board of every German and English edition: 61 premium squares (R1.1)."""


@dataclass(frozen=True)
class Board:
    """The tiles that lie on the board; a value: every change gives a new board.

    rows: the text form, 15 strings of 15 characters: ``.`` for an empty square, else the tile (see scorer.tiles).
          ``Board.parse`` is its inverse.
    """

    rows: tuple[str, ...]

    @classmethod
    def empty(cls) -> Board:
        return _EMPTY_BOARD

    @classmethod
    def parse(cls, rows: Sequence[str]) -> Board:
        """The board of 15 lines, or of one text that holds them; NotationError that names the line when it is none."""
        lines = rows.split() if isinstance(rows, str) else rows
        rows = tuple(unicodedata.normalize("NFC", line) for line in lines)
        if len(rows) != SIZE:
            raise NotationError(f"a board has {SIZE} lines, not {len(rows)}", code="board-lines", lines=len(rows))
        for number, row in enumerate(rows, start=1):
            if len(row) != SIZE:
                raise NotationError(
                    f"line {number} of the board has {len(row)} squares, not {SIZE}",
                    code="board-line",
                    line=number,
                    count=len(row),
                )
            for column, char in enumerate(row, start=1):
                if char != EMPTY and not is_tile(char):
                    raise NotationError(
                        f"line {number}, square {column} of the board: {char!r} is no tile",
                        code="board-square",
                        hint="'.' is an empty square, '?' a blank, a lower-case letter a blank with that letter.",
                        line=number,
                        column=column,
                        char=char,
                    )
        return cls(rows)

    def at(self, square: Square) -> str | None:
        """The tile on a square, None when it is empty or off the board."""
        row, col = square
        if not (0 <= row < SIZE and 0 <= col < SIZE):
            return None
        char = self.rows[row][col]
        return None if char == EMPTY else char

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The text form read downwards: a string for each column."""
        return tuple(map("".join, zip(*self.rows, strict=True)))

    def between(self, first: Square, last: Square) -> str:
        """The text form of the squares from the first to the last one, both on the board and in one row or column."""
        if first.row == last.row:
            return self.rows[first.row][first.col : last.col + 1]
        return self.columns[first.col][first.row : last.row + 1]

    def run(self, first: Square, last: Square, direction: Direction) -> tuple[Square, ...]:
        """The squares from the first to the last one and on both sides as far as tiles lie without a gap.

        These are the squares of the word that new tiles from ``first`` to ``last`` form; both on the board.
        """
        row, col = first
        if direction is Direction.ACROSS:
            line, squares, start, end = self.rows[row], SQUARES[row], col, last.col
        else:
            line, squares, start, end = self.columns[col], _SQUARES_DOWN[col], row, last.row
        gap = line.find(EMPTY, end + 1)
        return squares[line.rfind(EMPTY, 0, start) + 1 : gap if gap >= 0 else SIZE]

    def adjoins(self, square: Square, direction: Direction) -> bool:
        """Whether a tile lies right before or behind a square of the board in this direction."""
        row, col = square
        line, at = (self.rows[row], col) if direction is Direction.ACROSS else (self.columns[col], row)
        return (at > 0 and line[at - 1] != EMPTY) or (at + 1 < SIZE and line[at + 1] != EMPTY)

    @cached_property
    def blanks(self) -> int:
        """How many blanks lie there, their letters known or not."""
        return sum(map(is_blank, "".join(self.rows)))

    def placed(self, tiles: Mapping[Square, str]) -> Board:
        """The board with these tiles on it; BoardError for a square that is taken or off the board, or no tile."""
        for square, char in tiles.items():
            if not square.on_board:
                raise BoardError(f"{square} is not on the board", code="off-board")
            if self.at(square) is not None:
                raise BoardError(f"{square} is taken by {self.at(square)}", code="square-taken")
            if not is_tile(char):
                raise BoardError(f"{char!r} is no tile", code="bad-board", text=char)
        return self._changed(tiles)

    def removed(self, squares: Iterable[Square]) -> Board:
        """The board without the tiles on these squares; BoardError for a square that holds none."""
        gone = dict.fromkeys(squares, EMPTY)
        for square in gone:
            if self.at(square) is None:
                raise BoardError(f"no tile lies on {square}", code="no-tile-there")
        return self._changed(gone)

    def _changed(self, chars: Mapping[Square, str]) -> Board:
        rows = list(self.rows)
        for (row, col), char in chars.items():
            rows[row] = rows[row][:col] + char + rows[row][col + 1 :]
        return Board(tuple(rows))

    def __iter__(self) -> Iterator[tuple[Square, str]]:
        """Every tile with its square, row by row."""
        for row, text in enumerate(self.rows):
            for col, char in enumerate(text):
                if char != EMPTY:
                    yield SQUARES[row][col], char

    @property
    def occupied(self) -> frozenset[Square]:
        """The squares that hold a tile."""
        return frozenset(square for square, _ in self)

    @property
    def is_empty(self) -> bool:
        return self == _EMPTY_BOARD


_EMPTY_BOARD = Board((EMPTY * SIZE,) * SIZE)
