"""The store's side of a history, read from the file that a server has left."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path

from skat_server.storage.protocols import Entry, EntryKind, SealedDeal, SeatResult
from skat_server.storage.sqlite.store import SqliteStore
from tests.histories.model import Line, TableHistory

ALL = 1_000_000


async def histories_in(data: Path) -> list[TableHistory]:
    """Every table of a folder; no server may run on it."""
    path = data / "skat.db"
    lines, results = _lines(path), _results(path)
    store = SqliteStore(path)
    await store.open()
    try:
        records = {table_id: await store.records(table_id, 0, ALL) for table_id in lines}
    finally:
        await store.close()
    return [
        TableHistory(table_id, lines[table_id], _checked(records[table_id]), results[table_id])
        for table_id in lines
    ]


def _checked(records: object) -> list[SealedDeal]:
    assert isinstance(records, list | tuple)
    return list(records)


def _lines(path: Path) -> dict[str, list[Line]]:
    statement = "SELECT table_id, epoch, at, kind, payload FROM events ORDER BY table_id, seq"
    lines: dict[str, list[Line]] = defaultdict(list)
    with closing(sqlite3.connect(path)) as database:
        for table_id, epoch, at, kind, payload in database.execute(statement):
            lines[table_id].append(Line(epoch, at, Entry(EntryKind(kind), payload)))
    return dict(lines)


def _results(path: Path) -> dict[str, list[tuple[int, tuple[SeatResult, ...]]]]:
    statement = (
        "SELECT table_id, deal_number, seat, player_id, points FROM deal_results"
        " ORDER BY table_id, deal_number, seat"
    )
    found: dict[str, dict[int, list[SeatResult]]] = defaultdict(lambda: defaultdict(list))
    with closing(sqlite3.connect(path)) as database:
        for table_id, number, seat, player_id, points in database.execute(statement):
            found[table_id][number].append(SeatResult(seat, player_id, points))
    return defaultdict(
        list,
        {
            table_id: [(number, tuple(results)) for number, results in deals.items()]
            for table_id, deals in found.items()
        },
    )
