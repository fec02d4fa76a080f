"""A store with delays, group commit and failures, over a disk that outlives it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from skat_server.storage.protocols import (
    Batch,
    Done,
    Durability,
    SealedDeal,
    StoreError,
    StoreFailure,
    TableLog,
)
from tests.simulation.disk import Disk
from tests.simulation.machine import Machine

PROBE: Final = 0.5
"""Seconds between two looks whether a full disk has space again."""


@dataclass(frozen=True, slots=True)
class StoreFaults:
    """How a store behaves."""

    slowest_commit: float = 0.003
    """Seconds that a commit may take."""
    crash_at_commit: float = 0.0
    """Chance that the server dies at a commit: before it, after it, or after half of its news."""
    fill_up: float = 0.0
    """Chance that the disk is full at a commit."""
    longest_full: float = 30.0
    """Seconds that a disk may stay full."""
    break_down: float = 0.0
    """Chance that the device fails at a commit, after which only a restart can tell."""
    durability: Durability = Durability.ACTION
    """When it syncs: with every transaction, or with those that end a deal."""

    def healed(self) -> StoreFaults:
        """The same store when nothing goes wrong any more."""
        return StoreFaults(durability=self.durability)


class SimStore:
    """The store of one server process."""

    def __init__(self, machine: Machine, disk: Disk, faults: StoreFaults) -> None:
        """Take the disk over: whoever wrote there before may not any more."""
        self._machine = machine
        self._disk = disk
        self._faults = faults
        disk.epoch += 1
        self._epoch = disk.epoch
        disk.times.started[disk.epoch] = machine.elapsed
        self._queue: list[tuple[Batch, Done]] = []
        self._committing = False
        self._full_until = 0.0
        self._gone_at = 0.0
        self._watchers: list[Callable[[], None]] = []
        self.is_available = True
        self.fatal: StoreError | None = None

    @property
    def durability(self) -> Durability:
        """What an acknowledgement means."""
        return self._faults.durability

    def watch(self, call: Callable[[], None]) -> None:
        """Call back whenever `is_available` or `fatal` has changed."""
        self._watchers.append(call)

    async def open(self) -> None:
        """It was opened when it was made."""

    def append(self, batch: Batch, done: Done) -> None:
        """Put the batch into the next transaction."""
        assert all(waiting.table_id != batch.table_id for waiting, _ in self._queue)
        if not self.is_available:
            self._machine.soon(0.001, partial(done, self.fatal or _full()))
            return
        self._queue.append((batch, done))
        if not self._committing:
            self._begin()

    def heal(self) -> None:
        """Nothing goes wrong any more."""
        self._faults = self._faults.healed()
        self._full_until = 0.0

    def _begin(self) -> None:
        """One transaction over everything that waits; what comes now waits for the next."""
        group, self._queue = self._queue, []
        self._committing = True
        self._machine.soon(self._faults.slowest_commit, partial(self._commit, group))

    def _commit(self, group: list[tuple[Batch, Done]]) -> None:
        chance, faults = self._machine.chance, self._faults
        if self._epoch != self._disk.epoch:
            self._end(group, StoreFailure.FENCED)
        elif chance.random() < faults.fill_up:
            self._full_until = self._machine.monotonic() + chance.random() * faults.longest_full
            self._fail(group)
        elif chance.random() < faults.break_down:
            self._break(group)
        elif chance.random() < faults.crash_at_commit:
            self._crash(group)
        else:
            self._write(group)
            self._machine.soon(0.001, partial(self._report, group))

    def _write(self, group: list[tuple[Batch, Done]]) -> None:
        for batch, _ in group:
            self._disk.keep(self._epoch, self._machine.elapsed, batch)
        ends_deal = any(batch.record is not None for batch, _ in group)
        if ends_deal or self._faults.durability is Durability.ACTION:
            self._disk.sync()

    def _report(self, group: list[tuple[Batch, Done]]) -> None:
        self._committing = False
        for _, done in group:
            done(None)
        if self._queue and not self._committing:
            self._begin()

    def _break(self, group: list[tuple[Batch, Done]]) -> None:
        """The outcome is unknown, to the server as well: it must not go on."""
        if self._machine.chance.random() < 0.5:
            self._write(group)
        self._end(group, StoreFailure.BROKEN)

    def _end(self, group: list[tuple[Batch, Done]], failure: StoreFailure) -> None:
        """Nothing is kept from now on; whoever runs the process ends it, but not at once."""
        self.fatal = StoreError("nothing can be kept any more", failure)
        self._machine.soon(0.005, partial(self._machine.die, failure.value))
        group, self._queue = [*group, *self._queue], []
        self._set_available(available=False)
        for _, done in group:
            done(self.fatal)

    def _crash(self, group: list[tuple[Batch, Done]]) -> None:
        """Die before the commit, after it, or while its news spread."""
        moment = self._machine.chance.randrange(3)
        if moment > 0:
            self._write(group)
        if moment > 1:
            self._machine.soon(0.005, partial(self._machine.die, "crash after commit"))
            self._report(group)
        else:
            self._machine.die("crash at commit")

    def _fail(self, group: list[tuple[Batch, Done]]) -> None:
        """Nothing of the group was kept; everything fails until there is space again."""
        self._committing = False
        group, self._queue = [*group, *self._queue], []
        self._set_available(available=False)
        for _, done in group:
            done(_full())
        self._machine.later(PROBE, self._probe)

    def _probe(self) -> None:
        if self.fatal is not None:
            return
        if self._machine.monotonic() < self._full_until:
            self._machine.later(PROBE, self._probe)
        else:
            self._set_available(available=True)

    def _set_available(self, *, available: bool) -> None:
        self.is_available = available
        elapsed = self._machine.elapsed
        if available:
            outages = self._disk.times.outages.setdefault(self._epoch, [])
            outages.append((self._gone_at, elapsed))
        self._gone_at = elapsed
        for call in self._watchers:
            call()

    async def load(self, ended: int) -> Sequence[TableLog]:
        """What is on the disk."""
        return self._disk.load(ended)

    async def log(self, table_id: str) -> TableLog | None:
        """The log of one table."""
        return self._disk.log(table_id)

    async def record(self, table_id: str, deal_number: int) -> SealedDeal | None:
        """The record of one deal."""
        found = [r for r in self._disk.records(table_id) if r.deal_number == deal_number]
        return found[0] if found else None

    async def records(self, table_id: str, after: int, limit: int) -> Sequence[SealedDeal]:
        """Records so far."""
        return [r for r in self._disk.records(table_id) if r.deal_number > after][:limit]

    def retire(self, table_id: str) -> None:
        """Everything stays quick to read."""

    async def close(self) -> None:
        """Nothing is held."""


def _full() -> StoreError:
    return StoreError("the disk is full", StoreFailure.FULL)
