"""All tables of the server: limits, idempotency, who may see what, retirement."""

from __future__ import annotations

import pytest

from skat_server.clock import ManualClock
from skat_server.errors import Reason, RefusedError
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import Store
from skat_server.tables.registry import TableLimits, Tables
from skat_server.tables.state import Stage, Visibility
from skat_server.tables.table import Table
from tests.server.playing import Outcomes, config, occupant, play_on, succeeded
from tests.server.stores import FailingStore, HeldStore, entries_of


def registry(
    store: Store | None = None, running: int = 10, ended: int = 10, seats: int = 10, own: int = 10
) -> Tables:
    """A registry with these limits."""
    limits = TableLimits(running=running, ended=ended, per_owner=own, seats_per_player=seats)
    return Tables(store or MemoryStore(), ManualClock(), limits)


def create(tables: Tables, table_id: str, request_id: str = "", owner: str = "owner") -> Table:
    """Make a table."""
    return tables.create(config(table_id=table_id, owner=owner, request_id=request_id), succeeded)


def ids(tables: Tables, stage: Stage | None = None) -> list[str]:
    """The public tables."""
    return [table.table_id for table in tables.public(stage)]


def reason_of(call: object, *args: object) -> Reason:
    """Why a call is refused."""
    assert callable(call)
    with pytest.raises(RefusedError) as caught:
        call(*args)
    return caught.value.reason


def test_a_table_is_found_by_its_id() -> None:
    tables = registry()
    table = create(tables, "t")
    assert tables.find("t") is table
    assert reason_of(tables.find, "u") is Reason.TABLE_NOT_FOUND


def test_tables_are_listed_newest_first() -> None:
    tables = registry()
    for table_id in ("a", "b", "c"):
        create(tables, table_id)
    assert ids(tables) == ["c", "b", "a"]


def test_a_listing_can_be_of_one_stage() -> None:
    tables = registry()
    create(tables, "a")
    create(tables, "b").close("late", succeeded)
    assert ids(tables, Stage.OPEN) == ["a"]
    assert ids(tables, Stage.CLOSED) == ["b"]


def test_a_private_table_is_seen_by_its_owner_and_players_only() -> None:
    tables = registry()
    private = config(table_id="t", visibility=Visibility.PRIVATE)
    table = tables.create(private, succeeded)
    tables.sit(table, occupant("ann"), None, succeeded)
    assert ids(tables) == []
    for involved in ("owner", "player-ann"):
        assert tables.find_visible("t", involved) is table
    for other in ("player-ben", None):
        assert reason_of(tables.find_visible, "t", other) is Reason.TABLE_NOT_FOUND


def test_a_public_table_is_seen_by_everybody() -> None:
    tables = registry()
    table = create(tables, "t")
    assert tables.find_visible("t", None) is table
    assert tables.find_visible("t", "player-ben") is table


def test_the_same_request_gives_the_same_table() -> None:
    tables = registry()
    first = create(tables, "a", "r")
    assert create(tables, "b", "r") is first
    assert ids(tables) == ["a"]


def test_a_request_id_belongs_to_its_owner() -> None:
    tables = registry()
    first = create(tables, "a", "r")
    assert create(tables, "b", "r", owner="another") is not first


def test_no_request_id_is_no_request_id() -> None:
    tables = registry()
    assert create(tables, "a") is not create(tables, "b")


def test_a_repeated_request_is_no_new_table_for_the_limit() -> None:
    tables = registry(running=1)
    assert create(tables, "a", "r") is create(tables, "b", "r")


def test_too_many_running_tables_are_refused() -> None:
    tables = registry(running=2)
    for table_id in ("a", "b"):
        create(tables, table_id)
    assert reason_of(create, tables, "c") is Reason.QUOTA_EXCEEDED


def test_a_table_that_ended_makes_room() -> None:
    tables = registry(running=1)
    create(tables, "a").close("late", succeeded)
    create(tables, "b")


def test_a_table_that_is_not_durable_yet_is_not_found() -> None:
    """Commit before emit, also for tables."""
    store = HeldStore()
    store.is_held = True
    tables = registry(store)
    create(tables, "a")
    assert ids(tables) == []
    assert reason_of(tables.find, "a") is Reason.TABLE_NOT_FOUND
    store.complete()
    assert ids(tables) == ["a"]


def test_a_table_that_is_not_durable_yet_counts_for_the_limit() -> None:
    store = HeldStore()
    store.is_held = True
    tables = registry(store, running=1)
    create(tables, "a")
    assert reason_of(create, tables, "b") is Reason.QUOTA_EXCEEDED


def test_a_repeated_request_waits_for_the_same_table() -> None:
    store = HeldStore()
    store.is_held = True
    tables, outcomes = registry(store), Outcomes()
    made = [tables.create(config(table_id=t, request_id="r"), outcomes) for t in ("a", "b")]
    assert made[0] is made[1]
    assert not outcomes
    store.complete()
    assert outcomes == [None, None]


def test_a_table_that_could_not_be_kept_is_none() -> None:
    """F4: what failed left nothing behind, and the request can be repeated."""
    store = FailingStore()
    store.is_failing = True
    tables, outcomes = registry(store, running=1), Outcomes()
    tables.create(config(table_id="a", request_id="r"), outcomes)
    assert outcomes.reasons == [Reason.STORE_UNAVAILABLE]
    assert ids(tables) == []
    store.is_failing = False
    assert create(tables, "b", "r").table_id == "b"


