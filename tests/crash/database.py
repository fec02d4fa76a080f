"""The store's side of a history, read from the file that a server has left."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from skat_server.storage.protocols import Entry, EntryKind, SeatResult
from skat_server.storage.sqlite import reading
from tests.histories.model import Line, TableHistory

ALL = 1_000_000


def histories_in(data: Path, table_ids: Iterable[str] | None = None) -> list[TableHistory]:
    """What the store has of these tables, or of all; a server may run on it."""
    with closing(sqlite3.connect(f"file:{data / 'skat.db'}?mode=ro", uri=True)) as database:
        known = [table_id for (table_id,) in database.execute("SELECT table_id FROM tables")]
        wanted = known if table_ids is None else table_ids
        return [_history(database, table_id) for table_id in wanted]


def _history(database: sqlite3.Connection, table_id: str) -> TableHistory:
    deals = reading.records(database, table_id, 0, ALL)
    return TableHistory(
        table_id, _lines(database, table_id), list(deals), _results(database, table_id)
    )


def _lines(database: sqlite3.Connection, table_id: str) -> list[Line]:
    statement = "SELECT epoch, at, kind, payload FROM events WHERE table_id = ? ORDER BY seq"
    return [
        Line(epoch, at, Entry(EntryKind(kind), payload))
        for epoch, at, kind, payload in database.execute(statement, (table_id,))
    ]


def _results(
    database: sqlite3.Connection, table_id: str
) -> list[tuple[int, tuple[SeatResult, ...]]]:
    statement = (
        "SELECT deal_number, seat, player_id, points FROM deal_results"
        " WHERE table_id = ? ORDER BY deal_number, seat"
    )
    found: dict[int, list[SeatResult]] = defaultdict(list)
    for number, seat, player_id, points in database.execute(statement, (table_id,)):
        found[number].append(SeatResult(seat, player_id, points))
    return [(number, tuple(results)) for number, results in found.items()]
