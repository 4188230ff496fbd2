"""The score sheet as a table (CSV): a line a move, like the paper pad, for people with a spreadsheet.

    Nr.;Spieler;Zug;Feld;Wort;Wörter;Punkte;Summe Anna;Summe Bert;Notiz;Bank;Steine;zu Nr.
    1;Anna;gelegt;H4;FIRNS;FIRNS 24;24;24;0;;;;

Lines above the table say something about the game: ``Titel;Abend bei Anna``. Written with semicolons, CRLF and the mark
of UTF-8, which German Excel and LibreOffice open as a table; read with semicolons, commas or tabs, in any order of the
columns, in German or English. A cell of words that a spreadsheet would take for a formula gets an apostrophe before it.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from scorer.errors import NotationError, line_error
from scorer.formats.cells import moved_tiles, rack_of
from scorer.formats.text import clean_line, clean_text, naming_line, split_lines, whole_number
from scorer.game import MAX_PLAYERS, MIN_PLAYERS
from scorer.notation import Coordinate, MoveText, Notation, format_coordinate
from scorer.texts import LANGUAGES, Language, Wording, catalogue
from scorer.written import (
    CHALLENGES,
    Action,
    NotationSource,
    Pragma,
    WrittenGame,
    WrittenMove,
    WrittenWord,
    challenged_move,
    refuse_unwritable,
)

_COLUMNS = (
    "number",
    "player",
    "action",
    "coordinate",
    "word",
    "words",
    "points",
    "total",  # one for each player, the name behind it
    "note",
    "rack",
    "tiles",
    "ref",
)
"""The columns in order, and in ``scorer/texts.toml`` (``csv.column.*``) what they are called."""
_NEEDED = frozenset({"player", "action", "points"})
_TEXTS = ("title", "description", "lexicon", "id", "tile_set")
_MORE_ACTION_WORDS = {"gepasst": Action.PASS, "passed": Action.PASS}
_FORMULA = r"[=+\-@＝＋－＠]"
_NEEDS_APOSTROPHE = re.compile(rf"'*{_FORMULA}")
_HAS_APOSTROPHE = re.compile(rf"'+{_FORMULA}")


@cache
def _key_of(kind: str) -> dict[str, str]:
    """The key of each word of a kind (``column``, ``action``, ``about``, ``notation``), whatever its language."""
    start = f"csv.{kind}."
    words = {key.removeprefix(start): words for key, words in catalogue().items() if key.startswith(start)}
    return {word.casefold(): key for key, languages in words.items() for word in (*languages.values(), key)}


class _Row(NamedTuple):
    """A row of the file: the line it starts on, and its cells."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class _Table:
    """A file with the columns of a score sheet.

    above, below: the rows above the table and the moves, rows without a word left out
    columns:      index of each column by its key, the totals apart
    totals:       index of the column with each player's totals
    players:      the names in those columns
    """

    above: tuple[_Row, ...]
    below: tuple[_Row, ...]
    columns: dict[str, int]
    totals: tuple[int, ...]
    players: tuple[str, ...]


def read_sheet(data: bytes, name: str = "", notation: Notation | None = None) -> WrittenGame:
    """The game of a score sheet; NotationError with the line number and why when it is none.

    notation: how its coordinates are written, when the caller knows better than the file; German if neither says it
    """
    table = _table(data)
    about = _About.of(table)
    read_as = notation or about.notation or Notation.GERMAN
    moves: dict[int, WrittenMove] = {}
    for row in table.below:
        with naming_line(row.line):
            move = _read_move(row, table, moves, read_as)
        moves[move.number] = move
    return WrittenGame(
        name=name,
        players=table.players,
        moves=tuple(moves.values()),
        notation=read_as,
        notation_source=NotationSource.GIVEN if notation else about.source,
        nicks=about.nicks,
        title=about.texts["title"],
        description=about.texts["description"],
        lexicon=about.texts["lexicon"],
        id=about.texts["id"],
        tile_set=about.texts["tile_set"],
        racks=about.racks,
        incomplete=about.incomplete,
        pragmas=about.pragmas,
    )


def is_sheet(data: bytes) -> bool:
    """Whether the bytes hold the columns of a score sheet."""
    return _delimiter(_text(data)) is not None


def _text(data: bytes) -> str:
    return "\n".join(line.text for line in split_lines(data))


def _delimiter(text: str) -> str | None:
    """What parts the cells of the line with the columns, None when there is no such line."""
    for delimiter in ";\t,":
        try:
            if any(map(_is_header, _rows(text, delimiter))):
                return delimiter
        except NotationError:  # quotes that mean nothing with this delimiter
            continue
    return None


def _table(data: bytes) -> _Table:
    text = _text(data)
    delimiter = _delimiter(text)
    if delimiter is None:
        raise line_error(1, NotationError("no line with the columns of a score sheet", code="no-sheet-header"))
    rows = [row for row in _rows(text, delimiter) if any(row.cells)]
    at = next(index for index, row in enumerate(rows) if _is_header(row))
    return _with_players(rows[at], rows[:at], rows[at + 1 :])


