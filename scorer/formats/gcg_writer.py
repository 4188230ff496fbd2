"""Writer for GCG, see ``scorer.formats.gcg``: what other programs read, and the rest in notes.

Other programs were looked at: Macondo (Woogles) refuses a file with a line it does not know, except behind a note, and
with a remark on the game behind an event; it wants a rack in most events. Quackle passes over what it does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from scorer.board import Board, Square
from scorer.errors import NotationError
from scorer.formats import gcg_remarks as remarks
from scorer.formats.gcg import TEXT_PRAGMAS, clean_nick, unique_nicks
from scorer.formats.text import clean_line, clean_text
from scorer.game import MIN_PLAYERS
from scorer.notation import Notation
from scorer.tiles import BLANK, is_blank, is_rack
from scorer.written import (
    Action,
    NotationSource,
    Settlement,
    WrittenGame,
    WrittenMove,
    is_debit,
    with_settlement,
)

_TAKEN = (Action.CHALLENGE_UPHELD, Action.CHALLENGE_REJECTED, Action.TIME_PENALTY)
"""Events whose points are written with a minus, nought too."""


def write_gcg(game: WrittenGame, notation: Notation | None = None, settlement: Settlement | None = None) -> str:
    """The game as the text of a GCG file, to be stored as UTF-8.

    notation:   of the coordinates, international by default: other programs know no other
    settlement: custom in which the rest of the racks is written; None: as recorded
    Where a rack is not known, the tiles laid or exchanged stand for it, since other programs demand one; that, and what
    else GCG has no words for, is said in notes, see ``gcg_remarks``. Moves are numbered anew. NotationError for a
    challenge of a move that does not stand.
    """
    if settlement is not None:
        game = with_settlement(game, settlement)
    nicks = _written_nicks(game)
    texts = (game.title, game.description, game.lexicon, game.id, game.tile_set)
    lines = ["#character-encoding UTF-8"]
    lines += [
        f"#player{seat} {nick} {clean_line(name) or nick}"
        for seat, (nick, name) in enumerate(zip(nicks, game.players, strict=True), start=1)
    ]
    lines += [f"#{name} {clean_line(text)}" for name, text in zip(TEXT_PRAGMAS, texts, strict=True) if clean_line(text)]
    if notation is Notation.GERMAN:
        lines.append("#orientation lettered-rows")
    if game.incomplete is not None:
        lines.append(f"#incomplete {clean_line(game.incomplete)}".rstrip())
    for name, text in game.pragmas:
        lines += _note_lines(text) if name == "note" else [f"#{_pragma_name(name)} {clean_line(text)}".rstrip()]
    events = _written_events(game, nicks, notation or Notation.INTERNATIONAL)
    about_game = [f"#note {remark}" for remark in _remarks_on_game(game, notation, events)]
    for index, event in enumerate(events):
        lines += [*event.before, event.line, *(about_game if index == 0 else ()), *event.after]
    lines += [f"#rack{seat} {rack}" for seat, rack in enumerate(game.racks, start=1) if rack]
    return "\n".join(lines) + "\n"


def _written_nicks(game: WrittenGame) -> list[str]:
    """The nicks of the game, or nicks made from the names."""
    return unique_nicks(map(clean_nick, game.nicks if len(game.nicks) == len(game.players) else game.players))


def _pragma_name(name: str) -> str:
    """The name without blanks; that of a remark on nothing in particular is empty."""
    return clean_nick(name) if clean_line(name) else ""


def _note_lines(note: str) -> list[str]:
    """The lines of a note: ``#note`` before the first, and before those that would be taken for something else."""
    text = clean_text(note)
    lines = map(remarks.escaped, text.split("\n")) if text else ()
    return [
        line if index and not line.startswith(("#", ">")) else f"#note {line}".rstrip()
        for index, line in enumerate(lines)
    ]


class _WrittenEvent(NamedTuple):
    """The lines of an event, and what it had to leave out.

    before, after: notes; no_rack: the rack it shows was not recorded; no_letter: a blank's letter was not
    """

    before: list[str]
    line: str
    after: list[str]
    rack: bool
    no_rack: bool
    no_letter: bool


