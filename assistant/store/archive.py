"""A whole game as one file: a zip of ``game.json`` and the photos its rows are about, ``photos/<SHA-256>.<ending>``.

Nothing in such a file is believed: it may have been cut, changed, or made to do harm. Photos are looked up by the
hashes in ``game.json`` and must have them, so no name in the file ever becomes a path.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO

from assistant.store.photos import LARGEST_PHOTO
from assistant.store.rows import Author, Json, NewRow, Row, StoredGame, StoreError
from assistant.store.written import (
    DIGEST,
    check_author,
    check_row,
    json_text,
    read_json,
    read_object,
    read_time,
    time_text,
)

FORMAT = "brettblick-table"
VERSION = 1

GAME = "game.json"
LARGEST_GAME = 32_000_000
"""Bytes of ``game.json``. Read, it can take twenty times as much memory."""

MOST_ROWS = 100_000
MOST_FILES = 10_000
MOST_GROWTH = 20
"""How many times its own size an archive may unpack to, ``game.json`` aside: photos hardly shrink in a zip."""

LARGEST_DIRECTORY = 200 * MOST_FILES
"""Bytes of the list of files in the zip, of which each takes about 150."""

_PHOTO = re.compile(rf"photos/({DIGEST.pattern})\.[a-z0-9]{{1,5}}")

_ENDINGS = (
    (re.compile(rb"\xff\xd8\xff"), "jpg"),
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "png"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "webp"),
    (re.compile(rb"....ftyp(?:hei[cfmsx]|mif1|msf1)", re.DOTALL), "heic"),
    (re.compile(rb"....ftypavif", re.DOTALL), "avif"),
    (re.compile(rb"II\*\0|MM\0\*"), "tif"),
)


@dataclass(frozen=True)
class Archive:
    """What is in a file that was found to be whole.

    created, changed, rows, clock, setup: as in `rows.StoredGame`
    """

    created: datetime
    changed: datetime
    setup: Json
    clock: Json | None
    rows: tuple[Row, ...]
    _zip: zipfile.ZipFile
    _photos: Mapping[str, zipfile.ZipInfo]

    @property
    def digests(self) -> tuple[str, ...]:
        """Of all photos."""
        return tuple(self._photos)

    def photo(self, digest: str) -> bytes:
        """A photo; StoreError, code bad-archive, when it does not have this hash."""
        with _refusing():
            data = _read(self._zip, self._photos[digest])
            if hashlib.sha256(data).hexdigest() != digest:
                raise ValueError(f"photo {digest} is another one")
            return data


def write_archive(game: StoredGame, photo: Callable[[str], bytes], out: BinaryIO) -> None:
    """Writes the game; photo: gives the bytes for a hash. The same game gives the same bytes. StoreError, code
    archive-too-large, for one that ``read_archive`` would refuse."""
    moment = game.head.changed.timetuple()[:6]
    content = {
        "format": FORMAT,
        "version": VERSION,
        "created": time_text(game.head.created),
        "changed": time_text(game.head.changed),
        "setup": game.head.setup,
        "clock": game.clock,
        "rows": [_row_object(row) for row in game.rows],
    }
    text = json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")
    digests = list(dict.fromkeys(digest for row in game.rows for digest in row.photos))
    try:
        if len(text) > LARGEST_GAME or len(game.rows) > MOST_ROWS or len(digests) >= MOST_FILES:
            raise zipfile.LargeZipFile(f"{len(text)} bytes, {len(game.rows)} rows, {len(digests)} photos")
        with zipfile.ZipFile(out, "w", allowZip64=False) as file:
            file.writestr(zipfile.ZipInfo(GAME, moment), text, zipfile.ZIP_DEFLATED)
            for digest in digests:
                data = photo(digest)
                file.writestr(zipfile.ZipInfo(f"photos/{digest}.{_ending(data)}", moment), data, zipfile.ZIP_STORED)
    except zipfile.LargeZipFile as error:
        raise StoreError(f"the game is too large for an archive: {error}", code="archive-too-large") from error


def read_archive(file: BinaryIO) -> Archive:
    """What is in the file, every photo checked. StoreError, code bad-archive, with ``why``, for a file that is not
    wholly what ``write_archive`` makes; code archive-newer for one of a later version."""
    with _refusing():
        size = _check_directory(file)
        opened = zipfile.ZipFile(file)
        game, photos = _members(opened, size)
        content = read_json(_read(opened, game))
        if content.get("format") != FORMAT:
            raise ValueError("no game")
        if type(number := content.get("version")) is not int:
            raise ValueError("no version")
        if number > VERSION:
            raise StoreError(f"the archive has version {number}, not {VERSION}", code="archive-newer", version=number)
        archive = _content(content, opened, photos)
    for digest in archive.digests:
        archive.photo(digest)
    return archive


@contextmanager
def _refusing() -> Iterator[None]:
    """Turns whatever zip, JSON and our own checks say of a file into a StoreError, code bad-archive."""
    try:
        yield
    except (ValueError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, struct.error) as error:
        why = str(error) or type(error).__name__
        raise StoreError(f"not the archive of a game: {why}", code="bad-archive", why=why) from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # sent to a place that the file cannot have
            raise
        raise StoreError(f"not the archive of a game: {error}", code="bad-archive", why=str(error)) from error


def _read(opened: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The bytes of one file in the zip, of which `zipfile` checks the sum; never more than it says to have: a read
    without a limit would unpack all that is there before it looks."""
    with opened.open(info) as file:
        return file.read(info.file_size + 1)


