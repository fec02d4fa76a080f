"""What a server knows of its tables after a start: all of it comes from their logs (F1)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Final

import pytest
from structlog.testing import capture_logs

from skat_server.clock import ManualClock
from skat_server.errors import Reason, RefusedError
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import Batch, Done, Entry, EntryKind, LoggedEntry
from skat_server.tables.clocks import ClockPolicy, TimeLeft
from skat_server.tables.house import HouseBot
from skat_server.tables.registry import TableLimits, Tables
from skat_server.tables.state import Stage, Visibility, house_occupant, house_on_top
from skat_server.tables.table import RETURN_WITHIN, Table
from tests.server.playing import Outcomes, config, fill, occupant, play, play_on, succeeded
from tests.server.recovering import assert_same
from tests.server.stores import ALL, at_once
from tests.server.test_registry import create, ids, reason_of, registry

NAMES: Final = ("ann", "ben", "cem")
LIMITS: Final = TableLimits(running=10, ended=10, per_owner=10, seats_per_player=10)


def restarted(store: MemoryStore, running: int = 10, seats: int = 10, own: int = 10) -> Tables:
    """Another registry over the same store."""
    tables = registry(store, running=running, seats=seats, own=own)
    tables.recover(at_once(store.load(ALL)))
    return tables


def full(tables: Tables, table_id: str, request_id: str = "") -> Table:
    """A table at which the first deal has begun."""
    table = create(tables, table_id, request_id)
    for name in NAMES:
        tables.sit(table, occupant(name), None, succeeded)
    return table


def test_running_tables_go_on() -> None:
    store = MemoryStore()
    before = full(registry(store), "a")
    play(before, "18 pass")
    after = restarted(store).find("a")
    assert_same(after, before)
    play_on(after)
    assert after.state.stage is Stage.FINISHED


def test_tables_keep_their_order() -> None:
    store = MemoryStore()
    tables = registry(store)
    for table_id in ("a", "b", "c"):
        create(tables, table_id)
    assert ids(restarted(store)) == ["c", "b", "a"]


def test_tables_that_are_over_can_still_be_asked_for() -> None:
    store = MemoryStore()
    tables = registry(store)
    play_on(full(tables, "a"))
    create(tables, "b").close("late", succeeded)
    after = restarted(store)
    assert ids(after, Stage.FINISHED) == ["a"]
    assert ids(after, Stage.CLOSED) == ["b"]
    assert not list(after.of_player("player-ann"))
    assert after.place_of("player-ann", "a") is not None


def test_the_longest_over_is_forgotten_first() -> None:
    """A later end counts, whichever table was opened first."""
    store, clock = MemoryStore(), ManualClock()
    for table_id in ("a", "b", "c"):
        Table(config(table_id=table_id), store, clock).open(succeeded)
    tables = registry(store, ended=2)
    tables._clock = clock
    tables.recover(at_once(store.load(ALL)))
    for table_id in ("c", "b", "a"):
        clock.advance(1)
        tables.find(table_id).close("late", succeeded)
    assert ids(restarted(store)) == ["b", "a"]


def test_a_request_is_known_after_a_restart() -> None:
    """A call whose answer was lost in the crash can be repeated."""
    store = MemoryStore()
    create(registry(store), "a", "r")
    after = restarted(store)
    assert create(after, "b", "r") is after.find("a")
    assert create(after, "c", "r", owner="another").table_id == "c"


def test_limits_count_what_was_there() -> None:
    store = MemoryStore()
    full(registry(store), "a")
    create(registry(store), "b").close("late", succeeded)
    assert reason_of(create, restarted(store, running=1), "c") is Reason.QUOTA_EXCEEDED
    assert reason_of(create, restarted(store, own=1), "c") is Reason.QUOTA_EXCEEDED
    tables, outcomes = restarted(store, seats=1), Outcomes()
    tables.sit(create(tables, "c"), occupant("ann"), None, outcomes)
    assert outcomes.reasons == [Reason.QUOTA_EXCEEDED]


def test_a_table_that_ends_after_a_restart_makes_room() -> None:
    store = MemoryStore()
    full(registry(store), "a")
    tables = restarted(store, running=1, seats=1)
    tables.find("a").close("late", succeeded)
    tables.sit(create(tables, "b"), occupant("ann"), None, succeeded)


def test_players_are_found_at_their_tables() -> None:
    store = MemoryStore()
    tables = registry(store)
    full(tables, "a")
    tables.leave(full(tables, "b"), "player-ann", succeeded)
    after = restarted(store)
    assert [t.table_id for t, _ in after.of_player("player-ann")] == ["a"]
    assert [t.table_id for t, _ in after.of_player("player-ben")] == ["a", "b"]


def test_house_bots_are_no_players_of_the_registry() -> None:
    store = MemoryStore()
    tables = registry(store)
    house = house_occupant(HouseBot.FIRST_OPTION)
    made = replace(config(None, table_id="a"), seated=(None, house, house))
    tables.create(made, succeeded)
    after = restarted(store)
    assert_same(after.find("a"), tables.find("a"))
    assert after._of_player == {}


def test_a_decision_has_its_full_time_again_and_the_bank_is_as_logged() -> None:
    """Section 4: the question is asked again; time in which no server ran is never billed."""
    store, clock = MemoryStore(), ManualClock()
    policy = ClockPolicy(decision_ms=10_000, bank_ms=5_000, increment_ms=0, grace_ms=0)
    table = Table(replace(config(None), clock=policy), store, clock)
    fill(table)
    clock.advance(12)
    play(table, "18")
    clock.advance(9)
    before = table.state
    assert [account.bank_ms for account in before.conduct.accounts] == [5_000, 3_000, 5_000]
    late = ManualClock()
    tables = Tables(store, late, LIMITS)
    tables.recover(at_once(store.load(ALL)))
    after = tables.find("table-1")
    assert after.state.conduct == before.conduct
    late.advance(RETURN_WITHIN + 14)
    assert after.decision is not None
    assert after.state.actions == before.actions
    late.advance(2)
    assert after.state.actions != before.actions


def test_clocks_start_when_everybody_is_back() -> None:
    """R5, R23: a restart costs nobody his time, nor his grace."""
    store = MemoryStore()
    table = Table(config(None), store, ManualClock())
    fill(table)
    clock = ManualClock()
    tables = Tables(store, clock, LIMITS)
    tables.recover(at_once(store.load(ALL)))
    after = tables.find("table-1")
    for name in ("ann", "ben", "cem"):
        clock.advance(5.0)
        assert after.time_left(2) == TimeLeft(30_000, 120_000, 30_000)
        after.came(f"player-{name}", clock.monotonic)
    clock.advance(1.0)
    assert after.time_left(2) == TimeLeft(29_000, 120_000, 30_000)


def test_clocks_start_without_those_who_do_not_come_back() -> None:
    """R7: nothing waits for ever."""
    store = MemoryStore()
    fill(Table(config(None), store, ManualClock()))
    clock = ManualClock()
    tables = Tables(store, clock, LIMITS)
    tables.recover(at_once(store.load(ALL)))
    after = tables.find("table-1")
    after.came("player-ann", clock.monotonic)
    clock.advance(RETURN_WITHIN + 1.0)
    assert after.time_left(2) == TimeLeft(30_000, 120_000, 29_000)


def test_house_bots_go_on_after_a_restart() -> None:
    """Whatever the crash interrupted."""
    store = MemoryStore()
    made = replace(config(None), seated=house_on_top([HouseBot.FIRST_OPTION] * 2, 3))
    table = Table(made, FullStore(store, 2), ManualClock())
    table.open(succeeded)
    table.sit(occupant("ann"), None, succeeded)
    seat = open_seat(table)
    after = restarted(store).find("table-1")
    assert after.decision is not None
    assert (after.decision.seat, seat) == (0, None)


class FullStore(MemoryStore):
    """Keeps so many batches in another store and no more."""

    def __init__(self, kept: MemoryStore, batches: int) -> None:
        """Have room for so many."""
        super().__init__()
        self._kept, self._room = kept, batches

    def append(self, batch: Batch, done: Done) -> None:
        """Keep the batch, or never say what became of it."""
        if self._room:
            self._room -= 1
            self._kept.append(batch, done)


def open_seat(table: Table) -> int | None:
    """Who is asked, if anybody is."""
    return None if table.decision is None else table.decision.seat


def broken(store: MemoryStore, table_id: str) -> None:
    """Change a card in a table's log."""
    log = store._logs[table_id]
    place = next(n for n, line in enumerate(log) if line.entry.kind is EntryKind.DEAL_STARTED)
    row = json.loads(log[place].entry.payload)
    hands = row["dealt"].split("|")
    row["dealt"] = "|".join((hands[1], hands[0], *hands[2:]))
    entry = Entry(EntryKind.DEAL_STARTED, json.dumps(row))
    log[place] = LoggedEntry(log[place].at, entry)


