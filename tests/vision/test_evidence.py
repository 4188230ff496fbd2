"""The photo's own colours tell a blank tile from an empty square."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import pytest

from scorer.board import Square
from vision.evidence import settle_blanks
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
    reading = settle_blanks(board, make_reading(rows, {BLANK: UNSURE}), 2)
    assert reading.rows[BLANK[0]][BLANK[1]] == "?" and not reading.doubtful


@pytest.mark.parametrize("square", [(0, 0), (1, 1), (0, 3), (1, 5), (0, 1), (14, 14), (13, 2)])
def test_an_unsure_empty_square_stays_empty(
    board: BoardImage, rows: list[str], make_reading: Make, square: tuple[int, int]
) -> None:
    reading = settle_blanks(board, make_reading(rows, {square: UNSURE}), 2)
    assert reading.rows[square[0]][square[1]] == "."
    assert reading.confidence[square] > 0.9


def test_a_sure_picture_is_not_overruled(board: BoardImage, rows: list[str], make_reading: Make) -> None:
    assert settle_blanks(board, make_reading(rows), 2).rows == tuple(rows)


def test_without_a_letter_in_sight_there_is_hardly_a_blank(board: BoardImage, make_reading: Make) -> None:
    reading = settle_blanks(board, make_reading(["." * 15] * 15, {(7, 7): {"?": 0.9, ".": 0.1}}), 2)
    assert reading.rows[7][7] == "." and Square(7, 7) in reading.doubtful


def test_blanks_beyond_the_tile_set_are_doubtful(board: BoardImage, rows: list[str], make_reading: Make) -> None:
    seen = {(0, 0): {"?": 1.0}, (0, 14): {"?": 1.0}}
    reading = settle_blanks(board, make_reading(rows, seen), 2)
    blanks = {Square(r, c) for r in range(15) for c in range(15) if reading.rows[r][c] == "?"}
    assert len(blanks) > 2 and len(blanks & set(reading.doubtful)) >= len(blanks) - 2
