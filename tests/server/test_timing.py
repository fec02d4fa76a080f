"""R5, R7, R8, R9, R10, R18, R19, R22: the clocks of a table, and what follows when they run out."""

from __future__ import annotations

import pytest

from skat_engine import GiveUp, Pass
from skat_engine.records import Fault, FaultCause
from skat_server.errors import Reason
from skat_server.storage.protocols import EntryKind
from skat_server.tables.clocks import ClockPolicy, TimeLeft
from skat_server.tables.facts import (
    DecisionDefaulted,
    SeatReturned,
    SeatTaken,
    SeatTakenOver,
    TableClosed,
)
from skat_server.tables.faults import FaultConsequence, FaultPolicy
from skat_server.tables.state import Stage
from skat_server.tables.table import Table
from tests.server.playing import (
    MIXED,
    TO_PLAY,
    Outcomes,
    answer,
    occupant,
    open_question,
    succeeded,
)
from tests.server.stores import HeldStore, OutageStore
from tests.server.timekeeping import ALL_OF_IT, GRACE, MERCILESS, PATIENT, STRICT, Room

CEM, ANN, BEN = 2, 0, 1
"""Middlehand is asked first, and then forehand: with dealer 0 that is seat 2, then seat 1."""


# ------------------------------------------------------------------------------- when they run


def test_nothing_runs_before_the_first_deal() -> None:
    """R5: clocks start only when everybody is there."""
    room = Room(is_full=False)
    room.take_seat("ann", 0)
    room.take_seat("ben", 1)
    room.wait(100_000.0)
    assert room.kinds[-1] is EntryKind.SEAT_TAKEN
    room.take_seat("cem", 2)
    assert room.table.time_left(CEM) == TimeLeft(1_000, 5_000, 2_000)


def test_who_answers_at_once_loses_no_decision() -> None:
    """R9: the release gate, with no time at all between question and answer."""
    room = Room(None, policy=ClockPolicy(1, 0, 0, 0), session_deals=6)
    decisions = 0
    while not room.table.is_over:
        answer(room.table, open_question(room.table).options[0])
        decisions += 1
    assert decisions >= 18
    assert EntryKind.DECISION_DEFAULTED not in room.kinds


def test_who_answers_just_in_time_loses_no_decision() -> None:
    """R9: own time and bank to their last millisecond."""
    room = Room()
    room.play("pass pass pass", ALL_OF_IT - 0.001)
    assert EntryKind.DECISION_DEFAULTED not in room.kinds


def test_a_decision_whose_time_is_up_gets_its_safe_answer() -> None:
    room = Room()
    room.time_out()
    assert room.table.state.actions == ((1, Pass()),)
    assert room.faults == (Fault(0, CEM, FaultCause.TIMEOUT),)


def test_the_default_is_told_before_what_follows_from_it() -> None:
    room = Room()
    room.time_out()
    names = [type(fact).__name__ for fact in room.told[-2:]]
    assert names == ["DecisionDefaulted", "Passed"]
    assert room.told[-2] == DecisionDefaulted(CEM, FaultCause.TIMEOUT)


def test_own_time_comes_before_the_bank_and_the_bank_lasts_for_the_deal() -> None:
    room = Room()
    room.play("18", 3.5)
    assert room.bank(CEM) == 2_500
    room.play("hold", 1.0)
    assert room.bank(BEN) == 5_000
    assert room.table.time_left(CEM) == TimeLeft(1_000, 2_500, 2_000)


def test_every_deal_has_a_bank_of_its_own() -> None:
    room = Room([MIXED, MIXED])
    room.play("pass pass pass", 4.0)
    assert [account.bank_ms for account in room.table.state.conduct.accounts] == [5_000] * 3


def test_an_answer_in_time_earns_the_increment() -> None:
    room = Room(policy=ClockPolicy(1_000, 5_000, 250, 0))
    room.play("18", 2.0)
    assert room.bank(CEM) == 4_250