def _check_directory(file: BinaryIO) -> int:
    """Bytes of the whole file. ValueError when its list of files, which `zipfile` reads at once, is too large, by the
    end record (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.15 and 4.3.16)."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - (1 << 16) - 42))
    tail = file.read()
    file.seek(0)
    for start in (len(tail) - 22, tail.rfind(b"PK\x05\x06")):  # where zipfile looks, in this order
        if start < 0 or tail[start : start + 4] != b"PK\x05\x06" or len(tail) < start + 22:
            continue
        if tail[max(0, start - 20) : start].startswith(b"PK\x06\x07"):
            raise ValueError("a zip for more than 4 GB")
        if struct.unpack_from("<I", tail, start + 12)[0] > LARGEST_DIRECTORY:
            raise ValueError("too many files")
    return size


def _members(opened: zipfile.ZipFile, size: int) -> tuple[zipfile.ZipInfo, dict[str, zipfile.ZipInfo]]:
    """game.json and the photos by hash; ValueError when there is anything else, or too much."""
    infos = opened.infolist()
    if len(infos) > MOST_FILES:
        raise ValueError(f"{len(infos)} files")
    game, photos = None, {}
    for info in infos:
        if info.flag_bits & 1:
            raise ValueError("encrypted")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"compressed by method {info.compress_type}")
        if info.orig_filename == "photos/":  # packing tools list folders
            continue
        match = _PHOTO.fullmatch(info.orig_filename)
        if info.orig_filename == GAME and game is None:
            game = info
        elif match and match[1] not in photos and 0 < info.file_size <= LARGEST_PHOTO:
            photos[match[1]] = info
        else:
            raise ValueError(f"unexpected file {info.orig_filename!r:.90} of {info.file_size} bytes")
    if game is None:
        raise ValueError(f"no {GAME}")
    if game.file_size > LARGEST_GAME or sum(info.file_size for info in photos.values()) > MOST_GROWTH * size:
        raise ValueError("it unpacks to far more than it is")
    return game, photos


def _content(content: dict[str, Any], opened: zipfile.ZipFile, photos: dict[str, zipfile.ZipInfo]) -> Archive:
    _check_keys(content, {"format", "version", "created", "changed", "setup", "clock", "rows"})
    if not isinstance(content["rows"], list) or len(content["rows"]) > MOST_ROWS:
        raise ValueError("no list of rows, or too many")
    rows = tuple(_row(value, number) for number, value in enumerate(content["rows"], 1))
    if {digest for row in rows for digest in row.photos} != set(photos):
        raise ValueError("photos are missing, or there are some that no row is about")
    setup = read_object(content["setup"])
    clock = None if content["clock"] is None else read_object(content["clock"])
    for value in (setup, clock or {}):
        json_text(value)
    created, changed = read_time(content["created"]), read_time(content["changed"])
    return Archive(created, changed, setup, clock, rows, opened, photos)


def _row_object(row: Row) -> dict[str, Any]:
    return {
        "number": row.number,
        "at": time_text(row.at),
        "device": row.author.device,
        "who": row.author.who,
        "kind": row.kind,
        "body": row.body,
        "photos": row.photos,
    }


def _row(value: object, number: int) -> Row:
    row = read_object(value)
    _check_keys(row, {"number", "at", "device", "who", "kind", "body", "photos"})
    if type(row["number"]) is not int or row["number"] != number:
        raise ValueError(f"row {row['number']!r:.30} in place of row {number}")
    photos = row["photos"]
    if not isinstance(photos, list) or not all(isinstance(one, str) and DIGEST.fullmatch(one) for one in photos):
        raise ValueError(f"row {number}: no list of photos")
    author = Author(row["device"], row["who"])
    check_author(author)
    body = read_object(row["body"])
    check_row(NewRow(row["kind"], body, tuple(photos)))
    return Row(number, read_time(row["at"]), author, row["kind"], body, tuple(photos))


def _check_keys(value: dict[str, Any], keys: set[str]) -> None:
    if set(value) != keys:
        raise ValueError(f"not the keys {', '.join(sorted(keys))}")


def _ending(data: bytes) -> str:
    return next((ending for pattern, ending in _ENDINGS if pattern.match(data)), "bin")
