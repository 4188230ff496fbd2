"""Which events of a game count: undo, redo and corrections worked in, so that the rest can be replayed in a row.

The list of events only ever grows. An undo takes the last event that still counts out of the game, a redo puts it
back, a correction puts another event in the place of an earlier one; naming a blank or agreeing on a score later says
more about a placement of before. Numbers stay those of the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from scorer.board import Square
from scorer.events import (
    BlankNamed,
    Corrected,
    Event,
    EventFault,
    Placed,
    Redone,
    ScoreAgreed,
    Undone,
)
from scorer.placement import Placement
from scorer.tiles import BLANK, TileSet

Numbered = tuple[int, Event]


class Counting(NamedTuple):
    """An event that counts, with its number, and what speaks against it whatever the state of the game."""

    number: int
    event: Event
    faults: EventFault


def standing(events: Sequence[Event]) -> tuple[list[Numbered], list[Numbered]]:
    """The events that were not undone, with their numbers, and those that a redo would bring back, last one next."""
    done: list[Numbered] = []
    undone: list[Numbered] = []
    for number, event in enumerate(events, start=1):
        if isinstance(event, Undone):
            if done:
                undone.append(done.pop())
        elif isinstance(event, Redone):
            if undone:
                done.append(undone.pop())
        else:
            done.append((number, event))
            undone.clear()
    return done, undone


def counting(events: Sequence[Event], tile_set: TileSet) -> list[Counting]:
    """The events that count, in order, with corrections and later answers worked into those they are about."""
    done = standing(events)[0]
    now: dict[int, Event | None] = dict(done)
    faults = dict.fromkeys(now, EventFault.NONE)
    for number, event in done:
        if isinstance(event, Corrected):
            to_correct = event.ref < number and not isinstance(now.get(event.ref, event), Corrected)
            if to_correct and not isinstance(event.event, Corrected | Undone | Redone):
                now[event.ref] = event.event
            else:
                faults[number] |= EventFault.NO_SUCH_MOVE
    for number in now:
        event_now = now[number]
        if isinstance(event_now, BlankNamed):
            ref = _blank(now, number, event_now.square)
            placed = now[ref] if ref else None
            if ref is not None and isinstance(placed, Placed) and event_now.letter in tile_set.letters:
                now[ref] = replace(placed, placement=_named(placed.placement, event_now))
            else:
                faults[number] |= EventFault.NO_OPEN_BLANK
        elif isinstance(event_now, ScoreAgreed):
            placed = now.get(event_now.ref)
            if isinstance(placed, Placed) and event_now.ref < number:
                now[event_now.ref] = replace(placed, agreed=event_now.points)
            else:
                faults[number] |= EventFault.NO_SUCH_MOVE
    return [Counting(number, event, faults[number]) for number, event in now.items() if event is not None]


def _blank(now: dict[int, Event | None], before: int, square: Square) -> int | None:
    """Number of the last placement before that left a blank open on this square."""
    for number in reversed([number for number in now if number < before]):
        event = now[number]
        if isinstance(event, Placed) and event.placement.by_square.get(square) == BLANK:
            return number
    return None


def _named(placement: Placement, event: BlankNamed) -> Placement:
    return Placement.of({**placement.by_square, event.square: event.letter.lower()})
