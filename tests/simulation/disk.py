"""What survives a crash: logs, records and results, and who may write them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from skat_server.storage.protocols import (
    Batch,
    LoggedEntry,
    SealedDeal,
    SeatResult,
    TableLog,
)
from skat_server.storage.sealing import FIRST, sealed
from tests.histories.model import Line, TableHistory


class Disk:
    """The durable state of a store.

    Attributes:
        epoch: of the server that may write; the next one to start gets the next number.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.epoch = 0
        self._lines: defaultdict[str, list[Line]] = defaultdict(list)
        self._records: defaultdict[str, list[SealedDeal]] = defaultdict(list)
        self._results: defaultdict[str, list[tuple[int, tuple[SeatResult, ...]]]]
        self._results = defaultdict(list)
        self._ended: dict[str, None] = {}

    def keep(self, epoch: int, batch: Batch) -> None:
        """Write one batch as a whole."""
        self._lines[batch.table_id] += [Line(epoch, batch.at, entry) for entry in batch.entries]
        if batch.record is not None:
            records = self._records[batch.table_id]
            records.append(sealed(batch.record, records[-1].sha256 if records else FIRST))
            results = (batch.record.deal_number, batch.record.results)
            self._results[batch.table_id].append(results)
        if batch.is_last:
            self._ended[batch.table_id] = None

    def log(self, table_id: str) -> TableLog:
        """The log of one table."""
        lines = self._lines[table_id]
        return TableLog(table_id, tuple(LoggedEntry(line.at, line.entry) for line in lines))

    def load(self, ended: int) -> Sequence[TableLog]:
        """Tables that run, and the latest that are over, in the order of their opening."""
        kept = list(self._ended)[-ended:] if ended else []
        return [
            self.log(table_id)
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
