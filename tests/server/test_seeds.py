"""A record proves its cards, where they come from a seed; before its end nothing tells of it."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from skat_engine import OptionValue, deal_from_seed, deal_seed, parse_dealt, table_deal_seed
from skat_engine.options import AllPass
from skat_server.clock import ManualClock
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import Entry, EntryKind
from skat_server.tables.chance import TableChance, chance_of
from skat_server.tables.facts import DealBooked, DealStarted
from skat_server.tables.reading import read
from skat_server.tables.sources import (
    Dealing,
    DealSource,
    FreshDeals,
    ListedDeals,
    SeededDeals,
)
from skat_server.tables.table import Table
from tests.server.playing import MIXED, config, fill, occupant, play, play_on, succeeded
from tests.server.stores import at_once, entries_of
from tests.server.watching import Recorder, log_of

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
    table, table_store = table_of(fresh())
    recorders = [Recorder(table, viewer) for viewer in (None, 0, 1, 2)]
    seed = table.state.seed
    assert seed is not None
    texts = [repr(table.state), repr(fresh().dealt(1, ())), repr(table.config)]
    texts += [repr(source) for source in (fresh(), SeededDeals(SERIES_SEED))]
    secrets = [seed, SERIES_SEED, random.Random(0).randbytes(32)]
    play_on(table, random.Random(1))
    texts += [repr(shown) for recorder in recorders for shown in recorder.facts]
    texts += [repr(read(entry, 3)) for entry in started(table_store)]
    assert not any(s.hex() in text or repr(s) in text for s in secrets for text in texts)


def test_no_text_of_chance_has_a_card() -> None:
    """T4, T6: whoever logs a value by mistake logs no card of a deal under way."""
    table, store = table_of(ListedDeals([MIXED]))
    (entry, *_) = started(store)
    (dealt,) = [logged.fact for logged in log_of(table) if isinstance(logged.fact, DealStarted)]
    for value in (table.config.source, table.config, dealt, read(entry, 3), Dealing(MIXED)):
        assert not any(str(int(part)) in repr(value) for part in (*MIXED.hands, MIXED.skat))


@pytest.mark.parametrize("length", [0, 16, 31, 33])
def test_the_seed_of_a_table_has_256_bits(length: int) -> None:
    """T8: no table with a seed that can be searched."""
    with pytest.raises(ValueError, match="32 bytes"):
        FreshDeals(bytes(length))


def test_a_table_shows_its_seed_when_it_is_over() -> None:
    """T9: bound from the first moment, opened at the end, whatever the end."""
    secret = random.Random(0).randbytes(32)
    bound = hashlib.sha256(b"skat-table-v1" + b"table-1" + secret).digest()
    ends: list[Callable[[Table], None]] = [play_on, lambda table: table.close("late", succeeded)]
    for end in ends:
        table, _ = table_of(fresh(), deals=1)
        assert chance_of(table.config, table.state) == TableChance(bound, b"")
        end(table)
        assert chance_of(table.config, table.state) == TableChance(bound, secret)


@pytest.mark.parametrize("source", [SeededDeals(SERIES_SEED), ListedDeals([MIXED])])
def test_who_gave_the_deals_has_nothing_to_prove(source: DealSource) -> None:
    table, store = table_of(source, deals=1)
    play_on(table)
    assert chance_of(table.config, table.state) == TableChance(b"", b"")
    assert not any("chance" in row for row in rows_of(store, 1))


def test_the_nonces_of_who_sits_there_go_into_each_deal() -> None:
    """Whoever comes in the middle has his share in the next deal, not in the one under way."""
    store, secret = MemoryStore(), random.Random(0).randbytes(32)
    made = replace(config(None, options={"session_deals": 3, "seats": 4}), source=fresh())
    table = Table(made, store, ManualClock())
    table.open(succeeded)
    for name in ("ann", "ben", "cem", "dia"):
        table.sit(replace(occupant(name), nonce=name.encode()), None, succeeded)
    table.leave("player-ben", succeeded)
    table.sit(replace(occupant("eva"), nonce=b""), None, succeeded)
    play_on(table, random.Random(1))
    shares = [row["chance"] for row in rows_of(store)]
    first, later = [b"ann", b"ben", b"cem", b"dia"], [b"ann", b"", b"cem", b"dia"]
    for number, (nonces, row) in enumerate(
        zip((first, later, later), rows_of(store), strict=True), 1
    ):
        assert shares[number - 1] == {
            "table_commitment": hashlib.sha256(b"skat-table-v1table-1" + secret).hexdigest(),
            "nonces": [nonce.hex() for nonce in nonces],
            "dealing": number,
        }
        assert row["seed"] == table_deal_seed(secret, number, nonces).hex()


def test_void_deals_use_up_dealings() -> None:
    """They count for nobody, but their cards are never dealt again."""
    store, secret = MemoryStore(), random.Random(0).randbytes(32)
    options: dict[str, OptionValue] = {"all_pass": AllPass.REDEAL_SAME_DEALER, "session_deals": 1}
    made = replace(config(None, preset="swedish_standard", options=options), source=fresh())
    table = Table(made, store, ManualClock())
    fill(table)
    play(table, "pass pass pass")
    table.void_deal("by the operator", succeeded)
    recorder = Recorder(table)
    play_on(table, random.Random(2))
    (row,) = rows_of(store, 1)
    share = row["chance"]
    assert isinstance(share, dict)
    assert (row["deal_number"], share["dealing"]) == (1, table.state.dealt)
    assert row["seed"] == table_deal_seed(secret, table.state.dealt, [b""] * 3).hex()
    assert [s.fact.seed for s in recorder.facts if isinstance(s.fact, DealBooked)][-1].hex() == (
        row["seed"]
    )


def test_a_table_without_a_deal_has_no_seed() -> None:
    table, _ = table_of(fresh(), deals=1)
    play(table, "pass pass pass")
    assert (table.state.seed, table.state.thinks) == (None, ())
    table, _ = table_of(fresh())
    play(table, "18")
    table.close("late", succeeded)
    assert (table.state.seed, table.state.thinks) == (None, ())
