"""Reader for GCG, the record of international Scrabble programs, with the habits of those who write it.

Lines that start with ``#`` say something about the game, lines that start with ``>`` are its events:

    >nick: RACK 8D WORD +20 20      placement: coordinate, word, points, total
    >nick: RACK -ABC +0 20          exchange of these tiles, or of a number of tiles: -3
    >nick: RACK - +0 20             pass
    >nick: RACK -- -20 0            the placement before is taken back
    >nick: RACK (challenge) +5 25   bonus for a player challenged wrongly; negative: the challenger pays (German rules)
    >nick: (REST) +12 37            settlement: the rest of the other racks; negative: of the own rack
    >nick: RACK (time) -10 27       penalty of the clock

Racks may be missing, as may the plus sign and the total; what follows the total is a comment. Rows are numbered unless
the file says ``#orientation lettered-rows``, as German programs do.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from typing import NamedTuple

from scorer.errors import NotationError
from scorer.formats.text import Line, is_tile_count, line_error, naming_line, split_lines, whole_number
from scorer.game import MAX_PLAYERS, MIN_PLAYERS
from scorer.notation import MoveText, Notation, is_coordinate
from scorer.tiles import is_rack
from scorer.written import Action, NotationSource, WrittenGame, WrittenMove, standing

_ENCODING = re.compile(rb"\s*#character-encoding[ \t]+([\x21-\x7e]+)", re.IGNORECASE)
_PLAYER = re.compile(r"#player([0-9]+)\s+(\S+)(?:\s+(.*))?", re.IGNORECASE)
_EVENT = re.compile(r">\s*(\S+?)\s*:(?:\s+(.*))?")
_SIGNS = {"-": Action.PASS, "--": Action.CHALLENGE_UPHELD}
_BRACKETS = {"(challenge)": Action.CHALLENGE_BONUS, "(time)": Action.TIME_PENALTY}
_ORIENTATIONS = {"lettered-rows": Notation.GERMAN, "lettered-columns": Notation.INTERNATIONAL}


def read_gcg(data: bytes, name: str = "", notation: Notation | None = None) -> WrittenGame:
    """The game of a GCG file; NotationError with the line number and why when it is none.

    notation: how its coordinates are written, whatever the file says; None to take what it says
    """
    encoding = _ENCODING.match(data.removeprefix(codecs.BOM_UTF8))
    lines = split_lines(data, encoding[1].decode("ascii") if encoding else None)
    _refuse_stray_lines(lines)
    declared = _orientation(lines)
    read_as = notation or declared or Notation.INTERNATIONAL
    players = _players(lines)
    moves: list[WrittenMove] = []
    for line in lines:
        with naming_line(line.number):
            if (event := _event(line)) is not None:
                moves.append(_read_move(line.number, event, list(players), moves, read_as))
    if notation is not None:
        source = NotationSource.GIVEN
    else:
        source = NotationSource.ASSUMED if declared is None else NotationSource.DECLARED
    return WrittenGame(name, tuple(players.values()), tuple(moves), read_as, source)


def _refuse_stray_lines(lines: Sequence[Line]) -> None:
    """Every line is an event, a remark, empty, or goes on with a note."""
    in_note = False
    for number, text in lines:
        if text.startswith(("#", ">")):
            in_note = text.startswith("#note")
        elif text.strip() and not in_note:
            raise line_error(number, "neither an event (>) nor a remark (#)")


def _orientation(lines: Sequence[Line]) -> Notation | None:
    """What the file says about who is lettered, None when it says nothing."""
    for line in lines:
        words = line.text.lower().split()
        if words[:1] == ["#orientation"]:
            if len(words) != 2 or words[1] not in _ORIENTATIONS:
                raise line_error(line.number, f"unknown orientation; known: {', '.join(_ORIENTATIONS)}")
            return _ORIENTATIONS[words[1]]
    return None


def _players(lines: Sequence[Line]) -> dict[str, str]:
    """Full names by nick in the order of the seats: those of the header, or who moves in the order of the events.

    A record with a single player gets a second one without a name.
    """
    players: dict[str, str] = {}
    for line in lines:
        if line.text.lower().startswith("#player"):
            with naming_line(line.number):
                nick, full_name = _read_player(line.text, len(players) + 1)
                if nick in players:
                    raise NotationError(f"there was a player {nick!r} before")
                players[nick] = full_name
    declared = len(players) >= MIN_PLAYERS
    for line in lines:
        with naming_line(line.number):
            if (event := _event(line)) is not None and event.nick not in players:
                if declared:
                    raise NotationError(f"unknown player {event.nick!r}; players: {', '.join(players)}")
                if len(players) == MAX_PLAYERS:
                    raise NotationError(f"more than {MAX_PLAYERS} players")
                players[event.nick] = event.nick
    while len(players) < MIN_PLAYERS:
        players[f"?{len(players)}"] = "?"
    return players


def _read_player(text: str, expected: int) -> tuple[str, str]:
    """Nick and full name of ``#player1 nick full name``."""
    match = _PLAYER.fullmatch(text.strip())
    if match is None:
        raise NotationError("a player's line is '#player1 nick full name'")
    if match[1] != str(expected) or expected > MAX_PLAYERS:
        raise NotationError(f"player {match[1]} where player {expected} of at most {MAX_PLAYERS} is due")
    return match[2], match[3] or match[2]


