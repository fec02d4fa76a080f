"""The simulation finds what it is there for: each bug is planted, and a few seeds show it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from skat_engine import Seat
from skat_server.storage.protocols import Batch, Done, TableLog
from skat_server.tables import log as fact_log
from skat_server.tables import registry
from skat_server.tables.clocks import Account
from skat_server.tables.facts import HandReceived, LoggedFact, ShownFact, Viewer, project
from skat_server.tables.recovery import recovered
from skat_server.tables.state import Occupant
from skat_server.tables.table import Table
from skat_server.tables.timing import Timing
from tests.simulation.disk import Disk
from tests.simulation.run import simulate
from tests.simulation.store import SimStore

SEEDS = 100
"""Runs within which every bug must show."""

Plant = Callable[[pytest.MonkeyPatch], None]


def is_found(rules: set[str], seeds: int) -> bool:
    """Whether one of the runs breaks one of the rules."""
    return any(
        violation.rule in rules for seed in range(seeds) for violation in simulate(seed).violations
    )


def emit_before_commit(patch: pytest.MonkeyPatch) -> None:
    """Everybody is told while the store is still at work (D1)."""

    def append(store: SimStore, batch: Batch, done: Done) -> None:
        store._queue.append((batch, lambda error: None))
        if not store._committing:
            store._begin()
        done(None)

    patch.setattr(SimStore, "append", append)


def after_recovery(patch: pytest.MonkeyPatch, spoil: Callable[[Table], None]) -> None:
    """Do something wrong to every table that was made again from its log."""

    def spoiled(log: TableLog, make: Any) -> Table:
        table = recovered(log, make)
        spoil(table)
        return table

    patch.setattr(registry, "recovered", spoiled)


def forget_what_was_settled(patch: pytest.MonkeyPatch) -> None:
    """Answers from before the crash are refused when they come again (F14)."""

    def spoil(table: Table) -> None:
        table._answers.settled.clear()
        table._answers.settled_before.clear()

    after_recovery(patch, spoil)


def book_the_last_deal_again(patch: pytest.MonkeyPatch) -> None:
    """A deal that was booked before the crash is booked once more (R2)."""

    def spoil(table: Table) -> None:
        series = table.state.series.copy()
        if series.deals_done and not series.is_over:
            series.book(series.sheet.bookings[-1].result)
            table.state = replace(table.state, series=series)

    after_recovery(patch, spoil)


def count_turns_from_the_start(patch: pytest.MonkeyPatch) -> None:
    """The open question has another id after the crash (F1)."""

    def spoil(table: Table) -> None:
        table.state = replace(table.state, turns=(0, 0, 0))
        table.reopen()

    after_recovery(patch, spoil)


def forget_the_last_batch(patch: pytest.MonkeyPatch) -> None:
    """What was acknowledged last is not read again."""
    honest = Disk.load

    def load(disk: Disk, ended: int) -> list[TableLog]:
        return [_without_last_batch(log) for log in honest(disk, ended)]

    patch.setattr(Disk, "load", load)


def _without_last_batch(log: TableLog) -> TableLog:
    last = log.lines[-1].at
    kept = tuple(line for line in log.lines[1:] if line.at != last)
    return TableLog(log.table_id, (log.lines[0], *kept))


def write_without_a_fence(patch: pytest.MonkeyPatch) -> None:
    """A server that was replaced goes on writing (F7)."""

    def commit(store: SimStore, group: list[Any]) -> None:
        store._write(group)
        store._machine.soon(0.001, lambda: store._report(group))

    patch.setattr(SimStore, "_commit", commit)


def never_sync(patch: pytest.MonkeyPatch) -> None:
    """What was acknowledged does not survive a power cut (F3)."""
    patch.setattr(Disk, "sync", lambda disk: None)


def show_forehands_cards(patch: pytest.MonkeyPatch) -> None:
    """A viewer without cards sees those of another (T4)."""

    def leaky(logged: LoggedFact, viewer: Viewer) -> ShownFact | None:
        shown = project(logged, viewer)
        if shown is None or not isinstance(shown.fact, HandReceived):
            return shown
        forehand = project(logged, logged.seating.active[0])
        assert forehand is not None
        return replace(shown, fact=forehand.fact)

    patch.setattr(fact_log, "project", leaky)


def lose_a_projection(patch: pytest.MonkeyPatch) -> None:
    """Of the skat that the declarer takes nobody is told."""

    def lossy(logged: LoggedFact, viewer: Viewer) -> ShownFact | None:
        return None if type(logged.fact).__name__ == "SkatTaken" else project(logged, viewer)

    patch.setattr(fact_log, "project", lossy)


def charge_outages(patch: pytest.MonkeyPatch) -> None:
    """The clocks run on while the store can keep nothing (F4)."""
    patch.setattr(Table, "pause_clocks", lambda table, why=None: None)


def charge_double(patch: pytest.MonkeyPatch) -> None:
    """A decision has half of its time."""
    honest = Timing.ask

    def ask(  # noqa: PLR0913, PLR0917  # as the method that it stands for
        timing: Timing,
        turn_id: str,
        seat: Seat,
        own_ms: int,
        account: Account,
        occupant: Occupant | None,
    ) -> None:
        half = Account(account.bank_ms // 2, account.grace_ms // 2)
        honest(timing, turn_id, seat, own_ms // 2, half, occupant)

    patch.setattr(Timing, "ask", ask)


BUGS: list[tuple[Plant, set[str]]] = [
    (emit_before_commit, {"H7", "H2"}),
    (forget_what_was_settled, {"H1"}),
    (book_the_last_deal_again, {"H4", "H5", "H6", "H8", "raised"}),
    (count_turns_from_the_start, {"H2"}),
    (forget_the_last_batch, {"H6"}),
    (write_without_a_fence, {"H3"}),
    (never_sync, {"H7", "lost"}),
    (show_forehands_cards, {"H2"}),
    (lose_a_projection, {"H2"}),
    (charge_outages, {"clock"}),
    (charge_double, {"clock"}),
]


@pytest.mark.parametrize(("plant", "rules"), BUGS, ids=[plant.__name__ for plant, _ in BUGS])
def test_a_planted_bug_is_found(
    monkeypatch: pytest.MonkeyPatch, plant: Plant, rules: set[str]
) -> None:
    plant(monkeypatch)
    assert is_found(rules, SEEDS)