def test_who_has_used_up_the_bank_has_the_own_time_still() -> None:
    room = Room()
    room.play("18", ALL_OF_IT - 0.01)
    room.play("hold")
    assert room.table.time_left(CEM) == TimeLeft(1_000, 10, 2_000)


def test_a_bank_alone_is_a_clock() -> None:
    room = Room(policy=ClockPolicy(0, 3_000, 0, 0))
    room.wait(2.999)
    assert not room.faults
    room.wait(0.001)
    assert len(room.faults) == 1


def test_a_proposal_in_turn_is_paid_for_and_one_out_of_turn_is_not() -> None:
    room = Room()
    room.play(TO_PLAY)
    asked = open_question(room.table)
    room.wait(3.0)
    defender = room.table.state.seating.active[2]
    last = room.table.log.last(defender)
    room.table.propose(defender, last, GiveUp(), succeeded)
    assert room.bank(defender) == 5_000
    assert room.bank(asked.seat) == 5_000


def test_a_timer_is_left_alone_while_it_rings_too_early() -> None:
    """One timer a table at most, whatever is answered meanwhile."""
    room = Room(None, session_deals=3)
    while not room.table.is_over:
        room.wait(0.01)
        answer(room.table, open_question(room.table).options[0])
        assert len(room.clock._timers) <= 3
    assert EntryKind.DECISION_DEFAULTED not in room.kinds


# ------------------------------------------------------------------------------- R8: causes


def test_a_session_that_gave_signs_of_life_has_timed_out() -> None:
    room = Room()
    room.linger(ALL_OF_IT)
    assert [fault.cause for fault in room.faults] == [FaultCause.TIMEOUT]


def test_a_session_that_was_silent_has_stalled() -> None:
    room = Room()
    room.wait(ALL_OF_IT)
    assert [fault.cause for fault in room.faults] == [FaultCause.STALLED]


def test_a_session_that_came_late_has_timed_out() -> None:
    room = Room()
    room.wait(1.0)
    room.come("cem")
    room.wait(ALL_OF_IT)
    assert [fault.cause for fault in room.faults] == [FaultCause.TIMEOUT]


def test_who_has_no_session_is_disconnected_once_grace_and_time_are_over() -> None:
    """F9, R22."""
    room = Room()
    room.go("cem")
    room.wait(GRACE + ALL_OF_IT - 0.01)
    assert not room.faults
    room.wait(0.01)
    assert [fault.cause for fault in room.faults] == [FaultCause.DISCONNECTED]


def test_an_empty_seat_has_grace_and_time_as_well() -> None:
    """R7: nothing waits for ever."""
    room = Room()
    room.table.leave("player-cem", succeeded)
    room.wait(GRACE + ALL_OF_IT - 0.01)
    assert not room.faults
    room.wait(0.01)
    assert [fault.cause for fault in room.faults] == [FaultCause.SEAT_EMPTY]


def test_the_cause_is_how_it_stands_when_the_time_is_up() -> None:
    room = Room()
    room.wait(5.0)
    room.go("cem")
    room.wait(GRACE + 1.0)
    assert [fault.cause for fault in room.faults] == [FaultCause.DISCONNECTED]


# ------------------------------------------------------------------------------- R22: grace


def test_a_short_drop_costs_grace_and_no_time() -> None:
    room = Room()
    room.go("cem")
    room.wait(1.5)
    room.come("cem")
    assert room.table.time_left(CEM) == TimeLeft(1_000, 5_000, 500)
    room.play("18", 1.0)
    assert room.bank(CEM) == 5_000


def test_the_log_and_the_record_tell_the_grace_that_was_used() -> None:
    room = Room()
    room.go("cem")
    room.wait(1.5)
    room.come("cem")
    room.play("pass", 0.5)
    room.play("pass pass")
    assert room.payloads(EntryKind.ACTION)[0] == "1 pass 2000 1500"
    kept = room.origin().timekeeping
    assert kept is not None
    assert kept.graces == ((0, 1_500),)


