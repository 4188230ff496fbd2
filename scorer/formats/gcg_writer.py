"""Writer for GCG, see ``scorer.formats.gcg``: what other programs read, and the rest in notes.

Other programs were looked at: Macondo (Woogles) refuses a file with a line it does not know, except behind a note, and
with a remark on the game behind an event; it wants a rack in most events. Quackle passes over what it does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from scorer.board import Board, Square
from scorer.formats import gcg_remarks as remarks
from scorer.formats.gcg import TEXT_PRAGMAS, clean_nick, unique_nicks
from scorer.formats.text import clean_line, clean_text, clean_word
from scorer.game import MIN_PLAYERS
from scorer.notation import Notation
from scorer.tiles import BLANK, is_blank, is_rack
from scorer.written import (
    CHALLENGES,
    Action,
    NotationSource,
    Settlement,
    WrittenGame,
    WrittenMove,
    is_debit,
    refuse_unwritable,
    with_settlement,
)

_TAKEN = (Action.CHALLENGE_UPHELD, Action.CHALLENGE_REJECTED, Action.TIME_PENALTY)
"""Events whose points are written with a minus, nought too."""


def write_gcg(game: WrittenGame, notation: Notation | None = None, settlement: Settlement | None = None) -> str:
    """The game as the text of a GCG file, to be stored as UTF-8.

    notation:   of the coordinates, international by default: other programs know no other
    settlement: custom in which the rest of the racks is written; None: as recorded
    Where a rack is not known, the tiles laid or exchanged stand for it, since other programs demand one; that, and what
    else GCG has no words for, is said in notes, see ``gcg_remarks``. Moves are numbered anew. NotationError for moves
    that no file can hold.
    """
    refuse_unwritable(game.moves)
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
        lines += _note_lines(text) if name == "note" else [f"#{clean_word(name)} {clean_line(text)}".rstrip()]
    events = _written_events(game, nicks, notation or Notation.INTERNATIONAL)
    about_game = [f"#note {remark}" for remark in _remarks_on_game(game, notation, events)]
    for index, event in enumerate(events):
        lines += [*event.before, event.line, *(about_game if index == 0 else ()), *event.after]
    lines += [f"#rack{seat} {rack}" for seat, rack in enumerate(game.racks, start=1) if rack]
    return "\n".join(lines) + "\n"


def _written_nicks(game: WrittenGame) -> list[str]:
    """The nicks of the game, or nicks made from the names."""
    return unique_nicks(map(clean_nick, game.nicks if len(game.nicks) == len(game.players) else game.players))


def _note_lines(note: str) -> list[str]:
    """The lines of a note: ``#note`` before the first, and before those that would be taken for something else."""
    text = clean_text(note)
    lines = map(remarks.escaped, text.split("\n")) if text else ()
    return [
        line if index and not line.startswith(("#", ">")) else f"#note {line}".rstrip()
        for index, line in enumerate(lines)
    ]


class _WrittenEvent(NamedTuple):
    """The lines of an event, and what stands in it that was not recorded.

    before, after: notes
    rack:          whether it shows a rack; invented: whether that rack is only what the move itself shows
    no_letter:     whether the letter of a blank is not known
    """

    before: list[str]
    line: str
    after: list[str]
    rack: bool
    invented: bool
    no_letter: bool


