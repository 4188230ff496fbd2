"""The end of a game: why it ended, what the tiles left on the racks cost, who has won (R10, R11)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scorer.rules import RestTo, RuleSet, Tie
from scorer.tiles import TileSet


class EndReason(StrEnum):
    """Why a game is over."""

    OUT = "out"
    """A player has laid all tiles and the bag is empty (R10.1)."""
    PASSES = "passes"
    """All players have passed as often as agreed (R10.2)."""
    SCORELESS = "scoreless"
    """So many rounds without a word as agreed (R10.2)."""
    EMPTY_BAG = "empty-bag"
    """No tile can be drawn any more (R10.3)."""
    GIVEN_UP = "given-up"
    """At most one player is left: the others resigned or lost by time (R13.4)."""
    STOPPED = "stopped"
    """The players agreed to stop."""


@dataclass(frozen=True)
class GameEnd:
    """Why a game is over.

    player:  who laid all tiles, None when the game ended otherwise
    certain: false when it hangs on turns of which it is not known whether they were passes or exchanges
    """

    reason: EndReason
    player: int | None = None
    certain: bool = True


@dataclass(frozen=True)
class SettlementLine:
    """What the settlement is for one player.

    rest:     tiles left on the rack, None when nobody knows
    value:    their points, None when unknown
    deducted: points taken, None when unknown
    credited: points given for the rests of the others, None when one of them is unknown
    """

    player: int
    rest: str | None
    value: int | None
    deducted: int | None
    credited: int | None

    @property
    def change(self) -> int:
        """What the player's total changes by, as far as it is known."""
        return (self.credited or 0) - (self.deducted or 0)


@dataclass(frozen=True)
class Settlement:
    """The settlement of the racks, a line a player by seat."""

    lines: tuple[SettlementLine, ...]

    @property
    def complete(self) -> bool:
        """Whether all that counts is known."""
        return all(line.deducted is not None and line.credited is not None for line in self.lines)

    @property
    def changes(self) -> tuple[int, ...]:
        """Points of each player by seat, as far as they are known."""
        return tuple(line.change for line in self.lines)


def settle(
    racks: Sequence[str | None], end: GameEnd | None, rules: RuleSet, tile_set: TileSet, bag_emptier: int | None = None
) -> Settlement:
    """The settlement of these racks, by seat; None for an unknown one.

    Everybody loses the value of the own rest (R11.1); a blank counts 0 (R6.4). Who laid all tiles is credited with the
    rests of all others (R11.2), or by agreement who drew the last tile (R11.3); after passes nobody is (R11.4).
    """
    values = [None if rack is None else sum(map(tile_set.value, rack)) for rack in racks]
    receiver = _receiver(end, rules, bag_emptier)
    lines = []
    for player, (rack, value) in enumerate(zip(racks, values, strict=True)):
        credited: int | None = 0
        if player == receiver:
            others = [other for seat, other in enumerate(values) if seat != player]
            credited = None if None in others else sum(other for other in others if other is not None)
        deducted = value if rules.subtract_rest else 0
        lines.append(SettlementLine(player, rack, value, deducted, credited))
    return Settlement(tuple(lines))


def _receiver(end: GameEnd | None, rules: RuleSet, bag_emptier: int | None) -> int | None:
    if end is None or end.reason not in (EndReason.OUT, EndReason.EMPTY_BAG):
        return None
    match rules.rest_to:
        case RestTo.FINISHER:
            return end.player
        case RestTo.BAG_EMPTIER:
            return bag_emptier
        case RestTo.NONE:
            return None


@dataclass(frozen=True)
class Result:
    """Who has won.

    places:  of each player by seat, from 1; players who are equal share the better place
    winners: the players in the first place
    wins:    what the game counts for each player by seat: 1 for a win, a half for a tie where that was agreed (R13.6)
    """

    places: tuple[int, ...]
    winners: tuple[int, ...]
    wins: tuple[float, ...]

    @property
    def tied(self) -> bool:
        return len(self.winners) > 1


def result(totals: Sequence[int], before_settlement: Sequence[int], lost: Collection[int], rules: RuleSet) -> Result:
    """The result by the final totals (R11.5); a total may be below zero.

    before_settlement: totals before the racks were settled, which decide a tie where that was agreed (R11.6)
    lost:              players who resigned or lost by time: behind all others, whatever their points (R13.4)
    """
    second = before_settlement if rules.tie is Tie.BEFORE_SETTLEMENT else [0] * len(totals)
    ranks = [(player not in lost, totals[player], second[player]) for player in range(len(totals))]
    places = tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
    winners = tuple(player for player, place in enumerate(places) if place == 1)
    share = 1.0 if len(winners) == 1 else 1 / len(winners) if rules.tie is Tie.HALF_WIN else 0.0
    return Result(places, winners, tuple(share if player in winners else 0.0 for player in range(len(totals))))
