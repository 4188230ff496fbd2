"""How the tables came to be: each step brings the layout before it one version on. Steps are never changed later."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import Connection, inspect, text

from assistant.store.rows import StoreError

Migration = Callable[[Connection], None]


def _first(connection: Connection) -> None:
    """Games, their rows, the photos these are about, requests that were done, photos to be deleted."""
    for statement in (
        """CREATE TABLE games (
            id TEXT NOT NULL PRIMARY KEY,
            created TEXT NOT NULL,
            changed TEXT NOT NULL,
            setup TEXT NOT NULL,
            version INTEGER NOT NULL,
            clock TEXT,
            create_request TEXT UNIQUE
        )""",
        """CREATE TABLE game_rows (
            game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            at TEXT NOT NULL,
            device TEXT NOT NULL,
            who TEXT NOT NULL,
            kind TEXT NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (game, number)
        )""",
        """CREATE TABLE row_photos (
            game TEXT NOT NULL,
            number INTEGER NOT NULL,
            place INTEGER NOT NULL,
            digest TEXT NOT NULL,
            PRIMARY KEY (game, number, place),
            FOREIGN KEY (game, number) REFERENCES game_rows (game, number) ON DELETE CASCADE
        )""",
        "CREATE INDEX row_photos_digest ON row_photos (digest)",
        """CREATE TABLE requests (
            game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
            request TEXT NOT NULL,
            version INTEGER NOT NULL,
            PRIMARY KEY (game, request)
        )""",
        "CREATE TABLE doomed_photos (digest TEXT NOT NULL PRIMARY KEY)",
    ):
        connection.execute(text(statement))


MIGRATIONS: tuple[Migration, ...] = (_first,)
"""The version of a layout is the number of steps that made it."""

_ADVISORY = 0x42726574
"""Any number will do, as long as all who migrate take the same."""


def migrate(connection: Connection, steps: Sequence[Migration] = MIGRATIONS) -> None:
    """Brings the database to the last version, all steps or none, in the transaction that the connection is in, which
    must be one that writes. StoreError, code store-newer, when a later Brettblick made it."""
    if connection.dialect.name == "postgresql":  # SQLite lets in one writer at a time anyway
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY})
    if not inspect(connection).has_table("brettblick_schema"):
        connection.execute(text("CREATE TABLE brettblick_schema (version INTEGER NOT NULL)"))
        connection.execute(text("INSERT INTO brettblick_schema (version) VALUES (0)"))
    found = connection.execute(text("SELECT version FROM brettblick_schema")).scalar_one()
    if found > len(steps):
        raise StoreError(
            f"the store has layout {found}, this Brettblick knows {len(steps)}", code="store-newer", version=found
        )
    for step in steps[found:]:
        step(connection)
    if found < len(steps):
        connection.execute(text("UPDATE brettblick_schema SET version = :version"), {"version": len(steps)})
