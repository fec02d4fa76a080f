"""Section 5: when all pass and the same dealer deals again, nothing of it counts."""

from __future__ import annotations

import json
from collections.abc import Sequence

from skat_engine import Dealt, Ending, OptionValue
from skat_engine.options import AllPass, DeclarerGiveUp, SessionEnd
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import EntryKind, Store
from skat_server.tables.facts import DealBooked, HandReceived
from skat_server.tables.state import Stage
from skat_server.tables.table import Table
from tests.builders import dealt
from tests.server.playing import (
    MIXED,
    answer,
    full_table,
    open_question,
    play,
    succeeded,
)
from tests.server.stores import FailingStore, entries_of, records_of
from tests.server.watching import Recorder

VOID = "pass pass pass"
LOST = "18 hold pass pass take C.H8.D7 give-up"
OTHER = dealt("CJ SJ HJ DJ")
DEALS = {EntryKind.DEAL_STARTED, EntryKind.DEAL_ENDED}


def redealing(
    deals: Sequence[Dealt] | None = (MIXED, MIXED),
    *,
    store: Store | None = None,
    **options: OptionValue,
) -> Table:
    """A table at which the same dealer deals again when all pass."""
    options |= {
        "all_pass": AllPass.REDEAL_SAME_DEALER,
        "declarer_give_up": DeclarerGiveUp.ISKO,
    }
    return full_table(deals, store=store, clock=None, preset="swedish_standard", **options)


def test_the_same_dealer_deals_under_the_same_number() -> None:
    table = redealing()
    before = table.state
    play(table, VOID)
    assert table.state.seating == before.seating
    assert table.state.deal_number == before.deal_number == 1
    assert table.state.stage is Stage.PLAYING


def test_other_cards_are_dealt() -> None:
    table = redealing([MIXED, OTHER])
    play(table, VOID)
    assert table.state.deal is not None
    assert table.state.deal.dealt == OTHER


def test_turns_are_new() -> None:
    """No answer to a question of the void deal can be taken for one of the next."""
    table = redealing()
    turns = []
    for _ in range(4):
        turns += [answer(table, "pass")[1] for _ in range(3)]
    assert len(set(turns)) == 12


def test_the_last_answer_of_a_void_deal_is_remembered() -> None:
    table = redealing()
    play(table, "pass pass")
    said = answer(table, "pass")
    play(table, "pass pass")
    assert table.was_settled_by(*said)


def test_nothing_is_recorded_or_counted() -> None:
    store = MemoryStore()
    table = redealing(store=store)
    play(table, VOID)
    assert not records_of(store, "table-1")
    assert table.state.series.deals_done == 0
    assert table.state.series.sheet.totals == (0, 0, 0)
    play(table, LOST)
    (line,) = records_of(store, "table-1")
    assert line.deal_number == 1
    assert table.state.series.deals_done == 1


def test_everybody_is_told_that_it_is_void() -> None:
    table = redealing()
    recorder = Recorder(table, 1)
    play(table, VOID)
    booked, started = (shown.fact for shown in recorder.facts[-2:])
    assert isinstance(booked, DealBooked)
    assert booked.booking.result.ending is Ending.REDEALT
    assert not booked.booking.counts
    assert booked.booking.changes == (0, 0, 0)
    assert isinstance(started, HandReceived)
    assert started.deal_number == 1


def test_the_log_has_the_void_deal() -> None:
    store = MemoryStore()
    table = redealing(store=store)
    play(table, VOID)
    rows = [json.loads(e.payload) for e in entries_of(store, "table-1") if e.kind in DEALS]
    assert [row["deal"] for row in rows] == [1, 1, 1]
    assert [row["dealer"] for row in rows if "dealer" in row] == [0, 0]


def test_the_series_has_as_many_deals_that_count() -> None:
    table = redealing()
    play(table, f"{VOID} {LOST} {VOID} {VOID} {LOST}")
    assert table.state.stage is Stage.FINISHED
    assert [booking.deal_number for booking in table.state.series.sheet.bookings] == [1, 2]


def test_a_circuit_is_not_longer_for_void_deals() -> None:
    table = redealing(session_end=SessionEnd.FULL_CIRCUITS)
    table.end_series("owner", succeeded)
    play(table, f"{LOST} {VOID} {LOST} {VOID} {LOST}")
    assert table.state.stage is Stage.FINISHED
    assert table.state.series.deals_done == 3


def test_an_open_series_ends_after_a_void_deal() -> None:
    """When all pass again and again, this is the way out."""
    table = redealing(session_end=SessionEnd.OPEN)
    table.end_series("owner", succeeded)
    play(table, VOID)
    assert table.state.stage is Stage.FINISHED
    assert table.state.series.deals_done == 0


def test_a_void_deal_that_cannot_be_kept_goes_on() -> None:
    store = FailingStore()
    table = redealing(store=store)
    play(table, "pass pass")
    asked = open_question(table)
    store.is_failing = True
    table.answer(asked.seat, asked.turn_id, asked.options[0], lambda _: None)
    store.is_failing = False
    assert open_question(table) == asked
    play(table, "pass")
    assert open_question(table).turn_id == "2.0"


def test_a_seeded_table_deals_anew_each_time() -> None:
    """No deal comes twice, however many are void."""
    store = MemoryStore()
    table = redealing(None, store=store)
    play(table, f"{VOID} {VOID} {VOID}")
    started = [e for e in entries_of(store, "table-1") if e.kind is EntryKind.DEAL_STARTED]
    assert len({json.loads(entry.payload)["dealt"] for entry in started}) == 4
