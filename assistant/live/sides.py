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
"""Moves of each player after which their sides are known."""

STEADY = 40.0
"""Degrees around the mean within which all of a player's moves came; who walks around the table has no side."""

APART = 70.0
"""Degrees between the sides of two players, at least."""

FROM_THERE, NOT_THERE = 30.0, 60.0
"""Degrees up to which a hand comes from a side, and from which on it does not."""

MOST = 8
"""Moves of each player that are looked at, the last ones: people change seats."""


def mean_angle(angles: Sequence[float]) -> float | None:
    """Mean direction in degrees (Fisher 1993, 2.3.1), None where the directions cancel out."""
    across = sum(math.cos(math.radians(angle)) for angle in angles)
    along = sum(math.sin(math.radians(angle)) for angle in angles)
    return math.degrees(math.atan2(along, across)) if math.hypot(across, along) > 0.2 * len(angles) else None


def between(one: float, other: float) -> float:
    """Degrees between two directions, 0 to 180."""
    return abs((one - other + 180) % 360 - 180)


@dataclass(frozen=True)
class Sides:
    """reaches: by seat the directions from which the last moves came, degrees in the picture"""

    reaches: Mapping[int, tuple[float, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def with_move(self, player: int, reach: float | None) -> Sides:
        """With one more move, which somebody has not doubted."""
        if reach is None:
            return self
        return Sides({**self.reaches, player: (*self.reaches.get(player, ()), reach)[-MOST:]})

    def side(self, player: int) -> float | None:
        """Where a player sits, None when it is not known."""
        angles = self.reaches.get(player, ())
        mean = mean_angle(angles) if len(angles) >= ENOUGH else None
        return mean if mean is not None and all(between(angle, mean) <= STEADY for angle in angles) else None

    def someone_else(self, expected: int, reach: float | None) -> int | None:
        """The player who must have laid instead of the one whose turn it is; None where nothing speaks for that."""
        own = self.side(expected)
        if reach is None or own is None or between(reach, own) < NOT_THERE:
            return None
        for player in self.reaches:
            side = self.side(player) if player != expected else None
            if side is not None and between(side, own) >= APART and between(reach, side) <= FROM_THERE:
                return player
        return None
