"""Stores that a test holds in its hand: they wait to be told, take notes, or fail."""

from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import (
    Batch,
    Done,
    Durability,
    Entry,
    SealedDeal,
    Store,
    StoreError,
)
from skat_server.storage.sqlite.store import SqliteStore

_Found = TypeVar("_Found")

ALL: Final = 1_000_000
"""More than any table of a test has of anything."""

MAKERS: Final[dict[str, Callable[[Path], Store]]] = {
    "memory": lambda _: MemoryStore(),
    "sqlite": lambda folder: SqliteStore(folder / "skat.db"),
    "sqlite-deal": lambda folder: SqliteStore(folder / "skat.db", Durability.DEAL),
}
"""Every implementation of the protocol by name, made in an empty folder and not yet open; the
suite in test_storage.py runs for each."""


class HeldStore(MemoryStore):
    """Keeps a batch only when it is told to.

    Attributes:
        held: batches that wait, the oldest first.
        is_held: whether batches wait at all.
        on_held: called whenever one more waits.
    """

    def __init__(self) -> None:
        """Start by keeping everything at once."""
        super().__init__()
        self.held: list[tuple[Batch, Done]] = []
        self.is_held = False
        self.on_held: Callable[[], None] = lambda: None

    def append(self, batch: Batch, done: Done) -> None:
        """Let the batch wait, when batches wait."""
        if self.is_held:
            assert all(waiting.table_id != batch.table_id for waiting, _ in self.held)
            self.held.append((batch, done))
            self.on_held()
        else:
            super().append(batch, done)

    def complete(self) -> None:
        """Keep the oldest batch that waits."""
        batch, done = self.held.pop(0)
        super().append(batch, done)

    def fail(self) -> None:
        """Fail the oldest batch that waits."""
        _, done = self.held.pop(0)
        done(StoreError("the disk is full"))


class RecordingStore(MemoryStore):
    """Takes note of what tables keep.

    Attributes:
        batches: all of it, in order.
    """

    def __init__(self) -> None:
        """Start with nothing."""
        super().__init__()
        self.batches: list[Batch] = []

    def append(self, batch: Batch, done: Done) -> None:
        """Keep a batch, twice."""
        self.batches.append(batch)
        super().append(batch, done)


class FailingStore(MemoryStore):
    """Fails at once while it is told to.

    Attributes:
        is_failing: whether it does.
    """

    def __init__(self) -> None:
        """Start by keeping everything."""
        super().__init__()
        self.is_failing = False

    def append(self, batch: Batch, done: Done) -> None:
        """Keep the batch, or fail."""
        if self.is_failing:
            done(StoreError("the disk is full"))
        else:
            super().append(batch, done)


class OutageStore(FailingStore):
    """Fails while it is out, and says so to whoever watches it."""

    def __init__(self) -> None:
        """Start by keeping everything."""
        super().__init__()
        self._calls: list[Callable[[], None]] = []

    @property
    def is_available(self) -> bool:
        """Not while it is out."""
        return not self.is_failing

    def watch(self, call: Callable[[], None]) -> None:
        """Call back at both ends of an outage."""
        self._calls.append(call)

    def set_out(self, is_out: bool) -> None:
        """Begin or end an outage."""
        self.is_failing = is_out
        for call in self._calls:
            call()


def at_once(reading: Coroutine[Any, Any, _Found]) -> _Found:
    """What a store in memory answers, which never has to wait."""
    try:
        reading.send(None)
    except StopIteration as end:
        found: _Found = end.value
        return found
    raise AssertionError("a store in memory waits for nothing")


def entries_of(store: Store, table_id: str) -> tuple[Entry, ...]:
    """The log of a table, empty for an unknown one."""
    log = at_once(store.log(table_id))
    return () if log is None else tuple(line.entry for line in log.lines)


def records_of(store: Store, table_id: str) -> Sequence[SealedDeal]:
    """All records of a table."""
    return at_once(store.records(table_id, 0, ALL))


class ReadFailing(MemoryStore):
    """Cannot read records for a while.

    Attributes:
        failure: what is raised instead; None to read.
    """

    def __init__(self) -> None:
        """Start by reading."""
        super().__init__()
        self.failure: Exception | None = None

    async def records(self, table_id: str, after: int, limit: int) -> Sequence[SealedDeal]:
        """Read, or fail."""
        if self.failure is not None:
            raise self.failure
        return await super().records(table_id, after, limit)
