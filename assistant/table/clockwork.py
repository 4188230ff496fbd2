"""The clock of a game at the table: what players do with it, and what it does by itself when something happens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from assistant.table.actions import ActionError
from assistant.table.history import TableState
from scorer.clock import MS_PER_SECOND, Clock
from scorer.events import Challenged, Passed
from scorer.game import GameState, advance
from scorer.history import standing

LONGEST = 24 * 3600
"""Seconds that can be added at once."""


def pressed(clock: Clock, state: GameState, data: Mapping[str, Any], now: int) -> Clock:
    """The clock after what a player did with it; ClockError or ActionError for what cannot be.

    data: do, and player and seconds where they are needed; now: milliseconds
    Whoever presses for a player who does not run any more comes second: somebody else has done it.
    """
    match data.get("do"):
        case "start":
            return clock.start(state.next_player, now)
        case "press":
            presser = data.get("player")
            if clock.running is not None and presser is not None and presser != clock.running:
                return clock.count(now)
            return clock.press(now, player=_after(clock, state))
        case "pause":
            return clock.pause(now)
        case "resume":
            return clock.resume(now)
        case "unpress":
            return clock.unpress(now)
        case "add":
            player, seconds = data.get("player"), data.get("seconds")
            if type(player) is not int or type(seconds) is not int or abs(seconds) > LONGEST:
                raise ActionError("whose time, and how many seconds?", code="bad-action")
            return clock.add_time(player, seconds * MS_PER_SECOND, now)
        case other:
            raise ActionError(f"the clock cannot do {str(other)[:40]!r}", code="bad-action")


def _after(clock: Clock, state: GameState) -> int:
    """Who is next when the running player has pressed."""
    if clock.running != state.next_player:
        return state.next_player
    return advance(state, Passed(state.next_player)).next_player


def after_photo(clock: Clock, table: TableState, now: int) -> Clock:
    """A photo says that the move is made: it presses the clock, the first one of a turn."""
    first = table.pending is not None and len(table.pending.photos) == 1
    if not first or clock.running != table.state.next_player or clock.paused:
        return clock
    return clock.press(now, player=_after(clock, table.state))


def after_change(clock: Clock, before: TableState, after: TableState, now: int) -> Clock:
    """The clock after whatever else happened: it halts while words are looked up, runs for whoever is next, stands at
    the end, and times the window for a challenge from the moment in which the move was booked."""
    state = after.state
    if state.open_move is None and clock.announced is not None:
        clock = clock.close_challenge(now)
    elif state.open_move is not None and state.open_move != before.state.open_move:
        clock = replace(clock.announce(now), announced=_since_booked(before, after))
    if clock.running is None:
        return _going_on(clock, before, after, now) if _ended(before.state) and not _ended(state) else clock
    if _ended(state):
        return clock.stop(now)
    if after.challenge is not None and before.challenge is None:
        return clock if clock.paused else clock.pause(now)
    if before.challenge is not None and after.challenge is None and clock.paused:
        return clock.resume(now, player=state.next_player)
    if before.pending is not None and after.pending is None and len(after.done) == len(before.done):
        back = clock.press_made is not None and clock.running != state.next_player and not clock.paused
        return clock.unpress(now) if back else clock
    if len(after.done) > len(before.done) and clock.running != state.next_player:
        return _handed_over(clock, state.next_player, now)
    return clock


def _ended(state: GameState) -> bool:
    return state.end is not None and state.end.certain


def _going_on(clock: Clock, before: TableState, after: TableState, now: int) -> Clock:
    """A game that was over goes on, and with it a clock that was in use: at once after a challenge of the last move,
    which halted nothing any more, else when the players say so."""
    if not any(clock.used):
        return clock
    started = clock.start(after.state.next_player, now)
    return started if before.challenge is not None else started.pause(now)


def _since_booked(before: TableState, after: TableState) -> int:
    """Milliseconds that the move which is open now has been there: none for a new one. One that is open again, because
    what closed it was taken back, gets no new time: it goes on from the challenge that was taken back, else from when
    it was booked."""
    ref = after.state.open_move
    booked = after.event(ref) if ref is not None else None
    if booked is None or booked.number > len(before.done):
        return 0
    undone = [event for _, event in standing(after.state.game.events)[1]]
    if undone and isinstance(undone[-1], Challenged) and undone[-1].seconds is not None:
        return round(undone[-1].seconds * MS_PER_SECOND)
    return max(0, round((after.done[-1].row.at - booked.row.at).total_seconds() * MS_PER_SECOND))


def _handed_over(clock: Clock, player: int, now: int) -> Clock:
    """Runs for this player; a clock that is paused stays so."""
    if not clock.paused:
        return clock.press(now, player=player)
    return clock.resume(now, player=player).pause(now)
