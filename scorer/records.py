"""From a game to its record: what people write down, for the formats that others read.

A record has fewer words than a game: turns, challenges, settlements. Everything else a game knows (the draw, a letter
named later, a score agreed on, a correction) goes into the notes of the move it is about, so that nothing is lost
without a trace. The JSON of ``scorer.formats.events`` keeps all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from scorer.board import Direction
from scorer.challenge import Outcome
from scorer.events import (
    IMPOSSIBLE,
    BlankNamed,
    BlankSwapped,
    Challenged,
    ChallengeRejected,
    Corrected,
    DrawnForFirst,
    Exchanged,
    MoveTimedOut,
    NothingLaid,
    Overtime,
    Passed,
    Placed,
    RacksShown,
    Resigned,
    ScoreAgreed,
    Settled,
    Stopped,
    Withdrawn,
)
from scorer.game import Entry, GameState
from scorer.notation import Mark, MoveText, Notation, format_square
from scorer.placement import Placement
from scorer.scoring import Play
from scorer.written import Action, NotationSource, WrittenGame, WrittenMove, WrittenWord

_BOOKED = {
    "rack": Action.RACK_SETTLEMENT,
    "time": Action.TIME_PENALTY,
    "challenge-bonus": Action.CHALLENGE_BONUS,
}


def written_game(state: GameState, notation: Notation = Notation.GERMAN, name: str = "") -> WrittenGame:
    """The record of a game, its points as they count, its totals after every line.

    notation: the one in which it is to be written; name: of the file. The racks of the players are not known to a game,
    so a line's rack is empty but for the settlement.
    """
    writer = _Writer(state, notation)
    for entry in state.log:
        writer.write(entry)
    return WrittenGame(
        name=name,
        players=state.game.players,
        moves=tuple(writer.moves),
        notation=notation,
        notation_source=NotationSource.DECLARED,
        description=" ".join(writer.before),
        tile_set=state.game.tile_set.name,
    )


@dataclass
class _Writer:
    """Collects the lines. ``numbers`` gives the line of an event, ``before`` what happened before the first line."""

    state: GameState
    notation: Notation

    def __post_init__(self) -> None:
        self.moves: list[WrittenMove] = []
        self.numbers: dict[int, int] = {}
        self.before: list[str] = []
        self.totals = [0] * len(self.state.game.players)

    def write(self, entry: Entry) -> None:
        """Adds the lines of one event, or its note."""
        event, player = entry.event, entry.player
        if entry.faults & IMPOSSIBLE:  # it had no effect
            return
        match event:
            case Placed():
                self._place(entry)
            case Passed() | NothingLaid():
                self._line(entry, Action.PASS)
                if isinstance(event, NothingLaid):
                    self._note("pass or exchange")
            case MoveTimedOut():
                if entry.used_turn:
                    self._line(entry, Action.PASS)
                self._note(f"{self._name(player)} ran out of time for the move")
            case Exchanged():
                tiles = event.tiles or ("" if event.size is None else str(event.size))
                self._line(entry, Action.PASS if event.size == 0 else Action.EXCHANGE, tiles=tiles)
            case Withdrawn(ref) if ref in self.numbers:
                challenger = player if event.player is None else event.player
                self._line(entry, Action.CHALLENGE_UPHELD, player=challenger, owner=player, ref=self.numbers[ref])
            case ChallengeRejected(_, ref) if ref in self.numbers:
                self._line(entry, Action.CHALLENGE_REJECTED, ref=self.numbers[ref])
            case Withdrawn() | ChallengeRejected():
                self._unwritten(entry, "taken back" if isinstance(event, Withdrawn) else "challenged, stays")
            case Challenged():
                self._challenge(entry, event)
            case Settled(_, _, reason):
                self._line(entry, _BOOKED[reason])
            case Overtime(_, seconds):
                if entry.points:
                    self._line(entry, Action.TIME_PENALTY)
                self._note(f"{self._name(player)} was {seconds:g} s over time")
            case RacksShown():
                self._settle(entry)
            case DrawnForFirst(tiles):
                drawn = ", ".join(f"{self._name(seat)} {tile}" for seat, tile in tiles)
                self._note(f"drawn for the first turn: {drawn}")
            case BlankNamed(square, letter):
                self._note(f"blank on {format_square(square, self.notation)} named {letter}")
            case BlankSwapped(_, square, tile):
                self._note(f"{self._name(player)} took the blank on {format_square(square, self.notation)} for {tile}")
            case ScoreAgreed(ref, points):
                self._note(f"agreed on {points} points for move {self.numbers.get(ref)}")
            case Corrected(ref):
                self._note(f"event {ref} was corrected")
            case Resigned():
                self._note(f"{self._name(player)} resigned")
            case Stopped():
                self._note("stopped by agreement")
            case _:  # noted, tiles drawn: nothing a record holds
                pass
        if entry.codes:
            self._note(f"against the rules: {', '.join(entry.codes)}")

    def _place(self, entry: Entry) -> None:
        assert entry.play is not None
        move = move_text(entry.play)
        words = tuple(WrittenWord(word.word, word.score) for word in entry.play.words)
        if move is None:  # tiles in no line: no record has a way to say it
            self._line(entry, Action.PASS)
            where = ", ".join(
                f"{tile} {_place_name(square, self.notation)}" for square, tile in entry.play.placement.tiles
            )
            self._note(f"laid in no line: {where}")
            return
        self._line(entry, Action.PLACE, move=move, words=words)
        if entry.announced not in (None, entry.points):
            self._note(f"announced {entry.announced}")
        if entry.computed != entry.points:
            self._note(f"computed {entry.computed}")

    def _challenge(self, entry: Entry, event: Challenged) -> None:
        found, number = entry.challenge, self.numbers.get(event.ref)
        assert found is not None
        if found.outcome is Outcome.TOO_LATE:
            self._note(f"challenged too late by {self._name(entry.player)}: stays")
            return
        if number is None:
            self._unwritten(entry, f"challenged by {self._name(entry.player)}: {found.outcome}")
            return
        paid = dict(found.penalties)
        # what allowed words cost comes first: afterwards the move stands no more (R8.7)
        rejected = found.outcome is Outcome.REJECTED
        if rejected and entry.player is None:
            self._note(f"challenged, not known by whom: {', '.join(found.valid)} allowed")
        challenger = [entry.player] if rejected and entry.player is not None else []
        for payer in dict.fromkeys([*challenger, *paid]):
            self._line(
                entry,
                Action.CHALLENGE_REJECTED,
                player=payer,
                owner=payer,
                ref=number,
                points=-paid.get(payer, 0),
            )
            self._note(f"allowed: {', '.join(found.valid)}")
        if found.outcome is Outcome.UPHELD:
            owner = next(old.player for old in self.state.log if old.number == event.ref)
            named = owner if entry.player is None else entry.player  # nobody knows who challenged
            points = entry.changes[owner] if owner is not None else 0
            self._line(entry, Action.CHALLENGE_UPHELD, player=named, owner=owner, ref=number, points=points)
            self._note(f"not allowed: {', '.join(found.invalid)}")

    def _unwritten(self, entry: Entry, text: str) -> None:
        """A challenge of tiles in no line, about which the record has no line: a note, its points as a penalty."""
        self._note(text)
        for player, change in enumerate(entry.changes):
            if change:
                self._line(entry, Action.TIME_PENALTY, player=player, owner=player, points=change)
                self._note("of the challenge, not of the clock")

    def _settle(self, entry: Entry) -> None:
        assert entry.settlement is not None
        for line in entry.settlement.lines:
            others = "".join(other.rest or "" for other in entry.settlement.lines if other is not line)
            if line.deducted or line.rest is None:
                rest = line.rest or ""
                points = -(line.deducted or 0)
                self._line(
                    entry,
                    Action.RACK_SETTLEMENT,
                    player=line.player,
                    owner=line.player,
                    points=points,
                    tiles=rest,
                    rack=rest,
                )
            if line.rest is None:
                self._note(f"the rest of {self._name(line.player)} is not known")
            if line.credited:
                self._line(
                    entry,
                    Action.RACK_SETTLEMENT,
                    player=line.player,
                    owner=line.player,
                    points=line.credited,
                    tiles=others,
                )

    def _line(
        self,
        entry: Entry,
        action: Action,
        player: int | None = None,
        owner: int | None = None,
        points: int | None = None,
        **more: Any,
    ) -> None:
        """Adds a line: ``player`` is whom it names, ``owner`` whose points change; both the entry's player if None."""
        named = player if player is not None else entry.player
        paying = owner if owner is not None else entry.player
        assert named is not None and paying is not None
        points = entry.points if points is None else points
        self.totals[paying] += points
        number = len(self.moves) + 1
        if action is Action.PLACE:
            self.numbers[entry.number] = number
        self.moves.append(WrittenMove(number, number, named, action, points, tuple(self.totals), **more))

    def _note(self, text: str) -> None:
        """Adds a note to the last line, or to the whole game before the first one."""
        if not self.moves:
            self.before.append(f"{text}.")
            return
        last = self.moves[-1]
        self.moves[-1] = replace(last, note=f"{last.note}\n{text}" if last.note else text)

    def _name(self, player: int | None) -> str:
        return "?" if player is None else self.state.game.players[player]


def move_text(play: Play) -> MoveText | None:
    """A play as it is written, with ``.`` for tiles that lay there; None when its tiles lie in no line."""
    if play.words:
        word = play.words[0]
        marks = tuple(Mark(letter.tile, lies=False) if letter.new else Mark(None, lies=True) for letter in word.letters)
        return MoveText(word.start, word.direction, marks)
    return _claimed(play.placement)


def _claimed(placement: Placement) -> MoveText | None:
    """Tiles that form no word, from the first to the last; what lies between is claimed to lie there."""
    squares = placement.squares
    if not squares or not placement.in_line or not squares[0].on_board:
        return None
    direction = placement.direction or Direction.ACROSS
    marks, square = [], squares[0]
    while square != squares[-1].step(direction):
        tile = placement.by_square.get(square)
        marks.append(Mark(tile, lies=tile is None))
        square = square.step(direction)
    return MoveText(squares[0], direction, tuple(marks))


def _place_name(square: Any, notation: Notation) -> str:
    return format_square(square, notation) if square.on_board else "off the board"
