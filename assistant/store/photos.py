"""Photos as files that are named by what is in them: written once, never changed, never half there."""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from assistant.store.rows import NoSuchPhoto, StoreError
from assistant.store.written import DIGEST

LARGEST_PHOTO = 64_000_000
"""Bytes. Phones' photos have up to 20 MB."""

_LEFT_OVER = 3600
"""Seconds after which an unfinished file is one that a crash left behind."""


class PhotoFolder:
    """The folder ``photos``: the photo abcd... is the file ab/abcd...; unfinished ones are in ``new``.

    OSError, where not said otherwise, when the disk fails."""

    def __init__(self, folder: Path) -> None:
        """Makes the folder if need be, and tries whether it can be written to."""
        self._folder = folder
        self._new = folder / "new"
        make_folder(folder)
        make_folder(self._new)
        for path in self._new.iterdir():
            with suppress(FileNotFoundError):  # another process is just done with it
                if path.stat().st_mtime < time.time() - _LEFT_OVER:
                    path.unlink()
        with tempfile.NamedTemporaryFile(dir=self._new):
            pass

    def put(self, data: bytes) -> str:
        """The digest of the photo, which is on the disk for good by then. StoreError, code photo-not-keepable, for one
        that is empty or too large."""
        if not 0 < len(data) <= LARGEST_PHOTO:
            megabytes = LARGEST_PHOTO // 1_000_000
            raise StoreError(f"a photo of {len(data)} bytes", code="photo-not-keepable", megabytes=megabytes)
        digest = hashlib.sha256(data).hexdigest()
        path = self._path(digest)
        make_folder(path.parent)
        if not (path.is_file() and path.read_bytes() == data):
            self._write(path, data)
        sync_folder(path.parent)  # even if it was there: whoever writes it at this moment may not have come so far
        return digest

    def _write(self, path: Path, data: bytes) -> None:
        handle, name = tempfile.mkstemp(dir=self._new)
        try:
            with open(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def has(self, digest: str) -> bool:
        """digest: one that is checked to be one"""
        return self._path(digest).is_file()

    def find(self, digest: str) -> Path:
        """Its file; NoSuchPhoto when there is none, and for anything but 64 hexadecimal digits."""
        if DIGEST.fullmatch(digest) and (path := self._path(digest)).is_file():
            return path
        raise NoSuchPhoto(f"no photo {digest[:80]}", digest=digest[:80])

    def read(self, digest: str) -> bytes:
        """What is in it; StoreError, code photo-damaged, when that is not what it was."""
        path = self.find(digest)
        data = path.read_bytes()
        if hashlib.sha256(data).hexdigest() != digest:
            raise StoreError(f"{path} has been changed", code="photo-damaged", where=path)
        return data

    def remove(self, digest: str) -> None:
        """Deletes the file, if there is one."""
        self._path(digest).unlink(missing_ok=True)

    def _path(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest


def make_folder(folder: Path) -> None:
    """Makes it and those above it, for this user only, so that they are there after a power cut too."""
    if folder.is_dir():
        return
    if folder.parent != folder:
        make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Returns once the names in the folder are on the disk; not on Windows, which cannot be asked for it."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
