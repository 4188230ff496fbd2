"""A game with all its events as JSON: the one form that keeps everything, with a version number.

    {"format": "brettblick-game", "version": 1, "players": ["Anna", "Ben"], "rules": {...}, "tiles": {...},
     "word_lists": [{"name": "SDeV", "edition": "2026", ...}], "first_player": 0, "score_keeper": null,
     "events": [{"kind": "placed", "player": 0, "placement": [[7, 3, "F"], ...], "announced": 24, ...}, ...]}

Rows and columns are zero-based, tiles as in ``scorer.tiles``. Rule set and tile set are stored whole, so that a game
says for ever what was agreed. A field that is missing has its default; an unknown one is refused, since leaving it out
could change the game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any, NamedTuple

from scorer.board import Square
from scorer.challenge import ChallengedWord
from scorer.errors import BrettblickError, NotationError, json_error
from scorer.events import (
    BlankNamed,
    BlankSwapped,
    Challenged,
    ChallengeRejected,
    Corrected,
    DrawnForFirst,
    Event,
    Exchanged,
    MoveTimedOut,
    Noted,
    NothingLaid,
    Overtime,
    Passed,
    Placed,
    RacksShown,
    Redone,
    Refilled,
    Resigned,
    ScoreAgreed,
    Settled,
    Stopped,
    Undone,
    Withdrawn,
)
from scorer.game import Game
from scorer.lexicon import WordList
from scorer.placement import Placement
from scorer.rules import RuleSet
from scorer.tiles import TileSet, is_rack, is_tile

FORMAT, VERSION = "brettblick-game", 1


class _Codec(NamedTuple):
    """How one kind of field is written, and read with ValueError or TypeError for what it cannot be."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def _plain(kind: type) -> _Codec:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise TypeError
        return value

    return _Codec(lambda value: value, read)


def _or_null(codec: _Codec) -> _Codec:
    return _Codec(
        lambda value: None if value is None else codec.write(value),
        lambda value: None if value is None else codec.read(value),
    )


def _list_of(codec: _Codec) -> _Codec:
    def read(values: Any) -> tuple[Any, ...]:
        if not isinstance(values, list):
            raise TypeError
        return tuple(map(codec.read, values))

    return _Codec(lambda values: list(map(codec.write, values)), read)


def _checked(codec: _Codec, allowed: Callable[[Any], bool]) -> _Codec:
    def read(value: Any) -> Any:
        value = codec.read(value)
        if not allowed(value):
            raise ValueError
        return value

    return _Codec(codec.write, read)


