"""The store: every change is one transaction, told as done only once it is on the disk for good.

What is confirmed is never lost, and nothing is written half or twice: photos are written before the rows that refer to
them, rows are only ever added, and a change that was made on an older state of the game than the present is refused.
The same code runs on SQLite and on PostgreSQL.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, Self

from sqlalchemy import URL, Connection, Engine, RowMapping, delete, exists, insert, select, update

from assistant.store.archive import read_archive, write_archive
from assistant.store.engine import make_engine, prepare, reader, writer
from assistant.store.faults import told
from assistant.store.migrations import migrate
from assistant.store.photos import PhotoFolder, make_folder
from assistant.store.rows import Author, Conflict, GameHead, Json, NewRow, NoSuchGame, Row, StoredGame, StoreError
from assistant.store.schema import doomed_photos, games, requests, row_photos, version
from assistant.store.schema import rows as game_rows
from assistant.store.written import (
    check_author,
    check_name,
    check_row,
    json_text,
    now,
    read_object,
    read_time,
    time_text,
)
from scorer.errors import BrettblickError


class Store:
    """All games of one database, with the folder of their photos. Its methods may be called from any thread.

    Every method raises StoreError when the database or the disk fails: then nothing was written or, where the
    connection to a server broke at the very end, perhaps all of it. Repeating a request with its id is always safe."""

    def __init__(self, engine: Engine, photos: PhotoFolder, where: str) -> None:
        self._engine = engine
        self._reader = reader(engine)
        self._writer = writer(engine)
        self._photos = photos
        self._where = where
        server = engine.dialect.name != "sqlite"
        self._one_writer: AbstractContextManager[Any] = nullcontext() if server else threading.Lock()

    @classmethod
    def open(cls, folder: Path, url: str | None = None) -> Self:
        """The store in this folder; makes the folder, the database and its tables, or brings older tables up to date.

        url: of the database (``postgresql+psycopg://user@host/name``), for None a file in the folder. Photos are in
        the folder either way."""
        folder = folder.absolute()
        engine = make_engine(url or URL.create("sqlite", database=str(folder / "games.sqlite3")))
        where = engine.url.render_as_string(hide_password=True) if url else str(folder)
        try:
            with told(str(folder)):
                make_folder(folder)
                photos = PhotoFolder(folder / "photos")
            store = cls(engine, photos, where)
            with told(where):
                prepare(engine)
            with store._writing() as connection:
                migrate(connection)
            store._delete_doomed()
        except BaseException:
            engine.dispose()
            raise
        return store

    def close(self) -> None:
        """Closes the connections."""
        with told(self._where):
            self._engine.dispose()

    def create(self, setup: Json, author: Author, request: str, rows: Sequence[NewRow] = ()) -> str:
        """The id of the new game, which nobody can guess. The same request again makes no other game."""
        with _keepable():
            setup_text = json_text(setup)
            check_name(request)
            check_author(author)
            bodies = [check_row(row) for row in rows]
        game, at = secrets.token_urlsafe(9), now()
        with self._writing() as connection:
            _lock(connection, alone=True)
            if request and (known := connection.scalar(select(games.c.id).where(games.c.create_request == request))):
                return str(known)
            self._find_photos(rows)
            _insert_game(connection, GameHead(game, at, at, setup, len(rows)), setup_text, None, request)
            _insert_rows(connection, game, _written(rows, bodies, 1, at, author))
        return game

    def games(self, most: int | None = None) -> list[GameHead]:
        """All games, or so many, the one that changed last first."""
        query = select(games).order_by(games.c.changed.desc(), games.c.id).limit(most)
        with self._reading() as connection:
            found = connection.execute(query).mappings()
            return [self._head(row) for row in found]

    def head(self, game: str) -> GameHead:
        """NoSuchGame when there is none of this id."""
        with self._reading() as connection:
            return self._head(_game(connection, game))

    def load(self, game: str) -> StoredGame:
        """NoSuchGame when there is none of this id."""
        with self._reading() as connection:
            return self._load(connection, game)

    def append(
        self,
        game: str,
        rows: Sequence[NewRow],
        *,
        expected: int,
        author: Author,
        request: str,
        clock: Json | None = None,
    ) -> StoredGame:
        """The game with all the rows added, and the clock kept if one is given; all of it or nothing.

        expected: the version that the change was made on; Conflict when the game has another by now
        request:  an id that this change alone has, or ""; when it was done before, the game as it is now is returned

        NoSuchGame; NoSuchPhoto for a photo that is not in the store."""
        with _keepable():
            check_name(request)
            check_author(author)
            bodies = [check_row(row) for row in rows]
            clock_text = None if clock is None else json_text(clock)
        with self._writing() as connection:
            _lock(connection, alone=False)
            found = _game(connection, game, locked=True)
            if (
                request
                and connection.scalar(
                    select(requests.c.version).where(requests.c.game == game, requests.c.request == request)
                )
                is not None
            ):
                return self._load(connection, game)
            if found["version"] != expected:
                raise Conflict(f"the game has version {found['version']}, not {expected}", version=found["version"])
            self._find_photos(rows)
            at, reached = now(), expected + len(rows)
            _insert_rows(connection, game, _written(rows, bodies, expected + 1, at, author))
            values: dict[str, Any] = {"version": reached, "changed": time_text(at)}
            if clock_text is not None:
                values["clock"] = clock_text
            connection.execute(update(games).where(games.c.id == game).values(values))
            if request:
                connection.execute(insert(requests).values(game=game, request=request, version=reached))
            return self._load(connection, game)

    def has_taken(self, game: str, request: str) -> bool:
        """Whether a change of this id was made before."""
        query = select(requests.c.version).where(requests.c.game == game, requests.c.request == request)
        with self._reading() as connection:
            return bool(request) and connection.scalar(query) is not None

    def keep_clock(self, game: str, clock: Json) -> None:
        """Keeps the clock, without a new version. NoSuchGame."""
        with _keepable():
            text = json_text(clock)
        with self._writing() as connection:
            _game(connection, game, locked=True)
            connection.execute(update(games).where(games.c.id == game).values(clock=text))

    def put_photo(self, data: bytes) -> str:
        """The photo's name from now on (SHA-256, hexadecimal); it is on the disk for good when this returns."""
        with told(self._where):
            return self._photos.put(data)

    def photo(self, digest: str) -> Path:
        """The file of a photo; NoSuchPhoto."""
        with told(self._where):
            return self._photos.find(digest)

    def delete(self, game: str) -> None:
        """Deletes the game and the photos that no other game has. NoSuchGame."""
        with self._writing() as connection:
            _lock(connection, alone=True)
            _game(connection, game, locked=True)
            kept = select(doomed_photos.c.digest)
            theirs = select(row_photos.c.digest).where(row_photos.c.game == game, row_photos.c.digest.not_in(kept))
            connection.execute(insert(doomed_photos).from_select(["digest"], theirs.distinct()))
            connection.execute(delete(games).where(games.c.id == game))
        self._delete_doomed()

    def export(self, game: str, out: BinaryIO) -> None:
        """Writes the whole game as an archive, see `archive.py`. NoSuchGame; StoreError, code photo-damaged, when one
        of its photos is not what it was."""
        found = self.load(game)
        with told(self._where):
            write_archive(found, self._photos.read, out)

    def import_(self, file: BinaryIO, check: Callable[[StoredGame], object] | None = None) -> str:
        """The id of a new game that is the one in the archive. Everything in it is checked before anything is written:
        StoreError, code bad-archive or archive-newer, else.

        check: is given the game, under its new id, and raises what it has against it"""
        with told(self._where):
            found = read_archive(file)
            new = [digest for digest in found.digests if not self._photos.has(digest)]
        game = secrets.token_urlsafe(9)
        head = GameHead(game, found.created, found.changed, found.setup, len(found.rows))
        if check:
            check(StoredGame(head, found.rows, found.clock))
        try:
            for digest in found.digests:
                self.put_photo(found.photo(digest))
            with self._writing() as connection:
                _lock(connection, alone=False)
                self._find_photos(found.rows)
                clock = None if found.clock is None else json_text(found.clock)
                _insert_game(connection, head, json_text(head.setup), clock, "")
                _insert_rows(connection, game, ((row, json_text(row.body)) for row in found.rows))
        except BaseException:
            with suppress(BrettblickError):
                self._remove_unused(new)
            raise
        return game

    def _remove_unused(self, digests: Sequence[str]) -> None:
        """Deletes the files of these photos, unless a game has them."""
        with self._writing() as connection:
            _lock(connection, alone=True)
            for digest in digests:
                if not connection.scalar(select(exists().where(row_photos.c.digest == digest))):
                    self._photos.remove(digest)

    def _delete_doomed(self) -> None:
        """Deletes the files of photos whose game was deleted, unless another game has them; no change of a game can
        come in between."""
        with self._writing() as connection:
            _lock(connection, alone=True)
            used = exists().where(row_photos.c.digest == doomed_photos.c.digest)
            for digest in connection.scalars(select(doomed_photos.c.digest).where(~used)):
                self._photos.remove(digest)
            connection.execute(delete(doomed_photos))

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with told(self._where), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with told(self._where), self._one_writer, self._writer.begin() as connection:
            yield connection

    def _find_photos(self, rows: Sequence[NewRow | Row]) -> None:
        """NoSuchPhoto when one is not in the store."""
        for digest in {digest for row in rows for digest in row.photos}:
            self._photos.find(digest)

    def _head(self, row: RowMapping) -> GameHead:
        with self._undamaged(row["id"]):
            return GameHead(
                row["id"],
                read_time(row["created"]),
                read_time(row["changed"]),
                _object(row["setup"]),
                row["version"],
            )

    def _load(self, connection: Connection, game: str) -> StoredGame:
        found = _game(connection, game)
        photos: dict[int, list[str]] = defaultdict(list)
        query = select(row_photos.c.number, row_photos.c.digest).where(row_photos.c.game == game)
        for number, digest in connection.execute(query.order_by(row_photos.c.number, row_photos.c.place)):
            photos[number].append(digest)
        kept = connection.execute(select(game_rows).where(game_rows.c.game == game).order_by(game_rows.c.number))
        with self._undamaged(game):
            rows = tuple(
                Row(
                    row["number"],
                    read_time(row["at"]),
                    Author(row["device"], row["who"]),
                    row["kind"],
                    _object(row["body"]),
                    tuple(photos[row["number"]]),
                )
                for row in kept.mappings()
            )
            if [row.number for row in rows] != list(range(1, found["version"] + 1)):
                raise ValueError(f"{len(rows)} rows of {found['version']}")
            clock = None if found["clock"] is None else _object(found["clock"])
        return StoredGame(self._head(found), rows, clock)

    @contextmanager
    def _undamaged(self, game: str) -> Iterator[None]:
        """Turns a ValueError inside it into a StoreError: what was written can always be read."""
        try:
            yield
        except ValueError as error:
            why = f"{game}: {error}"
            raise StoreError(f"{self._where}: {why}", code="store-damaged", where=self._where, why=why) from error


@contextmanager
def _keepable() -> Iterator[None]:
    """Turns a ValueError inside it into a StoreError, code not-keepable."""
    try:
        yield
    except ValueError as error:
        raise StoreError(str(error), code="not-keepable", why=str(error)) from error


def _object(text: str) -> dict[str, Any]:
    """The object that a JSON text in the database is; it was looked at closely when it was written."""
    return read_object(json.loads(text))


def _lock(connection: Connection, *, alone: bool) -> None:
    """Keeps out, till the transaction ends, those who want to be alone, for ``alone`` all others who call this. On
    SQLite every writer is alone anyway."""
    connection.execute(select(version).with_for_update(read=not alone)).all()


def _game(connection: Connection, game: str, *, locked: bool = False) -> RowMapping:
    """The row of a game; locked: no other transaction changes it till this one ends. NoSuchGame."""
    query = select(games).where(games.c.id == game)
    query = query.with_for_update() if locked else query
    # PostgreSQL has no text with a zero in it
    found = None if "\0" in game else connection.execute(query).mappings().one_or_none()
    if found is None:
        raise NoSuchGame(f"no game {game[:80]}", game=game[:80])
    return found


def _insert_game(connection: Connection, head: GameHead, setup: str, clock: str | None, request: str) -> None:
    connection.execute(
        insert(games).values(
            id=head.id,
            created=time_text(head.created),
            changed=time_text(head.changed),
            setup=setup,
            version=head.version,
            clock=clock,
            create_request=request or None,
        )
    )


_Written = tuple[Row, str]
"""A row and the JSON text of its body."""


def _written(
    rows: Sequence[NewRow], bodies: Sequence[str], first: int, at: datetime, author: Author
) -> Iterator[_Written]:
    for number, (row, body) in enumerate(zip(rows, bodies, strict=True), first):
        yield Row(number, at, author, row.kind, row.body, row.photos), body


def _insert_rows(connection: Connection, game: str, written: Iterable[_Written]) -> None:
    values, photos = [], []
    for row, body in written:
        values.append(
            {
                "game": game,
                "number": row.number,
                "at": time_text(row.at),
                "device": row.author.device,
                "who": row.author.who,
                "kind": row.kind,
                "body": body,
            }
        )
        for place, digest in enumerate(row.photos):
            photos.append({"game": game, "number": row.number, "place": place, "digest": digest})
    if values:
        connection.execute(insert(game_rows), values)
    if photos:
        connection.execute(insert(row_photos), photos)
