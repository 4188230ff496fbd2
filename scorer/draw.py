"""The draw for the first turn: who starts and in which order the players take turns (R2.1-R2.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from scorer.rules import DrawTie, Seating
from scorer.tiles import BLANK, TileSet


class DrawFaultKind(StrEnum):
    """What can be wrong with a round of the draw; the value is the stable code."""

    PLAYER_MISSING = "player-missing"
    """A player who has to draw has not."""
    UNKNOWN_PLAYER = "unknown-player"
    """Somebody drew who does not play."""
    NOT_TO_DRAW = "not-to-draw"
    """A player drew whose place is settled."""
    DRAWN_TWICE = "drawn-twice"
    """A player drew more than one tile (R2.1)."""
    NO_TILE_OF_SET = "no-tile-of-set"
    """No tile of the set looks like this; tiles are capitals and ``?`` for the blank."""
    SET_EXHAUSTED = "set-exhausted"
    """More tiles of a letter in one round than the set holds (R1.2)."""
    ALREADY_DECIDED = "already-decided"
    """A round after everything was settled."""


@dataclass(frozen=True)
class DrawFault:
    """One thing that is wrong: what, in which round (counted from 0), with which player and tile where one is meant."""

    kind: DrawFaultKind
    round: int
    player: int | None = None
    tile: str | None = None


@dataclass(frozen=True)
class DrawResult:
    """How far the draw has settled the order.

    order:  the players in the order of their turns, the first one starts; None until it is settled
    again:  the players who have to draw now, in the order of their seats; empty when it is settled
    faults: what is wrong with the first round that has anything wrong. It settles nothing, and is to be drawn anew;
            the order stays settled when the fault is a round too many
    """

    order: tuple[int, ...] | None
    again: tuple[int, ...]
    faults: tuple[DrawFault, ...] = ()

    @property
    def codes(self) -> list[str]:
        """The code of each kind of fault, once, always in the same order."""
        kinds = {fault.kind for fault in self.faults}
        return [str(kind) for kind in DrawFaultKind if kind in kinds]


def draw(
    rounds: Sequence[Mapping[int, str]], players: int, tile_set: TileSet, tie: DrawTie, seating: Seating
) -> DrawResult:
    """The order of turns from the tiles that were drawn.

    Everybody draws one tile; the letter nearest the front of the alphabet starts (R2.1), the blank before A, Ä after A
    (R2.2). When several drew it, they draw again, or all do (R2.5). The others follow clockwise, or in the order of
    their letters; then those with the same letter draw again among themselves (R2.4). Before each round all tiles are
    back in the bag (R2.3).

    rounds:  player to tile, for each round those who drew in it; players are numbered clockwise from 0
    players: how many play
    """
    # players in order as far as it is settled; those in one group are still equal
    groups = [tuple(range(players))]
    for number, drawn in enumerate(rounds):
        again = _open(groups, seating)
        if faults := _faults(number, drawn, players, again, tile_set):
            return DrawResult(None if again else _order(groups, seating), again, faults)
        groups = [part for group in groups for part in _split(group, drawn, tile_set)]
        if tie is DrawTie.ALL and len(groups[0]) > 1:
            groups = [tuple(range(players))]
    again = _open(groups, seating)
    return DrawResult(None if again else _order(groups, seating), again)


def _open(groups: Sequence[tuple[int, ...]], seating: Seating) -> tuple[int, ...]:
    """The players who have to draw: clockwise only the first one is sought, by letter each place."""
    sought = groups if seating is Seating.BY_DRAW else groups[:1]
    return tuple(sorted(player for group in sought if len(group) > 1 for player in group))


def _order(groups: Sequence[tuple[int, ...]], seating: Seating) -> tuple[int, ...]:
    players = sum(map(len, groups))
    if seating is Seating.CLOCKWISE:
        return tuple((groups[0][0] + seat) % players for seat in range(players))
    return tuple(player for group in groups for player in group)


def _split(group: tuple[int, ...], drawn: Mapping[int, str], tile_set: TileSet) -> list[tuple[int, ...]]:
    """The group by its letters; one that did not draw stays as it is."""
    if group[0] not in drawn:
        return [group]
    alphabet = _alphabet(tile_set)

    def place(player: int) -> int:
        return alphabet.index(drawn[player])

    return [tuple(equal) for _, equal in groupby(sorted(group, key=place), key=place)]


def _alphabet(tile_set: TileSet) -> tuple[str, ...]:
    """The tiles that can be drawn, the blank before A (R2.2)."""
    return (BLANK, *tile_set.letters) if tile_set.blanks else tile_set.letters


def _faults(
    number: int, drawn: Mapping[int, str], players: int, again: Sequence[int], tile_set: TileSet
) -> tuple[DrawFault, ...]:
    """Everything wrong with a round in which the players of ``again`` have to draw."""
    if not again:
        return (DrawFault(DrawFaultKind.ALREADY_DECIDED, number),)
    kind, alphabet = DrawFaultKind, _alphabet(tile_set)
    faults = [DrawFault(kind.PLAYER_MISSING, number, player) for player in again if not drawn.get(player)]
    for player, tile in drawn.items():
        if not 0 <= player < players:
            faults.append(DrawFault(kind.UNKNOWN_PLAYER, number, player, tile))
        elif player not in again:
            faults.append(DrawFault(kind.NOT_TO_DRAW, number, player, tile))
        if len(tile) > 1:
            faults.append(DrawFault(kind.DRAWN_TWICE, number, player, tile))
        faults += [DrawFault(kind.NO_TILE_OF_SET, number, player, char) for char in tile if char not in alphabet]
    for char, count in sorted(Counter("".join(drawn.values())).items()):
        if char in alphabet and count > tile_set.count(char):
            faults.append(DrawFault(kind.SET_EXHAUSTED, number, tile=char))
    return tuple(faults)
