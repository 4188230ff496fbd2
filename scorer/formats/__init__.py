"""Readers of written games, a module for each format; every one gives a ``scorer.written.WrittenGame``."""

from __future__ import annotations

from scorer.errors import NotationError
from scorer.formats.gcg import read_gcg
from scorer.formats.text import line_error, split_lines
from scorer.formats.tsv import COLUMNS, read_tsv
from scorer.notation import Notation
from scorer.written import WrittenGame

__all__ = ["read_gcg", "read_tsv", "read_written_game"]


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
            raise line_error(number, "neither a GCG file nor a tab-separated record")
    raise NotationError("the file is empty", code="bad-file", hint="Give a GCG file or a tab-separated record.", line=1)
