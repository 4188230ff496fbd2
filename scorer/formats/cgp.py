"""CGP, a position in one line: board, racks, scores, scoreless turns, and what else a program may want to know.

    15/15/15/15/15/15/15/7FIRNS3/15/15/15/15/15/15/15 AEINRST/ 24/0 0 lex Deutsch; ld german;

Rows from the top, a number for so many empty squares, a lower-case letter for a blank. Players from the one who is due.
The format is described at github.com/woogles-io/open-protocols (cgp/README.md).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby

from scorer.board import EMPTY, SIZE, Board
from scorer.errors import NotationError, line_error
from scorer.formats.text import clean_line, naming_line, split_lines, whole_number
from scorer.game import MAX_PLAYERS, MIN_PLAYERS
from scorer.tiles import BLANK, is_rack, is_tile

_RUN = re.compile(r"[0-9]{1,3}|.", re.ASCII | re.DOTALL)


@dataclass(frozen=True)
class CgpPosition:
    """A position with what the format says of it. NotationError for one that the format cannot hold.

    racks:           tiles by player from the one who is due, "" where none is known
    scores:          points in the same order, before penalties of the clock
    scoreless_turns: turns without points in a row just before
    opcodes:         further words such as ``lex Deutsch`` or ``ld german``, in order
    """

    board: Board
    racks: tuple[str, ...]
    scores: tuple[int, ...]
    scoreless_turns: int = 0
    opcodes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not MIN_PLAYERS <= len(self.racks) <= MAX_PLAYERS:
            raise NotationError(
                f"a position has {MIN_PLAYERS} to {MAX_PLAYERS} racks, not {len(self.racks)}",
                code="rack-count",
                count=len(self.racks),
                least=MIN_PLAYERS,
                most=MAX_PLAYERS,
            )
        if len(self.scores) != len(self.racks):
            raise NotationError(
                f"{len(self.racks)} racks, but {len(self.scores)} scores",
                code="score-count",
                racks=len(self.racks),
                scores=len(self.scores),
            )
        if self.scoreless_turns < 0:
            raise NotationError(
                f"{self.scoreless_turns} is no number of turns", code="turn-count", count=self.scoreless_turns
            )
        for rack in self.racks:
            if rack and not is_rack(rack):
                raise NotationError(f"{rack!r} are no tiles", code="no-tiles", text=rack)
        if any(tile == BLANK for _, tile in self.board):
            raise NotationError(
                "a blank lies on the board whose letter is not known",
                code="blank-without-letter",
                hint="CGP wants the letter: name it first.",
            )
        for opcode in self.opcodes:
            if opcode != clean_line(opcode) or not opcode or ";" in opcode:
                raise NotationError(f"{opcode!r} is no further word of a position", code="bad-opcode", text=opcode)


def read_cgp(data: bytes) -> CgpPosition:
    """The position in a file's bytes; NotationError that names the line and why when it is none."""
    lines = [line for line in split_lines(data) if line.text.strip()]
    if not lines:
        raise line_error(1, NotationError("the file is empty", code="empty-position"))
    if len(lines) > 1:
        raise line_error(lines[1].number, NotationError("a position is one line", code="one-line-position"))
    with naming_line(lines[0].number):
        return _read_position(lines[0].text)


def _read_position(text: str) -> CgpPosition:
    fields, opcodes = text.split()[:4], text.split(maxsplit=4)[4:]
    if len(fields) < 4:
        raise NotationError(
            "a position has a board, racks, scores and a number of scoreless turns", code="position-fields"
        )
    board, racks, scores, scoreless_turns = fields
    rows = board.split("/")
    if len(rows) != SIZE:
        raise NotationError(f"a board has {SIZE} rows, not {len(rows)}", code="row-count", count=len(rows))
    return CgpPosition(
        board=Board(tuple(map(_read_row, rows))),
        racks=tuple(racks.split("/")),
        scores=tuple(map(whole_number, scores.split("/"))),
        scoreless_turns=whole_number(scoreless_turns),
        opcodes=tuple(cleaned for word in "".join(opcodes).split(";") if (cleaned := clean_line(word))),
    )


def _read_row(text: str) -> str:
    row = "".join(map(_read_run, _RUN.findall(text)))
    if len(row) != SIZE:
        raise NotationError(
            f"the row {text!r} has {len(row)} squares, not {SIZE}", code="row-length", text=text, count=len(row)
        )
    return row


def _read_run(text: str) -> str:
    if text.isascii() and text.isdecimal():
        return EMPTY * int(text)
    if text in "[]":
        raise NotationError("a tile of two letters is in no set known here: each tile has one", code="two-letter-tile")
    if not is_tile(text):
        raise NotationError(f"{text!r} is no tile", code="no-tile", text=text)
    return text


def write_cgp(position: CgpPosition) -> str:
    """The position as one line of text, to be stored as UTF-8; the inverse of ``read_cgp``."""
    fields = (
        "/".join(map(_write_row, position.board.rows)),
        "/".join(position.racks),
        "/".join(map(str, position.scores)),
        str(position.scoreless_turns),
        *(f"{opcode};" for opcode in position.opcodes),
    )
    return " ".join(fields) + "\n"


def _write_row(row: str) -> str:
    runs = (("".join(run), empty) for empty, run in groupby(row, lambda char: char == EMPTY))
    return "".join(str(len(run)) if empty else run for run, empty in runs)
