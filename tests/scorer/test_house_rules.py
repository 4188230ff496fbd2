"""House rules (R12): each one off by default, each one a setting."""

from __future__ import annotations

import pytest

from scorer.board import Square
from scorer.events import BlankSwapped, Passed, Stopped
from scorer.rules import RULE_SETS
from tests.scorer.games import HAUS, doubt, lay, state
from tests.scorer.test_game import accepted, refused

WITH_BLANK = lay(0, "H5 HAuS")
REAL_U = BlankSwapped(1, Square(7, 6), "U")


@pytest.mark.parametrize("name", RULE_SETS)
def test_house_rules_are_off(name: str) -> None:
    rules = RULE_SETS[name]
    assert (rules.blank_reuse, rules.theme_bonus, rules.min_first_word, rules.move_seconds) == ("off", 0, 2, 0)
    assert rules.open_dictionary is (name == "familie")


# --- R12.1: swapping a blank --------------------------------------------------------------------------------------


def test_the_real_letter_is_swapped_for_the_blank() -> None:
    """R12.1: in the own turn, free, the square stays used; later words count the real letter."""
    after = accepted(state(WITH_BLANK, blank_reuse="own-turn"), REAL_U)
    assert after.board.rows[7] == "....HAUS......."
    assert (after.next_player, after.totals, after.rack_sizes) == (1, (8, 0), (7, 7))
    assert accepted(after, lay(1, "7F NE")).totals == (8, 4)  # NEU, its E on a double letter
    longer = accepted(after, lay(1, "H9 E"))
    assert longer.plays[1].points == 2 + 1 + 1 + 1 + 1  # the premium of the star is used


def test_swapping_may_count_nothing_or_cost_the_turn() -> None:
    after = accepted(state(WITH_BLANK, blank_reuse="own-turn", swapped_tile_counts=False), REAL_U)
    assert accepted(after, lay(1, "H9 E")).plays[1].points == 2 + 1 + 0 + 1 + 1
    after = accepted(state(WITH_BLANK, blank_reuse="own-turn", blank_reuse_uses_turn=True), REAL_U)
    assert after.next_player == 0


def test_a_swap_of_the_next_player_closes_the_move_before() -> None:
    """R8.2: who takes a blank from the board has moved; anybody else closes nothing."""
    for player, late in ((1, True), (2, False)):
        rules = {"rules": "familie", "players": ("A", "B", "C"), "blank_reuse": "any-time"}
        swapped = state(WITH_BLANK, BlankSwapped(player, Square(7, 6), "U"), **rules)  # type: ignore[arg-type]
        assert (swapped.open_move is None) is late


def test_a_square_is_worth_nothing_only_while_the_swapped_letter_lies_there() -> None:
    """The move of the blank is taken back: a new tile on its square counts as any."""
    rules = {"rules": "familie", "players": ("A", "B", "C"), "blank_reuse": "any-time", "swapped_tile_counts": False}
    back = state(WITH_BLANK, BlankSwapped(2, Square(7, 6), "U"), doubt(1, "-HAUS"), **rules)  # type: ignore[arg-type]
    assert back.board.is_empty
    again = accepted(accepted(back, lay(1, "H5 HAUS")), lay(2, "H9 E"))
    assert again.plays[-1].points == 2 + 1 + 1 + 1 + 1


def test_the_freed_blank_can_be_laid_again() -> None:
    """Two blanks lie there at most, however often they are swapped."""
    after = state(lay(0, "H5 HauS"), blank_reuse="any-time")
    third = lay(1, "8I eE")
    assert refused(after, third) == ["set-exhausted"]
    assert accepted(accepted(after, REAL_U), third).board.at(Square(8, 7)) == "e"


def test_swaps_that_are_refused() -> None:
    assert refused(state(WITH_BLANK), REAL_U) == ["no-blank-reuse"]
    mine = state(WITH_BLANK, blank_reuse="own-turn")
    assert refused(mine, BlankSwapped(0, Square(7, 6), "U")) == ["out-of-turn"]
    assert refused(mine, BlankSwapped(1, Square(7, 6), "Ü")) == ["not-that-blank"]
    assert refused(mine, BlankSwapped(1, Square(7, 5), "A")) == ["not-that-blank"]
    assert refused(mine, BlankSwapped(1, Square(0, 0), "A")) == ["not-that-blank"]
    any_time = state(WITH_BLANK, blank_reuse="any-time")
    assert accepted(any_time, BlankSwapped(0, Square(7, 6), "U")).next_player == 1
    still_open = state(lay(0, "H5 HA?S"), rules="familie", blank_reuse="own-turn")
    assert refused(still_open, REAL_U) == ["not-that-blank"]
    assert refused(still_open, BlankSwapped(1, Square(7, 6), "?")) == ["not-that-blank"]


def test_a_swap_needs_a_turn_a_rack_and_the_letter() -> None:
    """R12.1, R1.2: where it uses the turn it is for who is next; the one Q lies there already; and after the end nobody
    gets rid of a letter."""
    as_turn = state(WITH_BLANK, blank_reuse="any-time", blank_reuse_uses_turn=True)
    assert refused(as_turn, BlankSwapped(0, Square(7, 6), "U")) == ["out-of-turn"]
    assert accepted(as_turn, REAL_U).next_player == 0
    quaq = state(lay(0, "H5 QUAq"), blank_reuse="own-turn")
    assert refused(quaq, BlankSwapped(1, Square(7, 7), "Q")) == ["not-in-set"]
    stopped = state(WITH_BLANK, Stopped(), blank_reuse="any-time")
    assert refused(stopped, REAL_U) == ["game-over"]


# --- R12.3: theme -------------------------------------------------------------------------------------------------


def test_theme_words_bring_a_bonus() -> None:
    """R12.3: flat, after the multiplication; or multiplied with the word."""
    haus = lay(0, "H5 HAUS", theme_words=("HAUS",))
    assert accepted(state(theme_bonus=5), haus).totals == (15, 0)
    assert accepted(state(theme_bonus=5, theme_when="before"), haus).totals == (20, 0)


def test_theme_words_that_are_refused() -> None:
    assert refused(state(), lay(0, "H5 HAUS", theme_words=("HAUS",))) == ["no-theme"]
    assert refused(state(theme_bonus=5), lay(0, "H5 HAUS", theme_words=("HOF",))) == ["word-not-formed"]


# --- R12.4: a long first word -------------------------------------------------------------------------------------


def test_the_first_word_has_five_letters() -> None:
    assert refused(state(min_first_word=5), HAUS) == ["word-too-short-by-rule"]
    assert accepted(state(min_first_word=5), lay(0, "H4 FIRNS")).totals == (24, 0)


def test_the_long_first_word_may_be_waived_after_a_round() -> None:
    passed = (Passed(0), Passed(1))
    assert refused(state(*passed, min_first_word=5), HAUS) == ["word-too-short-by-rule"]
    assert refused(state(*passed[:1], min_first_word=5, first_word_waived=True), lay(1, "H5 HAUS")) == [
        "word-too-short-by-rule"
    ]
    assert accepted(state(*passed, min_first_word=5, first_word_waived=True), HAUS).totals == (10, 0)
