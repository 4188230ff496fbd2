"""The layout of the premium squares and the position of the tiles."""

from __future__ import annotations

from collections import Counter

import pytest

from scorer.board import STANDARD, Board, BoardLayout, Direction, Premium, Square
from scorer.errors import BoardError, NotationError

FIRNS = Board.empty().placed({Square(7, 3 + i): char for i, char in enumerate("FIRnS")})


def test_premium_squares_of_the_standard_board() -> None:
    """61 premium squares: 8 triple words, 17 double words with the star, 12 triple and 24 double letters (R1.1)."""
    counts = Counter(STANDARD.premium(Square(row, col)) for row in range(15) for col in range(15))
    assert counts == {
        Premium.TRIPLE_WORD: 8,
        Premium.DOUBLE_WORD: 17,
        Premium.TRIPLE_LETTER: 12,
        Premium.DOUBLE_LETTER: 24,
        Premium.NONE: 164,
    }


@pytest.mark.parametrize(
    ("row", "col", "premium"),
    [
        (0, 0, Premium.TRIPLE_WORD),
        (7, 14, Premium.TRIPLE_WORD),
        (7, 7, Premium.DOUBLE_WORD),
        (4, 10, Premium.DOUBLE_WORD),
        (5, 1, Premium.TRIPLE_LETTER),
        (6, 2, Premium.DOUBLE_LETTER),
        (7, 3, Premium.DOUBLE_LETTER),
        (7, 4, Premium.NONE),
    ],
)
def test_premium_of_a_square(row: int, col: int, premium: Premium) -> None:
    assert STANDARD.premium(Square(row, col)) is premium


def test_the_layout_looks_the_same_from_all_sides() -> None:
    rows = STANDARD.rows
    assert rows == tuple("".join(column) for column in zip(*rows, strict=True))
    assert rows == tuple(reversed(rows)) == tuple(row[::-1] for row in rows)
    assert STANDARD.star == Square(7, 7)


@pytest.mark.parametrize("rows", [("." * 15,) * 15, ("*" * 15,) * 15, ("." * 15,) * 14, ("x" + "." * 14,) * 15])
def test_no_layout(rows: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="a layout has"):
        BoardLayout(rows)


def test_no_premium_off_the_board() -> None:
    with pytest.raises(IndexError):
        STANDARD.premium(Square(15, 0))


def test_text_form_and_inverse() -> None:
    assert FIRNS.rows[7] == "...FIRnS......."
    assert Board.parse(FIRNS.rows) == FIRNS == Board.parse("\n".join(FIRNS.rows))
    assert hash(Board.parse(FIRNS.rows)) == hash(FIRNS)


def test_letters_written_as_two_characters_are_one_tile() -> None:
    rows = ["." * 15] * 14 + ["." * 14 + "A\u0308"]
    assert Board.parse(rows).at(Square(14, 14)) == "Ä"


def test_reading() -> None:
    assert FIRNS.at(Square(7, 6)) == "n"
    assert FIRNS.at(Square(7, 8)) is None
    assert FIRNS.at(Square(-8, 3)) is None
    assert next(iter(FIRNS)) == (Square(7, 3), "F")
    assert FIRNS.occupied == {Square(7, col) for col in range(3, 8)}
    assert not FIRNS.is_empty


def test_columns_and_blanks() -> None:
    assert FIRNS.columns[3] == ".......F......."
    assert FIRNS.columns[6] == ".......n......."
    assert FIRNS.placed({Square(0, 0): "?"}).blanks == 2


def test_the_squares_from_one_to_another() -> None:
    assert FIRNS.between(Square(7, 2), Square(7, 4)) == ".FI"
    assert FIRNS.between(Square(5, 4), Square(8, 4)) == "..I."
    assert FIRNS.between(Square(7, 4), Square(7, 4)) == "I"


def test_the_squares_of_a_word() -> None:
    """As far as tiles join on, to the edge of the board."""
    row = tuple(Square(7, col) for col in range(15))
    assert FIRNS.run(Square(7, 8), Square(7, 9), Direction.ACROSS) == row[3:10]
    assert FIRNS.run(Square(7, 1), Square(7, 2), Direction.ACROSS) == row[1:8]
    assert FIRNS.run(Square(7, 9), Square(7, 9), Direction.ACROSS) == row[9:10]
    assert FIRNS.run(Square(6, 3), Square(6, 3), Direction.DOWN) == (Square(6, 3), Square(7, 3))
    edges = Board.empty().placed({Square(0, 0): "A", Square(13, 14): "B", Square(14, 13): "C"})
    assert edges.run(Square(1, 0), Square(2, 0), Direction.DOWN) == (Square(0, 0), Square(1, 0), Square(2, 0))
    assert edges.run(Square(14, 14), Square(14, 14), Direction.DOWN) == (Square(13, 14), Square(14, 14))
    assert edges.run(Square(14, 14), Square(14, 14), Direction.ACROSS) == (Square(14, 13), Square(14, 14))


@pytest.mark.parametrize(
    ("square", "across", "down"),
    [
        (Square(7, 2), True, False),
        (Square(7, 8), True, False),
        (Square(6, 3), False, True),
        (Square(8, 3), False, True),
        (Square(7, 1), False, False),
        (Square(0, 0), False, False),
        (Square(14, 14), False, False),
    ],
)
def test_tiles_before_and_behind_a_square(square: Square, across: bool, down: bool) -> None:
    assert FIRNS.adjoins(square, Direction.ACROSS) is across
    assert FIRNS.adjoins(square, Direction.DOWN) is down


def test_a_word_at_one_edge_does_not_adjoin_the_other() -> None:
    """Indexes before the first square do not wrap around."""
    edges = Board.empty().placed({Square(0, 14): "A", Square(14, 0): "B"})
    assert not edges.adjoins(Square(0, 0), Direction.ACROSS)
    assert not edges.adjoins(Square(0, 0), Direction.DOWN)


def test_placing_and_removing_give_new_boards() -> None:
    assert Board.empty().is_empty
    assert FIRNS.removed([Square(7, 3)]).rows[7] == "....IRnS......."
    assert FIRNS.removed(FIRNS.occupied) == Board.empty()
    assert FIRNS.rows[7] == "...FIRnS......."


@pytest.mark.parametrize(
    ("tiles", "code"),
    [({Square(7, 3): "F"}, "square-taken"), ({Square(15, 3): "F"}, "off-board"), ({Square(0, 0): "."}, "bad-board")],
)
def test_what_cannot_be_placed(tiles: dict[Square, str], code: str) -> None:
    with pytest.raises(BoardError) as error:
        FIRNS.placed(tiles)
    assert error.value.code == code


def test_nothing_to_remove() -> None:
    with pytest.raises(BoardError, match="no tile lies"):
        FIRNS.removed([Square(0, 0)])


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (["." * 15] * 14, "15 lines, not 14"),
        (["." * 15] * 14 + ["." * 16], "line 15 of the board has 16"),
        (["." * 15, "." * 7 + "1" + "." * 7] + ["." * 15] * 13, "line 2, square 8.*'1'"),
    ],
)
def test_no_board(rows: list[str], why: str) -> None:
    with pytest.raises(NotationError, match=why):
        Board.parse(rows)
