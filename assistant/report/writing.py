"""The report as a file."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Sequence
from pathlib import Path

from assistant.files import write_whole
from assistant.recount import Recount
from assistant.report.evidence import Asked, evidence
from assistant.report.page import page
from assistant.texts import Texts
from scorer.errors import BrettblickError


def write_report(result: Recount, files: Sequence[Path], path: Path, texts: Texts, asked: Asked = Asked()) -> None:  # noqa: B008
    """Writes the evidence: as JSON where the name ends in .json, else as one HTML page; whole or not at all.

    files: the photos, in the order of the entries
    BrettblickError when the file cannot be written.
    """
    refuse_unwritable(path)
    if path.suffix.lower() == ".json":
        text = json.dumps(evidence(result, files, texts, asked), ensure_ascii=False, indent=1) + "\n"
    else:
        text = page(result, files, texts, asked)
    try:
        # names of files that are no text have characters that UTF-8 has not
        write_whole(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        raise _cannot_write(path) from error


def refuse_unwritable(path: Path) -> None:
    """BrettblickError where a report cannot be written: known before any photo is read."""
    if os.path.isdir(path):
        raise BrettblickError(f"{path}: is a folder", code="is-a-folder", path=path)
    if not os.path.exists(path.parent):
        raise BrettblickError(f"{path.parent}: no such folder", code="missing-folder", path=path.parent)
    if not os.path.isdir(path.parent) or not os.access(path.parent, os.W_OK | os.X_OK):
        raise _cannot_write(path)


def _cannot_write(path: Path) -> BrettblickError:
    return BrettblickError(f"{path}: cannot be written", code="cannot-write", hint="Choose another folder.", path=path)