def _read_seconds(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value < 1e9:
        raise ValueError
    return float(value)


def _read_square(value: Any) -> Square:
    row, col = value
    if type(row) is not int or type(col) is not int:
        raise TypeError
    return Square(row, col)


def _read_placement(value: Any) -> Placement:
    return Placement.of([(_read_square((row, col)), _TILE.read(tile)) for row, col, tile in value])


_INT, _TEXT, _YES = _plain(int), _plain(str), _plain(bool)
_TILE = _checked(_TEXT, is_tile)
_RACK = _checked(_TEXT, lambda text: text == "" or is_rack(text))
_SECONDS = _Codec(float, _read_seconds)
_SQUARE = _Codec(list, _read_square)
_PLACEMENT = _Codec(lambda placement: [[s.row, s.col, tile] for s, tile in placement.tiles], _read_placement)
_DRAWN = _Codec(list, lambda pair: (_INT.read(pair[0]), _TILE.read(pair[1])))
_WORD = _Codec(
    lambda word: {"word": word.word, "valid": word.valid, "source": word.source, "by": word.by},
    lambda data: ChallengedWord(
        _TEXT.read(data["word"]),
        _or_null(_YES).read(data["valid"]),
        _TEXT.read(data.get("source", "")),
        _TEXT.read(data.get("by", "")),
    ),
)
_REASON = _checked(_TEXT, lambda text: text in ("rack", "time", "challenge-bonus"))

_KINDS: Mapping[str, tuple[type, dict[str, _Codec]]] = {
    "drawn-for-first": (DrawnForFirst, {"tiles": _list_of(_DRAWN)}),
    "placed": (
        Placed,
        {
            "player": _INT,
            "placement": _PLACEMENT,
            "announced": _or_null(_INT),
            "agreed": _or_null(_INT),
            "theme_words": _list_of(_TEXT),
        },
    ),
    "passed": (Passed, {"player": _INT}),
    "exchanged": (Exchanged, {"player": _INT, "count": _or_null(_INT), "tiles": _RACK}),
    "nothing-laid": (NothingLaid, {"player": _INT}),
    "move-timed-out": (MoveTimedOut, {"player": _INT}),
    "noted": (Noted, {"ref": _INT}),
    "refilled": (Refilled, {"ref": _INT, "count": _INT, "tiles": _RACK}),
    "challenged": (
        Challenged,
        {"ref": _INT, "challengers": _list_of(_INT), "words": _list_of(_WORD), "seconds": _or_null(_SECONDS)},
    ),
    "withdrawn": (Withdrawn, {"ref": _INT, "player": _or_null(_INT)}),
    "challenge-rejected": (ChallengeRejected, {"player": _INT, "ref": _INT, "words": _INT}),
    "score-agreed": (ScoreAgreed, {"ref": _INT, "points": _INT, "unanimous": _YES}),
    "blank-named": (BlankNamed, {"square": _SQUARE, "letter": _TILE}),
    "blank-swapped": (BlankSwapped, {"player": _INT, "square": _SQUARE, "tile": _TILE}),
    "overtime": (Overtime, {"player": _INT, "seconds": _SECONDS}),
    "resigned": (Resigned, {"player": _INT}),
    "stopped": (Stopped, {}),
    "racks-shown": (RacksShown, {"racks": _list_of(_or_null(_RACK))}),
    "settled": (Settled, {"player": _INT, "points": _INT, "reason": _REASON}),
    "corrected": (Corrected, {"ref": _INT, "event": _or_null(_Codec(lambda e: event_to_json(e), lambda d: _inner(d)))}),
    "undone": (Undone, {}),
    "redone": (Redone, {}),
}
_NAMES = {kind: name for name, (kind, _) in _KINDS.items()}


def event_to_json(event: Event) -> dict[str, Any]:
    """An event as JSON values; ``event_from_json`` is the inverse."""
    name = _NAMES[type(event)]
    return {"kind": name} | {key: codec.write(getattr(event, key)) for key, codec in _KINDS[name][1].items()}


def event_from_json(data: Any) -> Event:
    """The event of a JSON object; NotationError that names the field for anything else."""
    if not isinstance(data, dict) or data.get("kind") not in list(_KINDS):
        kinds = ", ".join(_KINDS)
        raise NotationError(f"an event is an object with one of the kinds {kinds}", code="unknown-event", kinds=kinds)
    kind, codecs = _KINDS[data["kind"]]
    if unknown := set(data) - {"kind", *codecs}:
        field = sorted(unknown)[0]
        raise NotationError(
            f"{data['kind']}: unknown field {field!r}", code="unknown-field", kind=data["kind"], field=field
        )
    optional = {field.name for field in fields(kind) if field.default is not MISSING}
    values = {}
    for key, codec in codecs.items():
        if key not in data:
            if key in optional:
                continue
            raise NotationError(f"{data['kind']}: {key} is missing", code="field-missing", kind=data["kind"], field=key)
        try:
            values[key] = codec.read(data[key])
        except (TypeError, ValueError, LookupError, BrettblickError) as error:
            if isinstance(error, NotationError):
                raise
            raise NotationError(
                f"{data['kind']}: {key} cannot be {data[key]!r}",
                code="bad-field",
                kind=data["kind"],
                field=key,
                value=repr(data[key]),
            ) from error
    event: Event = kind(**values)
    return event


def _inner(data: Any) -> Event:
    """The event within a correction, which is none itself."""
    if isinstance(data, dict) and data.get("kind") == _NAMES[Corrected]:
        raise NotationError("a correction within a correction", code="nested-correction")
    return event_from_json(data)


def write_game(game: Game) -> str:
    """The game as JSON text; ``read_game`` is the inverse."""
    data = {
        "format": FORMAT,
        "version": VERSION,
        "players": list(game.players),
        "rules": game.rules.to_json(),
        "tiles": game.tile_set.to_json(),
        "word_lists": [one.to_json() for one in game.word_lists],
        "first_player": game.first_player,
        "score_keeper": game.score_keeper,
        "events": [event_to_json(event) for event in game.events],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def read_game(data: bytes | str) -> Game:
    """The game of a JSON text; NotationError that says where it is wrong, GameError or RuleError for players, rules and
    tiles that cannot be."""
    try:
        parsed = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise json_error(error, "this is no JSON: ") from error
    if not isinstance(parsed, dict) or parsed.get("format") != FORMAT:
        raise _no_game(NotationError(f"this is no game: {FORMAT!r} is missing", code="no-saved-game", format=FORMAT))
    if parsed.get("version") != VERSION:
        raise NotationError(
            f"version {parsed.get('version')!r} of this game file is unknown; known: {VERSION}",
            code="unknown-version",
            hint="A newer Brettblick may have written it: update.",
        )
    events, players = parsed.get("events"), parsed.get("players")
    if not isinstance(events, list) or not isinstance(players, list) or not all(type(p) is str for p in players):
        raise _no_game(NotationError("a game has a list of players and a list of events", code="no-game-lists"))
    read = []
    for number, event in enumerate(events, start=1):
        try:
            read.append(event_from_json(event))
        except NotationError as error:
            message = f"event {number}: {error.message}"
            raise NotationError(message, code="bad-entry", number=number, reason=error) from error
    first, keeper = parsed.get("first_player", 0), parsed.get("score_keeper")
    if type(first) is not int or not (keeper is None or type(keeper) is int):
        raise _no_game(NotationError("first_player and score_keeper are numbers of players", code="no-seat-numbers"))
    lists = parsed.get("word_lists", [])
    if not isinstance(lists, list):
        raise _no_game(NotationError(f"word_lists cannot be {lists!r}", code="no-word-list", value=repr(lists)))
    try:
        word_lists = tuple(map(WordList.from_json, lists))
    except NotationError as error:
        raise _no_game(error) from error
    rules, tiles = RuleSet.from_json(parsed.get("rules")), TileSet.from_json(parsed.get("tiles"))
    return Game(tuple(players), rules, tiles, tuple(read), first, keeper, word_lists)


def _no_game(reason: NotationError) -> NotationError:
    """The error of a whole file: its line is the first."""
    return NotationError(reason.message, code="bad-file", line=1, reason=reason)
