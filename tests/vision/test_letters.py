"""Which letter a tile has, by all its photos and by the tiles that are left."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from scorer.board import Board, Square
from scorer.placement import Placement
from scorer.tiles import GERMAN_102
from vision.letters import Memory, Settled, fused, settle_letters
from vision.reading import BoardReading
from vision.steps import Step

Make = Callable[..., BoardReading]
Unsure = Mapping[tuple[int, int], Mapping[str, float]]

EMPTY = Board.empty()
SQUARE = Square(7, 7)
FIRST = EMPTY.placed({SQUARE: "O", Square(7, 8): "H", Square(7, 9): "R"})


def seen(make: Make, char: Mapping[str, float]) -> BoardReading:
    return make(FIRST.rows, {SQUARE: char})


def settled(make: Make, boards: Sequence[Board], unsure: Mapping[int, Unsure]) -> list[Settled]:
    """The letters of a game in which each board has one move more."""
    steps, before = [], EMPTY
    for board in boards:
        steps.append(Step("place", Placement.of({s: c for s, c in board if before.at(s) is None})))
        before = board
    readings = [make(board.rows, unsure.get(k)) for k, board in enumerate(boards)]
    found = settle_letters(steps, readings, GERMAN_102, 0.95)
    return [found[k, False] for k in range(len(boards))]


def test_photos_that_agree_are_never_surer_than_the_surest(make_reading: Make) -> None:
    one = fused([seen(make_reading, {"O": 0.8, "Q": 0.2})], SQUARE)
    five = fused([seen(make_reading, {"O": p, "Q": 1 - p}) for p in (0.8, 0.7, 0.85, 0.8, 0.8)], SQUARE)
    assert one[0] == ("O", pytest.approx(0.8, abs=0.01)) and five[0] == ("O", pytest.approx(0.85, abs=0.01))


def test_a_covered_tile_says_nothing(make_reading: Make) -> None:
    hidden, clear = seen(make_reading, {"*": 1.0}), seen(make_reading, {"O": 0.9, "Q": 0.1})
    assert fused([hidden], SQUARE) == ()
    assert fused([hidden, clear], SQUARE) == fused([clear], SQUARE)


def test_a_sure_letter_is_not_less_sure_for_the_other_classes(make_reading: Make) -> None:
    """A floor for each of thirty letters would take three per cent."""
    assert fused([seen(make_reading, {"O": 1.0})], SQUARE)[0][1] > 0.995


def test_what_is_expected_of_a_tile_that_was_never_seen_is_any_letter(make_reading: Make) -> None:
    memory = Memory().with_photo(seen(make_reading, {"*": 1.0}), FIRST.occupied)
    assert memory.expected is not None
    probabilities = {char: memory.expected[SQUARE][k] for k, char in enumerate(memory.classes)}
    assert probabilities["O"] == probabilities["?"] == 0 and probabilities["."] == -float("inf")


def test_the_tiles_that_are_left_weigh_look_alikes(make_reading: Make) -> None:
    """Of 0.6 to 0.4 for the Q, one Q and three O in the set make 0.33 to 0.67."""
    (first,) = settled(make_reading, [FIRST], {0: {SQUARE: {"Q": 0.6, "O": 0.4}}})
    ranked = dict(first.candidates[SQUARE])
    assert first.letters[SQUARE] == "O"
    assert ranked["O"] == pytest.approx(0.4 * 3 / (0.4 * 3 + 0.6), abs=0.01)


def test_where_the_only_one_lies_elsewhere_it_is_the_other(make_reading: Make) -> None:
    second = FIRST.placed({Square(8, 7): "Q"})
    doubt = {1: {(8, 7): {"Q": 0.5, "U": 0.5}}, 0: {SQUARE: {"Q": 1.0}}}
    _, later = settled(make_reading, [FIRST, second], doubt)
    assert later.letters[Square(8, 7)] == "U"


def test_more_of_a_letter_than_there_are_is_a_doubt_of_each(make_reading: Make) -> None:
    """Three tiles that look like the only Q: all are rather O, and none is sure."""
    boards = [FIRST, FIRST.placed({Square(8, 7): "O"}), FIRST.placed({Square(8, 7): "O", Square(9, 7): "O"})]
    like_q = {"Q": 0.93, "O": 0.07}
    doubt = {k: {(row, 7): like_q for row in range(7, 8 + k)} for k in range(3)}
    found = settled(make_reading, boards, doubt)
    for move, square in zip(found, (SQUARE, Square(8, 7), Square(9, 7)), strict=True):
        assert move.letters[square] == "O" and move.candidates[square][0][1] < 0.95


def test_a_tile_that_surely_is_one_letter_and_later_surely_another_is_torn(make_reading: Make) -> None:
    boards = [FIRST, FIRST.placed({Square(8, 7): "N"}), FIRST.placed({Square(8, 7): "N", Square(9, 7): "E"})]
    (first, *_) = settled(make_reading, boards, {k: {SQUARE: {"Ä": 1.0}} for k in (1, 2)})
    assert first.at_first[SQUARE] == "O"
    assert SQUARE in first.torn or first.candidates[SQUARE][0][1] < 0.95


def test_letters_that_are_told_stay(make_reading: Make) -> None:
    told = EMPTY.placed({SQUARE: "Q", Square(7, 8): "e"})
    memory = Memory.of(told).with_photo(seen(make_reading, {"O": 1.0}), told.occupied)
    assert memory.lettered(told) == told
    assert memory.candidates(SQUARE) == (("Q", 1.0),) and memory.candidates(Square(7, 8)) == (("?", 1.0),)


def test_tiles_that_are_gone_are_forgotten(make_reading: Make) -> None:
    memory = Memory().with_photo(seen(make_reading, {"O": 1.0}), FIRST.occupied).without([SQUARE])
    again = memory.with_photo(seen(make_reading, {"E": 1.0}), [SQUARE])
    assert again.candidates(SQUARE)[0][0] == "E" and again.candidates(SQUARE)[0][1] > 0.99
