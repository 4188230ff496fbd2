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
    Challenged,
    ChallengeRejected,
    Exchanged,
    MoveTimedOut,
    Noted,
    NothingLaid,
    Overtime,
    Passed,
    Placed,
    RacksShown,
    Refilled,
    Settled,
    Withdrawn,
)
from scorer.explain import describe, explain_challenge, explain_faults, explain_score
from scorer.game import Entry, GameState
from scorer.notation import Mark, MoveText, Notation
from scorer.placement import Placement
from scorer.scoring import Play
from scorer.texts import Language
from scorer.written import Action, NotationSource, WrittenGame, WrittenMove, WrittenWord

_BOOKED = {
    "rack": Action.RACK_SETTLEMENT,
    "time": Action.TIME_PENALTY,
    "challenge-bonus": Action.CHALLENGE_BONUS,
}


def written_game(
    state: GameState, notation: Notation = Notation.GERMAN, name: str = "", language: Language = "de"
) -> WrittenGame:
    """The record of a game, its points as they count, its totals after every line.

    notation: the one in which it is to be written; name: of the file; language: of the notes. The racks of the players
    are not known to a game, so a line's rack is empty but for the settlement.
    """
    writer = _Writer(state, notation, language)
    for entry in state.log:
        if not entry.faults & IMPOSSIBLE:  # else it had no effect
            writer.write(entry)
    return WrittenGame(
        name=name,
        players=state.game.players,
        moves=tuple(writer.moves),
        notation=notation,
        notation_source=NotationSource.DECLARED,
        description=" ".join(writer.before),
        tile_set=state.game.tile_set.name,
        lexicon=", ".join(one.title for one in state.game.word_lists),
    )


@dataclass
class _Writer:
    """Collects the lines. ``numbers`` gives the line of a placement, ``before`` what happened before the first line."""

    state: GameState
    notation: Notation
    language: Language

    def __post_init__(self) -> None:
        self.moves: list[WrittenMove] = []
        self.numbers: dict[int, int] = {}
        self.before: list[str] = []
        self.totals = [0] * len(self.state.game.players)

    def write(self, entry: Entry) -> None:
        """Adds the lines of one event, or its note."""
        event, player = entry.event, entry.player
        match event:
            case Placed():
                self._place(entry)
            case Passed():
                self._line(entry, Action.PASS)
            case NothingLaid():
                self._line(entry, Action.PASS, certain=False)
                self._describe(entry)
            case MoveTimedOut():
                if entry.used_turn:
                    self._line(entry, Action.PASS)
                self._describe(entry)
            case Exchanged():
                tiles = event.tiles or ("" if event.size is None else str(event.size))
                self._line(entry, Action.PASS if event.size == 0 else Action.EXCHANGE, tiles=tiles)
            case Withdrawn(ref) if ref in self.numbers:
                challenger = player if event.player is None else event.player
                self._line(entry, Action.CHALLENGE_UPHELD, player=challenger, owner=player, ref=self.numbers[ref])
            case ChallengeRejected(_, ref) if ref in self.numbers:
                self._line(entry, Action.CHALLENGE_REJECTED, ref=self.numbers[ref])
            case Withdrawn() | ChallengeRejected():
                self._unwritten(entry)
                self._describe(entry)
            case Challenged():
                self._challenge(entry, event)
                owner = self.state.entry(event.ref)
                assert owner is not None and owner.player is not None
                game = self.state.game
                self._note(*explain_challenge(entry, owner.player, game.players, game.rules, self.language))
            case Settled(_, _, reason):
                self._line(entry, _BOOKED[reason])
            case Overtime():
                if entry.points:
                    self._line(entry, Action.TIME_PENALTY)
                self._describe(entry)
            case RacksShown():
                self._settle(entry)
            case Noted() | Refilled():  # no record has a place for them
                pass
            case _:
                self._describe(entry)
        self._note(*explain_faults(entry, self.state.game, self.language, self.notation))

    def _place(self, entry: Entry) -> None:
        assert entry.play is not None
        move = move_text(entry.play)
        words = tuple(WrittenWord(word.word, word.score) for word in entry.play.words)
        if move is None:  # tiles in no line: no record has a way to say it
            self._line(entry, Action.PASS)
            self._describe(entry)
            return
        self._line(entry, Action.PLACE, move=move, words=words)
        if entry.announced not in (None, entry.points) or entry.computed != entry.points:
            self._note(*explain_score(entry, self.state.game.rules, self.language))

    def _challenge(self, entry: Entry, event: Challenged) -> None:
        found, number = entry.challenge, self.numbers.get(event.ref)
        assert found is not None
        if found.outcome is Outcome.TOO_LATE:
            return
        if number is None:
            self._unwritten(entry)
            return
        paid = dict(found.penalties)
        # what allowed words cost comes first: afterwards the move stands no more (R8.7)
        challenger = [entry.player] if found.outcome is Outcome.REJECTED and entry.player is not None else []
        for payer in dict.fromkeys([*challenger, *paid]):
            points = -paid.get(payer, 0)
            self._line(entry, Action.CHALLENGE_REJECTED, player=payer, owner=payer, ref=number, points=points)
        if found.outcome is Outcome.UPHELD:
            owner = next(old.player for old in self.state.log if old.number == event.ref)
            named = owner if entry.player is None else entry.player  # nobody knows who challenged
            points = entry.changes[owner] if owner is not None else 0
            self._line(entry, Action.CHALLENGE_UPHELD, player=named, owner=owner, ref=number, points=points)

    def _unwritten(self, entry: Entry) -> None:
        """A challenge of tiles in no line, about which the record has no line: its points as a penalty."""
        for player, change in enumerate(entry.changes):
            if change:
                self._line(entry, Action.TIME_PENALTY, player=player, owner=player, points=change)

    def _settle(self, entry: Entry) -> None:
        assert entry.settlement is not None
        for line in entry.settlement.lines:
            others = "".join(other.rest or "" for other in entry.settlement.lines if other is not line)
            if line.deducted or line.rest is None or (line.rest and not line.value):
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
            if line.credited:
                self._line(
                    entry,
                    Action.RACK_SETTLEMENT,
                    player=line.player,
                    owner=line.player,
                    points=line.credited,
                    tiles=others,
                )
        if not entry.settlement.complete:
            self._describe(entry)

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

    def _describe(self, entry: Entry) -> None:
        """Adds what was done as a note."""
        self._note(describe(entry.event, self.state.game, self.language, self.notation, entry.number))

    def _note(self, *sentences: str) -> None:
        """Adds to the note of the last line, or to what is said of the whole game before the first one."""
        if not self.moves:
            self.before += sentences
            return
        last = self.moves[-1]
        self.moves[-1] = replace(last, note="\n".join(filter(None, [last.note, *sentences])))


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
