"""A store that promises nothing beyond the life of the process: for tests and training."""

from collections import defaultdict
from collections.abc import Sequence

from skat_server.storage.protocols import Batch, DealRecordLine, Done, Entry


class MemoryStore:
    """Keeps every log in memory."""

    def __init__(self) -> None:
        """Start empty."""
        self._entries: defaultdict[str, list[Entry]] = defaultdict(list)
        self._records: defaultdict[str, list[DealRecordLine]] = defaultdict(list)

    def append(self, batch: Batch, done: Done) -> None:
        """Keep the batch and report at once."""
        self._entries[batch.table_id].extend(batch.entries)
        if batch.record is not None:
            self._records[batch.table_id].append(batch.record)
        done(None)

    def entries(self, table_id: str) -> Sequence[Entry]:
        """The log so far."""
        return tuple(self._entries.get(table_id, ()))

    def record(self, table_id: str, deal_number: int) -> DealRecordLine | None:
        """The record of one deal."""
        lines = self._records.get(table_id, [])
        return lines[deal_number - 1] if 0 < deal_number <= len(lines) else None

    def records(self, table_id: str) -> Sequence[DealRecordLine]:
        """All records so far."""
        return tuple(self._records.get(table_id, ()))

    def forget(self, table_id: str) -> None:
        """Drop log and records."""
        self._entries.pop(table_id, None)
        self._records.pop(table_id, None)
