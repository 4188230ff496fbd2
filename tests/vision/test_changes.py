"""Which explanation of a photo is likeliest, and which square decides."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from scorer.board import Board, Square
from scorer.placement import Placement, PlacementFault, check_placement
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102
from vision.changes import LOG_NEW, PlacementHypothesis, deciding, explain
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


def test_two_moves_in_one_photo_in_the_only_order_that_is_legal(make_reading: Callable[..., BoardReading]) -> None:
    first = {Square(8, 7): "A", Square(9, 7): "L", Square(10, 7): "M"}
    second = {Square(9, 8): "U", Square(9, 9): "T"}  # touches nothing before HALM lies there
    best = explained(HUT, make_reading(HUT.placed(first).placed(second).rows))[0]
    assert best.before == Placement.of(first) and best.placement == Placement.of(second)
    assert best.faults == PlacementFault.NONE and best.probability > 0.9


def test_two_moves_that_may_have_been_laid_in_either_order(make_reading: Callable[..., BoardReading]) -> None:
    one, other = {Square(8, 9): "O", Square(9, 9): "R"}, {Square(8, 7): "A", Square(9, 7): "S"}
    first, second, *_ = explained(HUT, make_reading(HUT.placed(one).placed(other).rows))
    assert {first.before, second.before} == {Placement.of(one), Placement.of(other)} != {Placement(())}
    assert first.probability == pytest.approx(second.probability) and first.probability > 0.45


def test_eight_tiles_in_a_line_are_two_moves(make_reading: Callable[..., BoardReading]) -> None:
    tiles = {Square(7, col): char for col, char in zip((3, 4, 5, 6, 10, 11, 12, 13), "AMEISENT", strict=True)}
    best = explained(HUT, make_reading(HUT.placed(tiles).rows))[0]
    assert best.before.tiles and {*best.before.squares, *best.placement.squares} == set(tiles)


@pytest.mark.parametrize("hidden", [[(9, 9)], [(8, 9)], [(8, 9), (9, 9)]])
def test_a_later_photo_shows_where_tiles_lay_under_a_hand(
    make_reading: Callable[..., BoardReading], hidden: list[tuple[int, int]]
) -> None:
    after = HUT.placed({Square(8, 9): "O", Square(9, 9): "R", Square(10, 9): "D"})
    hand = {square: {"*": 1.0} for square in [*hidden, (2, 2), (2, 3)]}
    guide = make_reading(after.rows)
    found = explain(HUT, [], make_reading(after.rows, hand), RULES, GERMAN_102, guide=guide)
    best = next(h for h in found if Square(10, 9) in h.placement.by_square and not h.faults)
    assert best.placement.squares == (Square(8, 9), Square(9, 9), Square(10, 9))


def test_what_looks_like_a_blank_off_the_word_is_none(make_reading: Callable[..., BoardReading]) -> None:
    """Of squares that look like one most are empty: a game has few."""
    new = {Square(8, 9): "O", Square(9, 9): "R"}
    ghost = {(2, 2): {"?": 0.97, ".": 0.03}}
    best = explained(HUT, make_reading(HUT.placed(new).rows, ghost))[0]
    assert best.placement == Placement.of(new) and best.probability > 0.95
    in_the_word = {(9, 9): {"?": 0.97, ".": 0.03}}
    best = explained(HUT, make_reading(HUT.placed({**new, Square(10, 9): "D"}).rows, in_the_word))[0]
    assert best.placement.by_square[Square(9, 9)] == "?"


def test_a_blank_that_was_seen_and_taken_for_none_is_no_new_evidence(make_reading: Callable[..., BoardReading]) -> None:
    seen = make_reading(HUT.rows, {(8, 9): {"?": 0.9999, ".": 0.0001}})
    first = explain(HUT, [], seen, RULES, GERMAN_102)[0]
    again = explain(HUT, [], seen, RULES, GERMAN_102, ghosts={Square(8, 9): 0.0})[0]
    assert first.placement.squares == (Square(8, 9),) and not again.placement.tiles


def test_the_best_legal_placement_is_found_whatever_the_picture(make_reading: Callable[..., BoardReading]) -> None:
    """Against all placements there are: every stretch of every line, judged by the rules core."""
    rng = np.random.default_rng(7)
    position = HUT.placed({Square(8, 9): "O", Square(9, 9): "R", Square(9, 8): "A", Square(9, 10): "T"})
    for _ in range(6):
        free = [Square(r, c) for r in range(5, 13) for c in range(5, 13) if position.at(Square(r, c)) is None]
        unsure = {free[k]: {"E": p, ".": 1 - p} for k in rng.permutation(len(free))[:14] if (p := rng.random()) > 0}
        reading = make_reading(position.rows, unsure)

        def total(placement: Placement, reading: BoardReading = reading) -> float:
            after = position.placed(placement.by_square)
            squares = [(Square(r, c), after.at(Square(r, c)) or ".") for r in range(15) for c in range(15)]
            return reading.likelihood(squares) + LOG_NEW * len(placement)

        every = [Placement(())]
        for down in (False, True):
            for line in range(15):
                for first in range(15):
                    for last in range(first, 15):
                        run = [Square(k, line) if down else Square(line, k) for k in range(first, last + 1)]
                        laid = Placement.of({s: "E" for s in run if position.at(s) is None})
                        if laid.tiles and not check_placement(position, laid, RULES, GERMAN_102):
                            every.append(laid)
        legal = [h for h in explained(position, reading) if not h.faults and not h.before.tiles]
        assert legal[0].placement.squares == max(every, key=total).squares
