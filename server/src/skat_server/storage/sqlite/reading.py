"""What is read back: whole logs at a start, and records of deals at any time."""

from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from skat_server.storage.protocols import (
    TOURNAMENT_PREFIX,
    Entry,
    EntryKind,
    LoggedEntry,
    SealedDeal,
    TableLog,
)
from skat_server.storage.sqlite.connections import Connection, snapshot
from skat_server.storage.sqlite.packing import PackedDeal, unpacked

_PLACE: Final = itemgetter(0, 1)
_TABLE: Final = itemgetter(2)
_KINDS: Final = {kind.value: kind for kind in EntryKind}

_LOAD: Final = """
SELECT t.number, e.seq, e.table_id, e.at, e.kind, e.payload
  FROM tables t JOIN {place} e ON e.table_id = t.table_id
 WHERE t.is_retired = 0
   AND (t.ended_number IS NULL OR t.ended_number IN (
        SELECT ended_number FROM tables
         WHERE ended_number IS NOT NULL AND is_retired = 0
         ORDER BY ended_number DESC LIMIT ?)
    OR substr(t.table_id, 1, length(?)) = ?)
 ORDER BY t.number, e.seq
"""
_LOAD_FILED: Final = _LOAD.format(place="filed_events")
_LOAD_NEW: Final = _LOAD.format(place="journal")
_LOG: Final = """
SELECT t.number, e.seq, e.table_id, e.at, e.kind, e.payload
  FROM tables t JOIN events e ON e.table_id = t.table_id
 WHERE t.table_id = ?
 ORDER BY e.seq
"""
_DEALS: Final = """
SELECT table_id, deal_number, log_format, log, log_sha256, previous_sha256
  FROM deals WHERE table_id = ? AND deal_number > ? ORDER BY deal_number LIMIT ?
"""


def load(connection: Connection, ended: int) -> Sequence[TableLog]:
    """Logs of tables that run, of so many that ended last, and of all tournaments."""
    bound = (ended, TOURNAMENT_PREFIX, TOURNAMENT_PREFIX)
    with snapshot(connection):
        filed = connection.execute(_LOAD_FILED, bound).fetchall()
        new = connection.execute(_LOAD_NEW, bound).fetchall()
    # A start finds the journal empty, as a rule.
    return list(_logs(merge(filed, new, key=_PLACE) if new else filed))


def log(connection: Connection, table_id: str) -> TableLog | None:
    """The log of one table, actions of a retired one perhaps not. None for one nobody can read."""
    found = next(_logs(connection.execute(_LOG, (table_id,)).fetchall()), None)
    return found if found is not None and found.lines else None


def records(connection: Connection, table_id: str, after: int, limit: int) -> Sequence[SealedDeal]:
    """Sealed deals of a table.

    Raises:
        CorruptRecordError: one is not what was sealed.
    """
    rows = connection.execute(_DEALS, (table_id, after, limit)).fetchall()
    return [unpacked(PackedDeal(*row)) for row in rows]


def _logs(rows: Iterable[Sequence[Any]]) -> Iterator[TableLog]:
    for table_id, own in groupby(rows, _TABLE):
        yield TableLog(table_id, _lines(own))


def _lines(rows: Iterable[Sequence[Any]]) -> Sequence[LoggedEntry]:
    """The entries of a table; none when one is of a kind that only another server knows.

    Nobody can go on from a part of a log, and other tables shall not suffer for it.
    """
    try:
        return tuple(map(_entry, rows))
    except KeyError:
        return ()


def _entry(row: Sequence[Any]) -> LoggedEntry:
    _, _, _, at, kind, payload = row
    return LoggedEntry(at, Entry(_KINDS[kind], payload))
