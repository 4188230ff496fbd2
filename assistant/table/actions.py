"""What may be done at the table: an action and the state before it give the rows to add, or a refusal. Pure but for the
look-up of challenged words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from assistant.commands.check import ruling_json, verdict_text
from assistant.recount import Answer
from assistant.store.rows import NewRow
from assistant.table import evidence
from assistant.table.history import (
    TableState,
    answer_to_json,
    found_allowed,
)
from assistant.table.proposals import Means, Proposal, can_be
from assistant.table.setup import visible
from assistant.texts import LANGUAGES, Texts
from scorer.adjudication import Ruling
from scorer.board import SIZE, Board, Square
from scorer.challenge import ChallengedWord, undecided
from scorer.errors import BrettblickError, GameError
from scorer.events import (
    BlankNamed,
    BlankSwapped,
    Challenged,
    Corrected,
    DrawnForFirst,
    Event,
    EventFault,
    Exchanged,
    MoveTimedOut,
    Noted,
    Overtime,
    Passed,
    Placed,
    PlainEvent,
    RacksShown,
    Redone,
    Refilled,
    Resigned,
    ScoreAgreed,
    Stopped,
    Undone,
)
from scorer.formats.events import event_to_json
from scorer.game import Game, GameState, Refusal, advance, faults_of, in_time, offer, replay
from scorer.history import counting
from scorer.notation import MoveText
from scorer.placement import PlacementFault
from scorer.rules import ChallengeScope, ChallengeUntil, Proof, TurnOrder
from scorer.spelling import laid_as
from scorer.tiles import BLANK

LONGEST_TEXT = 200
"""Characters of anything that people type."""

POINTS = 10_000

LARGEST = 1e6
"""Of any other number."""


class ActionError(BrettblickError):
    """An action that says nothing that can be done."""

    code = "bad-action"


class Refused(BrettblickError):
    """An event that the rules do not take.

    refusal: with all that speaks against it; game: to which it was offered
    """

    code = "refused"

    def __init__(self, refusal: Refusal, game: Game) -> None:
        self.refusal, self.game = refusal, game
        faults = ", ".join(refusal.codes)
        super().__init__(f"the rules do not take it: {faults}", faults=faults)


@dataclass(frozen=True)
class Given:
    """What an action is given beside its own data.

    proposal: makes the proposal of the turn that is being laid
    at_first: makes what the photos alone proposed
    means:    what proposals are made with
    seconds:  since the last move was announced, by the clock of this machine; None when that is not known
    overtime: seconds over time by seat, of a game with a clock
    move_over: whether the time for the running move is over (R12.5)
    model:    fingerprint of the reader's weights
    """

    means: Means
    proposal: Callable[[], Proposal | None]
    at_first: Callable[[], Any]
    seconds: float | None = None
    overtime: tuple[float, ...] = ()
    move_over: bool = False
    model: str = ""


Data = Mapping[str, Any]


def perform(table: TableState, name: str, data: Data, given: Given) -> list[NewRow]:
    """The rows that the action adds. ActionError for one that cannot be understood, Refused for one against the rules,
    other BrettblickErrors for what they say."""
    action = ACTIONS.get(name)
    if action is None:
        raise ActionError(f"there is no action {name!r}", code="no-such-action", name=name)
    if table.challenge is not None and name not in ("verdict", "settle-challenge"):
        raise ActionError("a challenge has to be decided first", code="challenge-open")
    return action(table, data, given)


# --- the turn that is being laid ----------------------------------------------------------------------------------


def _answer(table: TableState, data: Data, given: Given) -> list[NewRow]:
    if table.pending is None:
        raise ActionError("there is no photo to answer about", code="nothing-proposed")
    squares = {_square(one[:2]): _tile(one[2], table, EMPTY_TOO) for one in _list(data.get("squares", []), 3)}
    kind = data.get("kind")
    if kind not in (None, "place", "none", "withdrawn", "not-a-move"):
        raise ActionError(f"{kind!r} is no kind", code="bad-action")
    move = None if data.get("move") is None else MoveText.parse(_text(data["move"]), table.setup.notation)
    answer = Answer(
        squares,
        kind,
        move,
        confirmed=_flag(data, "confirmed"),
        first=tuple(_square(one) for one in _list(data.get("first", []), 2)),
        second=tuple(_square(one) for one in _list(data.get("second", []), 2)),
        here=_flag(data, "here"),
    )
    if answer == Answer():
        raise ActionError("an answer that says nothing", code="bad-action")
    return [NewRow("answer", answer_to_json(answer))]


def _corners(table: TableState, data: Data, given: Given) -> list[NewRow]:
    digest = data.get("photo")
    if table.pending is None or digest not in table.pending.photos:
        raise ActionError("there is no such photo in this turn", code="nothing-proposed")
    points = [(_number(x), _number(y)) for x, y in _list(data.get("corners"), 2)]
    if len(points) != 4 or not all(-0.5 <= value <= 1.5 for point in points for value in point):
        raise ActionError("corners are four points of the photo", code="bad-corners")
    return [NewRow("corners", {"digest": digest, "corners": [list(point) for point in points]})]


def _type(table: TableState, data: Data, given: Given) -> list[NewRow]:
    text = " ".join(_text(data.get("move")).split())
    move = MoveText.parse(text, table.setup.notation)
    for mark in move.marks:
        if mark.tile is not None and mark.tile not in table.setup.tile_set:
            raise ActionError(f"{mark.tile!r} is not in the set", code="tile-not-in-set", tile=mark.tile)
    _refuse_ended(table.state)
    return [NewRow("typed", {"move": move.text(table.setup.notation)})]


def _drop(table: TableState, data: Data, given: Given) -> list[NewRow]:
    if table.pending is None:
        raise ActionError("there is nothing to throw away", code="nothing-to-drop")
    return [NewRow("dropped", {})]


def _confirm(table: TableState, data: Data, given: Given) -> list[NewRow]:
    """Books what is proposed. despite: all agree that it counts as it lies, whatever speaks against it; open_blank: the
    letters of blanks are said later, those of this move and of the one before."""
    proposal = given.proposal()
    if proposal is None or not proposal.events:
        raise ActionError("there is nothing to confirm", code="nothing-proposed")
    later = _flag(data, "open_blank")
    if proposal.question is not None and not (later and proposal.question.code == "blank-letter"):
        raise ActionError("a question is open", code="question-open")
    announced, agreed = _announced(data, "announced"), _points(data, "agreed")
    despite = _flag(data, "despite") or (later and proposal.legal_but_for_blanks)
    if proposal.refused and not (despite and proposal.possible):
        raise Refused(*proposal.refused[-1])
    events = list(proposal.events)
    if announced is not None and isinstance(events[-1], Placed):
        events[-1] = replace(events[-1], announced=announced)
    state, rows = table.state, []
    for event in events:
        state = _taken(state, event, despite)
        rows.append(_row(event))
    rest = evidence.of_proposal(table, proposal, given.at_first(), given.model)
    photos = tuple(rest["photos"])
    rows[-1] = NewRow("event", {**rows[-1].body, "evidence": rest}, photos)
    if agreed is not None:
        rows.append(_row(event := ScoreAgreed(len(state.game.events), agreed, unanimous=_flag(data, "unanimous"))))
        _taken(state, event, False)
    return rows


# --- turns without tiles ------------------------------------------------------------------------------------------


def _pass(table: TableState, data: Data, given: Given) -> list[NewRow]:
    return _booked(table, Passed(table.state.next_player), _flag(data, "open_blank"))


def _exchange(table: TableState, data: Data, given: Given) -> list[NewRow]:
    tiles = "".join(_tile(char, table) for char in _text(data.get("tiles", ""), empty=True).upper() if char != " ")
    count = data.get("count")
    count = None if count is None else _seat_or_count(count)
    return _booked(table, Exchanged(table.state.next_player, count, tiles), _flag(data, "open_blank"))


def _timeout(table: TableState, data: Data, given: Given) -> list[NewRow]:
    if not given.move_over:
        raise ActionError("the time for the move is not over", code="time-not-over")
    return _booked(table, MoveTimedOut(table.state.next_player))


# --- second thoughts ----------------------------------------------------------------------------------------------


def _undo(table: TableState, data: Data, given: Given) -> list[NewRow]:
    return _booked(table, Undone())


def _redo(table: TableState, data: Data, given: Given) -> list[NewRow]:
    return _booked(table, Redone())


def _correct(table: TableState, data: Data, given: Given) -> list[NewRow]:
    """Another move in the place of an earlier one; everything after it is computed anew."""
    ref = _ref(table, data)
    done = table.state.entry(ref)
    old = done.event if done else None
    player = getattr(old, "player", None)
    event: PlainEvent | None
    if _flag(data, "remove"):
        event = None
    elif player is None or not isinstance(old, Placed | Passed | Exchanged | MoveTimedOut):
        raise ActionError("only a turn can be changed", code="no-such-move", ref=ref)
    elif _flag(data, "pass"):
        event = Passed(player)
    elif data.get("exchange") is not None:
        event = Exchanged(player, _seat_or_count(data["exchange"]))
    else:
        move = MoveText.parse(_text(data.get("move")), table.setup.notation)
        resolved = move.resolve(board_before(table, ref))
        if resolved.faults:
            refusal = Refusal(Placed(player, resolved.placement), EventFault.NONE, resolved.faults)
            raise Refused(refusal, table.state.game)
        for _, tile in resolved.placement.tiles:
            _tile(tile, table)
        kept = old if isinstance(old, Placed) else Placed(player, resolved.placement)
        event = replace(kept, placement=resolved.placement)
    correction = Corrected(ref, event)
    _taken(table.state, correction, _flag(data, "despite"))
    return [_row(correction)]


def board_before(table: TableState, ref: int) -> Board:
    """What lay there before an event, with all corrections of the events before it."""
    game = table.state.game
    before = tuple(one.event for one in counting(game.events, game.tile_set) if one.number < ref)
    return replay(replace(game, events=before)).board


def _announce(table: TableState, data: Data, given: Given) -> list[NewRow]:
    """What the player had said of a move that is booked."""
    ref, points = _ref(table, data), _announced(data, "points")
    entry = table.state.entry(ref)
    if entry is None or not isinstance(entry.event, Placed):
        raise ActionError("that is no move with tiles", code="no-such-move", ref=ref)
    correction = Corrected(ref, replace(entry.event, announced=points))
    # nothing else of the move changes: what speaks against it was said when it was booked
    _taken(table.state, correction, True)
    return [_row(correction)]


def _agree(table: TableState, data: Data, given: Given) -> list[NewRow]:
    points = _points(data, "points")
    if points is None:
        raise ActionError("how many points?", code="bad-action")
    return _booked(table, ScoreAgreed(_ref(table, data), points, _flag(data, "unanimous")))


def _close(table: TableState, data: Data, given: Given) -> list[NewRow]:
    """The last move is closed: noted, and drawn after where these rules look at that (R8.2)."""
    ref = _ref(table, data)
    entry = table.state.entry(ref)
    if entry is None or table.state.open_move != ref:
        raise Refused(Refusal(Noted(ref), EventFault.MOVE_CLOSED, PlacementFault.NONE), table.state.game)
    noted, drawn, rules = Noted(ref), Refilled(ref, entry.drawn), table.setup.rules
    both: list[Event] = [noted, drawn]
    if rules.challenge_until is ChallengeUntil.DRAWN and entry.drawn:
        both = both if faults_of(table.state, drawn) else [drawn]
    elif rules.turn_order is TurnOrder.DRAW_NOTE and entry.drawn:
        both = [drawn, noted]
    else:
        both = [noted]
    state = table.state
    for event in both:
        state = _taken(state, event, False)
    return [_row(event) for event in both]


# --- a challenge --------------------------------------------------------------------------------------------------


def _challenge(table: TableState, data: Data, given: Given) -> list[NewRow]:
    """The words are looked up and the challenge stands: whoever has seen a verdict cannot take it back."""
    ref = _ref(table, data)
    challengers = tuple(_seat_or_count(one) for one in _list(data.get("challengers")))
    words = [laid_as(_text(one), table.setup.tile_set).tiles for one in _list(data.get("words"))]
    challenge = Challenged(ref, challengers, tuple(ChallengedWord(word, None) for word in words), given.seconds)
    for word in found_allowed(table.state, ref):
        if word in words or table.setup.rules.challenge_scope is ChallengeScope.ALL_WORDS:
            raise ActionError(f"{word} was found allowed", code="found-allowed", word=word)
    if table.state.open_move == ref and not in_time(table.state, challenge):
        limit = table.setup.rules.challenge_seconds
        raise ActionError(f"later than {limit} seconds after the move", code="challenge-late", limit=limit)
    try:
        rulings = given.means.referee.on_challenge(table.state, ref, challengers, words, given.seconds)
    except GameError as error:
        if error.code != "no-challenge":
            raise
        faults = faults_of(table.state, challenge) & ~EventFault.VERDICT_MISSING or EventFault.MOVE_CLOSED
        raise Refused(Refusal(challenge, faults, PlacementFault.NONE), table.state.game) from error
    found = [
        {
            "word": ruling.verdict.tiles,
            "allowed": ruling.allowed,
            "found": ruling_json(ruling)
            | {"text": {code: verdict_text(ruling.verdict, Texts(code)) for code in LANGUAGES}},
            "by": _by(ruling),
            "source": _source(ruling),
        }
        for ruling in rulings
    ]
    body = {"ref": ref, "challengers": list(challengers), "words": found, "seconds": given.seconds}
    return [NewRow("challenge", body)]


def _by(ruling: Ruling) -> str:
    return ruling.verdict.by if ruling.allowed is not None else ""


def _source(ruling: Ruling) -> str:
    source = ruling.verdict.source
    return source.title if source is not None and ruling.allowed is not None else ""


def _verdict(table: TableState, data: Data, given: Given) -> list[NewRow]:
    """What people decided about a word that no list decides."""
    word = _text(data.get("word"))
    found = next((one for one in table.challenge.words if one.word == word), None) if table.challenge else None
    if found is None:
        raise ActionError(f"{word} is not challenged", code="no-such-word", word=word)
    if found.found.get("allowed") is not None:
        raise ActionError(f"{word} is decided by the list", code="word-decided", word=word)
    by = _text(data.get("by", ""), empty=True)
    if not by:
        raise ActionError("who decided?", code="nobody-decided", word=word)
    if not isinstance(data.get("valid"), bool):
        raise ActionError("allowed or not?", code="bad-action")
    source = _text(data.get("source", ""), empty=True)
    return [NewRow("verdict", {"word": word, "valid": data["valid"], "by": by, "source": source})]


def _settle_challenge(table: TableState, data: Data, given: Given) -> list[NewRow]:
    if table.challenge is None:
        raise ActionError("no challenge is open", code="no-challenge-open")
    event = challenged(table)
    if open_words(table):
        raise ActionError("not all words are decided", code="word-undecided", word=", ".join(open_words(table)))
    _taken(table.state, event, False)
    return [_row(event)]


def challenged(table: TableState) -> Challenged:
    """The event of the open challenge as far as it is decided. One word that is not allowed decides it: what nobody
    looked at then is not part of it."""
    one = table.challenge
    assert one is not None
    words = tuple(word.decided for word in one.words)
    if any(word.valid is False for word in words):
        words = tuple(word for word in words if word.valid is not None)
    return Challenged(one.ref, one.challengers, words, one.seconds)


def open_words(table: TableState) -> tuple[str, ...]:
    """Words of the open challenge that still have to be decided. Where the player has to show a word (R8.13) somebody
    says whether it was shown: it had not been looked for yet when the challenge began."""
    one = table.challenge
    entry = table.state.entry(one.ref) if one else None
    if one is None or entry is None or entry.play is None:
        return ()
    said_by_somebody = table.setup.rules.with_settings(proof=Proof.LOOK_UP)
    return undecided(entry.play, [word.decided for word in one.words], said_by_somebody)


# --- blanks -------------------------------------------------------------------------------------------------------


def _blank(table: TableState, data: Data, given: Given) -> list[NewRow]:
    return _booked(table, BlankNamed(_square(data.get("square")), _tile(data.get("letter"), table)))


def _swap_blank(table: TableState, data: Data, given: Given) -> list[NewRow]:
    event = BlankSwapped(
        _seat_or_count(data.get("player")), _square(data.get("square")), _tile(data.get("tile"), table)
    )
    return _booked(table, event)


# --- beginning and end --------------------------------------------------------------------------------------------


def _draw(table: TableState, data: Data, given: Given) -> list[NewRow]:
    tiles = tuple((_seat_or_count(one[0]), _tile(one[1], table)) for one in _list(data.get("tiles"), 2))
    return _booked(table, DrawnForFirst(tiles))


def _resign(table: TableState, data: Data, given: Given) -> list[NewRow]:
    return _booked(table, Resigned(_seat_or_count(data.get("player"))))


def _stop(table: TableState, data: Data, given: Given) -> list[NewRow]:
    _refuse_ended(table.state)
    return _booked(table, Stopped())


def _racks(table: TableState, data: Data, given: Given) -> list[NewRow]:
    """The end: what the clock costs first, then the racks."""
    racks = tuple(None if one is None else _rack(one, table) for one in _list(data.get("racks")))
    state, rows = table.state, []
    known = {entry.event.player for entry in state.log if isinstance(entry.event, Overtime)}
    for player, seconds in enumerate(given.overtime):
        if seconds > 0 and player not in known:
            event = Overtime(player, seconds)
            state = _taken(state, event, False)
            rows.append(_row(event))
    shown = RacksShown(racks)
    _taken(state, shown, False)
    return [*rows, _row(shown)]


def _refuse_ended(state: GameState) -> None:
    if state.end is not None and state.end.certain:
        refusal = Refusal(Passed(state.next_player), EventFault.GAME_OVER, PlacementFault.NONE)
        raise Refused(refusal, state.game)


# --- what people send ---------------------------------------------------------------------------------------------


def _booked(table: TableState, event: Event, open_blank: bool = False) -> list[NewRow]:
    """open_blank: the letter of a blank of the move before is said later."""
    found = offer(table.state, event)
    if isinstance(found, Refusal) and not (open_blank and found.faults == EventFault.BLANK_OPEN):
        raise Refused(found, table.state.game)
    return [_row(event)]


def _taken(state: GameState, event: Event, despite: bool) -> GameState:
    """The state after an event that is taken; Refused for one that is not.

    despite: all agree to count a placement although something speaks against it; what cannot be is refused all the same
    """
    found = offer(state, event)
    if not isinstance(found, Refusal):
        return found
    if despite and can_be(found) and isinstance(event, Placed | Corrected):
        return advance(state, event)
    raise Refused(found, state.game)


def _row(event: Event) -> NewRow:
    return NewRow("event", {"event": event_to_json(event)})


EMPTY_TOO = frozenset({".", BLANK})


def _tile(value: object, table: TableState, besides: frozenset[str] = frozenset({BLANK})) -> str:
    if not isinstance(value, str) or (value not in besides and value not in table.setup.tile_set):
        raise ActionError(f"{value!r} is no tile of the set", code="tile-not-in-set", tile=str(value)[:20])
    return value


def _rack(value: object, table: TableState) -> str:
    return "".join(_tile(char, table) for char in _text(value, empty=True).upper() if not char.isspace())


def _square(value: object) -> Square:
    row, col = (_seat_or_count(one) for one in _list([value], 2)[0])
    if not (row < SIZE and col < SIZE):
        raise ActionError("there is no such square", code="bad-action")
    return Square(row, col)


def _list(value: object, each: int = 0) -> list[Any]:
    """A list of not too many values, each itself a list of that length if one is given."""
    if not isinstance(value, list | tuple) or len(value) > SIZE * SIZE:
        raise ActionError(f"{str(value)[:40]!r} is no list", code="bad-action")
    if each and not all(isinstance(one, list | tuple) and len(one) == each for one in value):
        raise ActionError(f"{str(value)[:40]!r} is no list of lists", code="bad-action")
    return list(value)


def _text(value: object, *, empty: bool = False) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or not (empty or value.strip()):
        raise ActionError(f"{str(value)[:40]!r} is no text", code="bad-action")
    if value.strip() and not visible(value):
        raise ActionError("a text with characters that nobody sees", code="bad-action")
    return value.strip()


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < LARGEST:
        raise ActionError(f"{str(value)[:40]!r} is no number", code="bad-action")
    return float(value)


def _seat_or_count(value: object) -> int:
    if type(value) is not int or not 0 <= value <= SIZE * SIZE:
        raise ActionError(f"{str(value)[:40]!r} is no number", code="bad-action")
    return value


def _points(data: Data, name: str) -> int | None:
    value = data.get(name)
    if value is None:
        return None
    if type(value) is not int or abs(value) >= POINTS:
        raise ActionError(f"{str(value)[:40]!r} is no number of points", code="bad-points")
    return value


def _announced(data: Data, name: str) -> int | None:
    """What a player said; nobody announces less than nothing."""
    points = _points(data, name)
    if points is not None and points < 0:
        raise ActionError(f"{points} points announced", code="bad-points")
    return points


def _ref(table: TableState, data: Data) -> int:
    ref = _seat_or_count(data.get("ref"))
    if table.event(ref) is None:
        raise ActionError(f"there is no move {ref}", code="no-such-move", ref=ref)
    return ref


def _flag(data: Data, name: str) -> bool:
    value = data.get(name, False)
    if not isinstance(value, bool):
        raise ActionError(f"{name} is yes or no", code="bad-action")
    return value


Action = Callable[[TableState, Data, Given], list[NewRow]]

ACTIONS: Mapping[str, Action] = {
    "answer": _answer,
    "corners": _corners,
    "type": _type,
    "drop": _drop,
    "confirm": _confirm,
    "pass": _pass,
    "exchange": _exchange,
    "timeout": _timeout,
    "undo": _undo,
    "redo": _redo,
    "correct": _correct,
    "announce": _announce,
    "agree": _agree,
    "close": _close,
    "challenge": _challenge,
    "verdict": _verdict,
    "settle-challenge": _settle_challenge,
    "blank": _blank,
    "swap-blank": _swap_blank,
    "draw": _draw,
    "resign": _resign,
    "stop": _stop,
    "racks": _racks,
}
"""What may be done, by name; the clock has its own ways (``assistant.table.clockwork``)."""
