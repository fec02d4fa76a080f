"""What an error of the driver means for the store."""

import sqlite3
from typing import Final

from skat_server.storage.protocols import StoreError, StoreFailure

_PRIMARY: Final = 0xFF
"""The part of an error code that names its kind."""

_FAILURES: Final = {
    sqlite3.SQLITE_FULL: StoreFailure.FULL,
    # After a failed fsync nobody knows what the disk has: asking again would be answered "done".
    sqlite3.SQLITE_IOERR: StoreFailure.BROKEN,
    sqlite3.SQLITE_CORRUPT: StoreFailure.BROKEN,
    sqlite3.SQLITE_NOTADB: StoreFailure.BROKEN,
    # The file was moved away or made read-only under us.
    sqlite3.SQLITE_READONLY: StoreFailure.BROKEN,
}


class FencedError(Exception):
    """Another process has opened the database since."""


def store_error(error: Exception) -> StoreError:
    """The error in the store's words, without any text from the database."""
    if isinstance(error, StoreError):
        return error
    if isinstance(error, FencedError):
        return StoreError(
            "another process has taken the database over", failure=StoreFailure.FENCED
        )
    failure = _FAILURES.get(_code(error) & _PRIMARY, StoreFailure.OTHER)
    return StoreError(f"the database failed: {_name(error)}", failure)


def is_outage(error: Exception) -> bool:
    """Whether the database failed, and not just what was asked of it."""
    return isinstance(error, sqlite3.OperationalError)


def _code(error: Exception) -> int:
    code = getattr(error, "sqlite_errorcode", 0)
    return code if isinstance(code, int) else 0


def _name(error: Exception) -> str:
    name = getattr(error, "sqlite_errorname", "")
    return name if isinstance(name, str) and name else type(error).__name__
