"""Who may look at a table: the same whether it is carried or known from its log only."""

from __future__ import annotations

from skat_server.clock import ManualClock
from skat_server.storage.memory import MemoryStore
from skat_server.tables.audience import Audience
from skat_server.tables.table import Table
from tests.server.playing import MIXED, config, occupant, play_on, succeeded
from tests.server.stores import at_once


def require_same(table: Table, store: MemoryStore) -> None:
    """The log must tell what the table tells."""
    log = at_once(store.log(table.table_id))
    assert log is not None
    assert Audience.in_log(log) == Audience.of(table.config, table.state)


def test_the_log_tells_who_sits_there_before_the_first_deal() -> None:
    store = MemoryStore()
    table = a_table(store)
    require_same(table, store)
    table.sit(occupant("ann"), 0, succeeded)
    table.sit(occupant("ben"), 1, succeeded)
    require_same(table, store)
    table.leave("player-ann", succeeded)
    require_same(table, store)


def test_the_log_tells_who_sits_there_after_somebody_has_left_during_a_deal() -> None:
    store = MemoryStore()
    table = a_table(store)
    for seat, name in enumerate(("ann", "ben", "cem")):
        table.sit(occupant(name), seat, succeeded)
    require_same(table, store)
    table.leave("player-ben", succeeded)
    require_same(table, store)
    table.sit(occupant("dia"), 1, succeeded)
    require_same(table, store)
    play_on(table)
    assert table.is_over
    require_same(table, store)


def a_table(store: MemoryStore) -> Table:
    """A table of two deals with free seats."""
    table = Table(config((MIXED, MIXED)), store, ManualClock())
    table.open(succeeded)
    return table
