"""A written game as a game at the table, to go on with or to check: the inverse of ``scorer.records``.

The lines become the events that ``scorer.rescore`` takes them for, so that both say the same of a record. What counts
are the points by the rules; a score that somebody wrote down is kept as announced (R3.6). A record knows less than a
game: who doubted which word, what was drawn and noted when, what the racks held; and its remarks stay in the record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import Literal

from scorer.events import Event, Placed, RacksShown, Stopped
from scorer.game import Entry, Game, GameState, advance, replay
from scorer.rescore import Rescore, RescoredMove, rescore
from scorer.rules import RuleSet
from scorer.tiles import TileSet
from scorer.written import CHALLENGES, Action, NotationSource, WrittenGame, is_debit


class ResumeNote(StrEnum):
    """What whoever goes on with the game should know beside the differences."""

    NOTATION_ASSUMED = "notation-assumed"
    """The record does not say whether rows or columns are lettered: the board may be mirrored."""
    SEATS_INFERRED = "seats-inferred"
    """Every line names one player; the totals told whose it is."""
    SEATS_REORDERED = "seats-reordered"
    """The players are seated in the order in which they moved, not in that of the record."""
    NAMES_REPLACED = "names-replaced"
    """Two players have one name: they are called by their numbers."""
    OUT_OF_TURN = "out-of-turn"
    """Somebody moved who was not due: a line may be missing."""
    WORD_DIFFERS = "word-differs"
    """A written word claims of the board what is not so."""
    STOPPED = "stopped"
    """The racks were settled though the rules do not end the game there: as if all had agreed to stop."""
    SETTLEMENT_BOOKED = "settlement-booked"
    """The racks were settled in another way than by the rules, or what was on them is not known: the points were booked
    as the record has them."""
    SETTLEMENT_MISSING = "settlement-missing"
    """The game is over by the rules, and the record does not settle the racks."""
    REMARKS_LEFT_OUT = "remarks-left-out"
    """The record has remarks on moves, which no event can hold."""


@dataclass(frozen=True)
class Difference:
    """A number of the record that the rules contradict, where it first shows.

    number: of the move, as the record counts; line: of the file
    player: seat in the game of whose points or total it is
    what:   the points of the move, or the total after it
    """

    number: int
    line: int
    player: int
    what: Literal["points", "total"]
    recorded: int
    computed: int


@dataclass(frozen=True)
class Resumed:
    """A record as a game: ``replay(game)`` is its position, by the rules.

    differences: in the order of the record; () when it agrees with the rules
    notes:       each once, in the order of ``ResumeNote``
    """

    game: Game
    differences: tuple[Difference, ...]
    notes: tuple[ResumeNote, ...]


def resumed(written: WrittenGame, rules: RuleSet, tile_set: TileSet) -> Resumed:
    """The record as a game by these rules and with these tiles.

    Settled racks become ``RacksShown`` where that gives the points of the record, as far as these are right; else the
    lines are booked one by one. GameError as for ``rescore``.
    """
    seated = _seated(written)
    scored = rescore(seated, rules, tile_set)
    events, notes = _settled(scored, _announced(scored))
    game = replace(scored.state.game, events=tuple(events))
    state = replay(game)
    given = {
        ResumeNote.NOTATION_ASSUMED: bool(state.plays) and written.notation_source is NotationSource.ASSUMED,
        ResumeNote.SEATS_INFERRED: written.seats_inferred,
        ResumeNote.SEATS_REORDERED: seated is not written,
        ResumeNote.NAMES_REPLACED: game.players != seated.players,
        ResumeNote.OUT_OF_TURN: any(entry.out_of_turn for entry in state.log),
        ResumeNote.WORD_DIFFERS: any(map(_word_differs, scored.moves, scored.state.log)),
        ResumeNote.SETTLEMENT_MISSING: state.end is not None and state.end.certain and not _settlements(scored.moves),
        ResumeNote.REMARKS_LEFT_OUT: any(move.note for move in written.moves),
    }
    told = [note for note in ResumeNote if given.get(note) or note in notes]
    return Resumed(game, tuple(_differences(scored)), tuple(told))


def _seated(written: WrittenGame) -> WrittenGame:
    """The record with the players in the order of their turns; the record itself where they sit that way already.

    Only more than two players can be listed in another order than they play. Order of the first turns, if the players
    kept to that better than to the order of the list.
    """
    turns = [move.player for move in written.moves if move.action.is_turn]
    seats = list(range(len(written.players)))
    order = [*dict.fromkeys(turns), *(seat for seat in seats if seat not in turns)]
    if _breaks(turns, order) >= _breaks(turns, seats):
        return written
    return replace(
        written,
        players=tuple(written.players[old] for old in order),
        nicks=tuple(written.nicks[old] for old in order) if written.nicks else (),
        racks=tuple(written.racks[old] for old in order) if written.racks else (),
        moves=tuple(
            replace(move, player=order.index(move.player), totals=tuple(move.totals[old] for old in order))
            for move in written.moves
        ),
    )


def _breaks(turns: Sequence[int], order: Sequence[int]) -> int:
    """How often another player follows than this order says."""
    after = dict(zip(order, [*order[1:], order[0]], strict=True))
    return sum(after[one] != other for one, other in pairwise(turns))


def _announced(scored: Rescore) -> list[Event]:
    """The events of the record, an event a line, placements with the points that were written down."""
    return [
        replace(event, announced=move.written.points) if isinstance(event, Placed) else event
        for event, move in zip(scored.state.game.events, scored.moves, strict=True)
    ]


def _settlements(moves: Sequence[RescoredMove]) -> list[int]:
    """Where the lines stand that settle the racks."""
    return [at for at, move in enumerate(moves) if move.written.action is Action.RACK_SETTLEMENT]


def _settled(scored: Rescore, events: list[Event]) -> tuple[list[Event], set[ResumeNote]]:
    """The events with the settlement of the racks as players do it, where the record allows it.

    The end of the game comes before: an agreement to stop, where the rules know no end. Lines after which the game
    went on are left as they are. No event refers to one behind them, so that no number has to change.
    """
    lines = _settlements(scored.moves)
    if not lines:
        return events, set()
    first, rest = lines[0], scored.moves[lines[0] :]
    if any(move.written.action.is_turn or move.written.action in CHALLENGES for move in rest):
        return events, {ResumeNote.SETTLEMENT_BOOKED}
    notes = set()
    before = replay(replace(scored.state.game, events=tuple(events[:first])))
    if before.end is None or not before.end.certain:
        before = advance(before, Stopped())
        notes.add(ResumeNote.STOPPED)
    shown = _racks_shown(before, [scored.moves[at] for at in lines])
    settling = [shown] if shown else [events[at] for at in lines]
    if not shown:
        notes.add(ResumeNote.SETTLEMENT_BOOKED)
    others = [event for at, event in enumerate(events[first:], first) if at not in lines]
    return [*before.game.events, *settling, *others], notes


def _racks_shown(state: GameState, settlements: Sequence[RescoredMove]) -> RacksShown | None:
    """The racks that these lines name, if settling them gives all their points (as computed); None if it does not."""
    racks: list[str | None] = [None] * len(state.totals)
    changes = [0] * len(state.totals)
    for move in settlements:
        line = move.written
        changes[line.player] += move.computed
        if line.tiles and (line.points <= 0 or is_debit(line)):
            racks[line.player] = line.tiles
    event = RacksShown(tuple(racks))
    entry = advance(state, event).log[-1]
    settlement = entry.settlement
    if entry.faults or settlement is None or not settlement.complete or list(entry.changes) != changes:
        return None
    return RacksShown(tuple(line.rest for line in settlement.lines))


def _word_differs(move: RescoredMove, entry: Entry) -> bool:
    """Whether the text of a move claims something that its tiles alone do not show to be wrong."""
    return entry.play is not None and bool(move.faults & ~entry.play.faults)


def _differences(scored: Rescore) -> list[Difference]:
    """The recorded numbers that the rules contradict."""
    found = []
    for move, entry in zip(scored.moves, scored.state.log, strict=True):
        line = move.written
        if move.points_differ:
            assert entry.player is not None
            found.append(Difference(line.number, line.line, entry.player, "points", line.points, move.computed))
        for player in move.wrong_totals:
            total = line.totals[player]
            assert total is not None
            found.append(Difference(line.number, line.line, player, "total", total, move.totals[player]))
    return found
