"""A store that promises nothing beyond the life of the process: for tests and training."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from skat_server.storage.protocols import (
    TOURNAMENT_PREFIX,
    Batch,
    Done,
    Durability,
    LoggedEntry,
    SealedDeal,
    StoreError,
    TableLog,
)
from skat_server.storage.sealing import FIRST, sealed


class MemoryStore:
    """Keeps every log in memory."""

    def __init__(self) -> None:
        """Start empty."""
        self._logs: defaultdict[str, list[LoggedEntry]] = defaultdict(list)
        self._ended: dict[str, None] = {}
        self._records: defaultdict[str, list[SealedDeal]] = defaultdict(list)

    @property
    def durability(self) -> Durability:
        """Nothing is promised."""
        return Durability.MEMORY

    @property
    def is_available(self) -> bool:
        """It always is."""
        return True

    @property
    def fatal(self) -> StoreError | None:
        """Memory has no way to fail."""
        return None

    def watch(self, call: Callable[[], None]) -> None:
        """It never changes."""

    async def open(self) -> None:
        """Nothing is needed."""

    def append(self, batch: Batch, done: Done) -> None:
        """Keep the batch and report at once."""
        log = self._logs[batch.table_id]
        for entry in batch.entries:
            log.append(LoggedEntry(batch.at, entry))
        if batch.record is not None:
            records = self._records[batch.table_id]
            previous = records[-1].sha256 if records else FIRST
            records.append(sealed(batch.record, previous))
        if batch.is_last:
            self._ended[batch.table_id] = None
        done(None)

    async def load(self, ended: int) -> Sequence[TableLog]:
        """The tables that run, the latest that are over, and all tournaments."""
        kept = set(list(self._ended)[-ended:] if ended else ())
        return [
            TableLog(table_id, tuple(lines))
            for table_id, lines in self._logs.items()
            if table_id not in self._ended
            or table_id in kept
            or table_id.startswith(TOURNAMENT_PREFIX)
        ]

    async def log(self, table_id: str) -> TableLog | None:
        """The log so far."""
        lines = self._logs.get(table_id)
        return None if lines is None else TableLog(table_id, tuple(lines))

    async def record(self, table_id: str, deal_number: int) -> SealedDeal | None:
        """The record of one deal."""
        found = await self.records(table_id, deal_number - 1, 1)
        return found[0] if found and found[0].deal_number == deal_number else None

    async def records(self, table_id: str, after: int, limit: int) -> Sequence[SealedDeal]:
        """Records so far."""
        records = self._records.get(table_id, [])
        return [record for record in records if record.deal_number > after][:limit]

    def retire(self, table_id: str) -> None:
        """Drop log and records: memory is all there is."""
        self._logs.pop(table_id, None)
        self._ended.pop(table_id, None)
        self._records.pop(table_id, None)

    async def close(self) -> None:
        """Nothing is held."""
