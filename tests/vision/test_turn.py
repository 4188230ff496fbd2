"""What tiles, print and the last position say together about the side that is up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from scorer.board import Board, Square
from vision.reading import MISREAD, BoardReading, turned_by
from vision.turn import TurnEvidence, turned_squares

NOTHING = (0.0, 0.0, 0.0, 0.0)
FIRST = (0.0, -9.0, -9.0, -9.0)
SECOND = (-9.0, 0.0, -9.0, -9.0)
EITHER = (0.0, -30.0, 0.0, -30.0)
"""Letters that look alike upside down."""


@pytest.mark.parametrize(
    ("evidence", "quarters", "sure"),
    [
        (TurnEvidence(NOTHING), 0, False),
        (TurnEvidence(SECOND), 1, True),
        (TurnEvidence((-6.0, 0.0, -9.0, -9.0)), 1, False),
        (TurnEvidence(EITHER), 0, False),
        (TurnEvidence(EITHER, position=(-14.0, -14.0, 0.0, -14.0)), 2, True),
        (TurnEvidence(EITHER, position=(-6.9, -14.0, 0.0, -14.0)), 2, False),  # one tile may be misread
        # tiles for different sides tip the scales, no more
        (TurnEvidence(SECOND, agreeing=False), 1, False),
        (TurnEvidence(SECOND, agreeing=False, position=(0.0, -20.0, -20.0, -20.0)), 0, True),
        # print: all that an empty board has, a hint where tiles lie, since words may run against it
        (TurnEvidence(NOTHING, bare=True, printed=SECOND), 1, True),
        (TurnEvidence(NOTHING, printed=SECOND), 1, False),
        (TurnEvidence(EITHER, printed=(-9.0, -9.0, 0.0, -9.0)), 2, False),
        (TurnEvidence((-4.0, 0.0, -9.0, -9.0), printed=SECOND), 1, True),
        # two that are sure of different turns leave it open, however sure the one is
        (TurnEvidence(SECOND, position=(0.0, -60.0, -60.0, -60.0)), 0, False),
    ],
)
def test_the_evidence_together(evidence: TurnEvidence, quarters: int, sure: bool) -> None:
    assert (evidence.quarters, evidence.sure) == (quarters, sure)


@pytest.mark.parametrize("quarters", range(4))
def test_seen_from_another_corner_it_is_the_same_turn(quarters: int) -> None:
    evidence = TurnEvidence((-1.0, 0.0, -9.0, -3.0), printed=SECOND, position=(-20.0, 0.0, -14.0, -7.0))
    seen = evidence.seen_from(quarters)
    assert (seen.quarters + quarters) % 4 == 1 and seen.sure == evidence.sure
    assert seen.seen_from(4 - quarters) == evidence


def test_a_turn_is_read_when_the_evidence_speaks_for_it(make_reading: Callable[..., BoardReading]) -> None:
    readings = [make_reading([("O" * (k + 1)).ljust(15, ".")] + ["." * 15] * 14) for k in range(4)]
    asked = []

    def read(quarters: int) -> BoardReading:
        asked.append(quarters)
        return readings[quarters]

    turned = turned_by(np.array(EITHER), read)
    assert asked == [0] and turned.reading is readings[0] and not turned.sure and not turned.evidence.bare
    assert turned.weighed(replace(turned.evidence, position=FIRST)).reading is readings[0] and asked == [0]
    other = turned.weighed(replace(turned.evidence, position=(-14.0, -14.0, 0.0, -14.0)))
    assert other.reading is readings[2] and other.quarters == 2 and other.sure and asked == [0, 2]
    assert other.in_all_turns() == (readings[2], readings[3], readings[0], readings[1])


def test_an_empty_board_is_bare(make_reading: Callable[..., BoardReading]) -> None:
    empty = make_reading(["." * 15] * 15)
    assert turned_by(np.zeros(4), lambda quarters: empty).evidence.bare


def test_the_likelihood_of_a_position(make_reading: Callable[..., BoardReading]) -> None:
    reading = make_reading(["NOn" + "." * 12] + ["." * 15] * 14, {(0, 1): {"O": 0.5, "Q": 0.5}})
    board = Board.empty().placed({Square(0, 0): "N", Square(0, 1): "O", Square(0, 2): "n"})
    assert reading.likelihood(board) == pytest.approx(np.log(0.5), abs=0.01)  # other squares say nothing
    assert reading.likelihood([(Square(0, 2), "N")]) == pytest.approx(np.log(MISREAD), abs=0.05)
    assert reading.likelihood([(Square(0, 0), "Ł")]) == pytest.approx(np.log(MISREAD))
    assert reading.likelihood([]) == 0


@pytest.mark.parametrize("quarters", range(-1, 5))
def test_squares_turn_with_the_board(quarters: int) -> None:
    marks = {Square(0, 1), Square(3, 12)}
    board = np.zeros((15, 15), bool)
    for square in marks:
        board[square] = True
    turned = {Square(int(row), int(col)) for row, col in np.argwhere(np.rot90(board, quarters))}
    assert turned_squares(marks, quarters) == turned
