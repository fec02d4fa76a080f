"""What one viewer has still to be sent: when it leaves, in which order, and what it costs."""

from __future__ import annotations

import random

import pytest

from skat_engine import BidMade, CardPlayed, HandExposed, Occasion, Pass, Passed
from skat_server.clock import ManualClock
from skat_server.storage.memory import MemoryStore
from skat_server.tables.facts import DealBooked, DealVoided, HandReceived, SeatLeft, SeriesEnded
from skat_server.tables.outbox import LONGEST_WAIT, TOGETHER, Delivery, Outbox, TableUpdate
from skat_server.tables.table import Table
from tests.server.playing import (
    MIXED,
    TO_PLAY,
    Outcomes,
    answer,
    config,
    fill,
    full_table,
    open_question,
    play,
    play_on,
    succeeded,
)
from tests.server.stores import HeldStore


class Reader:
    """An outbox and how often its writer was woken."""

    def __init__(self, delivery: Delivery, clock: ManualClock | None = None) -> None:
        self.clock = clock or ManualClock()
        self.wakes = 0
        self.outbox = Outbox(delivery, self.clock, self._wake)

    def _wake(self) -> None:
        self.wakes += 1

    def follow(self, table: Table, seat: int | None, sent: int | None = None) -> None:
        """Follow a table and take what is there already."""
        self.outbox.attach(table, seat, sent)
        self.outbox.drain()
        self.wakes = 0


def reader(table: Table, seat: int | None, delivery: Delivery = Delivery.LIVE) -> Reader:
    """A reader that is up to date."""
    made = Reader(delivery)
    made.follow(table, seat)
    return made


def other_table(table_id: str = "table-2") -> Table:
    """A second table."""
    table = Table(config(table_id=table_id), MemoryStore(), ManualClock())
    fill(table)
    return table


def bidder(table: Table) -> int:
    """Middlehand's seat."""
    return table.state.seating.active[1]


def kinds(update: TableUpdate) -> list[type]:
    """The kinds of the facts."""
    return [type(logged.fact) for logged in update.facts]


def test_a_new_viewer_gets_a_view_of_the_deal_and_its_decision() -> None:
    table = full_table()
    play(table, "18")
    made = Reader(Delivery.LIVE)
    made.outbox.attach(table, table.state.seating.active[0], None)
    (update,) = made.outbox.drain()
    assert update.is_view
    assert kinds(update) == [HandReceived, BidMade]
    assert update.sequence == table.log.last(update.viewer)
    assert update.decision is table.decision


def test_attaching_wakes_the_writer() -> None:
    made = Reader(Delivery.WITH_DECISIONS)
    made.outbox.attach(full_table(), 0, None)
    assert made.wakes == 1


def test_a_position_is_continued() -> None:
    table = full_table()
    seen = table.log.last(0)
    play(table, "18 hold")
    made = Reader(Delivery.LIVE)
    made.outbox.attach(table, 0, seen)
    (update,) = made.outbox.drain()
    assert not update.is_view
    assert [logged.sequence for logged in update.facts] == [seen + 1, seen + 2]


def test_a_position_at_the_end_has_nothing_but_the_decision() -> None:
    table = full_table()
    made = Reader(Delivery.LIVE)
    made.outbox.attach(table, bidder(table), table.log.last(bidder(table)))
    (update,) = made.outbox.drain()
    assert not update.facts
    assert update.decision is table.decision


def test_events_that_a_position_has_missed_wait_for_the_decision() -> None:
    """Whoever polls is not answered for every single event."""
    table = full_table()
    seat = table.state.seating.active[2]
    seen = table.log.last(seat)
    play(table, "18 hold")
    made = Reader(Delivery.WITH_DECISIONS)
    made.outbox.attach(table, seat, seen)
    assert (made.wakes, made.outbox.drain()) == (0, [])
    play(table, "pass")
    (update,) = made.outbox.drain()
    assert len(update.facts) == 3
    assert update.decision is table.decision


def test_a_decision_that_the_viewer_has_is_not_sent() -> None:
    table = full_table()
    seat = bidder(table)
    made = Reader(Delivery.WITH_DECISIONS)
    made.outbox.attach(table, seat, table.log.last(seat), open_question(table).turn_id)
    assert (made.wakes, made.outbox.drain()) == (0, [])


