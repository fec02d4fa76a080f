"""Stores on a disk, driven by hand."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from skat_server.storage.protocols import (
    Batch,
    DealRecordLine,
    Durability,
    Entry,
    EntryKind,
    SeatResult,
    Store,
    StoreError,
)
from skat_server.storage.sqlite.connections import Connect, open_writer
from skat_server.storage.sqlite.store import SqliteStore
from skat_server.storage.sqlite.writer import Pace

AT = 1_700_000_000.25
QUICK = Pace(probe=0.005, wait_per_batch=0.0, quiet=0.0, look=3600.0)
"""Nobody waits in a test."""


@asynccontextmanager
async def opened(
    path: Path,
    durability: Durability = Durability.ACTION,
    connect: Connect = open_writer,
    pace: Pace = QUICK,
) -> AsyncIterator[SqliteStore]:
    """A store that is open meanwhile."""
    store = SqliteStore(path, durability, connect=connect, pace=pace)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def action(table_id: str, *payloads: str) -> Batch:
    """A batch of actions."""
    return Batch(table_id, AT, tuple(Entry(EntryKind.ACTION, payload) for payload in payloads))


def start(table_id: str) -> Batch:
    """The first deal of a table."""
    return Batch(table_id, AT, (Entry(EntryKind.DEAL_STARTED, "{}"),))


def deal_end(table_id: str, number: int, *, is_last: bool = False) -> Batch:
    """The last action of a deal, its end, and the start of the next."""
    kinds = [EntryKind.ACTION, EntryKind.DEAL_ENDED]
    if not is_last:
        kinds.append(EntryKind.DEAL_STARTED)
    results = tuple(SeatResult(seat, f"player-{seat}", 10 * seat + number) for seat in range(3))
    record = DealRecordLine(number, f'{{"deal_number":{number}}}', results)
    entries = tuple(Entry(kind, f"end of {number}") for kind in kinds)
    return Batch(table_id, AT, entries, record, is_last)


async def outcome(store: Store, batch: Batch) -> StoreError | None:
    """What became of a batch."""
    told: asyncio.Future[StoreError | None] = asyncio.get_running_loop().create_future()
    store.append(batch, told.set_result)
    return await told


async def keep(store: Store, *batches: Batch) -> None:
    """Append batches, each after the one before is done."""
    for batch in batches:
        assert await outcome(store, batch) is None


async def failed(store: Store, batch: Batch) -> StoreError:
    """Why a batch was not kept."""
    error = await outcome(store, batch)
    assert error is not None
    return error


async def changed(store: Store) -> None:
    """Wait until the store says that something about it is different now."""
    event = asyncio.Event()
    store.watch(event.set)
    await event.wait()


async def available(store: Store) -> None:
    """Wait until batches can be kept again."""
    while not store.is_available:
        await changed(store)


async def payloads(store: Store, table_id: str) -> list[str]:
    """The log of a table."""
    log = await store.log(table_id)
    return [] if log is None else [line.entry.payload for line in log.lines]


def rows(path: Path, question: str, *values: object) -> list[tuple[object, ...]]:
    """What another process would read from the database."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(question, values).fetchall()


def change(path: Path, statement: str, *values: object) -> None:
    """Change the database as another process would."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


class Proxy:
    """A connection that a test can look into, or spoil."""

    def __init__(self, path: Path) -> None:
        """Open the real one."""
        real = open_writer(path)
        assert isinstance(real, sqlite3.Connection)
        self.real = real
        self.statements: list[str] = []

    @property
    def in_transaction(self) -> bool:
        return self.real.in_transaction

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> sqlite3.Cursor:
        self.statements.append(sql)
        return self.real.execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> object:
        self.statements.append(sql)
        return self.real.executemany(sql, parameters)

    def close(self) -> None:
        self.real.close()
