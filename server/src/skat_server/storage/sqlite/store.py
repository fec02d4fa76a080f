"""`SqliteStore`: the log of every table in one file."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import structlog

from skat_server.storage.protocols import (
    Batch,
    CorruptRecordError,
    Done,
    Durability,
    SealedDeal,
    StoreError,
    TableLog,
)
from skat_server.storage.sqlite import reading
from skat_server.storage.sqlite.connections import Connect, open_writer
from skat_server.storage.sqlite.database import Database
from skat_server.storage.sqlite.inbox import Append, Retire
from skat_server.storage.sqlite.writer import Kept, Pace

MOST_PENDING: Final = 20_000
"""Entries that may wait for the disk; batches above it are refused."""

_log = structlog.get_logger()


class SqliteStore:
    """Acknowledges a batch when it is on the disk.

    Attributes:
        database: the file and its threads, for others who keep something in it.
    """

    def __init__(
        self,
        path: Path,
        durability: Durability = Durability.ACTION,
        *,
        connect: Connect = open_writer,
        pace: Pace | None = None,
        migrates: bool = False,
    ) -> None:
        """Name the file; nothing happens before `open`.

        Args:
            path: of the database; made when it is not there.
            durability: ACTION or DEAL.
            connect: opens the connection that writes.
            pace: how long the writing thread waits for what.
            migrates: bring an older schema up to date, after a copy, instead of refusing it.
        """
        self.database = Database(path, durability, connect=connect, pace=pace, migrates=migrates)
        self._durability = durability
        self._pending = 0

    @property
    def durability(self) -> Durability:
        """What an acknowledgement means."""
        return self._durability

    @property
    def is_available(self) -> bool:
        """Whether batches can be kept now, as far as is known."""
        database = self.database
        return database.is_open and database.outage is None and database.fatal is None

    @property
    def fatal(self) -> StoreError | None:
        """Why this process can never keep anything again; None while it can."""
        return self.database.fatal

    @property
    def pending_entries(self) -> int:
        """Entries that wait for the disk."""
        return self._pending

    def watch(self, call: Callable[[], None]) -> None:
        """Call back whenever `is_available` or `fatal` has changed."""
        self.database.watch(call)

    def watch_commits(self, call: Callable[[Kept], None]) -> None:
        """Call with every transaction, once whoever waited for it was told."""
        self.database.watch_commits(call)

    async def open(self) -> None:
        """Take the file, and begin to write.

        Raises:
            UnusableStoreError: with what to do about it.
        """
        await self.database.open()

    def append(self, batch: Batch, done: Done) -> None:
        """Keep a batch, then call `done`; at once when it cannot be kept now."""
        size = max(1, len(batch.entries))
        refusal = self._refusal(size)
        if refusal is not None:
            done(refusal)
            return
        self._pending += size
        self.database.put(Append(batch, partial(self._done, size, done)))

    async def load(self, ended: int) -> Sequence[TableLog]:
        """The logs of all tables that are not over, and of so many of the latest that are."""
        return await self.database.read(lambda connection: reading.load(connection, ended))

    async def log(self, table_id: str) -> TableLog | None:
        """The log of one table, actions of a retired one perhaps not. None for an unknown one."""
        return await self.database.read(lambda connection: reading.log(connection, table_id))

    async def record(self, table_id: str, deal_number: int) -> SealedDeal | None:
        """The record of a finished deal, None when there is none.

        Raises:
            CorruptRecordError: what is there is not what was sealed.
            StoreError: it cannot be read now.
        """
        found = await self.records(table_id, deal_number - 1, 1)
        return found[0] if found and found[0].deal_number == deal_number else None

    async def records(self, table_id: str, after: int, limit: int) -> Sequence[SealedDeal]:
        """At most so many records of a table, of the deals after a number, in their order.

        Raises:
            CorruptRecordError: what is there is not what was sealed.
            StoreError: they cannot be read now.
        """
        try:
            return await self.database.read(
                lambda connection: reading.records(connection, table_id, after, limit)
            )
        except CorruptRecordError as error:
            _log.error("store.damaged", table_id=table_id, deal=error.deal_number, why=error.why)
            raise

    def retire(self, table_id: str) -> None:
        """A table that is over is carried no longer; its sealed records stay."""
        if self.is_available:
            self.database.put(Retire(table_id))

    async def close(self) -> None:
        """Keep what was given, and let go of files and threads."""
        await self.database.close()

    def _refusal(self, size: int) -> StoreError | None:
        """Why a batch of so many entries cannot even wait."""
        database = self.database
        if not database.is_open:
            return StoreError("the store is closed")
        if database.fatal is not None or database.outage is not None:
            return database.fatal or database.outage
        if self._pending + size > MOST_PENDING:
            return StoreError("too much waits for the disk")
        return None

    def _done(self, size: int, done: Done, error: StoreError | None) -> None:
        self._pending -= size
        done(error)
