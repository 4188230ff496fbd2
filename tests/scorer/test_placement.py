"""What the rules hold against a placement, all at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer.board import Board, Direction, Square
from scorer.errors import BoardError
from scorer.placement import Placement, PlacementFault, check_placement
from scorer.rules import RuleSet
from scorer.tiles import ENGLISH_100, GERMAN_102

HAUS = Board.empty().placed({Square(7, 4 + i): char for i, char in enumerate("HAUS")})


def across(row: int, col: int, word: str) -> Placement:
    return Placement.of([((row, col + i), char) for i, char in enumerate(word) if char != "."])


def down(row: int, col: int, word: str) -> Placement:
    return Placement.of([((row + i, col), char) for i, char in enumerate(word) if char != "."])


def test_the_codes() -> None:
    assert (~PlacementFault.NONE).codes == [
        "first-word-off-star",
        "first-word-too-short",
        "not-connected",
        "gap",
        "off-board",
        "square-taken",
        "no-tile-laid",
        "too-many-tiles",
        "not-in-set",
        "set-exhausted",
        "blank-as-eszett",
        "word-too-short-by-rule",
        "not-in-line",
    ]
    assert PlacementFault.NONE.codes == []


EMPTY_BOARD = Board.empty()
LONELY = EMPTY_BOARD.placed({Square(0, 0): "I"})

EVERY_CODE = [
    # R4.1, R12.4
    (EMPTY_BOARD, across(7, 8, "FIRNS"), "first-word-off-star"),
    (EMPTY_BOARD, across(7, 7, "I"), "first-word-too-short word-too-short-by-rule"),
    (EMPTY_BOARD, across(7, 6, "ICH"), "word-too-short-by-rule"),
    (EMPTY_BOARD, across(0, 0, "I"), "first-word-off-star first-word-too-short word-too-short-by-rule"),
    # what forms no word has no length
    (EMPTY_BOARD, across(0, 0, "I.S"), "first-word-off-star gap"),
    (EMPTY_BOARD, Placement.of([((0, 0), "I"), ((2, 2), "N")]), "first-word-off-star not-in-line"),
    (EMPTY_BOARD, down(14, 7, "SO"), "first-word-off-star off-board"),
    # R4.4
    (HAUS, across(0, 0, "EI"), "not-connected"),
    (HAUS, across(8, 8, "E"), "not-connected"),
    (HAUS, across(0, 0, "E.I"), "not-connected gap"),
    (HAUS, Placement.of([((0, 0), "I"), ((2, 2), "N")]), "not-connected not-in-line"),
    (HAUS, across(0, 13, "EIS"), "not-connected off-board"),
    (LONELY, across(0, 0, "E"), "not-connected square-taken"),
    # R4.3
    (HAUS, across(7, 2, "Z.....E"), "gap"),
    (HAUS, across(7, 6, "T..E"), "gap square-taken"),
    (HAUS, across(7, 8, "E..N...S"), "gap off-board"),
    (HAUS, Placement.of([((6, 4), "A"), ((8, 5), "B")]), "not-in-line"),
    # R1.1, R3.4
    (HAUS, across(7, 8, "TUEREN.S"), "off-board"),
    (HAUS, down(-1, 4, "A"), "not-connected off-board"),
    (HAUS, across(7, 7, "T"), "square-taken"),
    (HAUS, across(7, 7, "S"), "square-taken"),
    # R4.9
    (EMPTY_BOARD, across(7, 7, ""), "no-tile-laid"),
    (HAUS, across(7, 7, ""), "no-tile-laid"),
    (HAUS, down(0, 8, "BEERENTE"), "too-many-tiles"),
    # R1.2, R7.3, R7.5
    (HAUS, down(7, 8, "CAFÉ"), "not-in-set"),
    (HAUS, down(7, 8, "CAFé"), "not-in-set"),
    (HAUS, down(7, 8, "JJ"), "set-exhausted"),
    (HAUS, down(7, 8, "eee"), "set-exhausted"),
    (HAUS, down(7, 8, "e??"), "set-exhausted"),
    (HAUS, down(7, 8, "e?"), ""),
    (HAUS, down(7, 8, "ÉÉÉ"), "not-in-set"),
    # R6.1
    (HAUS, down(6, 8, "UßE"), "blank-as-eszett"),
    (HAUS, down(6, 8, "ßßß"), "set-exhausted blank-as-eszett"),
    # many at once
    (
        EMPTY_BOARD,
        across(7, 8, "QQ.Éßeée"),
        "first-word-off-star gap off-board not-in-set set-exhausted blank-as-eszett",
    ),
    (
        HAUS,
        across(0, 7, "QQQÉß.EEEN"),
        "not-connected gap off-board too-many-tiles not-in-set set-exhausted blank-as-eszett",
    ),
    (
        HAUS,
        Placement.of([*across(7, 7, "QQÉß").tiles, *across(15, 0, "ABCD").tiles]),
        "off-board square-taken too-many-tiles not-in-set set-exhausted blank-as-eszett not-in-line",
    ),
]
"""Board, placement and all faults of it, where the first word has to have five letters."""


@pytest.mark.parametrize(("board", "placement", "codes"), EVERY_CODE)
def test_all_faults_at_once(turnier: RuleSet, board: Board, placement: Placement, codes: str) -> None:
    house = turnier.with_settings(min_first_word=5)
    assert check_placement(board, placement, house, GERMAN_102).codes == codes.split()


def test_every_code_is_in_the_table() -> None:
    assert {code for *_, codes in EVERY_CODE for code in codes.split()} == set((~PlacementFault.NONE).codes)


@pytest.mark.parametrize(
    ("placement", "codes"),
    [
        (across(7, 3, "FIRNS"), []),
        (down(5, 7, "FIRNS"), []),
        (across(7, 7, "FIRNS"), []),
        (across(7, 8, "FIRNS"), ["first-word-off-star"]),
        (across(7, 7, "I"), ["first-word-too-short"]),
        (across(0, 0, "I"), ["first-word-off-star", "first-word-too-short"]),
        (across(7, 5, "FI.NS"), ["first-word-off-star", "gap"]),
        (across(7, 11, "FIRNS"), ["first-word-off-star", "off-board"]),
        (Placement.of([]), ["no-tile-laid"]),
        (Placement.of([((7, 7), "A"), ((8, 8), "B")]), ["not-in-line"]),
        (across(7, 3, "FIRNSTEE"), ["too-many-tiles"]),
        (across(7, 3, "CAFÉS"), ["not-in-set"]),
        (across(7, 3, "CAFés"), ["not-in-set"]),
        (across(7, 3, "QUiQ"), ["first-word-off-star", "set-exhausted"]),
        (across(7, 5, "e?e"), ["set-exhausted"]),
        (across(7, 5, "FUß"), ["blank-as-eszett"]),
    ],
)
def test_first_word(turnier: RuleSet, placement: Placement, codes: list[str]) -> None:
    assert check_placement(Board.empty(), placement, turnier, GERMAN_102).codes == codes


@pytest.mark.parametrize(
    ("placement", "codes"),
    [
        (across(7, 2, "ZU....E"), []),
        (down(6, 4, "A"), []),
        (across(7, 8, "E"), []),
        (across(8, 8, "E"), ["not-connected"]),
        (across(0, 0, "EI"), ["not-connected"]),
        (across(7, 2, "Z"), ["not-connected"]),
        (across(7, 2, "Z.....E"), ["gap"]),
        (across(7, 8, "TUEREND"), []),
        (across(7, 8, "TUERENDE"), ["off-board", "too-many-tiles"]),
        (across(7, 7, "T"), ["square-taken"]),
        (down(7, 7, "SEE"), ["square-taken"]),
        (Placement.of([]), ["no-tile-laid"]),
        (across(7, 8, "JJ"), ["set-exhausted"]),
        (Placement.of([((6, 4), "A"), ((8, 5), "B")]), ["not-in-line"]),
        (Placement.of([((0, 0), "É"), ((16, 2), "ß"), ((7, 7), "S")]),
         ["off-board", "square-taken", "not-in-set", "blank-as-eszett", "not-in-line"]),
    ],
)  # fmt: skip
def test_later_words(turnier: RuleSet, placement: Placement, codes: list[str]) -> None:
    assert check_placement(HAUS, placement, turnier, GERMAN_102).codes == codes


def test_tiles_on_the_board_count_for_the_supply(turnier: RuleSet) -> None:
    """One Ä, and two blanks whatever they stand for."""
    board = Board.empty().placed({Square(7, 7): "Ä", Square(7, 8): "e", Square(7, 9): "?"})
    assert check_placement(board, across(7, 10, "Ä"), turnier, GERMAN_102).codes == ["set-exhausted"]
    assert check_placement(board, across(7, 10, "t"), turnier, GERMAN_102).codes == ["set-exhausted"]
    assert check_placement(board, across(7, 10, "T"), turnier, GERMAN_102).codes == []


def test_an_exhausted_letter_is_held_against_the_placement_that_uses_it_only(turnier: RuleSet) -> None:
    board = Board.empty().placed({Square(7, 7): "Q", Square(7, 8): "Q"})
    assert check_placement(board, across(7, 9, "E"), turnier, GERMAN_102).codes == []


def test_a_set_without_blanks(turnier: RuleSet) -> None:
    """Its letters are letters of the set, but there is no blank to stand for them."""
    bare = replace(GERMAN_102, blanks=0)
    assert check_placement(HAUS, across(7, 8, "e"), turnier, bare).codes == ["set-exhausted"]
    assert check_placement(HAUS, across(7, 8, "?"), turnier, bare).codes == ["not-in-set", "set-exhausted"]
    assert check_placement(HAUS, across(7, 8, "E"), turnier, bare).codes == []


def test_umlauts_are_not_in_the_english_set(turnier: RuleSet) -> None:
    assert check_placement(Board.empty(), across(7, 7, "ÖL"), turnier, ENGLISH_100).codes == ["not-in-set"]


def test_first_word_of_five_letters_by_house_rule(turnier: RuleSet) -> None:
    house = turnier.with_settings(min_first_word=5)
    assert check_placement(Board.empty(), across(7, 4, "HAUS"), house, GERMAN_102).codes == ["word-too-short-by-rule"]
    assert check_placement(Board.empty(), across(7, 3, "FIRNS"), house, GERMAN_102).codes == []
    assert check_placement(HAUS, across(7, 8, "E"), house, GERMAN_102).codes == []


def test_the_rack_size_is_a_setting(turnier: RuleSet) -> None:
    eight = turnier.with_settings(rack_size=8)
    assert check_placement(Board.empty(), across(7, 3, "FIRNSTEE"), eight, GERMAN_102).codes == []


def test_the_order_of_the_tiles_says_nothing() -> None:
    tiles = [((7, 4), "A"), ((7, 3), "B")]
    assert Placement.of(tiles) == Placement.of(reversed(tiles))
    assert hash(Placement.of(tiles)) == hash(Placement.of(dict(across(7, 3, "BA").tiles)))


@pytest.mark.parametrize(
    ("placement", "direction"),
    [
        (across(7, 3, "BA"), Direction.ACROSS),
        (down(7, 3, "B.A"), Direction.DOWN),
        (across(7, 3, "B"), None),
        (Placement.of([]), None),
        (Placement.of([((7, 7), "A"), ((8, 8), "B")]), None),
    ],
)
def test_direction(placement: Placement, direction: Direction | None) -> None:
    assert placement.direction is direction


@pytest.mark.parametrize("tiles", [[((7, 7), "A"), ((7, 7), "B")], [((7, 7), ".")], [((7, 7), "AB")]])
def test_what_is_no_placement_at_all(tiles: list[tuple[tuple[int, int], str]]) -> None:
    with pytest.raises(BoardError):
        Placement.of(tiles)
