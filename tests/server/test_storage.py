"""What every store promises, for each implementation."""

from collections.abc import Callable

import pytest

from skat_server.storage.protocols import Batch, DealRecordLine, Entry, EntryKind, Store, StoreError
from tests.server.stores import MAKERS


@pytest.fixture(params=list(MAKERS.values()), ids=list(MAKERS))
def store(request: pytest.FixtureRequest) -> Store:
    """A fresh store of one implementation."""
    make: Callable[[], Store] = request.param
    return make()


def batch(table_id: str, *payloads: str, record: int | None = None) -> Batch:
    """A batch of actions, with the record of a deal."""
    line = None if record is None else DealRecordLine(record, f'{{"deal":{record}}}')
    return Batch(table_id, tuple(Entry(EntryKind.ACTION, p) for p in payloads), line)


def keep(store: Store, *batches: Batch) -> None:
    """Append batches, each after the one before is done."""
    for one in batches:
        outcomes: list[StoreError | None] = []
        store.append(one, outcomes.append)
        assert outcomes == [None]


def payloads(store: Store, table_id: str) -> list[str]:
    """The log of a table."""
    return [entry.payload for entry in store.entries(table_id)]


def test_an_unknown_table_has_no_log_and_no_records(store: Store) -> None:
    assert not store.entries("t")
    assert not store.records("t")
    assert store.record("t", 1) is None


def test_a_log_has_all_entries_in_order(store: Store) -> None:
    """H1: every acknowledged entry is in the log exactly once."""
    keep(store, batch("t", "a", "b"), batch("t", "c"))
    assert payloads(store, "t") == ["a", "b", "c"]


def test_an_entry_keeps_its_kind_and_text(store: Store) -> None:
    entry = Entry(EntryKind.SEAT_TAKEN, '{"name":"Jürgen \\u2660"}')
    keep(store, Batch("t", (entry,)))
    assert list(store.entries("t")) == [entry]


def test_tables_have_their_own_logs(store: Store) -> None:
    keep(store, batch("t", "a"), batch("u", "b"))
    assert payloads(store, "t") == ["a"]
    assert payloads(store, "u") == ["b"]


def test_a_record_is_found_by_its_deal(store: Store) -> None:
    keep(store, batch("t", "a", record=1), batch("t", "b"), batch("t", "c", record=2))
    assert store.record("t", 1) == DealRecordLine(1, '{"deal":1}')
    assert store.record("t", 2) == DealRecordLine(2, '{"deal":2}')


@pytest.mark.parametrize("number", [-1, 0, 3])
def test_a_deal_without_record_has_none(store: Store, number: int) -> None:
    keep(store, batch("t", "a", record=1), batch("t", "b", record=2))
    assert store.record("t", number) is None


def test_records_come_in_the_order_of_the_deals(store: Store) -> None:
    keep(store, *(batch("t", str(number), record=number) for number in (1, 2, 3)))
    assert [line.deal_number for line in store.records("t")] == [1, 2, 3]


def test_what_was_read_does_not_change_later(store: Store) -> None:
    keep(store, batch("t", "a", record=1))
    entries, records = store.entries("t"), store.records("t")
    keep(store, batch("t", "b", record=2))
    assert (len(entries), len(records)) == (1, 1)


def test_a_forgotten_table_is_gone(store: Store) -> None:
    keep(store, batch("t", "a", record=1), batch("u", "b"))
    store.forget("t")
    assert not store.entries("t")
    assert not store.records("t")
    assert payloads(store, "u") == ["b"]


def test_an_unknown_table_can_be_forgotten(store: Store) -> None:
    store.forget("t")
    assert not store.entries("t")
