"""What words say of letters that a picture leaves open, and what they may not say."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.board import Board, Square
from vision.wording import FAIR, LIMIT, Candidates, weighed_by_words

SURE = 0.95
EMPTY = Board.empty()
SQUARES = [Square(7, col) for col in range(15)]


class Words:
    """A prior to which these words are as likely as given and all others nearly impossible; it remembers all asked."""

    def __init__(self, **likely: float) -> None:
        self.likely = likely
        self.asked: set[str] = set()

    def log_probability(self, pattern: str) -> float:
        self.asked.add(pattern)
        return math.log(self.likely.get(pattern, 1e-6))


def row(*candidates: Mapping[str, float], first: int = 7) -> dict[Square, Candidates]:
    """The candidates of tiles side by side in the middle row."""
    return {
        SQUARES[first + k]: tuple(sorted(one.items(), key=lambda pair: -pair[1])) for k, one in enumerate(candidates)
    }


def best(weighed: Mapping[Square, Candidates]) -> str:
    return "".join(ranked[0][0] for ranked in weighed.values())


def test_a_tie_is_broken_towards_the_word() -> None:
    for letters in ({"U": 0.5, "Ü": 0.5}, {"U": 0.6, "Ü": 0.4}):
        tie = row({"F": 1.0}, letters, {"R": 1.0})
        assert best(weighed_by_words(EMPTY, tie, Words(FÜR=0.01), SURE)) == "FÜR"
        assert best(weighed_by_words(EMPTY, tie, Words(FUR=0.01), SURE)) == "FUR"


def test_words_count_as_much_as_the_limit_and_no_more() -> None:
    tie = row({"F": 1.0}, {"U": 0.5, "Ü": 0.5}, {"R": 1.0})
    ((_, first), (_, second)) = weighed_by_words(EMPTY, tie, Words(FÜR=0.9), SURE)[SQUARES[8]]
    assert math.log(first / second) == pytest.approx(LIMIT) and first + second == pytest.approx(1)


def test_a_small_difference_counts_half() -> None:
    """Twice as likely a word: the square root of two as much for its letter."""
    tie = row({"F": 1.0}, {"U": 0.5, "Ü": 0.5}, {"R": 1.0})
    ((char, first), (_, second)) = weighed_by_words(EMPTY, tie, Words(FÜR=0.02, FUR=0.01), SURE)[SQUARES[8]]
    assert char == "Ü" and first / second == pytest.approx(math.sqrt(2))


def test_a_clear_picture_of_an_invalid_word_stays_as_it_is() -> None:
    clear = row({"F": 1.0}, {"U": 0.96, "Ü": 0.04}, {"R": 1.0})
    assert weighed_by_words(EMPTY, clear, Words(FÜR=0.9), SURE) == clear


def test_a_letter_that_the_picture_all_but_excludes_is_out() -> None:
    faint = row({"F": 1.0}, {"U": 0.9, "O": 0.06, "Ü": FAIR / 2}, {"R": 1.0})
    weighed = dict(weighed_by_words(EMPTY, faint, Words(FÜR=0.9), SURE)[SQUARES[8]])
    assert weighed["Ü"] == FAIR / 2 and weighed["U"] == pytest.approx(0.9)


def test_where_a_blank_may_lie_nothing_is_weighed() -> None:
    blank = row({"F": 1.0}, {"U": 0.6, "?": 0.4}, {"R": 1.0})
    assert weighed_by_words(EMPTY, blank, Words(**{"F?R": 0.9}), SURE) == blank


def test_two_open_letters_of_one_word_are_decided_together() -> None:
    """Neither HOTE nor HÜTA is one: each letter needs the other."""
    tiles = row({"H": 1.0}, {"O": 0.55, "Ü": 0.45}, {"T": 1.0}, {"A": 0.55, "E": 0.45})
    assert best(weighed_by_words(EMPTY, tiles, Words(HÜTE=0.01), SURE)) == "HÜTE"


def test_all_words_through_the_open_letter_have_a_say() -> None:
    board = EMPTY.placed({Square(6, 8): "T", Square(8, 8): "R", Square(7, 10): "T"})
    prior = Words()
    weighed_by_words(board, row({"G": 1.0}, {"U": 0.5, "Ü": 0.5}, {"S": 1.0}), prior, SURE)
    assert prior.asked == {"GUST", "GÜST", "TUR", "TÜR"}


def test_an_earlier_letter_that_is_not_sure_and_a_known_blank() -> None:
    board = EMPTY.placed({Square(7, 6): "?", Square(7, 10): "e"})
    prior = Words()
    weighed_by_words(board, row({"H": 1.0}, {"U": 0.5, "Ü": 0.5}, {"T": 1.0}), prior, SURE)
    assert prior.asked == {"?HUTE", "?HÜTE"}


def test_too_many_open_letters_are_left_alone() -> None:
    many = row(*[{"E": 0.6, "F": 0.4}] * 5)
    assert weighed_by_words(EMPTY, many, Words(FEFEF=0.9), SURE) == many


shares = st.lists(st.floats(0.01, 1), min_size=2, max_size=4)
logs = st.dictionaries(st.text("UÜOQ", min_size=3, max_size=3), st.floats(1e-9, 1))


@given(st.lists(shares, min_size=3, max_size=3), logs)
def test_what_the_picture_ranks_lower_never_comes_out_sure(parts: list[list[float]], likely: dict[str, float]) -> None:
    tiles = row(*({char: p / sum(part) for char, p in zip("UÜOQ", part, strict=False)} for part in parts))
    weighed = weighed_by_words(EMPTY, tiles, Words(**likely), SURE)
    for square, ranked in weighed.items():
        before = dict(tiles[square])
        assert sum(p for _, p in ranked) == pytest.approx(1)
        assert before[ranked[0][0]] == max(before.values()) or ranked[0][1] < SURE
