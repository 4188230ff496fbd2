"""The rows of a game folded to what is now: pure.

Kinds of rows and what their bodies hold:

    event      event: see ``scorer.formats.events``; evidence: what it rests on (``assistant.table.evidence``), or null
    photo      digest, name: a photo of the turn that is being laid
    corners    digest, corners: where people say that the board is, four times (x, y) as shares of width and height
    answer     what people said of the photo: fields of ``assistant.recount.Answer``
    typed      move: the move as somebody wrote it, with a photo or without one
    dropped    nothing: the photos of this turn show nothing that counts
    challenge  ref, challengers, seconds, words: each with what was found when it was looked up
    verdict    word, valid, by, source: what people decided about a word
    clip       at, seconds, camera, frames: what a camera saw last, kept for a dispute; no part of the game

Rows of a kind that this version does not know are left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from assistant.recount import Answer
from assistant.store.rows import Json, Row
from assistant.table.setup import Setup, SetupError
from scorer.board import Square
from scorer.challenge import ChallengedWord
from scorer.errors import BrettblickError
from scorer.events import (
    IMPOSSIBLE,
    Challenged,
    Event,
    Exchanged,
    MoveTimedOut,
    NothingLaid,
    Passed,
    Placed,
    RacksShown,
    Settled,
    Stopped,
    Withdrawn,
)
from scorer.formats.events import event_from_json
from scorer.game import GameState, replay
from scorer.notation import MoveText
from vision.reading import EMPTY

Shares = tuple[tuple[float, float], ...]
"""Four points as shares of a photo's width and height."""

ENDS_TURN = Placed | Passed | Exchanged | NothingLaid | MoveTimedOut | Withdrawn | RacksShown | Stopped
"""Events after which the photos taken before are no longer of the turn that is being laid."""


@dataclass(frozen=True)
class Done:
    """An event with who entered it and when, and what it rests on; number: as in ``scorer.game``."""

    number: int
    event: Event
    row: Row
    evidence: Json | None


@dataclass(frozen=True)
class Pending:
    """What there is of the turn that is being laid; nothing of it counts.

    photos:  by hash, in order
    corners: set by hand, by photo
    answer:  what people said of the last photo
    typed:   the move as somebody wrote it, None when nobody did
    since:   what people said after it was written
    rows:    all of it as it was entered
    """

    photos: tuple[str, ...] = ()
    corners: Mapping[str, Shares] = field(default_factory=lambda: MappingProxyType({}))
    answer: Answer = field(default_factory=Answer)
    typed: str | None = None
    since: Answer = field(default_factory=Answer)
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True)
class LookedUp:
    """A challenged word. allowed: None as long as somebody has to decide; found: as it was looked up, for people and
    for the record (``assistant.table.actions``)."""

    word: str
    allowed: bool | None
    found: Json
    by: str = ""
    source: str = ""

    @property
    def decided(self) -> ChallengedWord:
        """For the event of the challenge."""
        return ChallengedWord(self.word, self.allowed, self.source, self.by)


@dataclass(frozen=True)
class OpenChallenge:
    """A challenge whose words were looked up: it is decided before anything else happens."""

    ref: int
    challengers: tuple[int, ...]
    words: tuple[LookedUp, ...]
    seconds: float | None
    row: Row


@dataclass(frozen=True)
class TableState:
    """A game as it is now.

    version:    number of its last row
    said_empty: squares of which somebody has said, of any photo so far, that no tile lies there
    """

    setup: Setup
    version: int
    state: GameState
    done: tuple[Done, ...]
    pending: Pending | None = None
    challenge: OpenChallenge | None = None
    said_empty: frozenset[Square] = frozenset()

    def event(self, number: int) -> Done | None:
        """The event of that number, None when there is none."""
        return self.done[number - 1] if 1 <= number <= len(self.done) else None

    @property
    def empty_before(self) -> frozenset[Square]:
        """The squares that were said to be empty before the turn that is being laid."""
        pending = self.pending.rows if self.pending is not None else ()
        now = [answer_from_json(row.body).squares for row in pending if row.kind == "answer"]
        return self.said_empty - frozenset().union(*map(_empty, now))

    @property
    def last_photo(self) -> str | None:
        """The photo that shows the position before the turn that is being laid, None when there is none."""
        return photo_before(self, len(self.done) + 1)


def photo_before(table: TableState, number: int) -> str | None:
    """The last photo on which an event before that number rests."""
    evidence = (one.evidence for one in reversed(table.done[: max(number - 1, 0)]))
    return next((str(one["photo"]) for one in evidence if one and one.get("photo")), None)


def found_allowed(state: GameState, ref: int) -> tuple[str, ...]:
    """Words of a move that a challenge has found allowed: they cannot be challenged a second time."""
    return tuple(
        word.word
        for entry in state.log
        if isinstance(entry.event, Challenged) and entry.event.ref == ref and not entry.faults & IMPOSSIBLE
        for word in entry.event.words
        if word.valid
    )