class _Event(NamedTuple):
    nick: str
    words: list[str]


def _event(line: Line) -> _Event | None:
    """The parts of an event's line, None for other lines; NotationError when the nick is missing."""
    if not line.text.startswith(">"):
        return None
    match = _EVENT.fullmatch(line.text)
    if match is None:
        raise NotationError("an event starts with '>nick:'")
    return _Event(match[1], (match[2] or "").split())


def _read_move(
    line: int, event: _Event, nicks: list[str], before: Sequence[WrittenMove], notation: Notation
) -> WrittenMove:
    words = list(event.words)
    player = nicks.index(event.nick)
    rack = words.pop(0) if words and is_rack(words[0]) else ""
    if not words:
        raise NotationError("an event without what happened")
    action, move, tiles = _take_action(words, notation)
    if not words:
        raise NotationError("an event without points")
    points = whole_number(words.pop(0))
    total = whole_number(words[0]) if words else None
    ref = None
    if action is Action.CHALLENGE_UPHELD:
        ref = _last_standing(before, player)
    elif action is Action.CHALLENGE_BONUS and points < 0:
        action, ref = Action.CHALLENGE_REJECTED, _last_standing(before)
    return WrittenMove(
        number=len(before) + 1,
        line=line,
        player=player,
        action=action,
        points=points,
        totals=tuple(total if seat == player else None for seat in range(len(nicks))),
        move=move,
        ref=ref,
        tiles=tiles,
        rack=rack,
    )


def _take_action(words: list[str], notation: Notation) -> tuple[Action, MoveText | None, str]:
    """Takes from the words those that say what happened: the action, the written move, the tiles it is about."""
    first = words.pop(0)
    if is_coordinate(first):
        if not words:
            raise NotationError("a coordinate without a word")
        return Action.PLACE, MoveText.of(first, words.pop(0), notation), ""
    if first in _SIGNS:
        return _SIGNS[first], None, ""
    if first.lower() in _BRACKETS:
        return _BRACKETS[first.lower()], None, ""
    if first.startswith("-") and (is_rack(first[1:]) or is_tile_count(first[1:])):
        return Action.EXCHANGE, None, first[1:]
    if first.startswith("(") and first.endswith(")") and (first == "()" or is_rack(first[1:-1])):
        return Action.RACK_SETTLEMENT, None, first[1:-1]
    raise NotationError(f"{first!r} is neither a coordinate nor an exchange, a pass or a settlement")


def _last_standing(moves: Sequence[WrittenMove], player: int | None = None) -> int:
    """Number of the last placement that stands, of this player or of any; NotationError when there is none."""
    numbers = [place.number for place in standing(moves).values() if player in (None, place.player)]
    if not numbers:
        raise NotationError("there is no placement to challenge")
    return numbers[-1]
