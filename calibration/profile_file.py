"""Files of profiles: written whole or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from scorer.errors import BrettblickError


def write_whole(path: str | Path, text: str, refusal: type[BrettblickError]) -> None:
    """Writes a text file beside its place and moves it there; `refusal` when it cannot be written."""
    path = Path(path)
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise refusal(
            f"{path}: {error.strerror}", code="cannot-write", hint="Choose another folder.", path=path
        ) from error
