"""What databases and disks say when they fail, as the store's own errors."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from assistant.store.rows import StoreError

_FILES = {
    errno.ENOSPC: "store-full",
    errno.EDQUOT: "store-full",
    errno.EFBIG: "store-full",
    errno.EACCES: "store-read-only",
    errno.EPERM: "store-read-only",
    errno.EROFS: "store-read-only",
}

_SQLITE = {
    sqlite3.SQLITE_FULL: "store-full",
    sqlite3.SQLITE_READONLY: "store-read-only",
    sqlite3.SQLITE_CANTOPEN: "store-read-only",
    sqlite3.SQLITE_PERM: "store-read-only",
    sqlite3.SQLITE_CORRUPT: "store-damaged",
    sqlite3.SQLITE_NOTADB: "store-damaged",
    sqlite3.SQLITE_BUSY: "store-busy",
    sqlite3.SQLITE_LOCKED: "store-busy",
}
"""By the primary result code, https://www.sqlite.org/rescode.html"""

_POSTGRESQL = {
    "53100": "store-full",
    "25006": "store-read-only",
    "42501": "store-read-only",
    "XX001": "store-damaged",
    "XX002": "store-damaged",
    "55P03": "store-busy",
    "40P01": "store-busy",
    "3D000": "store-unreachable",
}
"""By SQLSTATE, https://www.postgresql.org/docs/current/errcodes-appendix.html"""

_UNREACHABLE = ("08", "28", "53", "57")
"""Classes of SQLSTATE: connection, password, resources (too many connections), shutdown."""


@contextmanager
def told(where: str) -> Iterator[None]:
    """Turns every failure of a database or a disk inside it into a StoreError; where: the folder or database."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
        why = (str(cause).splitlines() or [type(cause).__name__])[0]
        code = _code(error, cause)
        raise StoreError(f"{where}: {why}", code=code, where=where, why=why) from error


def _code(error: Exception, cause: BaseException) -> str:
    if isinstance(cause, sqlite3.Error):
        return _SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF, "store-failed")
    if isinstance(cause, OSError):
        return _FILES.get(cause.errno or 0, "store-failed")
    if isinstance(error, DBAPIError):
        state = getattr(cause, "sqlstate", None)
        if state in _POSTGRESQL:
            return _POSTGRESQL[state]
        if error.connection_invalidated or str(state)[:2] in _UNREACHABLE or _without_connection(cause, state):
            return "store-unreachable"
    return "store-failed"


def _without_connection(cause: BaseException, state: str | None) -> bool:
    """psycopg raises its OperationalError without a SQLSTATE when there is nobody to give one."""
    return state is None and type(cause).__name__ in ("OperationalError", "ConnectionTimeout")
