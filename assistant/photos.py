"""From what the user names (files, folders) to observations, with progress."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from assistant.texts import Texts
from scorer.errors import BrettblickError

if TYPE_CHECKING:  # vision is imported when a photo is read, not for --help
    from vision.observe import Observation

SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"}

T = TypeVar("T")


def photo_files(named: Sequence[str]) -> list[Path]:
    """The photos named: a file as it is, a folder as the photos in it by name, without those that are hidden
    ("._01.jpg" is what a Mac writes beside 01.jpg). Raises when a folder holds none."""
    out: list[Path] = []
    for name in named:
        path = Path(name)
        if not path.is_dir():
            out.append(path)
            continue
        inside = sorted(p for p in path.iterdir() if p.suffix.lower() in SUFFIXES and _to_see(p))
        if not inside:
            raise BrettblickError(f"{path}: no photos in this folder", code="empty-folder", path=path)
        out += inside
    return out


def _to_see(path: Path) -> bool:
    return path.is_file() and not path.name.startswith(".")


def refuse_overwriting(path: Path, named: Iterable[Path]) -> None:
    """BrettblickError where a file to be written is one of those that the user named to be read."""
    if any(_same(path, one) for one in named):
        raise BrettblickError(f"{path}: would be overwritten", code="would-overwrite", path=path)


def overlay_files(folder: Path, photos: Sequence[Path]) -> list[Path]:
    """Where the pictures drawn of photos go, each in a file of its own; BrettblickError where one would overwrite a
    photo."""
    out: list[Path] = []
    taken: set[str] = set()
    for photo in photos:
        names = (photo.stem if k == 1 else f"{photo.stem}-{k}" for k in count(1))
        name = next(name for name in names if name.casefold() not in taken)
        taken.add(name.casefold())
        out.append(folder / f"{name}.jpg")
        refuse_overwriting(out[-1], photos)
    return out


def _same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:  # what is not there cannot be overwritten
        return False


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
