"""Readers and writers of written games, a module for each format, all of one value: ``scorer.written.WrittenGame``.

Readers take the bytes of a file and are tolerant; writers give the text of a file and are strict. CGP holds a position,
not a game, and has a value of its own.
"""

from __future__ import annotations

from scorer.errors import NotationError, line_error
from scorer.formats.cgp import CgpPosition, read_cgp, write_cgp
from scorer.formats.gcg import read_gcg
from scorer.formats.gcg_writer import write_gcg
from scorer.formats.sheet import is_sheet, read_sheet, write_sheet
from scorer.formats.text import split_lines
from scorer.formats.tsv import COLUMNS, read_tsv, write_tsv
from scorer.notation import Notation
from scorer.written import WrittenGame

__all__ = [
    "CgpPosition",
    "read_cgp",
    "read_gcg",
    "read_sheet",
    "read_tsv",
    "read_written_game",
    "write_cgp",
    "write_gcg",
    "write_sheet",
    "write_tsv",
]


def read_written_game(data: bytes, name: str = "", notation: Notation | None = None) -> WrittenGame:
    """The game in a file's bytes, whatever the format: its content decides, not its name.

    name:     of the file, kept for messages
    notation: how its coordinates are written, when the caller knows better than the file
    Raises NotationError that names the line and why; nothing else, whatever the bytes.
    """
    for number, text in split_lines(data):
        if text.startswith(("#", ">")):
            return read_gcg(data, name, notation)
        if text.split("\t")[0].strip() == COLUMNS[0]:
            return read_tsv(data, name, notation)
        if text.strip():
            if is_sheet(data):
                return read_sheet(data, name, notation)
            reason = NotationError("neither a GCG file nor a tab-separated record nor a score sheet", code="no-format")
            raise line_error(number, reason)
    raise NotationError(
        "the file is empty",
        code="bad-file",
        hint="Give a GCG file, a tab-separated record or a score sheet (CSV).",
        line=1,
        reason=NotationError("the file is empty", code="empty-game"),
    )
