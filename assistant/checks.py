"""What of a whole game does not fit together: its last position, its tiles, the order of its photos."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from assistant.doubts import differs
from scorer.accounting import excess
from scorer.board import Board, Square
from scorer.game import GameState
from vision.burst import by_tiles, by_time
from vision.observe import Observation
from vision.sequence import Told
from vision.steps import NO_MOVE


@dataclass(frozen=True)
class Check:
    """One thing that does not fit.

    code:    final-differs (the last photo shows other tiles than the record), too-many-tiles (of a kind, more than the
             set has), after-the-end (moves after the game was over), out-of-order (the photos were taken in another
             order), order-doubtful (so it seems, by their tiles), other-boards (photos of another board)
    squares: where; tiles: how many too many of each kind; photos: the photos concerned, in the right order where the
             order is what is wrong
    """

    code: str
    squares: tuple[Square, ...] = ()
    tiles: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    photos: tuple[int, ...] = ()


def cross_checks(
    told: Sequence[Told], observations: Sequence[Observation], state: GameState, late: Sequence[int]
) -> tuple[Check, ...]:
    """All of them, for the position at the end of the game; late: photos of moves after it was surely over."""
    found = []
    if squares := _last_photo_differs(told, observations, state.board):
        found.append(Check("final-differs", squares))
    if surplus := excess(state.board, state.game.tile_set):
        found.append(Check("too-many-tiles", tiles=surplus))
    if late:
        found.append(Check("after-the-end", photos=tuple(late)))
    if order := by_time(observations):
        found.append(Check("out-of-order", photos=order))
    elif order := by_tiles(observations):
        found.append(Check("order-doubtful", photos=order))
    if others := tuple(number for number, one in enumerate(told) if one.step.why == "other-board"):
        found.append(Check("other-boards", photos=others))
    return tuple(found)


def _last_photo_differs(told: Sequence[Told], observations: Sequence[Observation], board: Board) -> tuple[Square, ...]:
    """Squares on which the last photo of the game shows something else than the record, or a tile that is not in it."""
    for one, seen in zip(reversed(told), reversed(observations), strict=True):
        if one.step.kind != NO_MOVE and seen.reading is not None:
            reading = seen.reading
            wrong = {square for square, tile in board if differs(reading, square, tile)}
            extra = {s for s in reading.showing(str.isalpha) if board.at(s) is None and not reading.hidden[s]}
            return tuple(
                sorted(wrong | {s for s in extra if reading.confidence[s] > 0.9 and s not in reading.suspects})
            )
    return ()