def test_grace_is_one_for_the_deal() -> None:
    room = Room()
    room.go("cem")
    room.wait(1.5)
    room.play("18 hold")
    room.wait(1.0)
    assert room.table.time_left(CEM) == TimeLeft(500, 5_000, 0)


def test_grace_begins_when_the_session_is_gone() -> None:
    room = Room()
    room.wait(3.0)
    room.go("cem")
    room.wait(1.0)
    assert room.table.time_left(CEM) == TimeLeft(0, 3_000, 1_000)


def test_after_a_reconnect_the_true_time_is_told() -> None:
    """R19: neither nothing nor all of it."""
    room = Room()
    room.wait(2.0)
    room.go("cem")
    room.wait(0.5)
    room.come("cem")
    assert room.table.time_left(CEM) == TimeLeft(0, 4_000, 1_500)


def test_an_heir_goes_on_with_the_clock_of_the_seat() -> None:
    room = Room()
    room.wait(2.0)
    room.table.leave("player-cem", succeeded)
    room.wait(0.5)
    room.take_seat("dia", CEM)
    assert room.table.time_left(CEM) == TimeLeft(0, 4_000, 1_500)


# ------------------------------------------------------------------------------- consequences


def consequence(what: FaultConsequence, safe_answers: int) -> FaultPolicy:
    return FaultPolicy(3, safe_answers, what)


HOUSE, FORFEIT, NONE = FaultConsequence


def silence(room: Room, cause: FaultCause) -> None:
    """Let the decision run out of time for a reason, or be spoilt by illegal actions."""
    match cause:
        case FaultCause.TIMEOUT:
            room.time_out()
        case FaultCause.STALLED:
            room.wait(ALL_OF_IT)
        case FaultCause.DISCONNECTED:
            room.go(room.asked)
            room.wait(GRACE + ALL_OF_IT)
        case FaultCause.SEAT_EMPTY:
            room.table.leave(f"player-{room.asked}", succeeded)
            room.wait(GRACE + ALL_OF_IT)
        case _:
            spoil(room)


def spoil(room: Room, times: int = 4) -> list[Reason | None]:
    """Answer the open decision with what no phase of bidding knows."""
    asked, outcomes = open_question(room.table), Outcomes()
    for _ in range(times):
        room.table.answer(asked.seat, asked.turn_id, GiveUp(), outcomes)
    return outcomes.reasons


CAUSES = [
    FaultCause.TIMEOUT,
    FaultCause.STALLED,
    FaultCause.DISCONNECTED,
    FaultCause.SEAT_EMPTY,
    FaultCause.ILLEGAL_ACTIONS,
]


@pytest.mark.parametrize("cause", CAUSES)
def test_after_the_faults_that_are_borne_the_house_plays(cause: FaultCause) -> None:
    room = Room(faults=STRICT)
    silence(room, cause)
    assert [(fault.seat, fault.cause) for fault in room.faults] == [(CEM, cause)]
    names = [type(fact).__name__ for fact in room.told[-3:]]
    assert names == ["DecisionDefaulted", "Passed", "SeatTakenOver"]
    assert room.told[-1] == SeatTakenOver(CEM, cause)
    assert room.table.state.taken_over == (None, None, cause)


@pytest.mark.parametrize("cause", CAUSES)
def test_after_the_faults_that_are_borne_the_seat_forfeits(cause: FaultCause) -> None:
    room = Room(faults=MERCILESS)
    silence(room, cause)
    assert room.table.state.stage is Stage.CLOSED
    assert room.told[-1] == TableClosed(f"seat {CEM} forfeits", cause, CEM)
    assert room.kinds[-1] is EntryKind.TABLE_CLOSED


@pytest.mark.parametrize("cause", CAUSES)
def test_nothing_more_follows_where_nothing_shall(cause: FaultCause) -> None:
    room = Room(faults=consequence(NONE, 0))
    silence(room, cause)
    assert [fault.cause for fault in room.faults] == [cause]
    assert room.table.state.taken_over == (None, None, None)
    assert room.table.state.stage is Stage.PLAYING