@pytest.mark.parametrize("sent", [1, 10_000], ids=["too old", "of the future"])
def test_a_position_that_cannot_be_continued_gets_a_view(sent: int) -> None:
    table = full_table([MIXED] * 4)
    play(table, "pass pass pass " * 3)
    made = Reader(Delivery.LIVE)
    made.outbox.attach(table, 0, sent)
    (update,) = made.outbox.drain()
    assert update.is_view
    assert kinds(update) == [HandReceived]


def test_what_was_drained_is_not_sent_again() -> None:
    table = full_table()
    one = reader(table, bidder(table))
    assert one.outbox.drain() == []


def test_a_decision_is_sent_once() -> None:
    table = full_table()
    play(table, "18")
    one = reader(table, table.state.seating.active[0])
    table.leave("player-ann", succeeded)
    (update,) = one.outbox.drain()
    assert kinds(update) == [SeatLeft]


def test_who_comes_while_a_step_is_kept_is_asked_when_it_fails() -> None:
    """F4, F5: no decision is open while the store is at work, and the view goes out without it."""
    store = HeldStore()
    table = full_table(store=store)
    asked = open_question(table)
    store.is_held = True
    table.answer(asked.seat, asked.turn_id, Pass(), Outcomes())
    new = Reader(Delivery.WITH_DECISIONS)
    new.outbox.attach(table, asked.seat, None)
    (view,) = new.outbox.drain()
    store.fail()
    (update,) = new.outbox.drain()
    assert (view.decision, update.decision, update.facts) == (None, asked, [])


def test_who_was_asked_is_not_asked_again_when_a_step_fails() -> None:
    store = HeldStore()
    table = full_table(store=store)
    asked = open_question(table)
    asked_before = reader(table, asked.seat)
    store.is_held = True
    table.answer(asked.seat, asked.turn_id, Pass(), Outcomes())
    store.fail()
    assert (asked_before.wakes, asked_before.outbox.drain()) == (0, [])


def test_a_decision_is_repeated_when_asked_to() -> None:
    table = full_table()
    one = reader(table, bidder(table))
    one.outbox.repeat_decision(table.table_id)
    (update,) = one.outbox.drain()
    assert update.decision is table.decision
    assert one.wakes == 1


def test_repeating_at_a_table_not_followed_does_nothing() -> None:
    one = Reader(Delivery.LIVE)
    one.outbox.repeat_decision("no-table")
    assert one.outbox.drain() == []


def test_live_events_leave_at_once() -> None:
    table = full_table()
    one = reader(table, 0)
    play(table, "18")
    assert one.wakes == 1
    (update,) = one.outbox.drain()
    assert kinds(update) == [BidMade]


def test_events_wait_for_the_viewers_own_decision() -> None:
    table = full_table()
    one = reader(table, table.state.seating.active[2], Delivery.WITH_DECISIONS)
    play(table, "18 hold")
    assert one.wakes == 0
    assert one.outbox.drain() == []
    play(table, "pass")
    assert one.wakes == 1
    (update,) = one.outbox.drain()
    assert len(update.facts) == 3
    assert update.decision is table.decision


def test_events_wait_for_the_end_of_the_deal() -> None:
    table = full_table([MIXED, MIXED])
    play(table, "pass pass")
    one = reader(table, table.state.seating.active[2], Delivery.WITH_DECISIONS)
    play(table, "pass")
    assert one.wakes == 1
    (update,) = one.outbox.drain()
    assert kinds(update)[:2] == [Passed, DealBooked]


def test_events_do_not_wait_when_the_deal_is_void() -> None:
    """A question that somebody thinks about is closed with it."""
    table = full_table([MIXED, MIXED])
    one = reader(table, table.state.seating.active[2], Delivery.WITH_DECISIONS)
    play(table, "18")
    table.void_deal("a mistake", succeeded)
    assert one.wakes == 1
    (update,) = one.outbox.drain()
    assert kinds(update)[:2] == [BidMade, DealVoided]


def test_events_wait_at_most_five_seconds() -> None:
    table = full_table()
    one = reader(table, table.state.seating.active[2], Delivery.WITH_DECISIONS)
    play(table, "18")
    one.clock.advance(LONGEST_WAIT - 0.001)
    assert (one.wakes, one.outbox.drain()) == (0, [])
    one.clock.advance(0.001)
    assert one.wakes == 1
    assert len(one.outbox.drain()) == 1
    assert LONGEST_WAIT == 5.0


