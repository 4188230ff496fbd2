"""What the built-in list knows of real games and accepts of samples written without a look at it; docs/lexicon.md says
the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.lexicon import TOURNAMENT, WRONG, answers, first_list, game_words, sample
from scorer.lexicon import Answer

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "lexicon.md").read_text(encoding="utf-8")
LEXICON = first_list()

MOST_WRONG = {
    "names": 0.01,
    "places": 0.01,
    "brands": 0.01,
    "abbreviations": 0.01,
    "english": 0.05,
    "umlauts_written_out": 0.005,
    "typos": 0.015,
    "random_racks": 0.05,
    "random_compounds": 0.02,
}
"""Share of a sample that may be accepted; some of it are German words by chance."""


def row(title: str, words: list[str]) -> str:
    """A row of the page's table."""
    by_answer = answers(LEXICON, words)
    shares = [f"{100 * len(by_answer[answer]) / len(words):.1f} %" for answer in (Answer.VALID, Answer.DOUBTFUL)]
    return f"| {title} | {len(words):,} | {' | '.join(shares)} |"


@pytest.mark.parametrize("name", ["also_words", *WRONG, "random_racks", "random_compounds"])
def test_samples(name: str) -> None:
    words = sample(name)
    accepted = answers(LEXICON, words)[Answer.VALID]
    if name == "also_words":
        assert len(accepted) >= 0.98 * len(words)
    else:
        assert len(accepted) <= MOST_WRONG[name] * len(words), accepted
    assert row(name.replace("_", " "), words) in PAGE


def test_every_sample_of_wrong_words_has_its_bound() -> None:
    assert set(MOST_WRONG) == {*WRONG, "random_racks", "random_compounds"}


def test_words_that_stayed_on_the_board_at_tournaments(shared: Path) -> None:
    found = game_words(shared)
    two = sorted(word for word in found.standing if len(word) == 2)
    long = sorted(word for word in found.standing if len(word) > 2)
    assert (len(two), len(long)) == TOURNAMENT
    missed = answers(LEXICON, [*two, *long])
    print("missed:", {answer: words for answer, words in missed.items() if answer is not Answer.VALID})
    assert len(answers(LEXICON, two)[Answer.VALID]) >= 0.95 * len(two)
    assert len(answers(LEXICON, long)[Answer.VALID]) >= 0.98 * len(long)
    assert row("games: 2 letters", two) in PAGE
    assert row("games: 3 and more", long) in PAGE


def test_no_move_that_was_challenged_off_is_accepted_whole(shared: Path) -> None:
    off = game_words(shared).challenged_off
    assert len(off) == 3
    for words in off:
        assert [word for word in words if LEXICON.look_up(word).answer is not Answer.VALID] != [], words


def test_the_page_names_the_size_of_the_list() -> None:
    from assistant.lexicon.german import provenance

    numbers = re.search(r"`assistant/lexicon/german.marisa`: ([\d,]+) words, ([\d,]+) spellings", PAGE)
    assert numbers is not None
    made = provenance()
    assert [int(text.replace(",", "")) for text in numbers.groups()] == [made["words"], made["spellings"]]