@pytest.mark.parametrize("what", [HOUSE, FORFEIT])
def test_so_many_safe_answers_are_borne_in_a_deal(what: FaultConsequence) -> None:
    room = Room(faults=consequence(what, 2))
    room.play(TO_PLAY)
    declarer = open_question(room.table).seat
    for _ in range(2):
        room.time_out()
        while open_question(room.table).seat != declarer:
            room.play(str(open_question(room.table).options[0]))
    assert room.table.state.taken_over == (None, None, None)
    room.time_out()
    over = room.table.state.taken_over[declarer] is FaultCause.TIMEOUT
    assert over or room.table.state.stage is Stage.CLOSED


def test_an_empty_seat_is_taken_over_at_once() -> None:
    """LeaveSeat: when its time has run out the house plays."""
    room = Room(faults=consequence(HOUSE, 3))
    silence(room, FaultCause.SEAT_EMPTY)
    assert room.table.state.taken_over[CEM] is FaultCause.SEAT_EMPTY


def test_faults_are_counted_anew_in_every_deal() -> None:
    room = Room([MIXED] * 3, faults=consequence(HOUSE, 1))
    for _ in range(2):
        silence(room, FaultCause.STALLED)
        room.play("pass pass")
    assert room.table.state.taken_over == (None, None, None)


def test_the_house_answers_at_once_for_a_seat_that_it_has_taken_over() -> None:
    room = Room([MIXED, MIXED], faults=STRICT)
    silence(room, FaultCause.STALLED)
    room.play("pass pass")
    while not room.table.is_over:
        assert open_question(room.table).seat != CEM
        room.play(str(open_question(room.table).options[0]))
    assert EntryKind.DEAL_ENDED in room.kinds


def test_a_player_for_whom_the_house_plays_is_asked_nothing() -> None:
    room = Room([MIXED, MIXED], faults=STRICT)
    silence(room, FaultCause.STALLED)
    asked = _Asked(room.table, CEM)
    while not room.table.is_over:
        room.play(str(open_question(room.table).options[0]))
    assert asked.turns_of_the_seat > 0
    assert asked.decisions == 0


class _Asked:
    """A viewer that looks what a seat is asked after every step."""

    def __init__(self, table: Table, seat: int) -> None:
        self.turns_of_the_seat = self.decisions = 0
        self._seat = seat
        table.viewers[self] = None

    def table_changed(self, table: Table) -> None:
        decision = table.decision
        self.turns_of_the_seat += decision is not None and decision.seat == self._seat
        self.decisions += table.decision_for(self._seat) is not None


# ------------------------------------------------------------------------------- coming back


def taken_over() -> Room:
    """Seat 2 is played by the house, and seat 1 is asked."""
    room = Room([MIXED] * 3, faults=STRICT)
    silence(room, FaultCause.DISCONNECTED)
    assert room.table.state.taken_over[CEM] is FaultCause.DISCONNECTED
    return room


def test_a_new_session_gives_the_seat_back() -> None:
    room = taken_over()
    room.come("cem")
    assert room.table.state.taken_over == (None, None, None)
    assert room.told[-1] == SeatReturned(CEM)
    assert room.kinds[-1] is EntryKind.SEAT_RETURNED


def test_sitting_down_again_gives_the_seat_back() -> None:
    room = taken_over()
    room.table.sit(occupant("cem"), None, succeeded)
    assert room.told[-1] == SeatReturned(CEM)


def test_an_heir_gets_the_seat_back() -> None:
    room = taken_over()
    room.table.leave("player-cem", succeeded)
    room.take_seat("dia", CEM)
    assert room.told[-2:] == [SeatTaken(CEM, "dia"), SeatReturned(CEM)]