def _is_header(row: _Row) -> bool:
    about_game = row.cells and row.cells[0].casefold() in _key_of("about")
    return not about_game and _columns(row.cells).keys() >= _NEEDED


def _rows(text: str, delimiter: str) -> Iterator[_Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            yield _Row(line, tuple(cell.strip() for cell in cells))
            line = reader.line_num + 1
    except csv.Error as error:
        raise line_error(line, NotationError(f"no table: {error}", code="no-table")) from error


def _columns(cells: Iterable[str]) -> dict[str, int]:
    """Where the columns are, the first of each kind."""
    columns: dict[str, int] = {}
    for index, cell in enumerate(cells):
        if (key := _key_of("column").get(cell.casefold())) is not None:
            columns.setdefault(key, index)
    return columns


def _with_players(header: _Row, above: Sequence[_Row], below: Sequence[_Row]) -> _Table:
    total_words = [f"{word} " for word, key in _key_of("column").items() if key == "total"]
    totals = {
        index: clean_line(cell[len(word) :])
        for index, cell in enumerate(header.cells)
        for word in total_words
        if cell.casefold().startswith(word)
    }
    if not MIN_PLAYERS <= len(totals) <= MAX_PLAYERS:
        raise line_error(
            header.line,
            NotationError(
                f"{len(totals)} columns with totals ('Summe Anna'), a game has {MIN_PLAYERS} to {MAX_PLAYERS} players",
                code="total-columns",
                count=len(totals),
                least=MIN_PLAYERS,
                most=MAX_PLAYERS,
            ),
        )
    return _Table(tuple(above), tuple(below), _columns(header.cells), tuple(totals), tuple(totals.values()))


@dataclass(frozen=True)
class _About:
    """What the rows above the table say of the game; of a row that comes twice the first counts."""

    texts: dict[str, str]
    notation: Notation | None
    source: NotationSource
    nicks: tuple[str, ...]
    racks: tuple[str, ...]
    incomplete: str | None
    pragmas: tuple[Pragma, ...]

    @classmethod
    def of(cls, table: _Table) -> _About:
        players = len(table.players)
        rows: dict[str, tuple[str, ...]] = {}
        pragmas: list[Pragma] = []
        for row in table.above:
            key = _key_of("about").get(row.cells[0].casefold())
            values = tuple(map(_without_apostrophe, row.cells[1:])) + ("",) * players
            if key == "pragma":
                pragmas.append(Pragma(clean_line(values[0]), clean_text(values[1])))
            elif key is not None:
                with naming_line(row.line):
                    rows.setdefault(key, _checked(key, values, players))
        notation, *assumed = rows.get("notation", ("",))[0].casefold().split(" (")
        nicks, racks = rows.get("nicks", ())[:players], rows.get("racks", ())[:players]
        return cls(
            texts={key: clean_line(rows.get(key, ("",))[0]) for key in _TEXTS},
            notation=Notation(_key_of("notation")[notation]) if notation else None,
            source=NotationSource.DECLARED if notation and not assumed else NotationSource.ASSUMED,
            nicks=tuple(map(clean_line, nicks)),
            racks=racks,
            incomplete=clean_line(rows["incomplete"][0]) if "incomplete" in rows else None,
            pragmas=tuple(pragmas),
        )


def _checked(key: str, values: tuple[str, ...], players: int) -> tuple[str, ...]:
    """The values of a row about the game; NotationError for those it cannot have."""
    if key == "notation" and values[0].casefold().split(" (")[0] not in _key_of("notation"):
        known = ", ".join(Wording(language)(f"csv.notation.{one}") for one in Notation for language in LANGUAGES)
        raise NotationError(
            f"unknown notation {values[0]!r}; known: {known}", code="unknown-notation", text=values[0], known=known
        )
    if key == "racks":
        for rack in values[:players]:
            rack_of(rack)
    return values


def _read_move(row: _Row, table: _Table, before: dict[int, WrittenMove], notation: Notation) -> WrittenMove:
    def cell(key: str) -> str:
        return row.cells[table.columns[key]] if table.columns.get(key, len(row.cells)) < len(row.cells) else ""

    number = whole_number(cell("number")) if cell("number") else max(before, default=0) + 1
    if number in before:
        raise NotationError(f"there was a move {number} before", code="number-twice", number=number)
    word, coordinate = unicodedata.normalize("NFC", cell("word")), cell("coordinate")
    action = _action(cell("action"), bool(word))
    player = _seat(_without_apostrophe(cell("player")), table.players)
    return WrittenMove(
        number=number,
        line=row.line,
        player=player,
        action=action,
        points=whole_number(cell("points")),
        totals=tuple(whole_number(total) if total else None for total in _cells(row, table.totals)),
        move=MoveText.of(coordinate, word, notation) if action is Action.PLACE else None,
        ref=_challenged(cell("ref"), before.values()) if action in CHALLENGES else None,
        tiles=moved_tiles(action, cell("tiles")),
        rack=rack_of(cell("rack")),
        words=tuple(map(_read_word, filter(None, _without_apostrophe(cell("words")).split(",")))),
        note=clean_text(_without_apostrophe(cell("note"))),
    )


def _cells(row: _Row, columns: Iterable[int]) -> Iterator[str]:
    """The cells of these columns, empty where the row is too short."""
    return (row.cells[column] if column < len(row.cells) else "" for column in columns)


def _action(text: str, has_word: bool) -> Action:
    if not text and has_word:
        return Action.PLACE
    action = _MORE_ACTION_WORDS.get(text.casefold()) or _key_of("action").get(text.casefold())
    if action is None:
        known = ", ".join(Wording("de")(f"csv.action.{one}") for one in Action)
        raise NotationError(
            f"unknown kind of move {text!r}; known: {known}", code="unknown-kind-word", text=text, known=known
        )
    return Action(action)


def _seat(text: str, players: Sequence[str]) -> int:
    """The seat of a player by name, or by number where that is no name or two have one name."""
    name = clean_line(text)
    if name in players and len(set(players)) == len(players):
        return players.index(name)
    if not text.isascii() or not text.isdecimal() or not 1 <= whole_number(text) <= len(players):
        names = ", ".join(players)
        raise NotationError(f"unknown player {text!r}; players: {names}", code="no-such-name", text=text, players=names)
    return whole_number(text) - 1


def _challenged(text: str, before: Iterable[WrittenMove]) -> int:
    """The placement a challenge is about; without a number the last one that stands."""
    return challenged_move(before, whole_number(text) if text else None)


def _read_word(text: str) -> WrittenWord:
    word, _, points = text.strip().rpartition(" ")
    if not word:
        raise NotationError(
            f"{text.strip()!r}: words stand with their points: FIRNS 24, AB 5",
            code="word-without-points",
            text=text.strip(),
        )
    return WrittenWord(unicodedata.normalize("NFC", word.strip()), whole_number(points))


def write_sheet(game: WrittenGame, language: Language = "de", notation: Notation | None = None) -> str:
    """The game as the text of a score sheet, to be stored as UTF-8 just as it is: it has its mark and line ends.

    notation: of the coordinates, None: that of the record
    NotationError for moves that no file can hold.
    """
    refuse_unwritable(game.moves)
    notation = notation or game.notation
    players = _written_players(game)
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    say = Wording(language)
    for key, *values in _rows_about(game, notation, say):
        writer.writerow([say(f"csv.about.{key}"), *map(_with_apostrophe, values)])
    header = [say(f"csv.column.{key}") for key in _COLUMNS]
    at = _COLUMNS.index("total")
    writer.writerow([*header[:at], *(f"{header[at]} {name}" for name in players), *header[at + 1 :]])
    named = len(set(players)) == len(players)
    for move in game.moves:
        player = players[move.player] if named else str(move.player + 1)
        writer.writerow(_row(move, player, say, notation))
    return f"\ufeff{out.getvalue()}"


def _written_players(game: WrittenGame) -> list[str]:
    return [clean_line(name) or str(seat) for seat, name in enumerate(game.players, start=1)]


def _rows_about(game: WrittenGame, notation: Notation, say: Wording) -> Iterator[tuple[str, ...]]:
    texts = (game.title, game.description, game.lexicon, game.id, game.tile_set)
    for key, text in zip(_TEXTS, texts, strict=True):
        if clean_line(text):
            yield key, clean_line(text)
    assumed = f" ({say('csv.assumed')})" if game.notation_source is NotationSource.ASSUMED else ""
    yield "notation", say(f"csv.notation.{notation}") + assumed
    if game.nicks:
        yield "nicks", *map(clean_line, game.nicks)
    if any(game.racks):
        yield "racks", *game.racks
    if game.incomplete is not None:
        yield "incomplete", clean_line(game.incomplete)
    for name, text in game.pragmas:
        yield "pragma", clean_line(name), clean_text(text)


def _row(move: WrittenMove, player: str, say: Wording, notation: Notation) -> list[str]:
    coordinate = word = ""
    if move.move is not None:
        coordinate = format_coordinate(Coordinate(move.move.start, move.move.direction), notation)
        word = move.move.word
    return [
        str(move.number),
        _with_apostrophe(player),
        say(f"csv.action.{move.action}"),
        coordinate,
        word,
        _with_apostrophe(", ".join(f"{one.word} {one.points}" for one in move.words)),
        str(move.points),
        *("" if total is None else str(total) for total in move.totals),
        _with_apostrophe(clean_text(move.note)),
        move.rack,
        move.tiles,
        str(move.ref) if move.action in CHALLENGES else "",
    ]


def _with_apostrophe(text: str) -> str:
    """A text that no spreadsheet takes for a formula, though it starts like one."""
    return f"'{text}" if _NEEDS_APOSTROPHE.match(text) else text


def _without_apostrophe(text: str) -> str:
    """The inverse of ``_with_apostrophe``."""
    return text[1:] if _HAS_APOSTROPHE.match(text) else text