def test_a_table_that_cannot_be_folded_is_parked_and_the_others_go_on() -> None:
    """Never silently repaired: it is named, not served, and its log stays as it is."""
    store = MemoryStore()
    tables = registry(store)
    for table_id in ("a", "b", "c"):
        full(tables, table_id)
    broken(store, "b")
    before = at_once(store.log("b"))
    with capture_logs() as logs:
        after = restarted(store)
    assert ids(after) == ["c", "a"]
    assert reason_of(after.find, "b") is Reason.TABLE_NOT_FOUND
    assert [t.table_id for t, _ in after.of_player("player-ann")] == ["a", "c"]
    assert logs == [
        {
            "event": "table.parked",
            "log_level": "error",
            "table_id": "b",
            "reason": "entry 5, deal_started: the table makes another one of it",
        }
    ]
    assert at_once(store.log("b")) == before


def readable(tables: Tables, table_id: str, player_id: str | None) -> bool:
    """Whether somebody may read the records of a table."""
    try:
        at_once(tables.require_readable(table_id, player_id))
    except RefusedError as refusal:
        return refusal.reason is not Reason.TABLE_NOT_FOUND
    return True


@pytest.mark.parametrize("visibility", Visibility)
@pytest.mark.parametrize("is_carried", [True, False], ids=["carried", "retired"])
def test_records_are_for_the_same_people_when_a_table_is_carried_no_more(
    visibility: Visibility, is_carried: bool
) -> None:
    """Who may read them comes from the log: its owner, and who sits there at the end."""
    store = MemoryStore()
    tables = registry(store)
    table = tables.create(config(None, table_id="a", visibility=visibility), succeeded)
    for name in NAMES:
        tables.sit(table, occupant(name), None, succeeded)
    tables.leave(table, "player-ann", succeeded)
    tables.sit(table, occupant("dia"), None, succeeded)
    play(table, "pass pass pass pass")
    tables.leave(table, "player-ben", succeeded)
    table.close("late", succeeded)
    asked = tables if is_carried else registry(store)
    involved = ["owner", "player-dia", "player-cem"]
    assert all(readable(asked, "a", player_id) for player_id in involved)
    others = [readable(asked, "a", who) for who in ("player-ann", "player-ben", "x", None)]
    assert others == [visibility is Visibility.PUBLIC] * 4


def test_records_of_a_table_that_was_never_there() -> None:
    assert not readable(registry(), "a", "owner")


def test_records_of_an_unreadable_table_are_nobodys() -> None:
    store = MemoryStore()
    create(registry(store), "a")
    store._logs["a"][0] = LoggedEntry(0.0, Entry(EntryKind.TABLE_OPENED, "{}"))
    with capture_logs() as logs:
        assert not readable(registry(store), "a", "owner")
    assert [line["event"] for line in logs] == ["table.unreadable"]