def phase(state: GameState) -> str:
    """How far a game is: playing, over (the racks are not settled yet) or settled."""
    booked = (entry.event for entry in state.log if not entry.faults & IMPOSSIBLE)
    if state.settlement is not None or any(isinstance(one, Settled) and one.reason == "rack" for one in booked):
        return "settled"
    return "over" if state.end is not None and state.end.certain else "playing"


def fold(setup: Setup, rows: Sequence[Row]) -> TableState:
    """The game as it is after these rows; SetupError for a row that cannot be read."""
    done: list[Done] = []
    pending: Pending | None = None
    challenge: OpenChallenge | None = None
    empty: frozenset[Square] = frozenset()
    for row in rows:
        try:
            match row.kind:
                case "event":
                    event = event_from_json(row.body["event"])
                    done.append(Done(len(done) + 1, event, row, row.body.get("evidence")))
                    pending = None if isinstance(event, ENDS_TURN) else pending
                    challenge = None if isinstance(event, Challenged) else challenge
                case "challenge":
                    challenge = _challenge(row)
                case "verdict" if challenge is not None:
                    challenge = _decided(challenge, row.body)
                case "dropped":
                    pending = None
                case "photo" | "corners" | "answer" | "typed":
                    pending = _more(pending or Pending(), row)
                    if row.kind == "answer":
                        said = answer_from_json(row.body).squares
                        empty = (empty - said.keys()) | _empty(said)
                case _:
                    pass
        except (KeyError, TypeError, ValueError, BrettblickError) as error:
            raise SetupError(f"row {row.number} of the game cannot be read: {error}", why=f"{row.number}") from error
    game = replace(setup.game(), events=tuple(one.event for one in done))
    version = rows[-1].number if rows else 0
    return TableState(setup, version, replay(game), tuple(done), pending, challenge, empty)


def _empty(said: Mapping[Square, str]) -> frozenset[Square]:
    return frozenset(square for square, char in said.items() if char == EMPTY)


def _more(pending: Pending, row: Row) -> Pending:
    """With one more row of the turn that is being laid; a new photo makes what was said of the last one void, and what
    the photo shows at all makes a typed move void."""
    body, rows = row.body, (*pending.rows, row)
    match row.kind:
        case "photo":
            return replace(
                pending,
                photos=(*pending.photos, str(body["digest"])),
                answer=Answer(),
                typed=None,
                since=Answer(),
                rows=rows,
            )
        case "corners":
            corners = tuple((float(x), float(y)) for x, y in body["corners"])
            return replace(pending, corners={**pending.corners, str(body["digest"]): corners}, rows=rows)
        case "typed":
            return replace(pending, typed=str(body["move"]), since=Answer(), rows=rows)
        case _:
            said = answer_from_json(body)
            if pending.typed is not None and said.kind is None and said.move is None:  # it is about the typed move
                return replace(pending, since=joined(pending.since, said), rows=rows)
            return replace(pending, answer=joined(pending.answer, said), typed=None, since=Answer(), rows=rows)


def joined(one: Answer, other: Answer) -> Answer:
    """Both answers; of what both say the second counts. A square that is said anew opens what was confirmed before."""
    return Answer(
        {**one.squares, **other.squares},
        other.kind or one.kind,
        other.move or one.move,
        other.confirmed or (one.confirmed and not other.squares),
        other.first or one.first,
        other.second or one.second,
        here=one.here or other.here,
    )


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """An answer as JSON values; ``answer_from_json`` is the inverse."""
    from scorer.notation import Notation

    return {
        "squares": [[square.row, square.col, tile] for square, tile in answer.squares.items()],
        "kind": answer.kind,
        "move": None if answer.move is None else answer.move.text(Notation.GERMAN),
        "confirmed": answer.confirmed,
        "first": [list(square) for square in answer.first],
        "second": [list(square) for square in answer.second],
        "here": answer.here,
    }


def answer_from_json(data: Json) -> Answer:
    """The answer of JSON values."""
    from scorer.notation import Notation

    move = data.get("move")
    return Answer(
        {Square(int(row), int(col)): str(tile) for row, col, tile in data.get("squares", ())},
        data.get("kind"),
        None if move is None else MoveText.parse(str(move), Notation.GERMAN),
        bool(data.get("confirmed", False)),
        tuple(Square(int(row), int(col)) for row, col in data.get("first", ())),
        tuple(Square(int(row), int(col)) for row, col in data.get("second", ())),
        here=bool(data.get("here", False)),
    )


def _challenge(row: Row) -> OpenChallenge:
    body = row.body
    words = tuple(
        LookedUp(str(one["word"]), one["allowed"], one["found"], str(one["by"]), str(one["source"]))
        for one in body["words"]
    )
    seconds = body["seconds"]
    return OpenChallenge(
        int(body["ref"]),
        tuple(map(int, body["challengers"])),
        words,
        None if seconds is None else float(seconds),
        row,
    )


def _decided(challenge: OpenChallenge, body: Json) -> OpenChallenge:
    def now(one: LookedUp) -> LookedUp:
        if one.word != body["word"]:
            return one
        return replace(one, allowed=bool(body["valid"]), by=str(body["by"]), source=str(body["source"]))

    return replace(challenge, words=tuple(map(now, challenge.words)))
