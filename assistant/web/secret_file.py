"""Small files that nobody else on the machine may read: written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from scorer.errors import BrettblickError


def write_secret(path: Path, data: bytes, *, replace: bool = True) -> None:
    """Writes a file of mode 0600 beside its place and moves it there, through a power cut too; makes its folder (0700).

    replace: False leaves a file that is there already as it is
    Raises BrettblickError ``cannot-write``.
    """
    part = None
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)  # of mode 0600
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            os.replace(part, path)
        else:
            _move_if_free(part, path)
        _keep_folder(path.parent)
    except OSError as error:
        raise BrettblickError(
            f"{path}: {error.strerror}", code="cannot-write", hint="Choose another folder.", path=path
        ) from error
    finally:
        if part is not None:
            with contextlib.suppress(OSError):
                os.unlink(part)


def _move_if_free(part: str, path: Path) -> None:
    """Of two servers that start at once one is first, and the other finds its file."""
    try:
        os.link(part, path)
    except FileExistsError:
        return
    except OSError:  # a file system without links, as on a card of a Raspberry Pi
        if not path.exists():
            os.replace(part, path)


def _keep_folder(folder: Path) -> None:
    """The name of a new file is in its folder, which is written back on its own."""
    with contextlib.suppress(OSError):  # some systems have no such thing
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
