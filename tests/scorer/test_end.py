"""The end of a game: when it comes, what the racks cost, who has won (R10, R11, R13)."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.events import (
    Event,
    Exchanged,
    Noted,
    NothingLaid,
    Overtime,
    Passed,
    RacksShown,
    Resigned,
    Settled,
    Stopped,
    Withdrawn,
)
from scorer.game import GameState, offer
from scorer.settlement import EndReason, GameEnd, result, settle
from tests.scorer.games import HAUS, OUT, SEE, TINY, doubt, lay, rules_of, state, tiny
from tests.scorer.test_game import accepted, refused

P, X, N = Passed, lambda player: Exchanged(player, 1), NothingLaid
THREE: dict[str, Any] = {"players": ("A", "B", "C"), "rules": "mattel"}


def turns(*kinds: Any, players: int = 2) -> tuple[Event, ...]:
    """Turns of these kinds, the players taking turns; SEE and HAUS as they are."""
    return tuple(kind(number % players) if callable(kind) else kind for number, kind in enumerate(kinds))


def end(*events: Event, **settings: Any) -> tuple[EndReason, bool] | None:
    found = state(*events, **settings).end
    return None if found is None else (found.reason, found.certain)


SURE, PERHAPS = (EndReason.PASSES, True), (EndReason.PASSES, False)


@pytest.mark.parametrize(
    ("settings", "events", "wanted"),
    [
        # R10.2, text A: all pass twice running
        ({}, turns(P, P, P), None),
        ({}, turns(P, P, P, P), SURE),
        ({}, turns(HAUS, P, P, P, P), SURE),
        ({}, turns(P, P, lay(0, "H5 HAUS"), P, P, P), None),
        # text B, short list: all pass once in a row
        ({"rules": "familie"}, turns(P, P), SURE),
        ({"rules": "familie"}, turns(P), None),
        # text C: everybody has passed once, whatever lies between
        ({"end_on_passes": 1, "pass_count": "ever"}, turns(P, SEE, HAUS, P), SURE),
        ({"end_on_passes": 1, "pass_count": "running"}, turns(P, SEE, HAUS, P), None),
        # R3.2, R10.4: an exchange breaks the chain, or goes on with it
        ({}, turns(P, P, P, X), None),
        ({"exchange_counts_as_pass": True}, turns(P, X, P, X), SURE),
        # a turn of which nobody knows which it was
        ({}, turns(P, N, P, P), PERHAPS),
        ({"exchange_counts_as_pass": True}, turns(P, N, P, P), SURE),
        # text B, prose: two rounds without a word; R10.2
        ({"end_on_passes": 0, "end_on_scoreless_rounds": 2}, turns(X, P, X), None),
        ({"end_on_passes": 0, "end_on_scoreless_rounds": 2}, turns(X, P, X, P), (EndReason.SCORELESS, True)),
        ({"end_on_passes": 0}, turns(P, P, P, P, P, P, P, P), None),
        # three players: each of them
        ({**THREE}, turns(P, P, P, P, P, players=3), None),
        ({**THREE}, turns(P, P, P, P, P, P, players=3), SURE),
    ],
)
def test_the_end_by_passing(settings: dict[str, Any], events: tuple[Event, ...], wanted: Any) -> None:
    """R10.2, R10.4: the four ways of the texts, each a setting."""
    assert end(*events, **settings) == wanted


@pytest.mark.parametrize(("counts", "wanted"), [(False, None), (True, SURE)])
def test_a_move_taken_back_in_a_chain_of_passes(counts: bool, wanted: Any) -> None:
    """R10.5: it breaks the chain, or counts as a pass."""
    events = (Passed(0), Passed(1), HAUS, doubt(3, "-HAUS"), Passed(1))
    assert end(*events, taken_back_counts_as_pass=counts) == wanted


def test_taken_back_moves_are_rounds_without_a_word() -> None:
    """R10.2, text B, prose."""
    events = (Passed(0), Passed(1), HAUS, doubt(3, "-HAUS"), Passed(1))
    assert end(*events, end_on_passes=0, end_on_scoreless_rounds=2) == (EndReason.SCORELESS, True)
    assert end(*events[:3], Passed(1), end_on_passes=0, end_on_scoreless_rounds=2) is None


def test_the_end_by_laying_all_tiles() -> None:
    """R10.1, R10.6: the bag is empty and a rack too; the last move can still be challenged."""
    assert tiny(HAUS, SEE).end is None
    after = tiny(*OUT)
    assert after.end == GameEnd(EndReason.OUT, 0)
    assert not after.is_over
    noted = accepted(after, Noted(3))
    assert noted.is_over
    assert refused(noted, Passed(1)) == ["game-over"]
    assert accepted(after, doubt(3, "-SEEHAUS")).end is None


def test_the_end_by_an_empty_bag() -> None:
    """R10.3, text B, prose: as soon as no tile can be drawn."""
    assert tiny(HAUS, end_on_empty_bag="bag").end == GameEnd(EndReason.EMPTY_BAG)
    assert tiny(HAUS).end is None


def test_the_end_by_agreement() -> None:
    after = accepted(state(HAUS), Stopped())
    assert (after.end, after.is_over) == (GameEnd(EndReason.STOPPED), True)


# --- settlement ---------------------------------------------------------------------------------------------------


def totals_after(*racks: str | None, **settings: Any) -> tuple[int, ...]:
    return accepted(tiny(*OUT, **settings), RacksShown(racks)).totals


def test_the_finisher_gets_the_rest_of_the_others() -> None:
    """R11.1, R11.2, R6.4: two E are two points from one to the other."""
    before = tiny(*OUT).totals
    assert totals_after("", "EE") == (before[0] + 2, before[1] - 2)


def test_racks_nobody_noted_follow_from_the_tiles_not_seen() -> None:
    assert totals_after(None, None) == totals_after("", "EE")
    after = accepted(tiny(*OUT), RacksShown((None, None)))
    assert after.settlement is not None
    assert [line.rest for line in after.settlement.lines] == ["", "EE"]
    assert after.settlement.complete


@pytest.mark.parametrize(
    ("settings", "changes"),
    [
        ({}, (2, -2)),
        ({"rest_to": "none"}, (0, -2)),
        ({"rest_to": "bag-emptier"}, (2, -2)),
        ({"subtract_rest": False, "rest_to": "none"}, (0, 0)),
        ({"subtract_rest": False}, (2, 0)),
    ],
)
def test_who_gets_the_rest(settings: dict[str, Any], changes: tuple[int, int]) -> None:
    """R11.3: the finisher, who drew the last tile, or nobody; one text settles nothing at all."""
    before = tiny(*OUT).totals
    assert totals_after("", "EE", **settings) == (before[0] + changes[0], before[1] + changes[1])


def test_the_rest_goes_to_who_emptied_the_bag() -> None:
    """R11.3, text C to the letter: A drew the last tile, B lays all first; with the bag the game ends at once."""
    settings = {"end_on_empty_bag": "bag", "rest_to": "bag-emptier"}
    after = accepted(tiny(HAUS, **settings), RacksShown(("HAUS", "EEEE")))
    assert after.bag_emptier == 0
    assert after.totals == (10 - 5 + 4, -4)


def test_after_passes_everybody_loses_the_own_rest_and_nobody_gains() -> None:
    """R11.4."""
    passed = state(HAUS, *turns(P, P, P, P)[:0], Passed(1), Passed(0), Passed(1), Passed(0))
    after = accepted(passed, RacksShown(("QY?ENNN", "ÄÖÜXJVI")))
    assert after.totals == (10 - 24, -41)  # below zero is allowed (R11.5)


def test_three_players_settle() -> None:
    """R11.2: the rests of all others."""
    lines = settle(("", "EE", "H"), GameEnd(EndReason.OUT, 0), rules_of("mattel"), TINY).lines
    assert [(line.deducted, line.credited, line.change) for line in lines] == [(0, 4, 4), (2, 0, -2), (2, 0, -2)]


def test_an_unknown_rest_stays_open() -> None:
    found = settle(("", "EE", None), GameEnd(EndReason.OUT, 0), rules_of("mattel"), TINY)
    assert not found.complete
    assert found.lines[0].credited is None
    assert found.changes == (0, -2, 0)


def test_racks_that_cannot_be_are_refused() -> None:
    """R1.2: the two E that are left cannot be two H; nor racks before the end, nor twice."""
    assert refused(tiny(*OUT), RacksShown(("", "HH"))) == ["racks-impossible"]
    assert refused(tiny(HAUS), RacksShown(("", "EE")))[:1] == ["not-over"]
    once = accepted(tiny(*OUT), RacksShown(("", "EE")))
    assert refused(once, RacksShown(("", "EE"))) == ["settled-before"]
    assert refused(tiny(*OUT), RacksShown(("", "ÑÑ"))) == ["not-in-set", "racks-impossible"]


def test_the_last_move_is_closed_by_the_settlement() -> None:
    """R10.6."""
    after = accepted(tiny(*OUT), RacksShown(("", "EE")))
    assert after.is_over
    late = accepted(after, doubt(3, "-SEEHAUS"))
    assert late.totals == after.totals


# --- giving up and time -------------------------------------------------------------------------------------------


def test_resigning_ends_a_game_of_two_and_is_lost_whatever_the_points() -> None:
    after = accepted(state(HAUS, SEE), Resigned(0))
    assert after.end == GameEnd(EndReason.GIVEN_UP)
    assert (after.result.winners, after.result.wins) == ((1,), (0.0, 1.0))


def test_three_play_on_without_the_one_who_gave_up() -> None:
    after = accepted(state(HAUS, **THREE), Resigned(1))
    assert (after.end, after.next_player) == (None, 2)
    after = accepted(accepted(after, Passed(2)), Passed(0))
    assert after.next_player == 2
    assert refused(after, Passed(1)) == ["out-of-turn", "player-is-out"]


@pytest.mark.parametrize(
    ("seconds", "points", "lost"),
    [(0, 0, False), (1, -10, False), (60, -10, False), (61, -20, False), (300, -50, False)],
)
def test_overtime_costs_points(seconds: float, points: int, lost: bool) -> None:
    """R13.3: ten for every started minute."""
    after = accepted(state(HAUS, SEE), Overtime(0, seconds))
    assert (after.totals, 0 in after.lost) == ((10 + points, 3), lost)


def test_more_than_five_minutes_over_time_are_a_lost_game() -> None:
    """R13.4: 5:01 is lost, with the better score too."""
    after = accepted(state(HAUS, SEE), Overtime(0, 301))
    assert after.end == GameEnd(EndReason.GIVEN_UP)
    assert after.result.winners == (1,)


@pytest.mark.parametrize("after", [Stopped(), Overtime(0, 301), Overtime(1, 301), Resigned(1)])
def test_a_game_that_is_over_ends_only_once(after: Event) -> None:
    """R11.2: who laid all tiles gets the rest, whatever is entered before the racks are settled."""
    over = tiny(*OUT)
    late = accepted(over, after)
    assert late.end == over.end == GameEnd(EndReason.OUT, 0)
    settled = accepted(late, RacksShown(("", "EE")))
    assert settled.log[-1].changes == (2, -2)
    passed = state(*turns(P, P, P, P))
    assert accepted(passed, after).end == passed.end


def test_a_stopped_game_stays_stopped() -> None:
    assert state(HAUS, Stopped(), SEE, Withdrawn(1)).end == GameEnd(EndReason.STOPPED)


def test_nobody_doubts_the_last_move_of_a_game_given_up() -> None:
    """R10.6."""
    assert accepted(state(HAUS, SEE), Resigned(0)).is_over
    assert accepted(state(HAUS, SEE), Overtime(1, 301)).is_over
    assert accepted(state(HAUS, **THREE), Resigned(1)).open_move == 1


@pytest.mark.parametrize(
    ("settings", "events", "wanted"),
    [
        # R10.2: twice each of A and B, though C passed in between and then left
        ({}, (P(0), P(1), P(2), Resigned(2), P(0)), None),
        ({}, (P(0), P(1), P(2), Resigned(2), P(0), P(1)), SURE),
        ({}, (P(0), N(1), P(2), Resigned(2), P(0), P(1)), PERHAPS),
        # C laid a word in between
        ({}, (P(0), P(1), lay(2, "H5 HAUS"), Resigned(2), P(0), P(1)), None),
        ({}, (P(0), P(1), lay(2, "H5 HAUS"), Resigned(2), P(0), P(1), P(0), P(1)), SURE),
        # two rounds without a word are two of each player who is left
        ({"end_on_passes": 0, "end_on_scoreless_rounds": 2}, (P(0), P(1), P(2), Resigned(2), P(0)), None),
        (
            {"end_on_passes": 0, "end_on_scoreless_rounds": 2},
            (P(0), P(1), P(2), Resigned(2), P(0), P(1)),
            (EndReason.SCORELESS, True),
        ),
    ],
)
def test_passes_and_rounds_are_those_of_the_players_who_are_left(
    settings: dict[str, Any], events: tuple[Event, ...], wanted: Any
) -> None:
    assert end(*events, **THREE, **settings) == wanted


# --- the result ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tie", "winners", "wins"),
    [("draw", (0, 1), (0.0, 0.0)), ("half-win", (0, 1), (0.5, 0.5)), ("before-settlement", (1,), (0.0, 1.0))],
)
def test_ties(tie: str, winners: tuple[int, ...], wins: tuple[float, ...]) -> None:
    """R11.6, R13.6: a draw, half a win each, or by the points before the settlement."""
    found = result((50, 50), (48, 52), (), rules_of("mattel", tie=tie))
    assert (found.winners, found.wins, found.tied) == (winners, wins, len(winners) > 1)


def test_places() -> None:
    """R11.5: the highest total wins, also below zero; equals share the better place."""
    found = result((-5, 20, -5, -9), (0, 0, 0, 0), (), rules_of("mattel"))
    assert found.places == (2, 1, 2, 4)
    assert result((30, 20), (0, 0), (0,), rules_of("mattel")).places == (2, 1)


def test_the_points_before_the_settlement_are_those_without_it() -> None:
    before = tiny(*OUT, tie="before-settlement")
    swing = before.totals[0] - before.totals[1]
    level = accepted(before, RacksShown(("", "EE")))
    assert level.totals[0] - level.totals[1] == swing + 4
    booked = state(HAUS, SEE, Settled(0, -7), tie="before-settlement")
    assert (booked.totals, booked.result.winners) == ((3, 3), (0,))


def test_a_game_that_may_be_over_goes_on() -> None:
    """A turn nobody knows of does not refuse the next move."""
    after = state(*turns(P, N, P, P))
    assert isinstance(offer(after, HAUS), GameState)
