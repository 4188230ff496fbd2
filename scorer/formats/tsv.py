"""The tab-separated record of a game: a line a move, German notation, the totals of all players in every line.

Columns: ``move``, ``player`` (from 1), ``action``, ``coord``, ``tiles``, ``points``, ``ref``, ``total_1``, ``total_2``
and further totals for a third and fourth player, empty where they were not recorded. Actions are the values of
``scorer.written.Action``. In ``challenge-upheld`` the player is the challenger, ``ref`` the move taken back, and
``points`` what its player loses. A word has one character for each square: ``.`` for a tile that lay there, ``_`` for a
blank of unknown letter. Names, racks, notes and the letters of tiles that lay there have no place in the format.
"""

from __future__ import annotations

from scorer.errors import NotationError, line_error
from scorer.formats.cells import moved_tiles
from scorer.formats.text import Line, naming_line, split_lines, whole_number
from scorer.game import MAX_PLAYERS, MIN_PLAYERS
from scorer.notation import Coordinate, MoveText, Notation, format_coordinate
from scorer.tiles import BLANK
from scorer.written import (
    CHALLENGES,
    Action,
    NotationSource,
    WrittenGame,
    WrittenMove,
    challenged_move,
    refuse_unwritable,
)

COLUMNS = ("move", "player", "action", "coord", "tiles", "points", "ref")
"""The columns before the totals."""

_HEADERS = {
    (*COLUMNS, *(f"total_{n + 1}" for n in range(count))): count for count in range(MIN_PLAYERS, MAX_PLAYERS + 1)
}


def read_tsv(data: bytes, name: str = "", notation: Notation | None = None) -> WrittenGame:
    """The game of a tab-separated record; NotationError with the line number and why when it is none.

    notation: how its coordinates are written, when it is not the German way of the format
    """
    lines = [line for line in split_lines(data) if line.text.strip()]
    players = _HEADERS.get(_cells(lines.pop(0))) if lines else None
    if players is None:
        columns = ", ".join((*COLUMNS, "total_1", "total_2"))
        raise line_error(
            1, NotationError(f"no header with the columns {columns}", code="no-tsv-header", columns=columns)
        )
    moves: dict[int, WrittenMove] = {}
    for line in lines:
        with naming_line(line.number):
            move = _read_move(line, players, moves, notation or Notation.GERMAN)
        moves[move.number] = move
    return WrittenGame(
        name=name,
        players=tuple(str(seat + 1) for seat in range(players)),
        moves=tuple(moves.values()),
        notation=notation or Notation.GERMAN,
        notation_source=NotationSource.GIVEN if notation else NotationSource.DECLARED,
    )


def write_tsv(game: WrittenGame) -> str:
    """The game as the text of a tab-separated record, to be stored as UTF-8; coordinates the German way.

    NotationError for moves that no file can hold.
    """
    refuse_unwritable(game.moves)
    players = len(game.players)
    header = next(header for header, count in _HEADERS.items() if count == players)
    rows = [header, *map(_row, game.moves)]
    return "".join("\t".join(row) + "\n" for row in rows)


def _row(move: WrittenMove) -> tuple[str, ...]:
    coordinate, tiles = "", move.tiles
    if move.move is not None:
        coordinate = format_coordinate(Coordinate(move.move.start, move.move.direction), Notation.GERMAN)
        tiles = "".join("." if mark.lies or mark.tile is None else mark.tile for mark in move.move.marks)
        tiles = tiles.replace(BLANK, "_")
    totals = ("" if total is None else str(total) for total in move.totals)
    ref = str(move.ref) if move.action in CHALLENGES else ""
    cells = (move.number, move.player + 1, move.action, coordinate, tiles, move.points, ref, *totals)
    return tuple(map(str, cells))


def _read_move(line: Line, players: int, before: dict[int, WrittenMove], notation: Notation) -> WrittenMove:
    cells = _cells(line)
    if len(cells) != len(COLUMNS) + players:
        needed = len(COLUMNS) + players
        raise NotationError(f"{len(cells)} columns, not {needed}", code="column-count", count=len(cells), needed=needed)
    number, player, action_name, coordinate, tiles, points, ref, *totals = cells
    if action_name not in list(Action):
        known = ", ".join(Action)
        raise NotationError(
            f"unknown action {action_name!r}; actions: {known}", code="unknown-kind", text=action_name, known=known
        )
    action = Action(action_name)
    move_number = whole_number(number)
    if move_number in before:
        raise NotationError(f"there was a move {move_number} before", code="number-twice", number=move_number)
    return WrittenMove(
        number=move_number,
        line=line.number,
        player=_seat(player, players),
        action=action,
        points=whole_number(points),
        totals=tuple(whole_number(total) if total else None for total in totals),
        move=MoveText.of(coordinate, tiles, notation) if action is Action.PLACE else None,
        ref=challenged_move(before.values(), whole_number(ref)) if action in CHALLENGES else None,
        tiles=moved_tiles(action, tiles),
        certain=action is not Action.PASS,
    )


def _cells(line: Line) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.text.split("\t"))


def _seat(text: str, players: int) -> int:
    seat = whole_number(text) - 1
    if not 0 <= seat < players:
        raise NotationError(f"there is no player {text}", code="no-such-seat", number=text, players=players)
    return seat
