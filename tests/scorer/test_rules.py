"""Rule sets and their settings."""

from __future__ import annotations

from typing import Any

import pytest

from scorer import RULE_SETS, PenaltyUnit, RuleError, RuleSet, rule_set


@pytest.mark.parametrize(
    ("name", "one_word", "two_words"),
    [("mattel", 0, 0), ("scrabble-deutschland", 5, 5), ("turnier", 10, 20), ("familie", 0, 0)],
)
def test_price_of_a_wrong_challenge(name: str, one_word: int, two_words: int) -> None:
    """R8.5: nothing, 5 points a challenge, 10 points a word."""
    assert rule_set(name).penalty(1) == one_word
    assert rule_set(name).penalty(2) == two_words


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_what_all_sets_share(rules: RuleSet) -> None:
    assert (rules.rack_size, rules.bingo_bonus, rules.min_first_word) == (7, 50, 2)


def test_changing_a_setting_gives_a_new_set(turnier: RuleSet) -> None:
    changed = turnier.with_settings(penalty_unit="challenge", challenge_penalty=3)
    assert changed.penalty(2) == 3
    assert changed.penalty_unit is PenaltyUnit.CHALLENGE
    assert turnier.penalty(2) == 20


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"bingo_bonus": -1}, "a whole number from 0 to 1000"),
        ({"rack_size": "7"}, "a whole number from 1 to 15"),
        ({"rack_size": True}, "a whole number from 1 to 15"),
        ({"min_first_word": 1}, "a whole number from 2 to 15"),
        ({"penalty_unit": "letter"}, "challenge or word"),
        ({"layout": "standard"}, "standard, or 15 rows"),
        ({"bingo": 35}, "no setting 'bingo'; settings: .*bingo_bonus"),
        ({"name": "mine"}, "no setting 'name'"),
    ],
)
def test_wrong_settings_are_refused_with_what_is_allowed(turnier: RuleSet, settings: dict[str, Any], why: str) -> None:
    with pytest.raises(RuleError, match=why):
        turnier.with_settings(**settings)


def test_an_unknown_set_is_refused_with_those_there_are() -> None:
    with pytest.raises(RuleError, match="mattel, scrabble-deutschland, turnier, familie"):
        rule_set("wm")
