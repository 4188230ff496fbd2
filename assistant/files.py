"""Text files as people save them, whatever their editor makes of line ends and encodings."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path

from scorer.errors import BrettblickError


def read_text(path: Path) -> str:
    """The text of a file, of the standard input for ``-``; BrettblickError when it cannot be opened.

    UTF-8 with or without a mark, UTF-16 with one (some shells redirect so), else Latin-1.
    """
    try:
        data = sys.stdin.buffer.read() if path == Path("-") else path.read_bytes()
    except OSError as error:
        raise BrettblickError(f"{path}: {error.strerror}", code="missing-file", path=path) from error
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