def _written_events(game: WrittenGame, nicks: Sequence[str], notation: Notation) -> list[_WrittenEvent]:
    events: list[_WrittenEvent] = []
    numbers: dict[int, int] = {}
    places: dict[int, WrittenMove] = {}
    laid = _laid_tiles(game.moves)
    for number, move in enumerate(game.moves, start=1):
        before: list[str] = []
        after: list[str] = []
        seat, rack, no_letter = move.player, move.rack or _rack_of(move, laid), False
        match move.action:
            case Action.PLACE:
                if move.move is None:
                    raise NotationError(f"move {move.number} is a placement without a word", code="bad-move")
                what = move.move.text(notation)
                no_letter = any(mark.tile == BLANK for mark in move.move.marks)
                places[move.number] = move
            case Action.PASS:
                what = "-"
            case Action.EXCHANGE:
                what = f"-{move.tiles}"
                after += [] if move.tiles else [remarks.exchange_of_unknown_size()]
            case Action.CHALLENGE_UPHELD:
                challenged = _challenged(move, places, move.player if move.ref is None else None)
                what, seat = "--", challenged.player
                rack = rack or challenged.rack or laid[challenged.number]
                if challenged is not _last(places, seat):
                    after.append(remarks.takes_back(numbers[challenged.number]))
                if move.player != seat:
                    after.append(remarks.challenged_by(nicks[move.player]))
                del places[challenged.number]
            case Action.CHALLENGE_REJECTED:
                challenged = _challenged(move, places)
                what = "(challenge)"
                last = challenged is _last(places)
                before.append(remarks.challenge_rejected(None if last else numbers[challenged.number]))
            case Action.CHALLENGE_BONUS:
                what = "(challenge)"
            case Action.TIME_PENALTY:
                what = "(time)"
            case Action.RACK_SETTLEMENT:
                what = f"({move.tiles})"
        numbers[move.number] = number
        minus = move.action in _TAKEN or (move.action is Action.RACK_SETTLEMENT and is_debit(move))
        points = f"-{abs(move.points)}" if minus and move.points <= 0 else f"{move.points:+d}"
        total = "" if move.totals[seat] is None else f" {move.totals[seat]}"
        events.append(
            _WrittenEvent(
                before=[f"#note {remark}" for remark in before],
                line=f">{nicks[seat]}: {rack} {what} {points}{total}",
                after=[f"#note {remark}" for remark in after] + _note_lines(move.note),
                rack=bool(rack),
                no_rack=bool(rack) and not move.rack,
                no_letter=no_letter,
            )
        )
    return events


def _laid_tiles(moves: Iterable[WrittenMove]) -> dict[int, str]:
    """The new tiles of each placement, a blank as ``?``, by its number."""
    board = Board.empty()
    squares: dict[int, tuple[Square, ...]] = {}
    laid: dict[int, str] = {}
    for move in moves:
        if move.move is not None:
            tiles = move.move.resolve(board).placement.fitting(board)
            board = board.placed(tiles)
            squares[move.number] = tuple(tiles)
            laid[move.number] = "".join(BLANK if is_blank(tile) else tile for tile in tiles.values())
        elif move.action is Action.CHALLENGE_UPHELD and move.ref is not None:
            board = board.removed(squares.pop(move.ref, ()))
    return laid


def _rack_of(move: WrittenMove, laid: Mapping[int, str]) -> str:
    """What of an unknown rack the move itself shows."""
    if move.action is Action.PLACE:
        return laid[move.number]
    own = move.action is Action.EXCHANGE or (move.action is Action.RACK_SETTLEMENT and is_debit(move))
    return move.tiles if own and is_rack(move.tiles) else ""


def _challenged(move: WrittenMove, places: Mapping[int, WrittenMove], player: int | None = None) -> WrittenMove:
    """The standing placement a challenge is about; where it does not say, the last one of the player, or of any."""
    challenged = _last(places, player) if move.ref is None else places.get(move.ref)
    if challenged is None:
        raise NotationError(
            f"move {move.number} challenges {move.ref or 'a move'}, which is no placement that stands", code="bad-move"
        )
    return challenged


def _last(places: Mapping[int, WrittenMove], player: int | None = None) -> WrittenMove | None:
    """The last standing placement of a player, or of any."""
    return next((place for place in reversed([*places.values()]) if player in (None, place.player)), None)


def _remarks_on_game(game: WrittenGame, notation: Notation | None, events: Sequence[_WrittenEvent]) -> Iterator[str]:
    assumed = game.notation_source is NotationSource.ASSUMED
    if notation is Notation.GERMAN and assumed:
        yield remarks.who_is_lettered_assumed()
    if notation is not Notation.GERMAN and not assumed:
        yield remarks.columns_are_lettered()
    if len(game.players) > MIN_PLAYERS:
        yield remarks.players(len(game.players))
    numbered = list(enumerate(events, start=1))
    if no_rack := [number for number, event in numbered if event.no_rack]:
        yield remarks.racks_unknown(no_rack, every=len(no_rack) == sum(event.rack for event in events))
    if no_letter := [number for number, event in numbered if event.no_letter]:
        yield remarks.blanks_unknown(no_letter)
