"""GCG, the record of international Scrabble programs: reader, with the habits of those who write it.

Lines that start with ``#`` say something about the game, lines that start with ``>`` are its events:

    >nick: RACK 8D WORD +20 20      placement: coordinate, word, points, total
    >nick: RACK -ABC +0 20          exchange of these tiles, or of a number of tiles: -3
    >nick: RACK - +0 20             pass
    >nick: RACK -- -20 0            the placement before is taken back
    >nick: RACK (challenge) +5 25   bonus for a player challenged wrongly; negative: the challenger pays (German rules)
    >nick: (REST) +12 37            settlement: the rest of the other racks
    >nick: REST (REST) -12 25       settlement: the rest of the own rack
    >nick: RACK (time) -10 27       penalty of the clock

Racks may be missing, as may the plus sign and the total; what follows the total is a comment, the first line of the
note. Rows are numbered unless the file says ``#orientation lettered-rows``, as German programs do. What a file says
about the game may stand anywhere.
"""

from __future__ import annotations

import codecs
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from scorer.errors import NotationError, line_error
from scorer.formats import gcg_remarks as remarks
from scorer.formats.gcg_remarks import EventRemarks, Remarks
from scorer.formats.text import (
    Line,
    clean_line,
    clean_text,
    clean_word,
    is_tile_count,
    naming_line,
    split_lines,
    whole_number,
)
from scorer.game import MAX_PLAYERS, MIN_PLAYERS
from scorer.notation import MoveText, Notation, is_coordinate
from scorer.tiles import is_rack
from scorer.written import Action, NotationSource, Pragma, WrittenGame, WrittenMove, challenged_move

_ENCODING = re.compile(rb"\s*#character-encoding[ \t]+([\x21-\x7e]+)", re.IGNORECASE)
_PLAYER = re.compile(r"player([0-9]*)", re.IGNORECASE | re.ASCII)
_RACK = re.compile(r"rack([0-9])", re.IGNORECASE | re.ASCII)
_EVENT = re.compile(r">\s*(\S+?)\s*:(?:\s+(.*))?")
_SIGNS = {"-": Action.PASS, "-0": Action.PASS, "--": Action.CHALLENGE_UPHELD}
_BRACKETS = {"(challenge)": Action.CHALLENGE_BONUS, "(time)": Action.TIME_PENALTY}
_ORIENTATIONS = {"lettered-rows": Notation.GERMAN, "lettered-columns": Notation.INTERNATIONAL}
TEXT_PRAGMAS = ("title", "description", "lexicon", "id", "tile-distribution")
"""Pragmas that are a line of text and a field of the game."""
_ENOUGH_EVENTS = 4
"""So many events under one nick, with totals that only two players can have, are no slip of the pen."""


def read_gcg(data: bytes, name: str = "", notation: Notation | None = None) -> WrittenGame:
    """The game of a GCG file; NotationError with the line number and why when it is none.

    notation: how its coordinates are written, whatever the file says; None to take what it says
    """
    encoding = _ENCODING.match(data.removeprefix(codecs.BOM_UTF8))
    file = _File()
    for line in _logical_lines(split_lines(data, encoding[1].decode("ascii") if encoding else None)):
        file.take(line)
    declared = _orientation(file.pragmas)
    if declared is None and file.remarks.columns_lettered:
        declared = Notation.INTERNATIONAL
    read_as = notation or declared or Notation.INTERNATIONAL
    players = _players(file)
    events = [_read_event(event, players, read_as) for event in file.events]
    seats, inferred = _seats(events, players)
    moves: list[WrittenMove] = []
    for event, seat in zip(events, seats, strict=True):
        with naming_line(event.source.line):
            moves.append(_move(event, seat, players, moves, file.remarks))
    known = declared is not None and not file.remarks.assumed
    source = NotationSource.DECLARED if known else NotationSource.ASSUMED
    return _with_pragmas(
        WrittenGame(
            name=name,
            players=tuple(player.name for player in players),
            moves=tuple(moves),
            notation=read_as,
            notation_source=NotationSource.GIVEN if notation else source,
            nicks=tuple(unique_nicks(player.nick for player in players)),
            seats_inferred=inferred,
        ),
        file.pragmas,
    )


