"""What is kept of a game: rows that are only ever added, each written whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scorer.errors import BrettblickError

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Author:
    """Who did something: the phone, by a name it was given when it joined, and the name its user goes by, or ""."""

    device: str
    who: str = ""


@dataclass(frozen=True)
class NewRow:
    """A row to be added.

    kind:   what it is, see ``assistant.table.history``
    body:   JSON values
    photos: the photos it is about, by hash; they must be in the store already
    """

    kind: str
    body: Json
    photos: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """A row as it is kept.

    number: from 1 without gaps within its game
    at:     when, UTC, whole milliseconds
    """

    number: int
    at: datetime
    author: Author
    kind: str
    body: Json
    photos: tuple[str, ...] = ()


@dataclass(frozen=True)
class GameHead:
    """A game in a list.

    created, changed: UTC
    setup:   what was agreed on before it, see ``assistant.table.setup``
    version: number of its last row, 0 for none
    """

    id: str
    created: datetime
    changed: datetime
    setup: Json
    version: int


@dataclass(frozen=True)
class StoredGame:
    """A whole game. clock: as last kept, None before the first time."""

    head: GameHead
    rows: tuple[Row, ...]
    clock: Json | None = None


class StoreError(BrettblickError):
    """The store cannot be read or written: disk full, folder read-only, damaged or newer file, database gone."""

    code = "store-failed"


class NoSuchGame(BrettblickError):
    code = "no-such-game"


class NoSuchPhoto(BrettblickError):
    code = "no-such-photo"


class Conflict(BrettblickError):
    """Somebody else has changed the game since; nothing was written. details: version, that of now."""

    code = "changed-meanwhile"
