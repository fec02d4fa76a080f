"""What is in a database, in numbers."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from skat_server.storage import revisions
from skat_server.storage.protocols import UnusableStoreError
from skat_server.storage.sqlite import lock


@dataclass(frozen=True, slots=True)
class StoreStatus:
    """A database at a moment."""

    path: str
    bytes: int
    """Of the database and its write-ahead log."""
    revision: str
    is_in_use: bool
    """Whether a server has it open."""
    starts: int
    """How often servers have opened it."""
    tables_running: int
    tables_over: int
    """Also those that nobody carries any more."""
    deals: int
    """Sealed ones."""
    log_entries: int
    """Also the latest actions that are in sealed deals as well, until the journal is filed."""


def status_of(database: Path) -> StoreStatus:
    """Look at a database; a server may be using it.

    Raises:
        UnusableStoreError: it is not there, or cannot be read.
    """
    revision = revisions.revision_of(database)
    revisions.require_known(database, revision)
    try:
        with closing(
            sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)
        ) as connection:
            return StoreStatus(
                path=str(database),
                bytes=_size(database),
                revision=revision,
                is_in_use=lock.is_held(database),
                starts=_number(connection, "SELECT COALESCE(MAX(epoch), 0) FROM nodes"),
                tables_running=_number(
                    connection, "SELECT COUNT(*) FROM tables WHERE ended_number IS NULL"
                ),
                tables_over=_number(
                    connection, "SELECT COUNT(*) FROM tables WHERE ended_number IS NOT NULL"
                ),
                deals=_number(connection, "SELECT COUNT(*) FROM deals"),
                log_entries=_number(connection, "SELECT COUNT(*) FROM events"),
            )
    except sqlite3.Error as error:
        raise UnusableStoreError(f"{database} cannot be read: {error}") from error


def _number(connection: sqlite3.Connection, question: str) -> int:
    rows: list[tuple[int]] = connection.execute(question).fetchall()
    return rows[0][0]


def _size(database: Path) -> int:
    parts = (database, database.with_name(f"{database.name}-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())
