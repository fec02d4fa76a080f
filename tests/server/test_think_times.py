"""The record of a deal says how long each action took, and nothing else of the time."""

from __future__ import annotations

import pytest

from skat_engine import parse_action
from skat_engine.records import Record, from_json_line
from skat_engine.records.model import OwnOrigin
from skat_server.clock import ManualClock
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import EntryKind
from skat_server.tables.table import Table
from tests.server.playing import (
    MIXED,
    TO_PLAY,
    Outcomes,
    answer,
    full_table,
    occupant,
    open_question,
    succeeded,
)
from tests.server.stores import FailingStore, HeldStore, at_once, entries_of
from tests.server.test_concessions import DECLARER, OFFERS, own_turn, propose
from tests.server.test_concessions import TO_PLAY as TO_PLAY_IN_PUB

PASSED_IN = ("pass", "pass", "pass")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def play_slowly(table: Table, clock: ManualClock, *moves: tuple[str, float]) -> None:
    """Answer each question after so many seconds."""
    for text, seconds in moves:
        clock.advance(seconds)
        answer(table, text)


def record_of(table: Table, deal: int = 1) -> Record:
    line = at_once(table._store.record("table-1", deal))
    assert line is not None
    return from_json_line(line.json)


def thinks_of(table: Table, deal: int = 1) -> tuple[int, ...]:
    origin = record_of(table, deal).origin
    assert isinstance(origin, OwnOrigin)
    return origin.think_ms


def test_every_action_has_its_time_rounded_down(clock: ManualClock) -> None:
    table = full_table([MIXED, MIXED], clock=clock)
    play_slowly(table, clock, ("pass", 1.5), ("pass", 0.0), ("pass", 62.0 + 1 / 1024))
    play_slowly(table, clock, ("pass", 0.25), ("pass", 1 / 2048), ("pass", 3.0))
    assert thinks_of(table, 1) == (1500, 0, 62000)
    assert thinks_of(table, 2) == (250, 0, 3000)


def test_time_before_the_deal_is_not_counted(clock: ManualClock) -> None:
    clock.advance(100.0)
    table = full_table(clock=clock)
    play_slowly(table, clock, *((text, 0.5) for text in PASSED_IN))
    assert thinks_of(table) == (500, 500, 500)


def test_the_log_has_the_times(clock: ManualClock) -> None:
    store = MemoryStore()
    table = full_table(store=store, clock=clock)
    play_slowly(table, clock, ("18", 2.0), ("hold", 0.125))
    payloads = [e.payload for e in entries_of(store, "table-1") if e.kind is EntryKind.ACTION]
    assert payloads == ["1 18 2000", "0 hold 125"]


def test_waiting_for_the_store_is_not_counted(clock: ManualClock) -> None:
    store = HeldStore()
    table = full_table(store=store, clock=clock)
    store.is_held = True
    for text in PASSED_IN:
        play_slowly(table, clock, (text, 1.0))
        clock.advance(10.0)
        store.complete()
    assert thinks_of(table) == (1000, 1000, 1000)


def test_a_failed_commit_does_not_begin_anew(clock: ManualClock) -> None:
    store = FailingStore()
    table = full_table(store=store, clock=clock)
    clock.advance(1.0)
    store.is_failing = True
    decision, outcomes = open_question(table), Outcomes()
    table.answer(decision.seat, decision.turn_id, parse_action("pass"), outcomes)
    assert outcomes != [None]
    store.is_failing = False
    play_slowly(table, clock, *((text, 1.0) for text in PASSED_IN))
    assert thinks_of(table) == (2000, 1000, 1000)


def test_a_refused_answer_does_not_begin_anew(clock: ManualClock) -> None:
    table = full_table(clock=clock)
    clock.advance(1.0)
    decision, outcomes = open_question(table), Outcomes()
    table.answer(decision.seat, decision.turn_id, parse_action("17"), outcomes)
    assert outcomes != [None]
    play_slowly(table, clock, *((text, 1.0) for text in PASSED_IN))
    assert thinks_of(table) == (2000, 1000, 1000)


def test_a_change_of_players_does_not_begin_anew(clock: ManualClock) -> None:
    table = full_table(clock=clock)
    clock.advance(1.0)
    table.leave("player-cem", succeeded)
    clock.advance(1.0)
    table.sit(occupant("dia"), 2, succeeded)
    play_slowly(table, clock, *((text, 1.0) for text in PASSED_IN))
    assert thinks_of(table) == (3000, 1000, 1000)


def test_an_answer_that_came_before_its_question_took_no_time(clock: ManualClock) -> None:
    """A client may guess the id of its turn while the store is still at work."""
    store = HeldStore()
    table = full_table(store=store, clock=clock)
    store.is_held = True
    play_slowly(table, clock, ("pass", 1.0))
    table.answer(0, "1.1", parse_action("pass"), succeeded)
    clock.advance(5.0)
    store.complete()
    store.complete()
    store.is_held = False
    play_slowly(table, clock, ("pass", 1.0))
    assert thinks_of(table) == (1000, 0, 1000)


def pub_table(clock: ManualClock) -> Table:
    """Forehand is to lead in Clubs where both defenders must agree to give up."""
    table = full_table([MIXED], clock=clock, preset="proskat_pub", seats=4)
    play_slowly(table, clock, *((text, 0.0) for text in TO_PLAY_IN_PUB.split()))
    return table


def finish(table: Table) -> None:
    """Answer everything with the first option."""
    while not table.is_over:
        decision = open_question(table)
        answer(table, decision.options[0])


BEFORE = len(TO_PLAY_IN_PUB.split())


def test_a_proposal_out_of_turn_takes_no_time(clock: ManualClock) -> None:
    table = pub_table(clock)
    clock.advance(4.0)
    propose(table, OFFERS, "give-up")
    play_slowly(table, clock, ("reject", 0.5))
    finish(table)
    assert thinks_of(table)[BEFORE : BEFORE + 2] == (0, 500)


def test_a_proposal_in_turn_takes_time(clock: ManualClock) -> None:
    table = full_table(clock=clock)
    play_slowly(table, clock, *((text, 0.0) for text in TO_PLAY.split()))
    clock.advance(4.0)
    propose(table, open_question(table).seat, "give-up")
    assert thinks_of(table) == (0, 0, 0, 0, 0, 0, 4000)


def test_a_hidden_concession_does_not_begin_the_declarers_time_anew(clock: ManualClock) -> None:
    """R-END-5: his question was open to him all the while."""
    table = pub_table(clock)
    clock.advance(1.0)
    propose(table, OFFERS, "give-up")
    clock.advance(2.0)
    play_slowly(table, clock, ("reject", 0.0))
    play_slowly(table, clock, ("S7", 4.0))
    finish(table)
    assert thinks_of(table)[BEFORE : BEFORE + 3] == (0, 2000, 7000)


def test_an_answer_during_a_hidden_concession_counts_from_its_receipt(clock: ManualClock) -> None:
    """R-END-5: that it had to wait is nobody's thinking."""
    table = pub_table(clock)
    propose(table, OFFERS, "give-up")
    clock.advance(1.0)
    table.answer(DECLARER, own_turn(table, DECLARER), parse_action("S7"), succeeded)
    play_slowly(table, clock, ("reject", 2.0))
    finish(table)
    assert str(record_of(table).moves[BEFORE + 2][1]) == "S7"
    assert thinks_of(table)[BEFORE : BEFORE + 3] == (0, 3000, 1000)