def _logical_lines(lines: Sequence[Line]) -> Iterator[Line]:
    """The remarks (#) and events (>), a note with all its lines, other remarks with those that continue them (#-)."""
    current: Line | None = None
    for number, text in lines:
        remark = current is not None and current.text.startswith("#")
        note = remark and current is not None and _pragma(current.text)[0].lower() == "note"
        if current is not None and remark and _pragma(text)[0] == "-":
            current = Line(current.number, current.text + ("\n" if note else " ") + _pragma(text)[1])
        elif text.startswith(("#", ">")):
            if current is not None:
                yield current
            current = Line(number, text)
        elif current is not None and note:
            current = Line(current.number, f"{current.text}\n{text}")
        elif text.strip():
            raise line_error(number, NotationError("neither an event (>) nor a remark (#)", code="no-event"))
    if current is not None:
        yield current


def _pragma(text: str) -> tuple[str, str]:
    """Name and text of a remark; empty for another line."""
    if not text.startswith("#"):
        return "", ""
    name, *rest = re.split(r"\s+", text[1:], maxsplit=1)
    return name, "".join(rest)


class _PragmaLine(NamedTuple):
    line: int
    name: str
    text: str


@dataclass
class _EventLine:
    """An event's line with the lines of its note and what our writer added to them."""

    line: int
    nick: str
    words: list[str]
    note: list[str] = field(default_factory=list)
    remarks: EventRemarks = field(default_factory=EventRemarks)


@dataclass
class _File:
    """The lines of a file, sorted: what is said of the game, and its events.

    following: what is said of the event to come
    """

    pragmas: list[_PragmaLine] = field(default_factory=list)
    events: list[_EventLine] = field(default_factory=list)
    remarks: Remarks = field(default_factory=Remarks)
    following: EventRemarks = field(default_factory=EventRemarks)

    def take(self, line: Line) -> None:
        """Sorts in one more line."""
        if line.text.startswith(">"):
            match = _EVENT.fullmatch(line.text)
            if match is None:
                raise line_error(line.number, NotationError("an event starts with '>nick:'", code="event-start"))
            self.events.append(
                _EventLine(line.number, clean_nick(match[1]), (match[2] or "").split(), remarks=self.following)
            )
            self.following = EventRemarks()
            return
        name, text = _pragma(line.text)
        if name.lower() == "note":
            self._take_note(line.number, text)
        else:
            # a line that goes on with a remark is none of its own, wherever it stands
            self.pragmas.append(_PragmaLine(line.number, "" if name == "-" else clean_word(name), clean_line(text)))

    def _take_note(self, number: int, text: str) -> None:
        about = self.events[-1].remarks if self.events else EventRemarks()
        kept = [
            remarks.unescaped(line)
            for line in map(clean_text, text.split("\n"))
            if not remarks.take_remark(line, self.remarks, about, self.following)
        ]
        if self.events:
            self.events[-1].note += kept
        elif self.pragmas and self.pragmas[-1].name == "note":
            self.pragmas[-1] = self.pragmas[-1]._replace(text="\n".join([self.pragmas[-1].text, *kept]))
        else:
            self.pragmas.append(_PragmaLine(number, "note", "\n".join(kept)))


def clean_nick(text: str) -> str:
    """A nick without blanks and colons."""
    return clean_word(text.replace(":", " ")) or "?"


def unique_nicks(nicks: Iterable[str]) -> list[str]:
    """The nicks; one that came before gets a number."""
    unique: list[str] = []
    for seat, nick in enumerate(nicks, start=1):
        candidates = itertools.chain([nick], (f"{nick}{number}" for number in itertools.count(seat)))
        unique.append(next(candidate for candidate in candidates if candidate not in unique))
    return unique


def _orientation(pragmas: Iterable[_PragmaLine]) -> Notation | None:
    """What the file says about who is lettered, None when it says nothing."""
    for line, name, text in pragmas:
        if name.lower() == "orientation":
            if text.lower() not in _ORIENTATIONS:
                known = ", ".join(_ORIENTATIONS)
                raise line_error(
                    line,
                    NotationError(
                        f"unknown orientation; known: {known}", code="unknown-orientation", text=text, known=known
                    ),
                )
            return _ORIENTATIONS[text.lower()]
    return None


class _Player(NamedTuple):
    nick: str
    name: str


