"""From the bytes of a written game to its lines, and the errors that name a line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from scorer.encoding import decoded
from scorer.errors import BrettblickError, NotationError, line_error

_NUMBER = re.compile(r"\+?([-−]?[0-9]{1,6})")
"""With any sign, the minus of typographers too."""
_TILE_COUNT = re.compile(r"[0-9]{1,2}", re.ASCII)


class Line(NamedTuple):
    """A line of a file with its number, from 1."""

    number: int
    text: str


def split_lines(data: bytes, encoding: str | None = None) -> tuple[Line, ...]:
    """The lines of a file, in composed Unicode (Ä is one character), see ``decoded``."""
    text = unicodedata.normalize("NFC", decoded(data, encoding))
    return tuple(Line(number, line) for number, line in enumerate(re.split(r"\r\n|\n|\r", text), start=1))


@contextmanager
def naming_line(number: int) -> Iterator[None]:
    """Turns an error in what a line says into one that names the line."""
    try:
        yield
    except BrettblickError as error:
        raise line_error(number, error) from error


def is_tile_count(text: str) -> bool:
    """Whether the text is a number of exchanged tiles."""
    return _TILE_COUNT.fullmatch(text) is not None


def whole_number(text: str) -> int:
    """The number a text gives, with any sign (``24``, ``-6``, ``−6``, ``+24``, ``+-6``); NotationError for none."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise NotationError(f"{text!r} is no whole number", code="bad-number" if text else "number-missing", text=text)
    return int(match[1].replace("−", "-"))


def clean_line(text: str) -> str:
    """A text for one line of a file: composed Unicode, single spaces, no control characters."""
    return " ".join(_printable(text).split())


def clean_word(text: str) -> str:
    """As ``clean_line``, in one word."""
    return clean_line(text).replace(" ", "_")


def clean_text(text: str) -> str:
    """A text of several lines: as ``clean_line``, but spaces within a line stay; no empty lines before and after."""
    lines = re.split(r"\r\n|\n|\r", text)
    return "\n".join(_printable(line).strip() for line in lines).strip("\n")


def _printable(text: str) -> str:
    """The text with spaces for control characters and line ends of any kind, and without half characters."""
    blanks = {"Cc", "Zl", "Zp"}
    chars = (" " if (kind := unicodedata.category(char)) in blanks else "" if kind == "Cs" else char for char in text)
    return unicodedata.normalize("NFC", "".join(chars))
