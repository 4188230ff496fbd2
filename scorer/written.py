"""A game as somebody wrote it down: what the record says, neither checked nor computed.

Every reader in ``scorer.formats`` gives this one value; ``scorer.rescore`` compares it with the rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from scorer.notation import MoveText, Notation


class Action(StrEnum):
    """What a line of a record says happened."""

    PLACE = "place"
    PASS = "pass"
    """A pass, or a pass or an exchange where the record does not tell."""
    EXCHANGE = "exchange"
    CHALLENGE_UPHELD = "challenge-upheld"
    """A move taken back."""
    CHALLENGE_REJECTED = "challenge-rejected"
    """A challenge of allowed words, paid by the challenger: the line's player."""
    CHALLENGE_BONUS = "challenge-bonus"
    """A challenge of allowed words that gives the challenged player points, by English rules."""
    RACK_SETTLEMENT = "rack-settlement"
    TIME_PENALTY = "time-penalty"


class NotationSource(StrEnum):
    """How it is known whether rows or columns are lettered. A record itself cannot show it, see scorer.notation."""

    GIVEN = "given"
    """The caller said so."""
    DECLARED = "declared"
    """The file says so, or its format leaves no choice."""
    ASSUMED = "assumed"
    """Neither does: the format's custom was taken. The board may be mirrored; scores and faults are right all the same.
    """


@dataclass(frozen=True)
class WrittenMove:
    """One line of a record.

    number: of the move, as the record counts
    line:   of the file, from 1
    player: seat of the player the line names, from 0; for a move taken back the challenger, or in GCG who had laid it
    points: points as written down; negative where they are taken
    totals: points of each player after the move as written down, None for those the line does not give
    move:   coordinate and word of a placement
    ref:    number of the move a challenge is about
    tiles:  exchanged tiles, or the rest of the rack in a settlement, "" when not given
    rack:   tiles on the player's rack before the move, "" when not given
    """

    number: int
    line: int
    player: int
    action: Action
    points: int
    totals: tuple[int | None, ...]
    move: MoveText | None = None
    ref: int | None = None
    tiles: str = ""
    rack: str = ""


@dataclass(frozen=True)
class WrittenGame:
    """A record. The tile set is not part of it: no format says it reliably.

    name:     of the file, for messages
    players:  names by seat, two to four
    notation: how its coordinates were read, and how that is known
    """

    name: str
    players: tuple[str, ...]
    moves: tuple[WrittenMove, ...]
    notation: Notation
    notation_source: NotationSource


def standing(moves: Iterable[WrittenMove]) -> dict[int, WrittenMove]:
    """The placements that no challenge took back, by their number."""
    places: dict[int, WrittenMove] = {}
    for move in moves:
        if move.action is Action.PLACE:
            places[move.number] = move
        elif move.action is Action.CHALLENGE_UPHELD and move.ref is not None:
            places.pop(move.ref, None)
    return places
