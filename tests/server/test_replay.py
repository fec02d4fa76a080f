"""The log is complete: folding the entries of a table gives every result again (H1, H4, F20).

The fold here knows the text of the entries and the engine, and no code of the tables.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import pytest

from skat_engine import (
    PRESETS,
    Booking,
    Deal,
    OptionValue,
    RuleSet,
    Series,
    deal_from_seed,
    parse_action,
    parse_cards,
    parse_dealt,
    parse_option,
    preset,
    shuffled_deck,
)
from skat_engine.options import SessionEnd
from skat_engine.records import Identical, from_json_line, replay
from skat_engine.records.facts import result_facts
from skat_server.clock import ManualClock
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import Entry, EntryKind
from skat_server.tables.table import Table
from tests.server.playing import (
    answer,
    config,
    fill,
    full_table,
    occupant,
    open_question,
    play,
    play_on,
    succeeded,
)
from tests.server.stores import entries_of, records_of


@dataclass
class Fold:
    """A table made again from its log."""

    series: Series
    names: dict[int, str] = field(default_factory=dict)
    deal: Deal | None = None
    closed: str = ""
    end_requested: bool = False
    asked: int | None = None
    booked: list[Booking] = field(default_factory=list)

    def take(self, entry: Entry) -> None:
        """Fold one entry in."""
        if entry.kind is EntryKind.ACTION:
            self._act(entry.payload)
            return
        row = json.loads(entry.payload)
        match entry.kind:
            case EntryKind.SEAT_TAKEN:
                self.names[row["seat"]] = row["name"]
            case EntryKind.SEAT_LEFT:
                del self.names[row["seat"]]
            case EntryKind.DEAL_STARTED:
                assert row["deal"] == self.series.deals_done + 1
                assert row["dealer"] == self.series.dealer
                cards, occasion = parse_dealt(row["dealt"]), self.series.next_occasion()
                assert row["seed"] is None or cards == deal_from_seed(bytes.fromhex(row["seed"]))
                self.deal = Deal(self.series.rules, cards, occasion)
            case EntryKind.DEAL_ENDED:
                self._book(row)
            case EntryKind.END_REQUESTED:
                self.asked = row["seat"]
                self.end_requested = True
            case EntryKind.TABLE_CLOSED:
                self.closed = row["reason"]
            case _:
                raise AssertionError(f"{entry.kind} in the middle of the log")

    def _act(self, payload: str) -> None:
        assert self.deal is not None
        position, text, think_ms = payload.split(" ")
        assert int(think_ms) >= 0
        self.deal.apply(int(position), parse_action(text))

    def _book(self, row: dict[str, object]) -> None:
        assert self.deal is not None
        assert self.deal.result is not None
        booking = self.series.book(self.deal.result)
        if booking.counts:
            self.booked.append(booking)
        if self.end_requested:
            self.series.request_end()
        assert row == {
            "deal": booking.deal_number,
            "result": json.loads(json.dumps(result_facts(booking.result))),
            "totals": list(booking.totals),
            "end_requested": self.end_requested,
        }
        self.deal = None


def rules_of(entry: Entry) -> RuleSet:
    """The rules of a table from its first entry."""
    assert entry.kind is EntryKind.TABLE_OPENED
    row = json.loads(entry.payload)
    overrides = {name: parse_option(name, text) for name, text in row["overrides"].items()}
    return preset(row["preset"], overrides)


def fold(entries: Iterable[Entry]) -> Fold:
    """The table of a log."""
    first, *others = entries
    table = Fold(Series(rules_of(first), parse_cards(json.loads(first.payload)["draw"])))
    for entry in others:
        table.take(entry)
    return table


OPTIONS: list[dict[str, OptionValue]] = [
    {"session_deals": 12},
    {"session_deals": 12, "seats": 4},
    {"session_deals": 12, "jump_bids": False, "null_ends_at_first_trick": False},
]


@pytest.mark.parametrize("options", OPTIONS, ids=["isko", "four seats", "other options"])
@pytest.mark.parametrize("seed", range(3))
def test_the_log_of_a_finished_table_gives_every_result_again(
    options: dict[str, OptionValue], seed: int
) -> None:
    store = MemoryStore()
    table = Table(config(None, options=options), store, ManualClock())
    fill(table)
    play_on(table, random.Random(seed))
    again = fold(entries_of(store, "table-1"))
    assert tuple(again.booked) == table.state.series.sheet.bookings
    assert again.series.is_over


def prefixes(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """The log after every batch of one entry."""
    log: list[Entry] = []
    for entry in entries:
        log.append(entry)
        yield list(log)


def test_the_log_gives_the_deal_under_way_after_every_action() -> None:
    """F1: at any moment the state can be made again from the log."""
    store = MemoryStore()
    table = full_table(None, store=store, session_deals=2)
    chance = random.Random(5)
    while table.decision is not None:
        options = table.decision.options
        decision = open_question(table)
        pick = options[chance.randrange(min(len(options), 12))]
        table.answer(decision.seat, decision.turn_id, pick, succeeded)
        again = fold(entries_of(store, "table-1"))
        deal = table.state.deal
        if deal is not None:
            assert again.deal is not None
            assert again.deal.hands == deal.hands
            assert (again.deal.phase, again.deal.to_act) == (deal.phase, deal.to_act)


def test_the_log_tells_who_sat_where() -> None:
    store = MemoryStore()
    table = full_table(store=store)
    table.leave("player-ben", succeeded)
    table.sit(occupant("dia"), 1, succeeded)
    again = fold(entries_of(store, "table-1"))
    assert again.names == {0: "ann", 1: "dia", 2: "cem"}


def test_the_log_tells_why_a_table_was_closed() -> None:
    store = MemoryStore()
    table = full_table(store=store)
    play(table, "18")
    table.close("by its owner", succeeded)
    assert fold(entries_of(store, "table-1")).closed == "by its owner"


def test_every_prefix_of_a_log_can_be_folded() -> None:
    """F2: an acknowledged prefix is a table."""
    store = MemoryStore()
    table = full_table(None, store=store, session_deals=1)
    play_on(table, random.Random(8))
    lengths = [len(fold(log).booked) for log in prefixes(entries_of(store, "table-1"))]
    assert lengths == sorted(lengths)
    assert lengths[-1] == 1


def test_the_log_holds_no_derived_fact_but_results() -> None:
    """Section 6 of the design: accepted actions and chance; results to fold on, and to compare."""
    store = MemoryStore()
    table = full_table(store=store)
    play_on(table, random.Random(1))
    ended = [e for e in entries_of(store, "table-1") if e.kind is EntryKind.DEAL_ENDED]
    assert [set(json.loads(entry.payload)) for entry in ended] == [
        {"deal", "result", "totals", "end_requested"}
    ]


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize(
    "name", [name for name in PRESETS if name not in ("isko", "bga_skat", "bga_simple")]
)
def test_the_log_of_every_preset_gives_every_result_again(name: str, seats: int) -> None:
    """Drawn dealers, void deals, occasions and requested ends are all in the log."""
    store, draw = MemoryStore(), shuffled_deck(bytes([seats]) * 32)
    options: dict[str, OptionValue] = {"session_end": SessionEnd.FULL_CIRCUITS, "seats": seats}
    table = Table(config(None, preset=name, draw=draw, options=options), store, ManualClock())
    fill(table)
    chance = random.Random(name)
    while table.decision is not None:
        pick = chance.randrange(min(len(table.decision.options), 12))
        answer(table, table.decision.options[pick])
        if table.state.series.deals_done == 4 * seats - 1 and not table.state.end_requested:
            table.end_series("owner", succeeded)
    again = fold(entries_of(store, "table-1"))
    assert tuple(again.booked) == table.state.series.sheet.bookings
    assert again.series.is_over
    assert (again.end_requested, again.asked) == (True, None)
    assert len(records_of(store, "table-1")) == len(again.booked) >= 4 * seats
    for line in records_of(store, "table-1"):
        assert isinstance(replay(from_json_line(line.json)), Identical)
