"""Connections to the database file, and the little that the store asks of one."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Protocol

BUSY_MS: Final = 5_000
"""Milliseconds to wait for others who hold the file: backups, the command line."""
_CACHE_KIB: Final = 16_384
_STATEMENTS: Final = 256
"""Statements that stay prepared: for each kind of rows one for each number, and all others."""


class Cursor(Protocol):
    """The rows of one statement."""

    def fetchall(self) -> list[Any]:  # what a column holds is known to its statement only
        """All rows that are left."""


class Connection(Protocol):
    """What `sqlite3` offers, as far as it is used: another driver can stand in for it."""

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""

    def execute(self, sql: str, parameters: Sequence[object] = ..., /) -> Cursor:
        """Run one statement."""

    def executemany(self, sql: str, parameters: Iterable[Sequence[object]], /) -> object:
        """Run one statement for each set of values."""

    def close(self) -> None:
        """Let go of the file."""


Connect = Callable[[Path], Connection]
"""Opens the connection that writes."""


def open_writer(path: Path) -> Connection:
    """A connection without transactions of its own making, for any one thread at a time."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=_STATEMENTS,
    )
    prepare_writer(connection)
    return connection


def prepare_writer(connection: Connection) -> None:
    """Turn on the write-ahead log; checkpoints happen only when we ask for them."""
    for setting in (
        f"busy_timeout={BUSY_MS}",
        "journal_mode=WAL",
        "synchronous=FULL",
        "wal_autocheckpoint=0",
        "foreign_keys=ON",
        f"cache_size=-{_CACHE_KIB}",
    ):
        connection.execute(f"PRAGMA {setting}").fetchall()


def open_reader(path: Path) -> Connection:
    """A connection that cannot write."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute(f"PRAGMA busy_timeout={BUSY_MS}").fetchall()
    return connection


@contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """Keep all of what is written inside, or nothing.

    After an error the transaction is closed; what became of it is for the caller to ask.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # Some errors have already ended it.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def snapshot(connection: Connection) -> Iterator[None]:
    """Let all reads inside see the database as it is at the first of them."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        # Some errors have already ended it, and are what is to be told.
        if connection.in_transaction:
            connection.execute("COMMIT")
