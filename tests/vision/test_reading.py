"""What a reading says: characters, confidence, doubt, and the letters a tile set allows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from scorer.board import Square
from scorer.tiles import ENGLISH_100, GERMAN_102
from vision.reading import BoardReading

Make = Callable[..., BoardReading]
ROWS = ["." * 15] * 7 + [".....HÜT?......"] + ["." * 15] * 7


def test_the_board_in_text_form(make_reading: Make) -> None:
    reading = make_reading(ROWS)
    assert list(reading.rows) == ROWS and reading.doubtful == ()
    assert reading.confidence.min() > 0.99


def test_a_square_below_the_threshold_is_doubtful(make_reading: Make) -> None:
    reading = make_reading(ROWS, {(7, 5): {"H": 0.85, "N": 0.15}, (7, 6): {"Ü": 0.95, "U": 0.05}})
    assert reading.doubtful == (Square(7, 5),)
    at = reading.at(Square(7, 5))
    assert at.char == "H" and at.confidence == pytest.approx(0.85, abs=0.01)
    assert [char for char, _ in at.candidates] == ["H", "N"]


def test_a_covered_square_is_doubtful_and_shows_the_likeliest_character(make_reading: Make) -> None:
    reading = make_reading(ROWS, {(7, 5): {"*": 0.97, "H": 0.02, ".": 0.01}})
    assert reading.rows[7][5] == "H" and reading.doubtful == (Square(7, 5),)


def test_letters_outside_the_tile_set_give_way_and_leave_a_doubt(make_reading: Make) -> None:
    unsure = {(7, 6): {"Ü": 0.97, "U": 0.03}, (7, 5): {"H": 0.8, "Ä": 0.2}}
    reading = make_reading(ROWS, unsure).restricted(ENGLISH_100.letters)
    assert reading.rows[7][6] == "U" and Square(7, 6) in reading.doubtful
    assert reading.rows[7][5] == "H" and reading.confidence[7, 5] > 0.99
    assert make_reading(ROWS, unsure).restricted(GERMAN_102.letters).rows[7][6] == "Ü"


def test_suspects_are_doubtful_whatever_their_confidence(make_reading: Make) -> None:
    assert make_reading(ROWS).suspecting({Square(0, 0)}).doubtful == (Square(0, 0),)


def test_a_lower_case_letter_is_a_blank_to_the_picture(make_reading: Make) -> None:
    reading = make_reading(ROWS)
    assert reading.log_prob(Square(7, 8), "e") == reading.log_prob(Square(7, 8), "?") > -0.01


def test_what_probability_lacks_is_a_letter_of_another_alphabet() -> None:
    """A Ł: surely a tile, its print no letter that a class stands for. Never a sure L, never an empty square."""
    classes = (".", "?", "*", "A", "L")
    probs = np.full((15, 15, 5), 1e-6)
    probs[..., 0] = 1
    probs[7, 5] = [0.01, 0.01, 1e-6, 0.01, 0.3]
    reading = BoardReading(np.log(probs).astype(np.float32), classes, 0.9)
    for seen in (reading, reading.restricted("AL")):
        assert seen.rows[7][5] == "L" and seen.doubtful == (Square(7, 5),)
        assert seen.confidence[7, 5] == pytest.approx(0.3, abs=0.01)
        empty, blank, _, a, el = np.exp(seen.likelihoods[7, 5])
        assert empty < 0.02 and el > a > 0.6 and blank > 0.6