def _players(file: _File) -> list[_Player]:
    """The players by seat: those of the header, or who moves in the order of the events.

    A record with a single player gets a second one without a name. Two players may have one nick, if they are all.
    """
    players: list[_Player] = []
    for line, name, text in file.pragmas:
        if (match := _PLAYER.fullmatch(name)) is not None:
            with naming_line(line):
                player = _read_player(match[1], text, len(players) + 1)
                if len(players) > 1 and player.nick in [other.nick for other in players]:
                    raise NotationError(
                        f"there was a player {player.nick!r} before", code="nick-twice", nick=player.nick
                    )
                players.append(player)
    declared = len(players) >= MIN_PLAYERS
    for event in file.events:
        nicks = [player.nick for player in players]
        if event.nick not in nicks:
            if declared:
                raise line_error(event.line, _no_such_player(event.nick, nicks))
            if len(players) == MAX_PLAYERS:
                raise line_error(
                    event.line,
                    NotationError(f"more than {MAX_PLAYERS} players", code="too-many-players", most=MAX_PLAYERS),
                )
            players.append(_Player(event.nick, event.nick))
    while len(players) < MIN_PLAYERS:
        players.append(_Player(f"?{len(players)}", "?"))
    return players


def _no_such_player(nick: str, nicks: Sequence[str]) -> NotationError:
    players = ", ".join(nicks)
    return NotationError(
        f"unknown player {nick!r}; players: {players}", code="no-such-name", text=nick, players=players
    )


def _read_player(number: str, text: str, expected: int) -> _Player:
    """Nick and full name of ``#player1 nick full name``."""
    nick, _, full_name = text.partition(" ")
    if not number or not nick:
        raise NotationError("a player's line is '#player1 nick full name'", code="player-line")
    if number != str(expected) or expected > MAX_PLAYERS:
        raise NotationError(
            f"player {number} where player {expected} of at most {MAX_PLAYERS} is due",
            code="player-order",
            number=number,
            most=MAX_PLAYERS,
        )
    return _Player(clean_nick(nick), full_name or clean_nick(nick))


@dataclass
class _Event:
    """What an event's line says, before it is known whose it is."""

    source: _EventLine
    action: Action
    move: MoveText | None
    tiles: str
    rack: str
    points: int
    total: int | None
    note: str


def _read_event(source: _EventLine, players: Sequence[_Player], notation: Notation) -> _Event:
    with naming_line(source.line):
        words = list(source.words)
        rack = words.pop(0) if words and is_rack(words[0]) else ""
        if not words:
            raise NotationError("an event without what happened", code="no-action")
        action, move, tiles = _take_action(words, notation)
        if not words:
            raise NotationError("an event without points", code="no-points")
        points = whole_number(words.pop(0))
        total = whole_number(words.pop(0)) if words else None
        note = clean_text("\n".join([" ".join(words), *source.note]))
        return _Event(source, action, move, tiles, rack, points, total, note)


def _take_action(words: list[str], notation: Notation) -> tuple[Action, MoveText | None, str]:
    """Takes from the words those that say what happened: the action, the written move, the tiles it is about."""
    first = words.pop(0)
    if is_coordinate(first):
        if not words:
            raise NotationError("a coordinate without a word", code="no-word")
        return Action.PLACE, MoveText.of(first, words.pop(0), notation), ""
    if first in _SIGNS:
        return _SIGNS[first], None, ""
    if first.lower() in _BRACKETS:
        return _BRACKETS[first.lower()], None, ""
    if first.startswith("-") and (is_rack(first[1:]) or is_tile_count(first[1:])):
        return Action.EXCHANGE, None, first[1:]
    if first.startswith("(") and first.endswith(")") and (first == "()" or is_rack(first[1:-1])):
        return Action.RACK_SETTLEMENT, None, first[1:-1]
    raise NotationError(
        f"{first!r} is neither a coordinate nor an exchange, a pass or a settlement", code="unknown-action", text=first
    )


