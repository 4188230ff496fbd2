"""From what the user names (files, folders) to observations, with progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from assistant.texts import Texts
from scorer.errors import BrettblickError

if TYPE_CHECKING:  # vision is imported when a photo is read, not for --help
    from vision.observe import Observation

SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"}

T = TypeVar("T")


def photo_files(named: Sequence[str]) -> list[Path]:
    """The photos named: a file as it is, a folder as the photos in it by name. Raises when a folder holds none."""
    out: list[Path] = []
    for name in named:
        path = Path(name)
        if not path.is_dir():
            out.append(path)
            continue
        inside = sorted(p for p in path.iterdir() if p.suffix.lower() in SUFFIXES and p.is_file())
        if not inside:
            raise BrettblickError(f"{path}: no photos in this folder", code="empty-folder", path=path)
        out += inside
    return out


def with_progress(items: Iterable[T], total: int, label: str) -> Iterator[T]:
    """Progress on standard error: a bar where a person watches, else a line every second."""
    if total < 2:
        yield from items
    elif sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import track

        yield from track(items, description=label, total=total, console=Console(stderr=True), transient=True)
    else:
        said = time.monotonic()
        for done, item in enumerate(items, 1):
            if time.monotonic() - said >= 1:
                said = time.monotonic()
                print(f"{label} {done}/{total}", file=sys.stderr, flush=True)
            yield item


def explain_failure(observation: Observation, texts: Texts) -> str:
    """One line why a photo has no reading."""
    if observation.error is not None:
        return texts.error(observation.error)
    return texts("photo.not-found", photo=observation.name, reason=texts(f"reason.{observation.reason}"))
