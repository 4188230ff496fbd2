"""The photo's own colours tell a blank tile from an empty square."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import pytest

from scorer.board import Square
from scorer.tiles import GERMAN_102
from vision.evidence import doubt_excess, settle_blanks
from vision.geometry import Corners
from vision.reading import BoardReading
from vision.rectify import BoardImage, rectify

Make = Callable[..., BoardReading]
BLANK = (10, 10)
"""Where the demo game's blank lies."""

UNSURE = {"?": 0.5, ".": 0.5}


@pytest.fixture(scope="module")
def board(demo_photos: list[Path], demo_truth: list[dict[str, Any]]) -> BoardImage:
    return rectify(cv2.imread(str(demo_photos[11])), Corners.of(demo_truth[11]["corners_px"]))


@pytest.fixture(scope="module")
def rows(demo_truth: list[dict[str, Any]]) -> list[str]:
    assert demo_truth[11]["board"][BLANK[0]][BLANK[1]] == "?"
    return demo_truth[11]["board"]


def test_an_unsure_blank_becomes_sure(board: BoardImage, rows: list[str], make_reading: Make) -> None:
    reading = settle_blanks(board, make_reading(rows, {BLANK: UNSURE}))
    assert reading.rows[BLANK[0]][BLANK[1]] == "?" and not reading.doubtful


def test_a_tile_on_the_star_is_told_by_the_double_words(board: BoardImage, rows: list[str], make_reading: Make) -> None:
    """A T lies there, so its face has the colour of the other tiles, not of the print that a star shares."""
    assert rows[7][7] == "T"
    assert settle_blanks(board, make_reading(rows, {(7, 7): UNSURE})).rows[7][7] == "?"


@pytest.mark.parametrize("square", [(0, 0), (1, 1), (0, 3), (1, 5), (0, 1), (14, 14), (13, 2)])
def test_an_unsure_empty_square_stays_empty(
    board: BoardImage, rows: list[str], make_reading: Make, square: tuple[int, int]
) -> None:
    reading = settle_blanks(board, make_reading(rows, {square: UNSURE}))
    assert reading.rows[square[0]][square[1]] == "."
    assert reading.confidence[square] > 0.9


def test_a_sure_picture_is_not_overruled(board: BoardImage, rows: list[str], make_reading: Make) -> None:
    assert settle_blanks(board, make_reading(rows)).rows == tuple(rows)


def test_without_a_letter_in_sight_there_is_hardly_a_blank(board: BoardImage, make_reading: Make) -> None:
    reading = settle_blanks(board, make_reading(["." * 15] * 15, {(7, 7): {"?": 0.9, ".": 0.1}}))
    assert reading.rows[7][7] == "." and Square(7, 7) in reading.doubtful


@pytest.mark.parametrize(
    ("row", "doubted"),
    [
        ("QU?X.?E", []),  # one Q, one X, two blanks: what the set has
        ("QU?X.QE", [0, 5]),  # one Q too many: either may be the wrong one
        ("?U?X.?E", [2, 5]),  # three blanks: the two least sure
        ("QQQ....", [0, 1, 2]),
        ("ÄÖÜEEEE", []),
        ("QQXXYYA", []),  # too many of many kinds: several sets, counting says nothing
    ],
)
def test_more_of_a_kind_than_the_set_holds_is_doubtful(make_reading: Make, row: str, doubted: list[int]) -> None:
    rows = [row.ljust(15, "."), *["." * 15] * 14]
    less_sure = {(0, k): {char: 0.99, "S": 0.01} for k, char in enumerate(row) if k > 0 and char in "?Q"}
    reading = make_reading(rows, less_sure)
    assert doubt_excess(reading, GERMAN_102).doubtful == tuple(Square(0, k) for k in doubted)
