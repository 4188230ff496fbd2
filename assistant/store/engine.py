"""A connection pool to the database: SQLite, set so that what was confirmed survives a power cut, or PostgreSQL."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from assistant.store.rows import StoreError

PATIENCE = 15
"""Seconds that a writer waits for another one, and a connection for its server."""


def make_engine(url: str | URL) -> Engine:
    """StoreError, code store-bad-url, for an address that is none or names another kind of database."""
    try:
        address = make_url(url)
        if address.get_backend_name() == "postgresql":
            return create_engine(address, pool_pre_ping=True, connect_args={"connect_timeout": PATIENCE})
        if address.get_backend_name() == "sqlite" and address.database not in (None, "", ":memory:"):
            return _sqlite(address)
    except ModuleNotFoundError as error:
        raise StoreError(f"{error.name} is not installed", code="store-no-driver", module=error.name) from error
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        raise StoreError("no address of a database", code="store-bad-url") from error  # it may hold a password
    raise StoreError("neither SQLite nor PostgreSQL", code="store-bad-url")


def _sqlite(address: URL) -> Engine:
    engine = create_engine(address, connect_args={"timeout": PATIENCE, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # no BEGIN but ours: the driver's own comes late and never IMMEDIATE
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")  # with WAL: a commit returns once it is on the disk

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        """A writer takes the write lock at once: one that reads first and then finds it taken cannot wait for it."""
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def reader(engine: Engine) -> Engine:
    """Its transactions see the games as they were at one moment."""
    return engine.execution_options(isolation_level="REPEATABLE READ") if _server(engine) else engine


def writer(engine: Engine) -> Engine:
    """Its transactions may write."""
    return engine if _server(engine) else engine.execution_options(writes=True)


def prepare(engine: Engine) -> None:
    """Sets the SQLite file to write-ahead logging and looks for damage; nothing to do on a server.

    The wait is our own: SQLite does not wait here when two open a new file at once. OSError when the file may not be
    written to: SQLite would then put files beside it that cannot be written to either, even once this one can."""
    if _server(engine):
        return
    file = str(engine.url.database)
    if os.path.exists(file) and not os.access(file, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), file)
    until = time.monotonic() + PATIENCE
    raw = engine.raw_connection()
    try:
        while True:
            try:
                raw.cursor().execute("PRAGMA journal_mode = WAL").fetchone()
                break
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
                time.sleep(0.02)
        found = raw.cursor().execute("PRAGMA quick_check(1)").fetchone()[0]
    finally:
        raw.close()
    if found != "ok":
        raise StoreError(f"damaged: {found}", code="store-damaged", where=file, why=found)


def _server(engine: Engine) -> bool:
    return engine.dialect.name != "sqlite"
