"""Rule sets and their settings."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.errors import RuleError
from scorer.rules import (
    RULE_SETS,
    SETTINGS,
    PenaltyUnit,
    RuleConflict,
    RuleSet,
    conflicts,
    differing_settings,
    read_rule_set,
    rule_set,
)


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


# --- the named sets -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "values"),
    [
        ("max_players", (4, 4, 2, 4)),  # R1.3, R13.1
        ("word_authority", ("dictionary", "list-then-book", "club-list", "table")),  # R7.1
        ("list_max_length", (0, 0, 9, 0)),  # R7.8
        ("open_dictionary", (False, False, False, True)),  # R7.7, R12.2
        ("challenge_until", ("noted", "noted", "noted", "next-turn")),  # R8.2
        ("challenge_seconds", (0, 0, 20, 0)),  # R8.2
        ("challenge_penalty", (0, 5, 10, 0)),  # R8.5, R12.6
        ("penalty_unit", ("challenge", "challenge", "word", "challenge")),  # R8.6, R13.5
        ("challenge_scope", ("all-words", "all-words", "named", "all-words")),  # R8.8
        ("proof", ("player", "look-up", "look-up", "table")),  # R8.13
        ("exchange_min_bag", (7, 7, 7, 7)),  # R9.2
        ("end_on_passes", (2, 2, 2, 1)),  # R10.2
        ("rest_to", ("finisher",) * 4),  # R11.3
        ("tie", ("draw", "draw", "half-win", "draw")),  # R11.6, R13.6
        ("clock_seconds", (0, 0, 1800, 0)),  # R13.2
        ("overtime_penalty", (10, 10, 10, 10)),  # R13.3
        ("overtime_limit", (300, 300, 300, 300)),  # R13.4
        ("blank_naming", ("announced", "announced", "written", "later")),  # R6.3
    ],
)
def test_what_the_sets_say(setting: str, values: tuple[Any, ...]) -> None:
    assert tuple(getattr(rules, setting) for rules in RULE_SETS.values()) == values


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_no_set_contradicts_itself(rules: RuleSet) -> None:
    assert conflicts(rules) == ()


@pytest.mark.parametrize("kind", ["name", "abbreviation", "affix", "hyphen"])
def test_words_nobody_may_lay(kind: str) -> None:
    """R7.2: in all sets, unless a table agrees otherwise; R7.9: discriminating words only where that was agreed."""
    assert all(kind in rules.banned_words for rules in RULE_SETS.values())
    assert all("discriminating" not in rules.banned_words for rules in RULE_SETS.values())
    assert rule_set("familie").with_settings(banned_words=["discriminating", "name"]).banned_words == (
        "name",
        "discriminating",
    )


def test_spelling_and_regions_are_agreed_on() -> None:
    """R7.6: new or old, with the headword rule of the makers; R7.1, R13.7: German of three countries."""
    assert rule_set("mattel").spelling == "headword"
    assert rule_set("turnier").spelling == "new"
    assert all(rules.regions == ("de", "at", "ch") for rules in RULE_SETS.values())


# --- settings as texts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_every_setting_has_a_text_form_that_is_read_back(rules: RuleSet, name: str) -> None:
    text = rules.text_of(name)
    assert rule_set("mattel").with_texts([f"{name}={text}"]) == rule_set("mattel").with_settings(
        **{name: getattr(rules, name)}
    )


def test_settings_given_as_texts() -> None:
    rules = rule_set("turnier").with_texts(
        ["end_on_passes=1", "end-on-empty-bag = bag", "open_dictionary=ja", "banned_words=none", "regions=ch,de"]
    )
    assert (rules.end_on_passes, rules.end_on_empty_bag, rules.open_dictionary) == (1, "bag", True)
    assert (rules.banned_words, rules.regions) == ((), ("de", "ch"))
    assert differing_settings(rules, rule_set("turnier")) == (
        "banned_words",
        "regions",
        "open_dictionary",
        "end_on_passes",
        "end_on_empty_bag",
    )


@pytest.mark.parametrize(
    ("text", "code", "why"),
    [
        ("end_on_passes", "no-assignment", "is no setting"),
        ("end_on_passes=two", "bad-setting", "cannot be 'two'; allowed: a whole number from 0 to 20"),
        ("end_on_passes=-1", "bad-setting", "a whole number"),
        ("tie=flip", "bad-setting", "draw or half-win or before-settlement"),
        ("open_dictionary=maybe", "bad-setting", "yes or no"),
        ("regions=de,xx", "bad-setting", "some of de, at, ch"),
        ("layout=T..", "bad-setting", "standard, or 15 rows"),
        ("passes=1", "unknown-setting", "settings: .*end_on_passes"),
        ("name=mine", "unknown-setting", "no setting 'name'"),
        ("self=1", "unknown-setting", "no setting 'self'"),
    ],
)
def test_wrong_texts_name_what_is_allowed(text: str, code: str, why: str) -> None:
    with pytest.raises(RuleError, match=why) as error:
        rule_set("turnier").with_texts([text])
    assert error.value.code == code


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"name": 3}', "[" * 100_000, "nan", '{"name": "x", "tie": {}}'])
def test_what_is_no_rule_set(text: str) -> None:
    with pytest.raises(RuleError):
        read_rule_set(text)


def test_a_setting_of_later_times_has_its_default() -> None:
    assert read_rule_set('{"name": "turnier"}') == RuleSet("turnier")


# --- contradictions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "conflict"),
    [
        ({"end_on_passes": 0}, "no-end-without-moves"),
        ({"end_on_empty_bag": "bag"}, "rest-without-owner"),
        ({"subtract_rest": False}, "credit-without-debit"),
        ({"challenge_until": "drawn"}, "late-before-drawing"),
        ({"open_dictionary": True}, "penalty-at-open-dictionary"),
        ({"move_timeout": "pass"}, "limit-without-clock"),
        ({"theme_unit": "turn"}, "theme-without-bonus"),
        ({"min_first_word": 8}, "unreachable-first-word"),
        ({"bingo_bonus": 0}, "bingo-without-points"),
    ],
)
def test_contradictions(settings: dict[str, Any], conflict: str) -> None:
    assert conflicts(rule_set("turnier").with_settings(**settings)) == (RuleConflict(conflict),)


def test_every_contradiction_is_in_the_table_above() -> None:
    assert len(RuleConflict) == 9