def _seats(events: Sequence[_Event], players: Sequence[_Player]) -> tuple[list[int], bool]:
    """Whose event each is, and whether that had to be inferred.

    Some files name one of two players in every line. Where the totals are those of two players who take turns, and
    cannot be those of one, they tell who it was; the first event is taken to be the first player's.
    """
    nicks = [player.nick for player in players]
    seats = [nicks.index(event.source.nick) for event in events]
    if len(players) != MIN_PLAYERS or len(set(seats)) > 1:
        return seats, False
    one_nick = len(set(nicks)) == 1
    taking_turns, misfits = _taking_turns(events)
    if one_nick and misfits > len(events) // 4:
        raise line_error(
            events[0].source.line,
            NotationError(
                f"both players are {nicks[0]!r}, and the totals do not tell whose", code="whose-turn", nick=nicks[0]
            ),
        )
    sure = len(events) >= _ENOUGH_EVENTS and misfits <= len(events) // 8 and 2 * misfits < _misfits_of_one(events)
    if not (one_nick or sure):
        return seats, False
    return taking_turns, True


def _taking_turns(events: Sequence[_Event]) -> tuple[list[int], int]:
    """The seats of two players who take turns, and how many totals disagree with that: a slip or two people make.

    What is no turn is of the player whose total fits: of two, of who has just moved.
    """
    totals, seats, due, misfits = [0, 0], [], 0, 0
    for event in events:
        fitting = [seat for seat in (1 - due, due) if totals[seat] + event.points == event.total]
        seat = due if event.action.is_turn else (fitting or [1 - due])[0]
        misfits += event.total is None or seat not in fitting
        totals[seat] = totals[seat] + event.points if event.total is None else event.total
        due = 1 - due if event.action.is_turn else due
        seats.append(seat)
    return seats, misfits


def _misfits_of_one(events: Sequence[_Event]) -> int:
    """How many totals are not the one before and the points."""
    before = [0, *(event.total for event in events)]
    return sum(
        total is None or total + event.points != event.total for total, event in zip(before, events, strict=False)
    )


def _move(
    event: _Event, seat: int, players: Sequence[_Player], before: Sequence[WrittenMove], game: Remarks
) -> WrittenMove:
    number, about, action = len(before) + 1, event.source.remarks, event.action
    player, ref = seat, None
    if action is Action.CHALLENGE_UPHELD:
        ref = challenged_move(before, about.takes_back, seat)
        if about.by:
            nicks = [player.nick for player in players]
            if about.by not in nicks:
                raise _no_such_player(about.by, nicks)
            player = nicks.index(about.by)
    elif action is Action.CHALLENGE_BONUS and (event.points < 0 or about.rejected):
        action, ref = Action.CHALLENGE_REJECTED, challenged_move(before, about.stands)
    elif action is Action.PASS and about.exchange:
        action = Action.EXCHANGE
    return WrittenMove(
        number=number,
        line=event.source.line,
        player=player,
        action=action,
        points=event.points,
        totals=tuple(event.total if other == seat else None for other in range(len(players))),
        move=event.move,
        ref=ref,
        tiles=event.tiles,
        rack=event.rack if game.has_rack(number) else "",
        note=event.note,
    )


def _with_pragmas(game: WrittenGame, pragmas: Iterable[_PragmaLine]) -> WrittenGame:
    """The game with what the file says about it; of what it says twice, the second is one of the other pragmas."""
    texts: dict[str, str] = {}
    racks = [""] * len(game.players)
    incomplete: str | None = None
    others: list[Pragma] = []
    for _, name, text in pragmas:
        known = name.lower()
        seat = int(match[1]) - 1 if (match := _RACK.fullmatch(known)) else -1
        tiles = text.replace(" ", "")
        if known in ("character-encoding", "orientation") or _PLAYER.fullmatch(known):
            continue
        if known in TEXT_PRAGMAS and not texts.get(known):
            texts[known] = text
        elif known == "incomplete" and incomplete is None:
            incomplete = text
        elif 0 <= seat < len(racks) and not racks[seat] and is_rack(tiles):
            racks[seat] = tiles
        elif known != "note" or clean_text(text):
            others.append(Pragma(name, clean_text(text)))
    return replace(
        game,
        title=texts.get("title", ""),
        description=texts.get("description", ""),
        lexicon=texts.get("lexicon", ""),
        id=texts.get("id", ""),
        tile_set=texts.get("tile-distribution", ""),
        incomplete=incomplete,
        racks=tuple(racks) if any(racks) else (),
        pragmas=tuple(others),
    )
