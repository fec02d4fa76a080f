"""A record proves its cards, where they come from a seed; before its end nothing tells of it."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from skat_engine import deal_from_seed, deal_seed, parse_dealt
from skat_server.clock import ManualClock
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import Entry, EntryKind
from skat_server.tables.sources import DealSource, FreshDeals, ListedDeals, SeededDeals
from skat_server.tables.table import Table
from tests.server.playing import MIXED, config, fill, play, play_on, succeeded
from tests.server.stores import at_once, entries_of
from tests.server.watching import Recorder

SERIES_SEED = bytes(range(100, 132))


def fresh(seed: int = 0) -> FreshDeals:
    return FreshDeals(random.Random(seed).randbytes(32))


def table_of(source: DealSource, deals: int = 3) -> tuple[Table, MemoryStore]:
    """A full table with deals from there."""
    store = MemoryStore()
    made = replace(config(None, options={"session_deals": deals}), source=source)
    table = Table(made, store, ManualClock())
    fill(table)
    return table, store


def rows_of(store: MemoryStore, deals: int = 3) -> Iterator[dict[str, object]]:
    for number in range(1, deals + 1):
        line = at_once(store.record("table-1", number))
        assert line is not None
        yield json.loads(line.json)


@pytest.mark.parametrize("source", [fresh(), SeededDeals(SERIES_SEED)], ids=["fresh", "seeded"])
def test_a_record_proves_its_cards(source: DealSource) -> None:
    table, store = table_of(source)
    play_on(table, random.Random(1))
    seeds = set()
    for number, row in enumerate(rows_of(store), 1):
        seed = bytes.fromhex(str(row["seed"]))
        committed = hashlib.sha256(b"skat-deal-v1" + f"table-1/{number}".encode() + seed)
        assert row["commitment"] == committed.hexdigest()
        assert parse_dealt(str(row["dealt"])) == deal_from_seed(seed)
        seeds.add(seed)
    assert len(seeds) == 3


def test_a_seeded_table_tells_the_seed_of_the_deal_and_not_of_the_series() -> None:
    """Who knew the latter would know the deals to come."""
    table, store = table_of(SeededDeals(SERIES_SEED))
    play_on(table, random.Random(1))
    seeds = [row["seed"] for row in rows_of(store)]
    assert seeds == [deal_seed(SERIES_SEED, number).hex() for number in (1, 2, 3)]


def test_listed_deals_have_no_seed() -> None:
    table, store = table_of(ListedDeals([MIXED]))
    play_on(table, random.Random(1))
    for row in rows_of(store):
        assert not {"seed", "commitment"} & row.keys()
    assert {json.loads(e.payload)["seed"] for e in started(store)} == {None}


def started(store: MemoryStore) -> list[Entry]:
    return [e for e in entries_of(store, "table-1") if e.kind is EntryKind.DEAL_STARTED]


def test_the_log_has_the_seed_where_a_deal_starts_and_nowhere_else() -> None:
    table, store = table_of(fresh())
    play_on(table, random.Random(1))
    seeds = [str(row["seed"]) for row in rows_of(store)]
    assert [json.loads(entry.payload)["seed"] for entry in started(store)] == seeds
    others = [e for e in entries_of(store, "table-1") if e.kind is not EntryKind.DEAL_STARTED]
    assert not any(seed in entry.payload for entry in others for seed in seeds)


def test_no_fact_and_no_text_of_the_state_has_the_seed() -> None:
    table, _ = table_of(fresh())
    recorders = [Recorder(table, viewer) for viewer in (None, 0, 1, 2)]
    seed = table.state.seed
    assert seed is not None
    texts = [repr(table.state), repr(fresh().dealt(1, ()))]
    play_on(table, random.Random(1))
    texts += [repr(shown) for recorder in recorders for shown in recorder.facts]
    assert not any(seed.hex() in text or repr(seed) in text for text in texts)


def test_a_table_without_a_deal_has_no_seed() -> None:
    table, _ = table_of(fresh(), deals=1)
    play(table, "pass pass pass")
    assert (table.state.seed, table.state.thinks) == (None, ())
    table, _ = table_of(fresh())
    play(table, "18")
    table.close("late", succeeded)
    assert (table.state.seed, table.state.thinks) == (None, ())
