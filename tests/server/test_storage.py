"""What every store promises, for each implementation."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from skat_server.storage.protocols import (
    Batch,
    DealRecordLine,
    Entry,
    EntryKind,
    LoggedEntry,
    SealedDeal,
    Store,
    StoreError,
)
from skat_server.storage.sealing import FIRST, sealed
from tests.server.stores import ALL, MAKERS

pytestmark = pytest.mark.asyncio

AT = 1_700_000_000.015625


@pytest_asyncio.fixture(params=list(MAKERS))
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """A fresh store of one implementation, open."""
    store = MAKERS[request.param](tmp_path)
    await store.open()
    yield store
    await store.close()


def batch(table_id: str, *payloads: str, record: int | None = None, is_last: bool = False) -> Batch:
    """A batch of actions, with the record of a deal."""
    entries = tuple(Entry(EntryKind.ACTION, payload) for payload in payloads)
    return Batch(table_id, AT, entries, None if record is None else line(record), is_last)


def line(number: int) -> DealRecordLine:
    """The record of a deal."""
    return DealRecordLine(number, f'{{"deal":{number}}}')


def chain(*numbers: int) -> list[SealedDeal]:
    """The sealed records of so many deals."""
    found: list[SealedDeal] = []
    for number in numbers:
        found.append(sealed(line(number), found[-1].sha256 if found else FIRST))
    return found


async def keep(store: Store, *batches: Batch) -> None:
    """Append batches, each after the one before is done."""
    for one in batches:
        outcome: asyncio.Future[StoreError | None] = asyncio.get_running_loop().create_future()
        store.append(one, outcome.set_result)
        assert await outcome is None


async def payloads(store: Store, table_id: str) -> list[str]:
    """The log of a table."""
    log = await store.log(table_id)
    return [] if log is None else [logged.entry.payload for logged in log.lines]


async def loaded(store: Store, ended: int) -> list[str]:
    """The tables that are carried on after a restart."""
    return [log.table_id for log in await store.load(ended)]


async def test_an_unknown_table_has_no_log_and_no_records(store: Store) -> None:
    assert await store.log("t") is None
    assert not await store.records("t", 0, ALL)
    assert await store.record("t", 1) is None


async def test_a_log_has_all_entries_in_order(store: Store) -> None:
    """H1: every acknowledged entry is in the log exactly once."""
    await keep(store, batch("t", "a", "b"), batch("t", "c"))
    assert await payloads(store, "t") == ["a", "b", "c"]


async def test_an_entry_keeps_its_kind_its_text_and_its_time(store: Store) -> None:
    """H2: an event is told with the very time it had before a restart."""
    entry = Entry(EntryKind.SEAT_TAKEN, '{"name":"Jürgen \\u2660"}')
    await keep(store, Batch("t", AT, (entry,)))
    log = await store.log("t")
    assert log is not None
    assert list(log.lines) == [LoggedEntry(AT, entry)]


async def test_a_batch_without_entries_is_kept_too(store: Store) -> None:
    await keep(store, batch("t", "a"), batch("t"), batch("t", "b"))
    assert await payloads(store, "t") == ["a", "b"]


async def test_tables_have_their_own_logs(store: Store) -> None:
    await keep(store, batch("t", "a"), batch("u", "b"))
    assert await payloads(store, "t") == ["a"]
    assert await payloads(store, "u") == ["b"]


async def test_batches_of_many_tables_may_be_under_way_at_once(store: Store) -> None:
    names = [f"t{number}" for number in range(50)]
    await asyncio.gather(*(keep(store, batch(name, name), batch(name, "z")) for name in names))
    assert [await payloads(store, name) for name in names] == [[name, "z"] for name in names]


async def test_a_record_is_sealed_in_the_chain_of_its_table(store: Store) -> None:
    await keep(store, batch("t", "a", record=1), batch("u", "b", record=1))
    await keep(store, batch("t", "b"), batch("t", "c", record=2))
    first, second = chain(1, 2)
    assert await store.record("t", 1) == first
    assert await store.record("t", 2) == second
    assert await store.record("u", 1) == first


@pytest.mark.parametrize("number", [-1, 0, 3])
async def test_a_deal_without_record_has_none(store: Store, number: int) -> None:
    await keep(store, batch("t", "a", record=1), batch("t", "b", record=2))
    assert await store.record("t", number) is None


@pytest.mark.parametrize(
    ("after", "limit", "numbers"),
    [(0, ALL, [1, 2, 3]), (1, ALL, [2, 3]), (0, 2, [1, 2]), (1, 1, [2]), (3, 9, []), (0, 0, [])],
)
async def test_records_come_in_the_order_of_the_deals(
    store: Store, after: int, limit: int, numbers: list[int]
) -> None:
    await keep(store, *(batch("t", str(number), record=number) for number in (1, 2, 3)))
    found = await store.records("t", after, limit)
    assert list(found) == [deal for deal in chain(1, 2, 3) if deal.deal_number in numbers]


async def test_what_was_read_does_not_change_later(store: Store) -> None:
    await keep(store, batch("t", "a", record=1))
    log, records = await store.log("t"), await store.records("t", 0, ALL)
    await keep(store, batch("t", "b", record=2))
    assert log is not None
    assert (len(log.lines), len(records)) == (1, 1)


async def test_tables_that_run_are_loaded_in_the_order_of_their_opening(store: Store) -> None:
    """F1: a start is a recovery."""
    await keep(store, batch("u", "a"), batch("t", "b"), batch("s", "c"), batch("u", "d"))
    logs = await store.load(0)
    assert [log.table_id for log in logs] == ["u", "t", "s"]
    assert [line.entry.payload for line in logs[0].lines] == ["a", "d"]


@pytest.mark.parametrize(
    ("ended", "tables"),
    [(0, ["t"]), (1, ["s", "t"]), (2, ["s", "t", "v"]), (9, ["s", "t", "u", "v"])],
)
async def test_the_latest_tables_that_are_over_are_loaded_too(
    store: Store, ended: int, tables: list[str]
) -> None:
    await keep(store, *(batch(name, "a") for name in ("s", "t", "u", "v")))
    await keep(store, *(batch(name, "z", is_last=True) for name in ("u", "v", "s")))
    assert await loaded(store, ended) == tables


async def test_a_retired_table_is_not_carried_on(store: Store) -> None:
    await keep(store, batch("t", "a", record=1), batch("u", "b"), batch("t", "z", is_last=True))
    store.retire("t")
    await keep(store, batch("u", "c"))
    assert await loaded(store, 9) == ["u"]
    assert await payloads(store, "u") == ["b", "c"]


async def test_of_a_retired_table_nothing_is_told_or_who_sat_there(store: Store) -> None:
    """Records stay readable, and so must stay whose they are."""
    others = [Entry(EntryKind.TABLE_OPENED, "o"), Entry(EntryKind.SEAT_TAKEN, "s")]
    await keep(store, Batch("t", AT, tuple(others)), batch("t", "a", is_last=True))
    store.retire("t")
    await keep(store, batch("u", "c"))
    log = await store.log("t")
    kept = [] if log is None else [logged.entry for logged in log.lines]
    assert [one for one in kept if one.kind is not EntryKind.ACTION] in ([], others)


async def test_an_unknown_table_can_be_retired(store: Store) -> None:
    store.retire("t")
    await keep(store, batch("u", "b"))
    assert await loaded(store, 9) == ["u"]


async def test_a_fresh_store_can_keep_things(store: Store) -> None:
    assert store.is_available
    assert store.fatal is None


async def test_tournaments_are_loaded_however_long_they_are_over(store: Store) -> None:
    """Their tables may be asked for as long as there are records."""
    await keep(store, batch("tournament-1", "made", is_last=True))
    await keep(store, *[batch(f"table-{n}", "opened", is_last=True) for n in range(3)])
    assert await loaded(store, 0) == ["tournament-1"]
    assert await loaded(store, 2) == ["tournament-1", "table-1", "table-2"]
