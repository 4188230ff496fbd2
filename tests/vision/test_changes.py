"""Which explanation of a photo is likeliest, and which square decides."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorer.board import Board, Square
from scorer.placement import Placement, PlacementFault
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102
from vision.changes import PlacementHypothesis, deciding, explain
from vision.reading import BoardReading

RULES = RULE_SETS["turnier"]
EMPTY = Board.empty()
HUT = EMPTY.placed({Square(7, 7): "H", Square(7, 8): "U", Square(7, 9): "T"})


def explained(position: Board, reading: BoardReading, *removable: frozenset[Square]) -> tuple[PlacementHypothesis, ...]:
    return explain(position, removable, reading, RULES, GERMAN_102)


def test_the_same_board_again_is_nothing_new(make_reading: Callable[..., BoardReading]) -> None:
    best = explained(HUT, make_reading(HUT.rows), frozenset(HUT.occupied))[0]
    assert not best.placement.tiles and not best.removed and best.probability > 0.99


def test_new_tiles_are_found_with_their_letters(make_reading: Callable[..., BoardReading]) -> None:
    new = {Square(8, 9): "Ü", Square(9, 9): "R"}
    best = explained(HUT, make_reading(HUT.placed(new).rows))[0]
    assert best.placement == Placement.of(new)
    assert best.faults == PlacementFault.NONE and best.probability > 0.99


def test_a_misread_old_tile_does_not_disturb(make_reading: Callable[..., BoardReading]) -> None:
    new = {Square(8, 9): "O", Square(9, 9): "R"}
    seen = HUT.placed(new).removed([Square(7, 8)]).placed({Square(7, 8): "O"})
    best = explained(HUT, make_reading(seen.rows), frozenset(HUT.occupied))[0]
    assert best.placement == Placement.of(new) and not best.removed


def test_tiles_taken_back_are_found(make_reading: Callable[..., BoardReading]) -> None:
    best = explained(HUT, make_reading(EMPTY.rows), frozenset(HUT.occupied))[0]
    assert best.removed == HUT.occupied and not best.placement.tiles and best.probability > 0.99


def test_a_new_tile_on_a_square_just_freed_does_not_vanish(make_reading: Callable[..., BoardReading]) -> None:
    new = {Square(7, 6): "R", Square(7, 7): "A", Square(7, 8): "D"}
    best = explained(HUT, make_reading(EMPTY.placed(new).rows), frozenset(HUT.occupied))[0]
    assert best.removed == HUT.occupied and best.placement == Placement.of(new)


def test_the_rules_decide_an_unsure_square_inside_a_word(make_reading: Callable[..., BoardReading]) -> None:
    new = {Square(8, 9): "O", Square(10, 9): "R"}
    half = {".": 0.5, "E": 0.5}
    hypotheses = explained(HUT, make_reading(HUT.placed(new).rows, {(9, 9): half, (2, 2): half}))
    assert hypotheses[0].placement == Placement.of({**new, Square(9, 9): "E"})
    assert hypotheses[0].probability > 0.8


def test_a_hand_over_free_squares_makes_no_tiles(make_reading: Callable[..., BoardReading]) -> None:
    new = {Square(8, 9): "O", Square(9, 9): "R"}
    hand = {(r, c): {"*": 1.0} for r in range(10, 15) for c in range(10, 15)}
    best = explained(HUT, make_reading(HUT.placed(new).rows, hand))[0]
    assert best.placement == Placement.of(new)


def test_a_clear_illegal_placement_is_reported_as_it_lies(make_reading: Callable[..., BoardReading]) -> None:
    new = {Square(8, 9): "O", Square(10, 9): "R", Square(2, 2): "X"}
    best = explained(HUT, make_reading(HUT.placed(new).rows))[0]
    assert best.placement == Placement.of(new)
    assert PlacementFault.NOT_IN_LINE in best.faults


def test_the_supply_of_tiles_decides_between_look_alikes(make_reading: Callable[..., BoardReading]) -> None:
    position = HUT.placed({Square(8, 7): "Q"})
    new = {Square(9, 7): "O"}
    best = explained(position, make_reading(position.placed(new).rows, {(9, 7): {"Q": 0.55, "O": 0.45}}))[0]
    assert best.placement == Placement.of(new)


def test_the_square_that_decides_is_the_one_to_ask_about(make_reading: Callable[..., BoardReading]) -> None:
    new = {Square(8, 9): "O", Square(9, 9): "R"}
    reading = make_reading(HUT.placed(new).rows, {(9, 9): {"R": 0.5, "B": 0.45}, (8, 9): {"O": 0.97, "Q": 0.03}})
    doubt = deciding(explained(HUT, reading))
    assert doubt is not None and doubt.square == Square(9, 9)
    assert {char for char, _ in doubt.candidates} >= {"R", "B"}
    assert sum(p for _, p in doubt.candidates) == pytest.approx(1, abs=0.05)


def test_a_covered_square_says_nothing(make_reading: Callable[..., BoardReading]) -> None:
    new = {Square(8, 9): "O", Square(9, 9): "R"}
    covered = {(7, 7): {"*": 1.0}, (0, 0): {"*": 1.0}, (7, 8): {"*": 1.0}}
    best = explained(HUT, make_reading(HUT.placed(new).rows, covered), frozenset(HUT.occupied))[0]
    assert best.placement == Placement.of(new) and not best.removed


def test_probabilities_add_up_and_are_ranked(make_reading: Callable[..., BoardReading]) -> None:
    unsure = {(r, 9): {".": 0.5, "E": 0.3, "F": 0.2} for r in range(8, 15)}
    found = explained(HUT, make_reading(HUT.rows, unsure), frozenset(HUT.occupied))
    assert sum(h.probability for h in found) == pytest.approx(1)
    assert [h.probability for h in found] == sorted((h.probability for h in found), reverse=True)
