"""What a blank may stand for, where the rules allow to say it."""

from __future__ import annotations

import pytest

from assistant.blanks import OpenBlank, open_blanks
from assistant.notes import blank_text
from assistant.texts import Texts
from scorer.adjudication import Referee
from scorer.board import Board, Square
from scorer.lexicon import Listed, WordList, words_in
from scorer.rules import RULE_SETS
from scorer.tiles import GERMAN_102

OPEN = next(rules for rules in RULE_SETS.values() if rules.open_dictionary)
CLOSED = RULE_SETS["turnier"]
HUT = Board.empty().placed({Square(7, 7): "H", Square(7, 8): "?", Square(7, 9): "T"})


def referee(*words: str) -> Referee:
    return Referee(Listed(WordList("Probe"), words_in(words), OPEN))


def test_an_open_dictionary_proposes_the_letters_that_make_words() -> None:
    assert open_blanks(HUT, OPEN, GERMAN_102, referee("HUT", "HAT", "HALT")) == (OpenBlank(Square(7, 8), ("A", "U")),)


def test_both_words_it_stands_in_must_be_words() -> None:
    crossed = HUT.placed({Square(8, 8): "N"})
    assert open_blanks(crossed, OPEN, GERMAN_102, referee("HUT", "HAT", "AN"))[0].letters == ("A",)


def test_two_blanks_in_one_word() -> None:
    two = Board.empty().placed({Square(7, 7): "H", Square(7, 8): "?", Square(7, 9): "?"})
    assert [one.letters for one in open_blanks(two, OPEN, GERMAN_102, referee("HUT", "HOF"))] == [
        ("O", "U"),
        ("F", "T"),
    ]


def test_a_blank_with_a_letter_is_not_open() -> None:
    known = Board.empty().placed({Square(7, 7): "H", Square(7, 8): "u", Square(7, 9): "T"})
    assert open_blanks(known, OPEN, GERMAN_102, referee("HUT")) == ()


@pytest.mark.parametrize("words", [("HUT", "HAT"), ()])
def test_a_closed_dictionary_says_nothing(words: tuple[str, ...]) -> None:
    assert open_blanks(HUT, CLOSED, GERMAN_102, referee(*words)) == (OpenBlank(Square(7, 8), None),)
    assert open_blanks(HUT, OPEN, GERMAN_102, None) == (OpenBlank(Square(7, 8), None),)


def test_what_is_said_of_it() -> None:
    texts = Texts("de")
    assert (
        blank_text(OpenBlank(Square(7, 8), ("A", "U")), texts)
        == "Blanko auf H9: Es kann A, U sein, dann gibt es die Wörter."
    )
    assert blank_text(OpenBlank(Square(7, 8), None), texts) == blank_text(OpenBlank(Square(7, 8), ()), texts)
