"""R-END-5: a concession that one defender offers the other leaves no trace for anybody else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from skat_engine import GiveUp, LayOpen, Level, Vote, parse_action
from skat_server.clock import ManualClock
from skat_server.errors import Reason
from skat_server.storage.protocols import Store
from skat_server.tables.facts import DealBooked, ShownFact
from skat_server.tables.outbox import LONGEST_WAIT, Delivery, Outbox
from skat_server.tables.state import OpenDecision
from skat_server.tables.table import Table
from skat_server.tables.writer import MOST_WAITING
from tests.server.playing import (
    MIXED,
    Outcomes,
    answer,
    full_table,
    occupant,
    open_question,
    play,
    play_on,
    succeeded,
)
from tests.server.stores import FailingStore, HeldStore

TO_PLAY = "18 hold pass pass take C.H8.D7 decline"
"""In `MIXED`: forehand is declarer in Clubs, middlehand has not said Kontra."""

DECLARER, OFFERS, ASKED, SITS_OUT = 1, 2, 3, 0
"""Seats in the first deal of a table of four."""


def pub_table(
    *, store: Store | None = None, clock: ManualClock | None = None, deals: int = 1
) -> Table:
    """Forehand is to lead in Clubs where both defenders must agree to give up."""
    table = full_table([MIXED] * deals, store=store, clock=clock, preset="proskat_pub", seats=4)
    play(table, TO_PLAY)
    return table


def propose(table: Table, seat: int, text: str, outcomes: Outcomes | None = None) -> None:
    """Let a seat propose something out of turn."""
    done = succeeded if outcomes is None else outcomes
    table.propose(seat, table.log.last(seat), parse_action(text), done)


def offer(table: Table) -> None:
    """Let one defender ask the other."""
    propose(table, OFFERS, "give-up")


def own_turn(table: Table, seat: int) -> str:
    """The turn that a seat knows of."""
    position = table.state.seating.position_of(seat)
    assert position is not None
    return table.state.turn_id(position)


class Stream:
    """Everything that one viewer is sent, however it is cut into updates."""

    def __init__(self, table: Table, viewer: int | None, delivery: Delivery) -> None:
        """Follow the table from its present state."""
        self.facts: list[ShownFact] = []
        self.decisions: list[OpenDecision] = []
        self.wakes = 0
        self._table, self._clock = table, ManualClock()
        self.outbox = Outbox(delivery, self._clock, self._wake)
        self.outbox.attach(table, viewer, None)

    def _wake(self) -> None:
        self.wakes += 1
        for update in self.outbox.drain():
            self.facts += update.facts
            self.decisions += [update.decision] if update.decision else []

    def finish(self) -> None:
        """Let what waits leave."""
        self._clock.advance(LONGEST_WAIT)


def nothing(table: Table) -> None:
    """No concession."""


def refused(table: Table) -> None:
    """One defender offers, the other one refuses."""
    offer(table)
    answer(table, "reject")


@pytest.mark.parametrize("delivery", Delivery)
@pytest.mark.parametrize("viewer", [DECLARER, SITS_OUT, None], ids=["declarer", "sits out", "-"])
@pytest.mark.parametrize("cards", range(4))
def test_streams_are_the_same_with_and_without_a_refused_concession(
    viewer: int | None, cards: int, delivery: Delivery
) -> None:
    """Events, numbers, decisions and their ids, whoever is to play when it is offered."""

    def stream(between: Callable[[Table], None]) -> Stream:
        table = pub_table(deals=2)
        seen = Stream(table, viewer, delivery)
        play(table, "S7 S9 SK HA"[: 3 * cards])
        between(table)
        play_on(table)
        seen.finish()
        return seen

    without, with_it = stream(nothing), stream(refused)
    assert with_it.facts == without.facts
    assert with_it.decisions == without.decisions
    assert with_it.wakes == without.wakes


@pytest.mark.parametrize("viewer", [DECLARER, SITS_OUT, None], ids=["declarer", "sits out", "-"])
def test_nobody_else_is_woken_by_a_concession(viewer: int | None) -> None:
    table = pub_table()
    seen = Stream(table, viewer, Delivery.LIVE)
    before = seen.wakes
    refused(table)
    assert seen.wakes == before


def test_the_defenders_are_told() -> None:
    table = pub_table()
    for seat in (OFFERS, ASKED):
        assert table.log.last(seat) == table.log.last(None)
    refused(table)
    for seat in (OFFERS, ASKED):
        assert table.log.last(seat) == table.log.last(None) + 2


def test_the_turn_of_who_is_told_nothing_is_the_same() -> None:
    table = pub_table()
    turn, others = own_turn(table, DECLARER), own_turn(table, OFFERS)
    refused(table)
    assert own_turn(table, DECLARER) == turn == open_question(table).turn_id
    assert own_turn(table, OFFERS) == own_turn(table, ASKED) != others


def test_an_answer_of_the_declarer_waits_for_the_vote() -> None:
    table, outcomes = pub_table(), Outcomes()
    asked = open_question(table)
    offer(table)
    table.answer(DECLARER, asked.turn_id, parse_action("S7"), outcomes)
    assert not outcomes
    answer(table, "reject")
    assert outcomes == [None]
    assert table.state.actions[-1] == (0, parse_action("S7"))
    assert table.was_settled_by(DECLARER, asked.turn_id, parse_action("S7"))


def test_an_answer_that_waited_comes_to_its_stale_end_when_the_partner_agrees() -> None:
    """The declarer is asked now whether he accepts; his card was never played."""
    table, outcomes = pub_table(), Outcomes()
    asked = open_question(table)
    offer(table)
    table.answer(DECLARER, asked.turn_id, parse_action("S7"), outcomes)
    answer(table, "accept")
    assert outcomes.reasons == [Reason.STALE_TURN]
    question = open_question(table)
    assert (question.seat, question.turn_id) != (DECLARER, asked.turn_id)
    answer(table, "accept")
    assert table.is_over


@pytest.mark.parametrize(
    ("turn", "text"), [("own", "SA"), ("own", "hold"), ("9.9", "S7")], ids=["card", "phase", "turn"]
)
def test_what_is_refused_anyway_is_refused_at_once(turn: str, text: str) -> None:
    """Whoever tries learns nothing of the vote: the same reason, as quickly."""

    def tried(between: Callable[[Table], None]) -> list[Reason | None]:
        table, outcomes = pub_table(), Outcomes()
        turn_id = own_turn(table, DECLARER) if turn == "own" else turn
        between(table)
        table.answer(DECLARER, turn_id, parse_action(text), outcomes)
        return outcomes.reasons

    assert tried(offer) == tried(nothing) != []


@pytest.mark.parametrize(("last", "text"), [(0, "open:simple"), (None, "S7"), (None, "kontra")])
def test_so_is_a_proposal_that_nobody_could_make(last: int | None, text: str) -> None:
    def tried(between: Callable[[Table], None]) -> list[Reason | None]:
        table, outcomes = pub_table(), Outcomes()
        between(table)
        sequence = table.log.last(DECLARER) if last is None else last
        table.propose(DECLARER, sequence, parse_action(text), outcomes)
        return outcomes.reasons

    assert tried(offer) == tried(nothing) != []


def test_a_proposal_of_the_declarer_waits_for_the_vote() -> None:
    table, outcomes = pub_table(), Outcomes()
    play(table, "S7")
    offer(table)
    propose(table, DECLARER, "open:simple", outcomes)
    assert not outcomes
    answer(table, "reject")
    assert outcomes == [None]
    assert table.state.actions[-1] == (0, LayOpen(Level.SIMPLE))


def test_commands_that_waited_are_taken_in_their_order(held: HeldStore) -> None:
    """What came during the vote goes before what came while the vote was kept."""
    table = pub_table(store=held)
    asked, first, second = open_question(table), Outcomes(), Outcomes()
    offer(table)
    table.answer(DECLARER, asked.turn_id, parse_action("S7"), first)
    held.is_held = True
    answer(table, "reject")
    table.answer(DECLARER, asked.turn_id, parse_action("HA"), second)
    held.complete()
    held.complete()
    assert (first.reasons, second.reasons) == ([None], [Reason.STALE_TURN])


@pytest.mark.parametrize("turn", ["own", "9.9"])
@pytest.mark.parametrize("seat", [DECLARER, SITS_OUT])
def test_refusals_are_the_same_with_and_without_a_concession(seat: int, turn: str) -> None:
    """Whose turn it is not learns nothing by trying, neither from an old id nor a guessed one."""

    def tried(between: Callable[[Table], None]) -> list[Reason | None]:
        table, outcomes = pub_table(), Outcomes()
        guessed = own_turn(table, DECLARER) if turn == "own" else turn
        play(table, "S7")
        after = own_turn(table, DECLARER) if turn == "own" else turn
        between(table)
        for turn_id in (guessed, after):
            table.answer(seat, turn_id, parse_action("HA"), outcomes)
        table.propose(seat, table.log.last(seat), parse_action("HA"), outcomes)
        return outcomes.reasons

    assert tried(refused) == tried(nothing)


def test_the_defenders_do_not_wait() -> None:
    table, outcomes = pub_table(), Outcomes()
    offer(table)
    table.answer(OFFERS, own_turn(table, OFFERS), parse_action("S9"), outcomes)
    propose(table, ASKED, "give-up", outcomes)
    assert outcomes.reasons == [Reason.NOT_YOUR_TURN, Reason.WRONG_PHASE]


def test_a_concession_is_offered_once_a_deal() -> None:
    """R-END-5, END16: who has offered has used it, who refused has not."""
    table, outcomes = pub_table(), Outcomes()
    refused(table)
    propose(table, OFFERS, "give-up", outcomes)
    propose(table, ASKED, "give-up", outcomes)
    assert outcomes.reasons == [Reason.NOT_OFFERED, None]


def test_other_steps_in_between_leave_the_command_waiting() -> None:
    table, outcomes = pub_table(), Outcomes()
    asked = open_question(table)
    offer(table)
    table.answer(DECLARER, asked.turn_id, parse_action("S7"), outcomes)
    table.leave("player-ann", succeeded)
    table.sit(occupant("eva"), SITS_OUT, succeeded)
    assert not outcomes
    answer(table, "reject")
    assert outcomes == [None]


def test_a_table_that_closes_refuses_what_waits() -> None:
    table, outcomes = pub_table(), Outcomes()
    asked = open_question(table)
    offer(table)
    table.answer(DECLARER, asked.turn_id, parse_action("S7"), outcomes)
    propose(table, DECLARER, "give-up", outcomes)
    table.close("late", succeeded)
    assert outcomes.reasons == [Reason.STALE_TURN, Reason.WRONG_PHASE]


def test_no_more_than_the_bound_may_wait() -> None:
    table, waiting, late = pub_table(), Outcomes(), Outcomes()
    asked = open_question(table)
    offer(table)
    for _ in range(MOST_WAITING):
        table.answer(DECLARER, asked.turn_id, parse_action("S7"), waiting)
    table.answer(DECLARER, asked.turn_id, parse_action("S7"), late)
    assert late.reasons == [Reason.QUOTA_EXCEEDED]
    assert not waiting


@pytest.fixture
def held() -> HeldStore:
    return HeldStore()


def test_a_vote_that_cannot_be_kept_leaves_everything_open() -> None:
    failing = FailingStore()
    table, outcomes, vote = pub_table(store=failing), Outcomes(), Outcomes()
    asked = open_question(table)
    offer(table)
    table.answer(DECLARER, asked.turn_id, parse_action("S7"), outcomes)
    question = open_question(table)
    failing.is_failing = True
    table.answer(question.seat, question.turn_id, Vote(accept=False), vote)
    assert vote.reasons == [Reason.STORE_UNAVAILABLE]
    assert open_question(table) == question
    assert not outcomes
    failing.is_failing = False
    answer(table, "reject")
    assert outcomes == [None]


def test_an_offer_that_cannot_be_kept_has_not_happened() -> None:
    failing = FailingStore()
    table, outcomes = pub_table(store=failing), Outcomes()
    asked = open_question(table)
    failing.is_failing = True
    propose(table, OFFERS, "give-up", outcomes)
    failing.is_failing = False
    table.answer(DECLARER, asked.turn_id, parse_action("S7"), outcomes)
    assert outcomes.reasons == [Reason.STORE_UNAVAILABLE, None]
    assert table.log.last(OFFERS) == table.log.last(None)


def test_an_answer_that_cannot_be_kept_after_the_vote_may_be_sent_again(held: HeldStore) -> None:
    table, outcomes = pub_table(store=held), Outcomes()
    asked = open_question(table)
    offer(table)
    table.answer(DECLARER, asked.turn_id, parse_action("S7"), outcomes)
    held.is_held = True
    answer(table, "reject")
    held.complete()
    held.fail()
    assert outcomes.reasons == [Reason.STORE_UNAVAILABLE]
    assert open_question(table) == asked
    held.is_held = False
    answer(table, "S7")
    assert table.state.actions[-1] == (0, parse_action("S7"))


def test_an_offer_in_turn_and_the_card_afterwards() -> None:
    """A defender who is asked for a card may offer instead; his question comes again, anew."""
    table = pub_table()
    play(table, "S7")
    asked = open_question(table)
    answer(table, GiveUp())
    answer(table, "reject")
    again = open_question(table)
    assert (again.seat, again.phase) == (asked.seat, asked.phase)
    assert again.turn_id != asked.turn_id
    assert GiveUp() in asked.options
    assert GiveUp() not in again.options


def test_both_defenders_agree_and_the_declarer_accepts() -> None:
    table = pub_table()
    offer(table)
    answer(table, "accept")
    assert open_question(table).seat == DECLARER
    answer(table, "accept")
    booked = [logged.fact for logged in table.log._kept if isinstance(logged.fact, DealBooked)]
    (fact,) = booked
    assert fact.booking.declarer == DECLARER


def test_a_view_during_the_vote_tells_nothing_of_it() -> None:
    """Whoever comes or comes back meanwhile is told what the others were told."""
    table = pub_table()
    before = table.log.current_deal(DECLARER)
    offer(table)
    assert table.log.current_deal(DECLARER) == before
    assert len(table.log.current_deal(ASKED)) == len(before) + 1
