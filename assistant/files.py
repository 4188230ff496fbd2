"""Text files as people save them, whatever their editor makes of line ends and encodings."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from scorer.encoding import decoded
from scorer.errors import BrettblickError

MOST_BYTES = 250_000
"""No written game, board or rule set is longer; a file given by mistake may be endless."""


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file, of the standard input for ``-``; BrettblickError that says why it cannot be read, or that it
    has more than so many."""
    try:
        if path == Path("-"):
            data = sys.stdin.buffer.read(most + 1) if sys.stdin else b""
        else:
            with path.open("rb") as file:
                data = file.read(most + 1)
    except OSError as error:
        raise _unreadable(path, error) from error
    if len(data) > most:
        raise BrettblickError(
            f"{path}: the file is longer than {most} bytes",
            code="file-too-long",
            path=path,
            kilobytes=most // 1000,
        )
    return data


def _unreadable(path: Path, error: OSError) -> BrettblickError:
    if os.path.isdir(path):  # unlike Path.is_dir false, not an error, where nobody may look or the name is too long
        code = "is-a-folder"
    elif isinstance(error, PermissionError):
        code = "no-permission"
    else:
        code = "missing-file"
    return BrettblickError(f"{path}: {error.strerror}", code=code, path=path)


def read_text(path: Path) -> str:
    """The text of a small file, of the standard input for ``-``, in whatever encoding; BrettblickError that says why it
    cannot be read."""
    return decoded(read_bytes(path))


def write_whole(path: Path, data: bytes) -> None:
    """Writes the file whole or not at all; who has the old one open still sees that. OSError when it cannot be.

    A link stays one, and what is no file (a pipe, a device) takes the bytes as they come: no file takes their place.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = path.resolve()
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        new.write_bytes(data)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
