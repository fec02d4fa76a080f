"""The database opened by a command, for a moment, also beside a server that runs on it.

A visitor takes no lock and raises no epoch: he may change what does not belong to the tables of
a server, and nothing else. A command has nothing to do while it waits, so he needs no thread.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from skat_server.storage import revisions
from skat_server.storage.sqlite import lock
from skat_server.storage.sqlite.connections import Connection, open_writer, transaction
from skat_server.storage.sqlite.failures import store_error

_Found = TypeVar("_Found")


class Visitor:
    """One connection to a database with the schema of this server."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            UnusableStoreError: the database cannot be used; says what to do about it.
            StoreError: it cannot be opened.
        """
        revisions.require_head(path)
        try:
            self._connection: Connection = open_writer(path)
        except sqlite3.Error as error:
            raise store_error(error) from error

    async def read(self, call: Callable[[Connection], _Found]) -> _Found:
        """Make a call.

        Raises:
            StoreError: the database cannot be read.
        """
        try:
            return call(self._connection)
        except sqlite3.Error as error:
            raise store_error(error) from error

    async def write(self, call: Callable[[Connection], _Found]) -> _Found:
        """Make a call inside a transaction; durable on return.

        Raises:
            StoreError: nothing was kept.
            Exception: that the call has raised; nothing was kept.
        """
        try:
            with transaction(self._connection):
                return call(self._connection)
        except sqlite3.Error as error:
            raise store_error(error) from error

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


def make_database(path: Path) -> None:
    """Make a database where there is none, so that accounts can be made before the first start.

    Raises:
        OSError: it cannot be made.
        UnusableStoreError: a server is about to make it.
    """
    if path.exists():
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    held = lock.acquire(path)
    try:
        if not path.exists():
            revisions.create(path)
    finally:
        held.release()
