"""Whose time was taken from whom: commits, outages and downtime are charged to nobody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from skat_server.storage.protocols import Entry, EntryKind
from skat_server.tables.state import TableConfig

ASKS: Final = frozenset({EntryKind.DEAL_STARTED, EntryKind.ACTION, EntryKind.DECISION_DEFAULTED})
"""Entries after which somebody is asked something new."""

EPSILON: Final = 0.002
"""Seconds that rounding to milliseconds may hide."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An entry, with the true time of its keeping."""

    epoch: int
    elapsed: float
    entry: Entry


@dataclass(slots=True)
class Times:
    """What really happened when, in seconds of the run.

    Attributes:
        kept: entries, by table.
        started: when each server began to serve, by epoch.
        outages: from when to when a server could keep nothing, by epoch.
    """

    kept: dict[str, list[Kept]] = field(default_factory=dict)
    started: dict[int, float] = field(default_factory=dict)
    outages: dict[int, list[tuple[float, float]]] = field(default_factory=dict)


def overcharged(config: TableConfig, times: Times) -> Iterator[str]:
    """Safe answers that came before the seat had had its own time for the decision."""
    own = config.clock.decision_ms / 1000
    kept = times.kept.get(config.table_id, [])
    for number, line in enumerate(kept):
        if line.entry.kind is not EntryKind.DECISION_DEFAULTED or "illegal" in line.entry.payload:
            continue
        begin = max(_asked_at(kept[:number]), times.started[line.epoch])
        had = line.elapsed - begin - _outage(times.outages.get(line.epoch, ()), begin, line.elapsed)
        if had < own - EPSILON:
            yield f"{line.entry.payload} came after {had:.3f} s of the seat's {own:.0f}"


def _asked_at(before: Sequence[Kept]) -> float:
    """When the open question was kept."""
    return next(line.elapsed for line in reversed(before) if line.entry.kind in ASKS)


def _outage(outages: Sequence[tuple[float, float]], begin: float, end: float) -> float:
    """How long nothing could be kept in an interval."""
    return sum(max(0.0, min(end, until) - max(begin, since)) for since, until in outages)