def test_a_player_is_found_at_the_running_tables() -> None:
    tables = registry()
    for table_id in ("a", "b", "c"):
        table = create(tables, table_id)
        tables.sit(table, occupant("ann"), 2, succeeded)
    tables.find("b").close("late", succeeded)
    found = [(table.table_id, seat) for table, seat in tables.of_player("player-ann")]
    assert found == [("a", 2), ("c", 2)]


def test_a_player_who_left_is_not_found() -> None:
    tables = registry()
    table = create(tables, "a")
    tables.sit(table, occupant("ann"), None, succeeded)
    tables.leave(table, "player-ann", succeeded)
    assert not list(tables.of_player("player-ann"))
    assert tables.place_of("player-ann", "a") is None


def test_a_place_is_kept_when_the_table_is_over() -> None:
    tables = registry()
    table = create(tables, "a")
    tables.sit(table, occupant("ann"), 1, succeeded)
    table.close("late", succeeded)
    assert tables.place_of("player-ann", "a") == (table, 1)


def test_only_who_sits_leaves() -> None:
    tables, outcomes = registry(), Outcomes()
    tables.leave(create(tables, "a"), "player-ann", outcomes)
    assert outcomes.reasons == [Reason.NOT_SEATED]


def test_a_player_has_a_limit_of_seats() -> None:
    """T21: one player cannot hold every seat of the house."""
    tables, outcomes = registry(seats=1), Outcomes()
    for table_id in ("a", "b"):
        tables.sit(create(tables, table_id), occupant("ann"), None, outcomes)
    assert outcomes.reasons == [None, Reason.QUOTA_EXCEEDED]


def test_seats_that_are_not_durable_yet_count() -> None:
    """T21: whoever asks for many seats at once gets no more than one after the other."""
    store, outcomes = HeldStore(), Outcomes()
    tables = registry(store, seats=1)
    places = [create(tables, table_id) for table_id in ("a", "b")]
    store.is_held = True
    for table in places:
        tables.sit(table, occupant("ann"), None, outcomes)
    store.complete()
    assert outcomes.reasons == [Reason.QUOTA_EXCEEDED, None]
    assert tables.count_seats("player-ann") == 1


def test_a_seat_that_could_not_be_kept_counts_no_more() -> None:
    store, outcomes = HeldStore(), Outcomes()
    tables = registry(store, seats=1)
    table = create(tables, "a")
    store.is_held = True
    tables.sit(table, occupant("ann"), None, outcomes)
    store.fail()
    assert outcomes.reasons == [Reason.STORE_UNAVAILABLE]
    assert tables.count_seats("player-ann") == 0


def test_a_seat_that_was_given_back_can_be_used_again() -> None:
    tables = registry(seats=1)
    first, second = create(tables, "a"), create(tables, "b")
    tables.sit(first, occupant("ann"), None, succeeded)
    tables.leave(first, "player-ann", succeeded)
    tables.sit(second, occupant("ann"), None, succeeded)


def test_a_table_that_ended_gives_the_seats_back() -> None:
    tables = registry(seats=1)
    first = create(tables, "a")
    for name in ("ann", "ben", "cem"):
        tables.sit(first, occupant(name), None, succeeded)
    play_on(first)
    tables.sit(create(tables, "b"), occupant("ann"), None, succeeded)


def test_tables_that_ended_are_kept_up_to_a_limit() -> None:
    store = MemoryStore()
    tables = registry(store, ended=2)
    for table_id in ("a", "b", "c"):
        create(tables, table_id).close("late", succeeded)
    assert ids(tables) == ["c", "b"]
    assert not entries_of(store, "a")
    assert entries_of(store, "b")


def test_a_request_whose_table_was_forgotten_makes_a_new_one() -> None:
    tables = registry(ended=0)
    create(tables, "a", "r").close("late", succeeded)
    assert create(tables, "b", "r").table_id == "b"


def test_nothing_is_kept_of_a_house_that_emptied() -> None:
    tables = registry(ended=0)
    table = create(tables, "a", "r")
    for name in ("ann", "ben", "cem"):
        tables.sit(table, occupant(name), None, succeeded)
    play_on(table)
    assert (tables._tables, tables._of_player, tables._opening) == ({}, {}, {})


def test_a_player_has_a_limit_of_own_tables() -> None:
    tables = registry(own=1)
    create(tables, "first")
    with pytest.raises(RefusedError, match="of yours") as refused:
        create(tables, "second")
    assert refused.value.reason is Reason.QUOTA_EXCEEDED
    assert create(tables, "third", owner="another").table_id == "third"


def test_an_own_table_that_ended_makes_room() -> None:
    tables = registry(own=1)
    create(tables, "first").close("enough", succeeded)
    assert create(tables, "second").table_id == "second"


def test_own_tables_that_are_not_durable_yet_count() -> None:
    store = HeldStore()
    store.is_held = True
    tables = registry(store, own=1)
    create(tables, "first")
    with pytest.raises(RefusedError, match="of yours"):
        create(tables, "second")
