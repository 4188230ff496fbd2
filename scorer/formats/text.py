"""From the bytes of a written game to its lines, and the errors that name a line."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from scorer.errors import BrettblickError, NotationError

_ENCODINGS = frozenset({"utf-8", "ascii", "iso8859-1", "iso8859-2", "iso8859-15", "cp1250", "cp1252"})
_NUMBER = re.compile(r"\+?(-?[0-9]{1,6})", re.ASCII)
_TILE_COUNT = re.compile(r"[0-9]{1,2}", re.ASCII)


class Line(NamedTuple):
    """A line of a file with its number, from 1."""

    number: int
    text: str


def split_lines(data: bytes, encoding: str | None = None) -> tuple[Line, ...]:
    """The lines of a file, in composed Unicode (Ä is one character), without the mark that UTF-8 may start with.

    Without an encoding UTF-8 is tried first, then Latin-1; UTF-16 with its mark, as some shells write it, is taken
    whatever the file says. NotationError for an unknown encoding and for bytes that the encoding does not have.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        data, encoding = _from_utf16(data), None
    data = data.removeprefix(codecs.BOM_UTF8)
    text = unicodedata.normalize("NFC", _decode(data, encoding))
    return tuple(Line(number, line) for number, line in enumerate(re.split(r"\r\n|\n|\r", text), start=1))


def _from_utf16(data: bytes) -> bytes:
    try:
        return data.decode("utf-16").encode("utf-8")
    except UnicodeError as error:
        reason = NotationError("the text is not utf-16", code="wrong-encoding", encoding="utf-16")
        raise line_error(1, reason) from error


def _decode(data: bytes, encoding: str | None) -> str:
    if encoding is None:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return data.decode("iso8859-1")
    try:
        name = codecs.lookup(encoding).name
    except (LookupError, ValueError):
        name = ""
    if name not in _ENCODINGS:
        reason = NotationError(f"unknown character encoding {encoding!r}", code="unknown-encoding", encoding=encoding)
        raise line_error(1, reason)
    try:
        return data.decode(name)
    except UnicodeDecodeError as error:
        reason = NotationError(f"the text is not {encoding}", code="wrong-encoding", encoding=encoding)
        raise line_error(data.count(b"\n", 0, error.start) + 1, reason) from error


def line_error(number: int, reason: BrettblickError) -> NotationError:
    """The error of a file's line: ``details`` has the ``line`` and the ``reason``, with its own code and values."""
    return NotationError(f"line {number}: {reason.message}", code="bad-file", line=number, reason=reason)


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
    """The number a text gives, with any sign (``24``, ``-6``, ``+24``, ``+-6``); NotationError when it is none."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise NotationError(f"{text!r} is no whole number", code="bad-number" if text else "number-missing", text=text)
    return int(match[1])


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
