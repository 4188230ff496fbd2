"""From which side of the board each player reaches over it: tells when somebody else has laid than whose turn it is.

A player who passes or exchanges says so, or not; no picture shows it. When the next tiles then come from the side of
the player who had laid the last ones, a turn is missing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

ENOUGH = 3
"""Moves of each player after which their sides are known so well that nobody has to be asked."""

STEADY = 40.0
"""Degrees around the mean within which all of a player's moves came; who walks around the table has no side."""

APART = 70.0
"""Degrees at least between two sides that are surely told apart."""

FROM_THERE, NOT_THERE = 30.0, 60.0
"""Degrees up to which a hand comes from a side, and from which on it does not."""

MOSTLY = 2 / 3
"""Share of a player's moves within STEADY of the middle one from which on that is likely to be the player's side."""

NEARER, DISTINCT = 20.0, 45.0
"""Degrees by which a hand must have come nearer to another player's side to be asked about, and between those sides."""

MOST = 8
"""Moves of each player that are looked at, the last ones: people change seats."""


def mean_angle(angles: Sequence[float]) -> float | None:
    """Mean direction in degrees (Fisher 1993, 2.3.1), None where the directions cancel out."""
    across = sum(math.cos(math.radians(angle)) for angle in angles)
    along = sum(math.sin(math.radians(angle)) for angle in angles)
    return math.degrees(math.atan2(along, across)) if math.hypot(across, along) > 0.2 * len(angles) else None


def median_angle(angles: Sequence[float]) -> float | None:
    """That of the directions, in degrees, from which all are least far (Fisher 1993, 2.3.2); None without any."""
    return min(angles, key=lambda one: sum(between(one, other) for other in angles), default=None)


def between(one: float, other: float) -> float:
    """Degrees between two directions, 0 to 180."""
    return abs((one - other + 180) % 360 - 180)


@dataclass(frozen=True)
class Sides:
    """reaches: by seat the directions from which the last moves came, degrees in the picture; against: players of whom
    somebody said that the last hand was theirs, against what was known"""

    reaches: Mapping[int, tuple[float, ...]] = field(default_factory=lambda: MappingProxyType({}))
    against: frozenset[int] = frozenset()

    def with_move(self, player: int, reach: float | None, against: bool = False) -> Sides:
        """With one more move.

        against: somebody says that it was this player, against what was known. Once that is a hand that came from
                 elsewhere; twice in a row the seats or the camera were moved, and only this move counts from now on, or
                 the same would be asked again and again.
        """
        if reach is None:
            return self
        moved = against and player in self.against
        before = () if moved else self.reaches.get(player, ())
        told = self.against | {player} if against and not moved else self.against - {player}
        return Sides({**self.reaches, player: (*before, reach)[-MOST:]}, told)

    def side(self, player: int) -> float | None:
        """Where a player sits for sure, None when it is not known."""
        angles = self.reaches.get(player, ())
        mean = mean_angle(angles) if len(angles) >= ENOUGH else None
        return mean if mean is not None and all(between(angle, mean) <= STEADY for angle in angles) else None

    def likely_side(self, player: int) -> float | None:
        """Where a player sits by what was seen so far, if only once, and though some hands came from elsewhere."""
        angles = self.reaches.get(player, ())
        middle = median_angle(angles)
        there = sum(between(angle, middle) <= STEADY for angle in angles) if middle is not None else 0
        return middle if there >= MOSTLY * max(1, len(angles)) else None

    def surely_another(self, expected: int, reach: float | None) -> int | None:
        """The player who must have laid instead of the one whose turn it is; None where that is not known."""
        own = self.side(expected)
        if reach is None or own is None or between(reach, own) < NOT_THERE:
            return None
        for player in self.reaches:
            side = self.side(player) if player != expected else None
            if side is not None and between(side, own) >= APART and between(reach, side) <= FROM_THERE:
                return player
        return None

    def perhaps_another(self, expected: int, reach: float | None) -> int | None:
        """The player who may well have laid instead, which somebody has to be asked; None where nothing speaks for it.

        A pass that is missed turns the players round for the rest of the game, a question too many costs a tap. So one
        move of each is enough, and of the player whose turn it is none: two people seldom reach from the same side.
        """
        if reach is None:
            return None
        own = self.likely_side(expected)
        if own is None and self.reaches.get(expected):
            return None  # who walks around has no side
        for player in self.reaches:
            side = self.likely_side(player) if player != expected else None
            if side is None:
                continue
            if own is None:
                if between(reach, side) <= FROM_THERE:
                    return player
            elif between(side, own) >= DISTINCT and between(reach, side) + NEARER <= between(reach, own):
                return player
        return None
