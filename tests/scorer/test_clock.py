"""The clock: exact boundaries, who pays which time, and the pauses of a challenge."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.clock import Clock, ClockError, OvertimePenalty, format_time, milliseconds, overtime_points
from scorer.rules import RULE_SETS, MoveTimeout, RuleSet

SECOND, MINUTE, DAY = 1000, 60_000, 86_400_000
TURNIER = RULE_SETS["turnier"]
FAMILY_CLOCK = RULE_SETS["familie"].with_settings(clock_seconds=600, challenge_seconds=20, move_seconds=60)
NOON = 1_790_000_000_000
"""A `now` far from 0, as a machine gives it."""


def at(seconds: float) -> int:
    return NOON + milliseconds(seconds)


def two_players(rules: RuleSet = TURNIER) -> Clock:
    return Clock.for_players(2, rules).start(0, NOON)


# --- overtime (R13.3, R13.4) ----------------------------------------------------------------------------------------

BOUNDARIES = [
    (-1800, 0, False),
    (0, 0, False),
    (0.001, -10, False),
    (59.999, -10, False),
    (60, -10, False),
    (60.001, -20, False),
    (120, -20, False),
    (120.001, -30, False),
    (299.999, -50, False),
    (300, -50, False),
    (300.001, -60, True),
    (301, -60, True),
    (DAY / SECOND, -14400, True),
]


@pytest.mark.parametrize(("over", "points", "lost"), BOUNDARIES)
def test_overtime_costs_every_started_minute_and_the_game_beyond_five(over: float, points: int, lost: bool) -> None:
    assert overtime_points(over, TURNIER) == OvertimePenalty(points, lost)


@pytest.mark.parametrize(("over", "points", "lost"), BOUNDARIES)
def test_the_clock_gives_the_same_price(over: float, points: int, lost: bool) -> None:
    clock = two_players()
    assert clock.penalty(0, at(1800 + over)) == OvertimePenalty(points, lost)
    assert clock.penalty(1, at(1800 + over)) == OvertimePenalty()


def test_five_minutes_shown_are_not_lost_and_five_minutes_one_second_shown_are() -> None:
    clock = two_players()
    for ms, shown, lost in [(300_000, "-5:00", False), (300_001, "-5:01", True), (301_000, "-5:01", True)]:
        now = NOON + 30 * MINUTE + ms
        assert format_time(clock.remaining(0, now) or 0) == shown
        assert clock.penalty(0, now).lost is lost


def test_other_penalty_and_other_limits() -> None:
    """R13.4: the limit was ten minutes before 2017; R13.2: 25 minutes where announced."""
    assert overtime_points(301, TURNIER.with_settings(overtime_limit=600)) == OvertimePenalty(-60)
    assert overtime_points(90_000, TURNIER.with_settings(overtime_limit=0)) == OvertimePenalty(-15_000)
    assert overtime_points(61, TURNIER.with_settings(overtime_penalty=0)) == OvertimePenalty(0)
    assert overtime_points(301, TURNIER.with_settings(overtime_penalty=0)) == OvertimePenalty(0, lost=True)
    assert two_players(TURNIER.with_settings(clock_seconds=1500)).penalty(0, at(1501)) == OvertimePenalty(-10)


@pytest.mark.parametrize("time", [float("nan"), float("inf"), float("-inf")])
def test_no_time_is_no_overtime(time: float) -> None:
    with pytest.raises(ClockError, match="is no time"):
        overtime_points(time, TURNIER)


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (30 * MINUTE, "30:00"),
        (30 * MINUTE - 1, "30:00"),
        (30 * MINUTE - SECOND, "29:59"),
        (1, "0:01"),
        (0, "0:00"),
        (-1, "-0:01"),
        (-65 * SECOND, "-1:05"),
        (65 * MINUTE, "1:05:00"),
        (-60 * MINUTE - 1, "-1:00:01"),
        (2 * DAY, "48:00:00"),
    ],
)
def test_times_as_people_read_them(ms: int, text: str) -> None:
    assert format_time(ms) == text


@given(st.integers(0, 3600 * SECOND))
def test_the_time_shown_has_the_price_of_the_exact_one(ms: int) -> None:
    *hours, minutes, seconds = map(int, format_time(ms).split(":"))
    shown = sum(hours) * 3600 + minutes * 60 + seconds
    assert overtime_points(shown, TURNIER) == overtime_points(ms / SECOND, TURNIER)


# --- running --------------------------------------------------------------------------------------------------------


def test_pressing_ends_the_move_and_the_other_player_runs() -> None:
    clock = two_players().press(at(90.5))
    assert (clock.running, clock.used_time(0, at(100)), clock.used_time(1, at(100))) == (1, 90_500, 9_500)
    assert clock.remaining(0, at(100)) == 30 * MINUTE - 90_500
    assert clock.press(at(100)).running == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_take_turns(players: int) -> None:
    clock = Clock.for_players(players, FAMILY_CLOCK).start(1, NOON)
    seen = []
    for move in range(2 * players):
        seen.append(clock.running)
        clock = clock.press(at(10 * (move + 1)))
    assert seen == [(1 + move) % players for move in range(2 * players)]
    assert [clock.used_time(player, at(20 * players)) for player in range(players)] == [20 * SECOND] * players


def test_players_who_are_out_are_skipped_by_name() -> None:
    clock = Clock.for_players(4, FAMILY_CLOCK).start(0, NOON).press(at(5), player=3).press(at(8), player=3)
    assert clock.running == 3
    assert [clock.used_time(player, at(10)) for player in range(4)] == [5000, 0, 0, 5000]


def test_without_a_time_for_the_game_the_clock_counts_up() -> None:
    clock = two_players(RULE_SETS["mattel"])
    now = NOON + 3 * DAY
    assert clock.used_time(0, now) == 3 * DAY
    assert (clock.remaining(0, now), clock.overtime(0, now), clock.penalty(0, now)) == (None, 0, OvertimePenalty())


def test_a_clock_that_stands_counts_nobodys_time() -> None:
    fresh = Clock.for_players(2, TURNIER)
    assert fresh.remaining(0, NOON) == 30 * MINUTE
    clock = fresh.count(NOON).start(1, at(50)).stop(at(60))
    assert [clock.used_time(player, NOON + DAY) for player in (0, 1)] == [0, 10_000]
    assert clock.start(0, NOON + DAY).used_time(0, NOON + DAY + 1) == 1


def test_a_pause_of_months_counts_for_nobody() -> None:
    clock = two_players().pause(at(30))
    later = NOON + 90 * DAY
    assert clock.used_time(0, later) == 30_000
    resumed = clock.resume(later)
    assert (resumed.running, resumed.used_time(0, later + 5 * SECOND)) == (0, 35_000)


def test_a_now_that_goes_back_takes_no_time_back() -> None:
    clock = two_players().count(at(100))
    assert clock.used_time(0, at(40)) == 100_000
    pressed = clock.press(at(40))
    assert [pressed.used_time(player, at(55)) for player in (0, 1)] == [100_000, 15_000]


def test_a_now_with_another_origin_is_rebased() -> None:
    clock = two_players().count(at(100)).rebased(7)
    assert clock.used_time(0, 1007) == 101_000


# --- challenges (R8.2) ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after", "left", "late"),
    [(0, 20_000, False), (19.999, 1, False), (20, 0, False), (20.001, -1, True), (25, -5_000, True)],
)
def test_a_challenge_is_in_time_for_twenty_seconds_after_the_announcement(after: float, left: int, late: bool) -> None:
    clock = two_players().announce(at(60)).press(at(60))
    assert clock.challenge_left(at(60 + after)) == left
    assert clock.challenge_late(at(60 + after)) is late


def test_without_a_time_to_challenge_the_clock_does_not_decide() -> None:
    no_window = two_players(TURNIER.with_settings(challenge_seconds=0)).announce(at(1))
    assert (no_window.challenge_left(at(500)), no_window.challenge_late(at(500))) == (None, False)
    nothing_announced = two_players()
    assert (nothing_announced.challenge_left(at(500)), nothing_announced.challenge_late(at(500))) == (None, False)
    closed = two_players().announce(at(1)).close_challenge(at(2))
    assert closed.challenge_left(at(3)) is None


def test_a_new_announcement_opens_a_new_window() -> None:
    clock = two_players().announce(at(10)).press(at(10)).announce(at(100))
    assert clock.challenge_left(at(105)) == 15_000


def test_all_clocks_stand_while_a_word_is_looked_up() -> None:
    clock = two_players().announce(at(60)).press(at(60)).pause(at(65))
    assert clock.challenge_left(at(600)) == 15_000
    allowed = clock.resume(at(600))
    assert (allowed.running, allowed.used_time(1, at(601))) == (1, 6_000)
    assert allowed.challenge_left(at(601)) == 14_000


def test_after_a_challenge_before_the_press_the_next_player_is_named() -> None:
    clock = two_players().announce(at(60)).pause(at(63)).resume(at(200), player=1)
    assert [clock.used_time(player, at(210)) for player in (0, 1)] == [63_000, 10_000]


def test_the_last_move_can_be_challenged_after_the_clock_was_stopped() -> None:
    clock = two_players().announce(at(60)).stop(at(61))
    assert (clock.challenge_late(at(80)), clock.challenge_late(at(80.001))) == (False, True)


def test_a_table_without_a_running_clock_has_the_window_too() -> None:
    clock = Clock.for_players(3, FAMILY_CLOCK).announce(NOON)
    assert clock.challenge_left(at(12)) == 8_000
    assert clock.used == (0, 0, 0)


# --- the time of a move (R12.5) -------------------------------------------------------------------------------------


@pytest.mark.parametrize("due", MoveTimeout)
def test_the_end_of_a_move_is_a_value(due: MoveTimeout) -> None:
    clock = two_players(FAMILY_CLOCK.with_settings(move_timeout=due)).press(at(100))
    assert [clock.move_left(at(100 + after)) for after in (0, 45, 60, 61)] == [60_000, 15_000, 0, -1_000]
    assert [clock.move_timeout(at(100 + after)) for after in (0, 60, 60.001)] == [None, None, due]
    assert clock.running == 1


def test_every_move_has_its_own_time_and_pauses_stop_it() -> None:
    clock = two_players(FAMILY_CLOCK).press(at(50)).pause(at(60)).resume(at(500))
    assert clock.move_left(at(510)) == 40_000
    assert clock.press(at(510), player=1).move_left(at(511)) == 59_000


def test_there_is_no_time_for_a_move_without_the_setting_or_a_move() -> None:
    assert two_players().move_left(at(9999)) is None
    assert two_players().move_timeout(at(9999)) is None
    assert Clock.for_players(2, FAMILY_CLOCK).move_left(NOON) is None


# --- mistakes -------------------------------------------------------------------------------------------------------


def test_a_wrong_press_is_taken_back_with_the_time_since() -> None:
    never_pressed = two_players(FAMILY_CLOCK)
    clock = never_pressed.press(at(20)).unpress(at(35))
    assert clock.running == 0
    for now in (at(35), at(50)):
        assert [clock.used_time(player, now) for player in (0, 1)] == [now - NOON, 0]
        assert clock.move_left(now) == never_pressed.move_left(now)


def test_a_press_is_taken_back_across_a_pause_and_keeps_it() -> None:
    clock = two_players().press(at(20)).pause(at(25)).unpress(at(300))
    assert (clock.running, clock.paused) == (0, True)
    assert [clock.used_time(player, at(300)) for player in (0, 1)] == [25_000, 0]


def test_a_player_named_after_a_pause_is_taken_back_like_a_press() -> None:
    clock = two_players().pause(at(20)).resume(at(60), player=1).unpress(at(70))
    assert [clock.used_time(player, at(70)) for player in (0, 1)] == [30_000, 0]


def test_taking_back_after_a_correction_never_makes_used_time_negative() -> None:
    clock = two_players().press(at(20)).set_used(1, 4_000, at(30)).unpress(at(30))
    assert clock.used == (24_000, 0)


def test_only_the_last_press_can_be_taken_back_and_only_once() -> None:
    clock = two_players().press(at(20)).press(at(30)).unpress(at(40))
    assert clock.used == (20_000, 20_000)
    with pytest.raises(ClockError, match="no press"):
        clock.unpress(at(41))


def test_the_arbiter_gives_and_takes_time() -> None:
    clock = two_players().add_time(0, 2 * MINUTE, at(60)).add_time(1, -5 * MINUTE, at(60))
    assert [clock.remaining(player, at(60)) for player in (0, 1)] == [31 * MINUTE, 25 * MINUTE]
    corrected = clock.set_remaining(0, 12 * MINUTE, at(90))
    assert corrected.remaining(0, at(90)) == 12 * MINUTE
    assert corrected.remaining(0, at(100)) == 12 * MINUTE - 10_000
    assert corrected.used_time(0, at(100)) == 100_000
    assert corrected.set_remaining(1, -1, at(100)).penalty(1, at(100)) == OvertimePenalty(-10)


def test_used_time_is_corrected_without_a_time_for_the_game() -> None:
    clock = two_players(RULE_SETS["mattel"]).set_used(0, 5_000, at(60))
    assert clock.used_time(0, at(61)) == 6_000


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (lambda: Clock.for_players(2, TURNIER).press(NOON), "clock-stands"),
        (lambda: Clock.for_players(2, TURNIER).pause(NOON), "clock-stands"),
        (lambda: Clock.for_players(2, TURNIER).stop(NOON), "clock-stands"),
        (lambda: Clock.for_players(2, TURNIER).unpress(NOON), "clock-stands"),
        (lambda: Clock.for_players(2, TURNIER).resume(NOON), "clock-not-paused"),
        (lambda: two_players().resume(NOON), "clock-not-paused"),
        (lambda: two_players().start(1, NOON), "clock-started"),
        (lambda: two_players().pause(NOON).start(1, NOON), "clock-started"),
        (lambda: two_players().pause(NOON).pause(NOON), "clock-paused"),
        (lambda: two_players().pause(NOON).press(NOON), "clock-paused"),
        (lambda: two_players().unpress(NOON), "nothing-to-undo"),
        (lambda: two_players().press(NOON, player=2), "unknown-player"),
        (lambda: two_players().pause(NOON).resume(NOON, player=-1), "unknown-player"),
        (lambda: two_players().remaining(2, NOON), "unknown-player"),
        (lambda: two_players(RULE_SETS["mattel"]).remaining(2, NOON), "unknown-player"),
        (lambda: two_players().add_time(5, 1, NOON), "unknown-player"),
        (lambda: two_players().set_used(0, -1, NOON), "bad-time"),
        (lambda: two_players().press(NOON + 0.5), "bad-time"),  # type: ignore[arg-type]
        (lambda: two_players(RULE_SETS["mattel"]).add_time(0, 1, NOON), "no-clock"),
        (lambda: two_players(RULE_SETS["mattel"]).set_remaining(0, 1, NOON), "no-clock"),
        (lambda: Clock.for_players(1, TURNIER), "clock-players"),
        (lambda: Clock.for_players(3, TURNIER), "clock-players"),
        (lambda: Clock.for_players(5, FAMILY_CLOCK), "clock-players"),
    ],
)
def test_what_the_clock_cannot_do_is_refused_with_a_code(action: Callable[[], object], code: str) -> None:
    with pytest.raises(ClockError) as caught:
        action()
    assert caught.value.code == code


# --- whole games ----------------------------------------------------------------------------------------------------

STEPS = st.lists(
    st.tuples(
        st.integers(-5_000, 200_000),
        st.sampled_from(["press", "named", "pause", "resume", "resume-named", "unpress", "announce", "add", "count"]),
        st.integers(0, 3),
    ),
    max_size=30,
)


def act(clock: Clock, action: str, player: int, now: int) -> Clock:
    match action:
        case "named":
            return clock.press(now, player=player)
        case "resume-named":
            return clock.resume(now, player=player)
        case "add":
            return clock.add_time(player, 1234, now)
        case _:
            done: Clock = getattr(clock, action)(now)
            return done


def play(players: int, steps: list[tuple[int, str, int]]) -> tuple[Clock, int, int]:
    """The clock after random actions (those it refuses are left out), the last `now` and the unpaused time passed."""
    clock, now, passed = Clock.for_players(players, FAMILY_CLOCK).start(0, NOON), NOON, 0
    for step, action, number in steps:
        now += step
        passed += 0 if clock.paused else max(0, step)
        try:
            clock = act(clock, action, number % players, now)
        except ClockError:
            clock = clock.count(now)
    return clock, now, passed


@given(st.integers(2, 4), STEPS)
def test_used_times_sum_to_the_unpaused_time_passed(players: int, steps: list[tuple[int, str, int]]) -> None:
    clock, now, passed = play(players, steps)
    assert sum(clock.used_time(player, now) for player in range(players)) == passed
    assert min(clock.used) >= 0


def shown(clock: Clock, now: int) -> list[object]:
    values: list[object] = [clock.challenge_left(now), clock.move_left(now), clock.move_timeout(now)]
    for player in range(len(clock.used)):
        values += [clock.used_time(player, now), clock.remaining(player, now), clock.penalty(player, now)]
    return values


@given(st.integers(2, 4), STEPS, st.lists(st.integers(0, 10**6), max_size=5), st.integers(0, 10**6))
def test_looking_and_counting_in_between_change_nothing(
    players: int, steps: list[tuple[int, str, int]], looks: list[int], after: int
) -> None:
    clock, now, _ = play(players, steps)
    later = now + max(looks, default=0) + after
    expected = shown(clock, later)
    counted = clock
    for look in sorted(looks):
        assert shown(counted, now + look) == shown(clock, now + look)
        counted = counted.count(now + look)
    for look in looks:
        shown(clock, now + look)
    assert shown(counted, later) == shown(clock, later) == expected


@given(st.integers(2, 4), STEPS)
def test_a_press_taken_back_at_once_is_the_clock_before(players: int, steps: list[tuple[int, str, int]]) -> None:
    clock, now, _ = play(players, steps)
    if not clock.paused:
        assert shown(clock.press(now).unpress(now), now + 777) == shown(clock, now + 777)


# --- stored ---------------------------------------------------------------------------------------------------------


@given(st.integers(2, 4), STEPS)
def test_a_stored_clock_comes_back(players: int, steps: list[tuple[int, str, int]]) -> None:
    clock, _, _ = play(players, steps)
    assert Clock.from_json(json.loads(json.dumps(clock.to_json())), FAMILY_CLOCK) == clock
    fresh = Clock.for_players(players, FAMILY_CLOCK)
    assert Clock.from_json(json.loads(json.dumps(fresh.to_json())), FAMILY_CLOCK) == fresh


def test_after_a_crash_the_caller_says_whether_the_time_counts() -> None:
    stored = Clock.from_json(two_players().count(at(40)).to_json(), TURNIER)
    back = at(3600)
    assert stored.used_time(0, back) == 3_600_000
    assert stored.rebased(back).used_time(0, back + 5_000) == 45_000
    waiting = stored.rebased(back).pause(back)
    assert waiting.used_time(0, back + 5_000) == 40_000
    assert waiting.resume(back + 5_000).running == 0


GOOD = two_players(FAMILY_CLOCK).press(at(20)).announce(at(21)).to_json()


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"used": [1]},
        {"used": [-1, 0]},
        {"used": [0.5, 0]},
        {"used": None},
        {"extra": [0, 0, 0]},
        {"running": 2},
        {"running": True},
        {"running": None},
        {"paused": 1},
        {"move": -1},
        {"move": None},
        {"announced": -3},
        {"press": [7, 0]},
        {"press": [0]},
        {"press": "00"},
        {"counted_at": "noon"},
    ],
)
def test_a_stored_clock_that_cannot_be_is_refused(change: dict[str, Any]) -> None:
    assert Clock.from_json(GOOD, FAMILY_CLOCK).running == 1
    with pytest.raises(ClockError):
        Clock.from_json(GOOD | change, FAMILY_CLOCK)


@pytest.mark.parametrize("name", GOOD)
def test_a_stored_clock_without_one_of_its_values_is_refused(name: str) -> None:
    with pytest.raises(ClockError):
        Clock.from_json({key: value for key, value in GOOD.items() if key != name}, FAMILY_CLOCK)


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@given(ANY_JSON | st.fixed_dictionaries({}, optional={name: st.just(GOOD[name]) | ANY_JSON for name in GOOD}))
def test_any_json_is_a_clock_or_one_clear_error(data: Any) -> None:
    try:
        clock = Clock.from_json(data, FAMILY_CLOCK)
    except ClockError:
        return
    assert Clock.from_json(clock.to_json(), FAMILY_CLOCK) == clock
