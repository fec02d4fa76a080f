"""What survives a crash: logs, records and results, and who may write them."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from skat_server.storage.protocols import (
    Batch,
    EntryKind,
    LoggedEntry,
    SealedDeal,
    SeatResult,
    TableLog,
)
from skat_server.storage.sealing import FIRST, sealed
from tests.histories.model import Line, TableHistory
from tests.simulation.billing import Kept, Times

KEPT_DEALS: Final = 2
KEPT_KINDS: Final = frozenset(
    {EntryKind.TABLE_OPENED, EntryKind.DEAL_STARTED, EntryKind.DEAL_ENDED}
)
"""What a store keeps of every deal."""


class Disk:
    """The durable state of a store.

    Attributes:
        epoch: of the server that may write; the next one to start gets the next number.
        times: when everything was kept.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.epoch = 0
        self.times = Times()
        self._lines: defaultdict[str, list[Line]] = defaultdict(list)
        self._records: defaultdict[str, list[SealedDeal]] = defaultdict(list)
        self._results: defaultdict[str, list[tuple[int, tuple[SeatResult, ...]]]]
        self._results = defaultdict(list)
        self._ended: dict[str, None] = {}
        self._unsynced: list[Batch] = []

    def keep(self, epoch: int, elapsed: float, batch: Batch) -> None:
        """Write one batch as a whole; it survives the process, but no power cut yet."""
        kept = self.times.kept.setdefault(batch.table_id, [])
        kept += [Kept(epoch, elapsed, entry) for entry in batch.entries]
        self._lines[batch.table_id] += [Line(epoch, batch.at, entry) for entry in batch.entries]
        if batch.record is not None:
            records = self._records[batch.table_id]
            records.append(sealed(batch.record, records[-1].sha256 if records else FIRST))
            results = (batch.record.deal_number, batch.record.results)
            self._results[batch.table_id].append(results)
        if batch.is_last:
            self._ended[batch.table_id] = None
        self._unsynced.append(batch)

    def sync(self) -> None:
        """Let everything survive power cuts as well."""
        self._unsynced.clear()

    def cut_power(self, chance: random.Random) -> None:
        """Lose the latest batches that were not synced, any number of them."""
        for _ in range(chance.randint(0, len(self._unsynced))):
            self._forget(self._unsynced.pop())
        self.sync()

    def _forget(self, batch: Batch) -> None:
        lines, kept = self._lines[batch.table_id], self.times.kept[batch.table_id]
        for one in (lines, kept):
            del one[len(one) - len(batch.entries) :]
        if batch.is_last:
            del self._ended[batch.table_id]
        if not lines:
            del self._lines[batch.table_id]

    def has(self, table_id: str) -> bool:
        """Whether a table was ever opened."""
        return table_id in self._lines

    def is_over(self, table_id: str) -> bool:
        """Whether a table has had its last entry."""
        return table_id in self._ended

    def log(self, table_id: str) -> TableLog:
        """The log of one table."""
        lines = self._lines[table_id]
        return TableLog(table_id, tuple(LoggedEntry(line.at, line.entry) for line in lines))

    def load(self, ended: int) -> list[TableLog]:
        """Tables that run, and the latest that are over, in the order of their opening.

        Of earlier deals than the last two only starts and results are left.
        """
        kept = list(self._ended)[-ended:] if ended else []
        return [
            _pruned(self.log(table_id))
            for table_id in self._lines
            if table_id not in self._ended or table_id in kept
        ]

    def records(self, table_id: str) -> Sequence[SealedDeal]:
        """All records of a table."""
        return self._records[table_id]

    def histories(self) -> list[TableHistory]:
        """Everything, for the checker."""
        return [
            TableHistory(table_id, lines, self._records[table_id], self._results[table_id])
            for table_id, lines in self._lines.items()
        ]


def _pruned(log: TableLog) -> TableLog:
    starts = [n for n, line in enumerate(log.lines) if line.entry.kind is EntryKind.DEAL_STARTED]
    if len(starts) < KEPT_DEALS:
        return log
    first = starts[-KEPT_DEALS]
    early = [line for line in log.lines[:first] if line.entry.kind in KEPT_KINDS]
    return TableLog(log.table_id, (*early, *log.lines[first:]))