def _written_events(game: WrittenGame, nicks: Sequence[str], notation: Notation) -> list[_WrittenEvent]:
    events: list[_WrittenEvent] = []
    numbers = {move.number: number for number, move in enumerate(game.moves, start=1)}
    laid = _laid_tiles(game.moves)
    places: dict[int | None, WrittenMove] = {}
    for move in game.moves:
        challenged = places[move.ref] if move.action in CHALLENGES else None
        before, after = _remarks_on_event(move, challenged, places, numbers, nicks)
        seat = challenged.player if challenged and move.action is Action.CHALLENGE_UPHELD else move.player
        rack = move.rack or _known_tiles(move, challenged, laid)
        total = "" if move.totals[seat] is None else f" {move.totals[seat]}"
        events.append(
            _WrittenEvent(
                before=[f"#note {remark}" for remark in before],
                line=f">{nicks[seat]}: {rack} {_what(move, notation)} {_points(move)}{total}",
                after=[f"#note {remark}" for remark in after] + _note_lines(move.note),
                rack=bool(rack),
                invented=rack != move.rack,
                no_letter=move.move is not None and any(mark.tile == BLANK for mark in move.move.marks),
            )
        )
        if move.action is Action.PLACE:
            places[move.number] = move
        elif move.action is Action.CHALLENGE_UPHELD:
            del places[move.ref]
    return events


def _what(move: WrittenMove, notation: Notation) -> str:
    """What happened, as an event says it."""
    match move.action:
        case Action.PLACE:
            return move.move.text(notation) if move.move else ""
        case Action.PASS:
            return "-"
        case Action.EXCHANGE:
            return f"-{move.tiles}"
        case Action.CHALLENGE_UPHELD:
            return "--"
        case Action.CHALLENGE_REJECTED | Action.CHALLENGE_BONUS:
            return "(challenge)"
        case Action.TIME_PENALTY:
            return "(time)"
        case Action.RACK_SETTLEMENT:
            return f"({move.tiles})"


def _points(move: WrittenMove) -> str:
    """The points with their sign, a minus for nought that is taken."""
    taken = move.action in _TAKEN or (move.action is Action.RACK_SETTLEMENT and is_debit(move))
    return "-0" if taken and not move.points else f"{move.points:+d}"


def _remarks_on_event(
    move: WrittenMove,
    challenged: WrittenMove | None,
    places: Mapping[int | None, WrittenMove],
    numbers: Mapping[int, int],
    nicks: Sequence[str],
) -> tuple[list[str], list[str]]:
    """What has to be said before the event and behind it, so that it is read as it is meant."""
    if move.action is Action.EXCHANGE and not move.tiles:
        return [], [remarks.exchange_of_unknown_size()]
    if challenged is None:
        return [], []
    if move.action is Action.CHALLENGE_REJECTED:
        last = challenged is [*places.values()][-1]
        return [remarks.challenge_rejected(None if last else numbers[challenged.number])], []
    after = []
    if challenged is not [place for place in places.values() if place.player == challenged.player][-1]:
        after.append(remarks.takes_back(numbers[challenged.number]))
    if move.player != challenged.player:
        after.append(remarks.challenged_by(nicks[move.player]))
    return [], after


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


def _known_tiles(move: WrittenMove, challenged: WrittenMove | None, laid: Mapping[int, str]) -> str:
    """What the record shows of a rack that it does not give."""
    match move.action:
        case Action.PLACE:
            return laid[move.number]
        case Action.CHALLENGE_UPHELD if challenged is not None:
            return challenged.rack or laid[challenged.number]
        case Action.EXCHANGE:
            return move.tiles if is_rack(move.tiles) else ""
        case Action.RACK_SETTLEMENT:
            return move.tiles if is_debit(move) else ""
    return ""


def _remarks_on_game(game: WrittenGame, notation: Notation | None, events: Sequence[_WrittenEvent]) -> Iterator[str]:
    assumed = game.notation_source is NotationSource.ASSUMED
    if notation is Notation.GERMAN and assumed:
        yield remarks.who_is_lettered_assumed()
    if notation is not Notation.GERMAN and not assumed:
        yield remarks.columns_are_lettered()
    if len(game.players) > MIN_PLAYERS:
        yield remarks.players(len(game.players))
    numbered = list(enumerate(events, start=1))
    if invented := [number for number, event in numbered if event.invented]:
        yield remarks.racks_unknown(invented, every=len(invented) == sum(event.rack for event in events))
    if no_letter := [number for number, event in numbered if event.no_letter]:
        yield remarks.blanks_unknown(no_letter)