def test_who_was_not_taken_over_is_not_given_back() -> None:
    room = Room()
    before = room.kinds
    room.come("cem")
    room.table.sit(occupant("cem"), CEM, succeeded)
    assert room.kinds == before


def test_who_has_come_back_is_asked_again() -> None:
    room = taken_over()
    room.play("pass pass")
    room.come("cem")
    while open_question(room.table).seat != CEM:
        room.play("pass")
    assert room.table.decision_for(CEM) is room.table.decision


def test_a_player_for_whom_the_house_plays_is_refused() -> None:
    room = taken_over()
    outcomes = Outcomes()
    room.table.answer(CEM, room.table.state.turn_id(1), Pass(), outcomes)
    room.table.propose(CEM, room.table.log.last(CEM), GiveUp(), outcomes)
    assert outcomes.reasons == [Reason.NOT_YOUR_TURN, Reason.STALE_TURN]


def test_an_answer_that_the_house_gave_has_not_settled_the_players_turn() -> None:
    """Nobody takes for his own what was answered for him."""
    room = Room()
    asked = open_question(room.table)
    room.time_out()
    assert not room.table.was_settled_by(asked.seat, asked.turn_id, Pass())


def test_the_house_goes_on_for_a_seat_that_is_left() -> None:
    room = taken_over()
    room.table.leave("player-cem", succeeded)
    room.play("pass pass")
    assert room.table.state.taken_over[CEM] is FaultCause.DISCONNECTED


# ------------------------------------------------------------------------------- illegal actions


def test_the_illegal_action_after_the_last_that_is_borne_gets_the_safe_answer() -> None:
    """R20: a few tries with the clock running."""
    room = Room()
    reasons = spoil(room)
    assert reasons == [Reason.WRONG_PHASE] * 3 + [Reason.TOO_MANY_ILLEGAL]
    assert room.faults == (Fault(0, CEM, FaultCause.ILLEGAL_ACTIONS),)
    assert room.table.state.actions == ((1, Pass()),)


def test_illegal_actions_are_counted_for_each_decision() -> None:
    room = Room()
    assert Reason.TOO_MANY_ILLEGAL not in spoil(room, 3)
    room.play("18")
    assert Reason.TOO_MANY_ILLEGAL not in spoil(room, 3)
    assert not room.faults


def test_none_is_borne_where_none_shall_be() -> None:
    room = Room(faults=FaultPolicy(0, 3, NONE))
    assert spoil(room, 1) == [Reason.TOO_MANY_ILLEGAL]


def test_the_clock_runs_on_while_illegal_actions_come() -> None:
    room = Room()
    room.wait(3.0)
    spoil(room)
    assert room.bank(CEM) == 3_000


def test_stale_and_foreign_answers_are_no_illegal_actions() -> None:
    room, outcomes = Room(), Outcomes()
    asked = open_question(room.table)
    for _ in range(20):
        room.table.answer(asked.seat, "9.9", Pass(), outcomes)
        room.table.answer(BEN, asked.turn_id, Pass(), outcomes)
        room.table.propose(asked.seat, -1, GiveUp(), outcomes)
    assert set(outcomes.reasons) == {
        Reason.STALE_TURN,
        Reason.NOT_YOUR_TURN,
        Reason.STALE_SEQUENCE,
    }
    assert not room.faults


# ------------------------------------------------------------------------------- what is free


def test_waiting_for_the_store_costs_nothing() -> None:
    store = HeldStore()
    room = Room(store=store)
    store.is_held = True
    room.play("18", 0.5)
    room.wait(100.0)
    store.complete()
    assert room.table.time_left(BEN) == TimeLeft(1_000, 5_000, 2_000)
    assert EntryKind.DECISION_DEFAULTED not in room.kinds


def test_an_answer_that_was_received_in_time_counts_however_long_it_waits() -> None:
    store = HeldStore()
    room = Room(store=store)
    room.wait(5.0)
    asked = open_question(room.table)
    store.is_held = True
    room.table.leave("player-ann", succeeded)
    room.table.answer(asked.seat, asked.turn_id, Pass(), succeeded)
    room.wait(50.0)
    store.is_held = False
    store.complete()
    assert not room.faults
    assert room.bank(CEM) == 1_000


