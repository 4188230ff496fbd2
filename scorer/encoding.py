"""Text files as people save them, whatever their editor makes of encodings."""

from __future__ import annotations

import codecs

from scorer.errors import NotationError, line_error

_ENCODINGS = frozenset({"utf-8", "ascii", "iso8859-1", "iso8859-2", "iso8859-15", "cp1250", "cp1252"})


def decoded(data: bytes, encoding: str | None = None) -> str:
    """The text of a file, without the mark it may start with.

    Without an encoding UTF-8 is tried first, then Latin-1. UTF-16 with its mark, as some shells write it, is taken
    whatever the file says. NotationError for an unknown encoding and for bytes that the encoding does not have.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _decoded(data, "utf-16", "utf-16")
    data = data.removeprefix(codecs.BOM_UTF8)
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
    return _decoded(data, name, encoding)


def _decoded(data: bytes, codec: str, encoding: str) -> str:
    """The text; ``encoding`` is what the file calls it."""
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        reason = NotationError(f"the text is not {encoding}", code="wrong-encoding", encoding=encoding)
        raise line_error(data.count(b"\n", 0, error.start) + 1, reason) from error