def test_the_wait_counts_from_the_first_event_that_waits() -> None:
    table = full_table()
    one = reader(table, table.state.seating.active[2], Delivery.WITH_DECISIONS)
    play(table, "18")
    one.clock.advance(LONGEST_WAIT - 0.5)
    play(table, "hold")
    one.clock.advance(0.5)
    assert one.wakes == 1


def test_what_came_after_a_decision_waits_as_long_as_any() -> None:
    """The wait of what has left with the decision is not its own."""
    table = full_table()
    one = reader(table, table.state.seating.active[2], Delivery.WITH_DECISIONS)
    play(table, "18 hold pass")
    one.outbox.drain()
    one.clock.advance(LONGEST_WAIT - 2.0)
    play(table, "pass take")
    one.outbox.drain()
    woken = one.wakes
    one.clock.advance(LONGEST_WAIT - 0.5)
    assert one.wakes == woken
    one.clock.advance(0.5)
    assert one.wakes == woken + 1


def test_what_has_left_waits_no_longer() -> None:
    """Also what came while its table's news were on their way."""
    table = full_table()
    one = reader(table, table.state.seating.active[2], Delivery.WITH_DECISIONS)
    play(table, "18 hold pass")
    play(table, "pass take")
    assert one.outbox.waiting > 0
    one.outbox.drain()
    assert one.outbox.waiting == 0


def test_what_has_waited_nearly_as_long_leaves_along() -> None:
    first, second, third = full_table(), other_table(), other_table("table-3")
    one = Reader(Delivery.WITH_DECISIONS)
    for table in (first, second, third):
        one.follow(table, table.state.seating.active[2])
    for table, pause in ((first, TOGETHER), (second, TOGETHER), (third, 0.0)):
        play(table, "18")
        one.clock.advance(pause)
    one.clock.advance(LONGEST_WAIT - 2 * TOGETHER)
    assert [update.table for update in one.outbox.drain()] == [first, second]
    one.clock.advance(2 * TOGETHER)
    assert [update.table for update in one.outbox.drain()] == [third]


def test_nothing_wakes_after_what_waited_has_left() -> None:
    table = full_table()
    one = reader(table, table.state.seating.active[2], Delivery.WITH_DECISIONS)
    play(table, "18 hold pass")
    assert one.wakes == 1
    one.outbox.drain()
    one.clock.advance(10.0)
    assert one.wakes == 1


def test_what_waits_leaves_when_it_is_released() -> None:
    table = full_table()
    one = reader(table, table.state.seating.active[2], Delivery.WITH_DECISIONS)
    play(table, "18")
    one.outbox.release()
    (update,) = one.outbox.drain()
    assert kinds(update) == [BidMade]


def test_a_decision_at_one_table_leaves_what_waits_at_another() -> None:
    calm, busy = full_table(), other_table()
    one = Reader(Delivery.WITH_DECISIONS)
    for table in (calm, busy):
        one.follow(table, table.state.seating.active[2])
    play(calm, "18")
    play(busy, "18 hold pass")
    assert [update.table for update in one.outbox.drain()] == [busy]
    one.clock.advance(LONGEST_WAIT)
    assert [update.table for update in one.outbox.drain()] == [calm]


def test_tables_leave_in_the_order_of_their_changes() -> None:
    first, second = full_table(), other_table()
    one = Reader(Delivery.LIVE)
    for table in (first, second):
        one.follow(table, 0)
    play(second, "18")
    play(first, "18")
    assert [update.table for update in one.outbox.drain()] == [second, first]


def test_each_viewer_is_sent_its_own_projection() -> None:
    table = full_table()
    play(table, "18 hold pass pass take")
    declarer, other = table.state.seating.active[0], table.state.seating.active[1]
    hands = {}
    for seat in (declarer, other, None):
        made = Reader(Delivery.LIVE)
        made.outbox.attach(table, seat, None)
        (update,) = made.outbox.drain()
        received = update.facts[0].fact
        assert isinstance(received, HandReceived)
        hands[seat] = received.hand
    assert hands == {declarer: MIXED.hands[0], other: MIXED.hands[1], None: None}