def test_an_attempt_that_the_store_failed_costs_nothing() -> None:
    store = HeldStore()
    room = Room(store=store)
    asked, outcomes = open_question(room.table), Outcomes()
    room.wait(0.5)
    store.is_held = True
    room.table.answer(asked.seat, asked.turn_id, Pass(), outcomes)
    room.wait(50.0)
    store.fail()
    assert outcomes.reasons == [Reason.STORE_UNAVAILABLE]
    assert room.table.time_left(CEM) == TimeLeft(500, 5_000, 2_000)


def test_clocks_stand_still_while_the_store_is_out() -> None:
    """F4."""
    room = Room()
    room.wait(0.5)
    room.table.pause_clocks()
    room.go("cem")
    room.wait(1_000.0)
    assert room.table.time_left(CEM) == TimeLeft(500, 5_000, 2_000)
    room.come("cem")
    room.table.resume_clocks()
    room.wait(5.49)
    assert not room.faults
    room.wait(0.01)
    assert len(room.faults) == 1


def test_a_safe_answer_that_cannot_be_kept_is_tried_again_and_again() -> None:
    """F4: without a loop that eats the server."""
    store = OutageStore()
    room = Room(store=store)
    store.is_failing = True
    room.wait(ALL_OF_IT + 3.5)
    assert not room.faults
    store.is_failing = False
    room.wait(1.0)
    assert len(room.faults) == 1


def test_time_runs_on_from_where_it_stood_through_two_outages() -> None:
    room = Room()
    for _ in range(2):
        room.wait(1.0)
        room.table.pause_clocks()
        room.table.pause_clocks()
        room.wait(50.0)
        room.table.resume_clocks()
        room.table.resume_clocks()
    assert room.table.time_left(CEM) == TimeLeft(0, 4_000, 2_000)


# ------------------------------------------------------------------------------- the operator


def test_the_operator_closes_a_table_because_of_a_seat() -> None:
    room = Room()
    room.table.forfeit(1, FaultCause.ADMIN, "it cheated", succeeded)
    assert room.told[-1] == TableClosed("it cheated", FaultCause.ADMIN, 1)


def test_only_a_seat_of_the_table_can_be_named() -> None:
    room, outcomes = Room(), Outcomes()
    room.table.forfeit(3, FaultCause.ADMIN, "?", outcomes)
    assert outcomes.reasons == [Reason.SEAT_NOT_FOUND]


def test_a_deal_that_is_dropped_is_dealt_anew_under_its_number() -> None:
    room = Room([MIXED, MIXED])
    room.play(TO_PLAY, 2.0)
    room.table.void_deal("a mistake", succeeded)
    state = room.table.state
    assert (state.deal_number, state.dealt, state.actions) == (1, 2, ())
    names = [type(fact).__name__ for fact in room.told[-2:]]
    assert names == ["DealVoided", "HandReceived"]
    assert room.kinds[-2:] == [EntryKind.DEAL_VOIDED, EntryKind.DEAL_STARTED]
    assert room.table.time_left(CEM) == TimeLeft(1_000, 5_000, 2_000)
    assert open_question(room.table).turn_id == "2.0"


def test_there_must_be_a_deal_to_be_dropped() -> None:
    room, outcomes = Room(is_full=False), Outcomes()
    room.table.void_deal("a mistake", outcomes)
    room.table.close("late", succeeded)
    room.table.void_deal("a mistake", outcomes)
    assert outcomes.reasons == [Reason.WRONG_PHASE, Reason.TABLE_OVER]


def test_a_patient_table_waits_for_nobody_for_ever() -> None:
    """R7, R10: with no consequence at all, everybody silent."""
    room = Room(faults=PATIENT)
    for _ in range(400):
        room.wait(10.0)
    assert room.table.is_over
