"""Coordinates and written moves, German and international."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.board import Board, Direction, Square
from scorer.errors import NotationError
from scorer.notation import Coordinate, MoveText, Notation, format_coordinate, format_square, parse_coordinate
from scorer.placement import Placement, PlacementFault

GERMAN, INTERNATIONAL = Notation.GERMAN, Notation.INTERNATIONAL
ACROSS, DOWN = Direction.ACROSS, Direction.DOWN
HAUS = Board.empty().placed({Square(7, 4 + i): char for i, char in enumerate("HAUs")})


@pytest.mark.parametrize(
    ("text", "notation", "row", "col", "direction"),
    [
        ("H4", GERMAN, 7, 3, ACROSS),
        ("5G", GERMAN, 6, 4, DOWN),
        ("15a", GERMAN, 0, 14, DOWN),
        ("8D", INTERNATIONAL, 7, 3, ACROSS),
        ("D8", INTERNATIONAL, 7, 3, DOWN),
        ("o15", INTERNATIONAL, 14, 14, DOWN),
    ],
)
def test_coordinates(text: str, notation: Notation, row: int, col: int, direction: Direction) -> None:
    coordinate = parse_coordinate(text, notation)
    assert coordinate == (Square(row, col), direction)
    assert format_coordinate(coordinate, notation) == text.upper()


@given(st.builds(Square, st.integers(0, 14), st.integers(0, 14)), st.sampled_from(Direction), st.sampled_from(Notation))
def test_formatting_is_the_inverse_of_parsing(square: Square, direction: Direction, notation: Notation) -> None:
    coordinate = Coordinate(square, direction)
    assert parse_coordinate(format_coordinate(coordinate, notation), notation) == coordinate


@given(st.integers(0, 14), st.integers(0, 14), st.sampled_from(Direction))
def test_the_other_notation_mirrors_the_board(row: int, col: int, direction: Direction) -> None:
    text = format_coordinate(Coordinate(Square(row, col), direction), GERMAN)
    assert parse_coordinate(text, INTERNATIONAL) == (Square(col, row), direction.other)


@pytest.mark.parametrize("text", ["", "H", "4", "H0", "H16", "P4", "4P", "H4H", "H04x", "Ä4", "H٤", "-1H"])
@pytest.mark.parametrize("notation", Notation)
def test_no_coordinate(text: str, notation: Notation) -> None:
    with pytest.raises(NotationError) as error:
        parse_coordinate(text, notation)
    assert error.value.code == "bad-coordinate"
    assert repr(text) in error.value.message


def test_names_of_squares() -> None:
    assert format_square(Square(7, 3), GERMAN) == "H4"
    assert format_square(Square(7, 3), INTERNATIONAL) == "D8"
    with pytest.raises(NotationError):
        format_square(Square(15, 0), GERMAN)


@pytest.mark.parametrize(
    "text", ["H4 FIRNS", "8C GUMMI.", "A7 sECH.IG", "H3 ZU(HAUS)E", "5D IN.AB??N", "12L KÖlNErS", "A7 ..G"]
)
@pytest.mark.parametrize("notation", Notation)
def test_moves_read_and_written(text: str, notation: Notation) -> None:
    assert MoveText.parse(text, notation).text(notation) == text


def test_a_blank_without_letter_may_be_an_underscore() -> None:
    assert MoveText.parse("5D AB__N", GERMAN).word == "AB??N"


def test_decomposed_umlauts() -> None:
    assert MoveText.parse("H4 O\u0308L", GERMAN).word == "ÖL"


@pytest.mark.parametrize(
    "text",
    ["", "H4", "H4 ", "H4 A B", "Z4 FIRNS", "H4 FI-RNS", "H4 (FI", "H4 FI)", "H4 ((F))", "H4 ()", "H4 1", "H4 (.)A"],
)
def test_no_move(text: str) -> None:
    with pytest.raises(NotationError):
        MoveText.parse(text, GERMAN)


@pytest.mark.parametrize("word", ["ZU....E", "ZUHAUSE", "ZU(HAUS)E", "ZU.A(U).E", "ZUhaUSE"])
def test_dots_letters_and_brackets_mean_tiles_that_lie_there(word: str) -> None:
    placement, faults = MoveText.parse(f"H3 {word}", GERMAN).resolve(HAUS)
    assert placement == Placement.of([((7, 2), "Z"), ((7, 3), "U"), ((7, 8), "E")])
    assert faults == PlacementFault.NONE


@pytest.mark.parametrize(
    ("move", "fault"),
    [
        ("H3 ZUHAUTE", PlacementFault.SQUARE_TAKEN),
        ("H3 ZUHAU(T)E", PlacementFault.SQUARE_TAKEN),
        ("H3 .UHAUSE", PlacementFault.GAP),
        ("H3 (ZU)HAUSE", PlacementFault.GAP),
        ("H5 ....ENTÜREN", PlacementFault.NONE),
        ("H5 ....ARRESTES", PlacementFault.OFF_BOARD),
        ("H5 ....ARREST.", PlacementFault.GAP),
    ],
)
def test_claims_that_the_board_contradicts(move: str, fault: PlacementFault) -> None:
    assert MoveText.parse(move, GERMAN).resolve(HAUS).faults == fault


def test_another_letter_on_a_tile_stays_in_the_placement() -> None:
    placement, _ = MoveText.parse("H5 HAUT", GERMAN).resolve(HAUS)
    assert placement.tiles == ((Square(7, 7), "T"),)


def test_an_unknown_blank_can_be_any_letter() -> None:
    board = Board.empty().placed({Square(7, 7): "?"})
    assert MoveText.parse("H8 EI", GERMAN).resolve(board) == (Placement.of([((7, 8), "I")]), PlacementFault.NONE)