def test_no_decision_is_sent_to_others_and_spectators() -> None:
    table = full_table()
    asked = open_question(table).seat
    for seat in ((asked + 1) % 3, None):
        made = Reader(Delivery.LIVE)
        made.outbox.attach(table, seat, None)
        assert made.outbox.drain()[0].decision is None


def test_no_decision_is_sent_while_an_answer_is_kept() -> None:
    store = HeldStore()
    table = full_table(store=store)
    store.is_held = True
    answer(table, "18")
    made = Reader(Delivery.LIVE)
    made.outbox.attach(table, bidder(table), None)
    (update,) = made.outbox.drain()
    assert update.decision is None


def test_a_table_that_is_over_is_followed_no_longer() -> None:
    table = full_table()
    one = reader(table, 0)
    play_on(table)
    (update,) = one.outbox.drain()
    assert kinds(update)[-1] is SeriesEnded
    assert one.outbox.is_idle
    assert one.outbox not in table.viewers


def test_a_table_that_is_over_and_was_read_is_followed_no_longer() -> None:
    table = full_table()
    play_on(table)
    one = Reader(Delivery.LIVE)
    one.outbox.attach(table, None, table.log.last(None))
    assert one.outbox.drain() == []
    assert one.outbox.is_idle


def test_a_detached_table_is_not_heard_of() -> None:
    table = full_table()
    one = reader(table, 0)
    one.outbox.detach(table.table_id)
    play(table, "18")
    assert (one.wakes, one.outbox.drain()) == (0, [])


def test_a_closed_outbox_leaves_no_trace() -> None:
    table = full_table()
    before = len(table.viewers)
    one = reader(table, table.state.seating.active[2], Delivery.WITH_DECISIONS)
    play(table, "18")
    one.outbox.close()
    one.clock.advance(10.0)
    assert (one.wakes, len(table.viewers)) == (0, before)


def test_a_reader_that_never_drains_costs_nothing() -> None:
    """F15: cursors stay behind, nothing is queued."""
    table = full_table(None, session_deals=60)
    one = Reader(Delivery.LIVE)
    one.outbox.attach(table, 0, None)
    play_on(table, random.Random(2))
    assert one.outbox._due == {table.table_id: None}
    assert len(table.log._kept) < 300


def test_a_cursor_that_fell_out_of_the_log_gets_a_view() -> None:
    """F15: whoever comes back late is told the current deal, not what was missed."""
    table = full_table([MIXED] * 5)
    one = reader(table, 0)
    play(table, "pass pass pass " * 4)
    (update,) = one.outbox.drain()
    assert update.is_view
    assert update.facts[0].fact == HandReceived(5, MIXED.hands[1], Occasion(), "table-1/5")


def test_a_cursor_that_fell_out_of_the_log_does_not_wait() -> None:
    table = full_table([MIXED] * 5)
    one = reader(table, None, Delivery.WITH_DECISIONS)
    play(table, "pass pass pass " * 4)
    assert one.wakes > 0


def test_cards_that_lie_open_are_in_the_view_of_who_comes_later() -> None:
    """R44: an ouvert hand is told again after a reconnect."""
    table = full_table()
    play(table, "46 hold pass pass take NO.CJ.CA")
    made = Reader(Delivery.LIVE)
    made.outbox.attach(table, None, None)
    (update,) = made.outbox.drain()
    assert HandExposed in kinds(update)


def test_facts_leave_in_order_without_gaps() -> None:
    """H2: what a viewer is sent is the log's prefix, in order."""
    table = full_table(None, session_deals=3)
    one = Reader(Delivery.LIVE)
    one.outbox.attach(table, 1, 0)
    seen: list[int] = []
    chance = random.Random(4)
    while table.decision is not None:
        options = table.decision.options
        answer(table, options[chance.randrange(min(len(options), 12))])
        if chance.random() < 0.3:
            seen += [f.sequence for update in one.outbox.drain() for f in update.facts]
    seen += [f.sequence for update in one.outbox.drain() for f in update.facts]
    assert seen == list(range(1, table.log.last(1) + 1))


def test_play_reaches_a_spectator_card_by_card() -> None:
    table = full_table()
    play(table, TO_PLAY)
    one = reader(table, None)
    play(table, "S7")
    (update,) = one.outbox.drain()
    assert kinds(update) == [CardPlayed]
