"""The chess clock of a game (R13.2): overtime (R13.3, R13.4), the time of a move (R12.5), the time to challenge (R8.2).

Nothing here reads a clock: every action and every query is given ``now``. Times are whole milliseconds (int), so that
the boundaries of the rules are exact; only RuleSet and ``overtime_points`` speak of seconds, ``milliseconds`` converts.
``now`` may count from anywhere, as long as it is the same origin from one action to the next.

What happens when ``now`` is wrong, because the machine's clock was set or the program began anew:

- A ``now`` before the last action counts as no time passed: used times never shrink. The next action goes on from it.
- A ``now`` far after it is time passed, be it days: nobody can tell it from a long move. ``rebased`` leaves it out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from scorer.errors import BrettblickError
from scorer.rules import MoveTimeout, RuleSet

MS_PER_SECOND, MS_PER_MINUTE = 1000, 60_000
JSON_VERSION = 1


class ClockError(BrettblickError):
    """An action the clock cannot do now, an unknown player, a time that is none, a stored clock that cannot be."""

    code = "bad-clock"


def milliseconds(seconds: float) -> int:
    """Seconds as the nearest whole millisecond; ClockError for what is no number of seconds."""
    try:
        return round(seconds * MS_PER_SECOND)
    except (ValueError, OverflowError):
        raise ClockError(f"{seconds} is no time", code="bad-time", time=seconds) from None


# --- overtime -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OvertimePenalty:
    """What time over the limit costs.

    points: added to the player's total, never above 0
    lost:   whether the game is lost by it; the points are taken off all the same
    """

    points: int = 0
    lost: bool = False


def overtime_points(seconds_over: float, rules: RuleSet) -> OvertimePenalty:
    """The price of so many seconds over time, taken to the nearest millisecond; nothing over costs nothing.

    Every started minute costs ``rules.overtime_penalty`` (R13.3): 0.001 s and 60.000 s over are one, 60.001 s are two.
    More than ``rules.overtime_limit`` lose the game (R13.4): 5:00.000 over do not, 5:00.001 over do, so every moment
    that ``format_time`` shows as -5:01 does. Whether the rules have a clock is not asked: the time over is given.
    ClockError for what is no number of seconds.
    """
    return _overtime(milliseconds(seconds_over), rules)


def _overtime(over: int, rules: RuleSet) -> OvertimePenalty:
    if over <= 0:
        return OvertimePenalty()
    started_minutes = -(-over // MS_PER_MINUTE)
    limit = rules.overtime_limit * MS_PER_SECOND
    return OvertimePenalty(-rules.overtime_penalty * started_minutes, lost=0 < limit < over)


def format_time(time: int) -> str:
    """Milliseconds as people read them: 29:59, 1:05:00, and -1:05 for time over.

    A started second counts whole, in both directions: 0:00 is shown at no other moment than exactly then, and the price
    of the time over that is shown is that of the exact one.
    """
    minutes, seconds = divmod(-(-abs(time) // MS_PER_SECOND), 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return f"-{text}" if time < 0 else text


# --- the clock ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Press:
    """The press that began the running move.

    player: who ran until then
    move:   milliseconds that player's move had taken
    """

    player: int
    move: int


@dataclass(frozen=True)
class Clock:
    """A clock for two to four players (R1.3, R13.1); make one with ``for_players``. Each action gives a new clock.

    It stands, runs for one player, or is paused. While it is paused everything stands, the time to challenge as well;
    while it stands (before the first and after the last move) the time to challenge still runs. Without a time for the
    game (``rules.clock_seconds`` 0) it only counts up. Nothing happens by itself when a time is over: overtime, a late
    challenge and the end of a move are values, and what follows from them is an event of the game.

    Players are numbered from 0. A player who is out is not known here: ``press`` and ``resume`` take who is next.

    used:       milliseconds each player has used until ``counted_at``
    extra:      milliseconds each player has on top of ``rules.clock_seconds``, less than 0 when time was taken away
    running:    whose time it is, None while the clock stands
    paused:     whether that player's time is halted
    move:       milliseconds of the running move
    announced:  milliseconds since the move that may be challenged was announced, None when there is none
    press_made: what ``unpress`` takes back, None when there is nothing
    counted_at: the ``now`` of the last action, None before the first

    ClockError for a combination that cannot be.
    """

    rules: RuleSet
    used: tuple[int, ...]
    extra: tuple[int, ...]
    running: int | None = None
    paused: bool = False
    move: int = 0
    announced: int | None = None
    press_made: Press | None = None
    counted_at: int | None = None

    @classmethod
    def for_players(cls, players: int, rules: RuleSet) -> Clock:
        """A clock that stands, with the whole time for everybody; ClockError for a number of players the rules do not
        have."""
        return cls(rules, (0,) * players, (0,) * players)

    def __post_init__(self) -> None:
        players = len(self.used)
        if not 2 <= players <= self.rules.max_players:
            raise ClockError(
                f"this game has 2 to {self.rules.max_players} players, not {players}",
                code="clock-players",
                players=players,
                most=self.rules.max_players,
            )
        seats = {self.running, self.press_made.player if self.press_made else None} - {None}
        times = (*self.used, self.move, self.announced or 0, self.press_made.move if self.press_made else 0)
        if (
            len(self.extra) != players
            or not seats <= set(range(players))
            or min(times) < 0
            or (self.running is None and (self.paused or self.move or self.press_made))
        ):
            raise ClockError(f"no clock can show this: {self.to_json()}")

    # what it shows

    def used_time(self, player: int, now: int) -> int:
        """Milliseconds the player has used, pauses left out."""
        return self.count(now).used[self._seat(player)]

    def remaining(self, player: int, now: int) -> int | None:
        """Milliseconds the player has left, less than 0 over time; None without a time for the game (R13.2)."""
        used = self.used_time(player, now)
        return (
            self.rules.clock_seconds * MS_PER_SECOND + self.extra[player] - used if self.rules.clock_seconds else None
        )

    def overtime(self, player: int, now: int) -> int:
        """Milliseconds the player is over time; 0 when in time or without a time for the game."""
        return max(0, -(self.remaining(player, now) or 0))

    def penalty(self, player: int, now: int) -> OvertimePenalty:
        """What the player's overtime costs by now (R13.3, R13.4); see ``overtime_points`` for the exact boundaries."""
        return _overtime(self.overtime(player, now), self.rules)

    def challenge_left(self, now: int) -> int | None:
        """Milliseconds in which the announced move may still be challenged, less than 0 when it is too late (R8.2).

        None when the rules set no such time or no move is announced: then an event closes the move, not the clock.
        """
        announced = self.count(now).announced
        if announced is None or not self.rules.challenge_seconds:
            return None
        return self.rules.challenge_seconds * MS_PER_SECOND - announced

    def challenge_late(self, now: int) -> bool:
        """Whether the clock says that a challenge comes too late (R8.2); exactly 20.000 s of 20 s are in time."""
        left = self.challenge_left(now)
        return left is not None and left < 0

    def move_left(self, now: int) -> int | None:
        """Milliseconds left for the running move, less than 0 when over; None without such a limit and while the clock
        stands (R12.5)."""
        if self.running is None or not self.rules.move_seconds:
            return None
        return self.rules.move_seconds * MS_PER_SECOND - self.count(now).move

    def move_timeout(self, now: int) -> MoveTimeout | None:
        """What is due because the time of the running move is over, None while it is not (R12.5). The last millisecond
        is in time. The clock goes on by itself neither way: a pass is an event, after which the clock is pressed."""
        left = self.move_left(now)
        return self.rules.move_timeout if left is not None and left < 0 else None

    # what players do

    def start(self, player: int, now: int) -> Clock:
        """A standing clock runs for the player; ClockError when it is not standing."""
        if self.running is not None:
            raise ClockError("the clock was started already", code="clock-started", hint="Press it, or resume it.")
        return replace(self.count(now), running=self._seat(player))

    def press(self, now: int, *, player: int | None = None) -> Clock:
        """The running player has ended the move and the named player's move begins, without a name the next in seat
        order; the same player may go on. ClockError while the clock stands or is paused."""
        running = self._running()
        if self.paused:
            raise ClockError("the clock is paused", code="clock-paused", hint="Resume it for the player who is next.")
        return self._hand_over((running + 1) % len(self.used) if player is None else player, now)

    def unpress(self, now: int) -> Clock:
        """The clock as if it had not been pressed: the time since then goes to the player who ran before, whose move
        goes on. A pause stays one. Only the last press can be taken back; ClockError when there is none."""
        counted = self.count(now)
        running, press = self._running(), self.press_made
        if press is None:
            raise ClockError("there is no press of the clock to take back", code="nothing-to-undo")
        # never more than the player has, should the time have been corrected since
        wrong = min(counted.move, counted.used[running])
        used = _changed(counted.used, running, counted.used[running] - wrong)
        used = _changed(used, press.player, used[press.player] + wrong)
        return replace(counted, used=used, running=press.player, move=press.move + wrong, press_made=None)

    def pause(self, now: int) -> Clock:
        """Everything stands: an interruption, or a word is looked up after a challenge. ClockError while the clock
        stands or is paused."""
        self._running()
        if self.paused:
            raise ClockError("the clock is paused already", code="clock-paused", hint="Resume it.")
        return replace(self.count(now), paused=True)

    def resume(self, now: int, *, player: int | None = None) -> Clock:
        """A paused clock goes on. Another player named is next, as after a challenge that cost a turn: a new move
        begins, which ``unpress`` can take back. ClockError when it is not paused."""
        if not self.paused:
            raise ClockError("the clock is not paused", code="clock-not-paused")
        if player is None or player == self.running:
            return replace(self.count(now), paused=False)
        return self._hand_over(player, now)

    def stop(self, now: int) -> Clock:
        """The clock stands: the game is over. The last move may still be challenged, its time runs on. ``start`` goes
        on with a game that is not over after all. ClockError when it stands already."""
        self._running()
        return replace(self.count(now), running=None, paused=False, move=0, press_made=None)

    def announce(self, now: int) -> Clock:
        """A move was announced: the time to challenge it begins, whoever runs (R8.2). A later move replaces it."""
        return replace(self.count(now), announced=0)

    def close_challenge(self, now: int) -> Clock:
        """No move can be challenged any more: an event has closed it (R8.2), or it was taken back."""
        return replace(self.count(now), announced=None)

    # what the arbiter does

    def add_time(self, player: int, time: int, now: int) -> Clock:
        """The player gets so many milliseconds more, less when negative; ClockError without a time for the game."""
        self._timed()
        return replace(self.count(now), extra=_changed(self.extra, self._seat(player), self.extra[player] + time))

    def set_remaining(self, player: int, time: int, now: int) -> Clock:
        """The player has so many milliseconds left; used time stays. ClockError without a time for the game."""
        self._timed()
        return self.add_time(player, time - (self.remaining(player, now) or 0), now)

    def set_used(self, player: int, time: int, now: int) -> Clock:
        """The player has used so many milliseconds; ClockError for fewer than none."""
        if time < 0:
            raise ClockError("used time cannot be negative", code="bad-time", time=time, hint="Add time instead.")
        counted = self.count(now)
        return replace(counted, used=_changed(counted.used, self._seat(player), time))

    # how time passes

    def count(self, now: int) -> Clock:
        """The same clock with the time until ``now`` counted: what is stored while a move runs, so that a crash loses
        no more than what came after. Counting in between changes nothing a clock shows later. ClockError for a ``now``
        that is no whole number."""
        if type(now) is not int:
            raise ClockError(f"{now!r} is no whole number of milliseconds", code="bad-time", time=now)
        passed = 0 if self.paused or self.counted_at is None else max(0, now - self.counted_at)
        if not passed:
            return replace(self, counted_at=now)
        announced = None if self.announced is None else self.announced + passed
        if self.running is None:
            return replace(self, announced=announced, counted_at=now)
        used = _changed(self.used, self.running, self.used[self.running] + passed)
        return replace(self, used=used, move=self.move + passed, announced=announced, counted_at=now)

    def rebased(self, now: int) -> Clock:
        """The clock going on from ``now`` without the time since the last action: after a crash, or when ``now`` has
        another origin than before."""
        return replace(self, counted_at=None).count(now)

    # how it is stored

    def to_json(self) -> dict[str, Any]:
        """The clock as JSON values; the rules are stored with the game. ``from_json`` is the inverse."""
        return {
            "version": JSON_VERSION,
            "used": list(self.used),
            "extra": list(self.extra),
            "running": self.running,
            "paused": self.paused,
            "move": self.move,
            "announced": self.announced,
            "press": self.press_made and [self.press_made.player, self.press_made.move],
            "counted_at": self.counted_at,
        }

    @classmethod
    def from_json(cls, data: Any, rules: RuleSet) -> Clock:
        """The clock ``to_json`` wrote; ClockError for anything else.

        A clock that ran goes on running. Whether the time since it was stored counts is the caller's choice: it does
        with the same origin of ``now``; ``rebased(now)`` leaves it out, and ``rebased(now).pause(now)`` waits for the
        players as well.
        """
        if not isinstance(data, dict) or data.get("version") != JSON_VERSION:
            raise ClockError(f"a stored clock is an object with the version {JSON_VERSION}")
        press = data.get("press", ...)
        if press is not None and (not _whole_numbers(press) or len(press) != 2):
            raise ClockError("press is a player and a time in a stored clock, or null")
        for name in ("used", "extra"):
            if not _whole_numbers(data.get(name)):
                raise ClockError(f"{name} is a list of milliseconds in a stored clock")
        for name in ("running", "announced", "counted_at"):
            if name not in data or (data[name] is not None and type(data[name]) is not int):
                raise ClockError(f"{name} is a whole number in a stored clock, or null")
        if type(data.get("move")) is not int or type(data.get("paused")) is not bool:
            raise ClockError("move is a number of milliseconds and paused true or false in a stored clock")
        return cls(
            rules,
            tuple(data["used"]),
            tuple(data["extra"]),
            running=data["running"],
            paused=data["paused"],
            move=data["move"],
            announced=data["announced"],
            press_made=None if press is None else Press(*press),
            counted_at=data["counted_at"],
        )

    def _hand_over(self, player: int, now: int) -> Clock:
        """The player's move begins."""
        counted = self.count(now)
        press = Press(self._running(), counted.move)
        return replace(counted, running=self._seat(player), paused=False, move=0, press_made=press)

    def _running(self) -> int:
        """Whose time it is; ClockError while the clock stands."""
        if self.running is None:
            raise ClockError("the clock stands", code="clock-stands", hint="Start it for the player who is next.")
        return self.running

    def _seat(self, player: int) -> int:
        """The player; ClockError when there is no such one."""
        if not 0 <= player < len(self.used):
            raise ClockError(f"there is no player {player}", code="unknown-player", player=player)
        return player

    def _timed(self) -> None:
        if not self.rules.clock_seconds:
            raise ClockError(
                "this game has no time to change", code="no-clock", hint="Set clock_seconds, or correct the used time."
            )


def _changed(times: tuple[int, ...], player: int, time: int) -> tuple[int, ...]:
    return (*times[:player], time, *times[player + 1 :])


def _whole_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(type(item) is int for item in value)
