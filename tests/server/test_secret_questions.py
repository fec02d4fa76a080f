"""R-END-5: clocks and faults of a question tell nobody of it who may not know that it is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from skat_engine import GiveUp, Seat, parse_action
from skat_engine.records import Fault, FaultCause
from skat_server.errors import Reason
from skat_server.tables.clocks import ClockPolicy, TimeLeft
from skat_server.tables.facts import DecisionDefaulted, ShownFact, Viewer
from skat_server.tables.faults import FaultPolicy
from skat_server.tables.outbox import Delivery
from tests.server.playing import MIXED, Outcomes, answer, open_question, play_on, succeeded
from tests.server.test_concessions import (
    ASKED,
    DECLARER,
    OFFERS,
    SITS_OUT,
    TO_PLAY,
    Stream,
    own_turn,
)
from tests.server.timekeeping import MERCILESS, PATIENT, POLICY, STRICT, Room

OUTSIDERS = [
    pytest.param(DECLARER, id="declarer"),
    pytest.param(SITS_OUT, id="sits out"),
    pytest.param(None, id="spectator"),
]
VOTE_SECONDS = 1.0
"""What a secret vote has: own time alone."""


def room(faults: FaultPolicy = PATIENT, deals: int = 1, policy: ClockPolicy = POLICY) -> Room:
    """Forehand is to lead in Clubs where both defenders must agree to give up."""
    room = Room([MIXED] * deals, preset="proskat_pub", seats=4, faults=faults, policy=policy)
    room.play(TO_PLAY)
    return room


def offer(room: Room) -> None:
    """Let one defender ask the other in secret."""
    room.table.propose(OFFERS, room.table.log.last(OFFERS), GiveUp(), succeeded)
    assert open_question(room.table).seat == ASKED


def facts_for(room: Room, viewer: Viewer) -> Sequence[ShownFact]:
    shown = room.table.log.after(viewer, 0)
    assert shown is not None
    return shown


def test_the_default_of_a_secret_vote_is_told_to_the_defenders_only() -> None:
    secret = room()
    offer(secret)
    secret.wait(VOTE_SECONDS)
    assert secret.faults == (Fault(8, ASKED, FaultCause.STALLED),)
    told = DecisionDefaulted(ASKED, FaultCause.STALLED, among=(1, 2))
    for seat in (OFFERS, ASKED):
        assert [shown.fact for shown in facts_for(secret, seat)][-2] == told
    for viewer in (DECLARER, SITS_OUT, None):
        assert told not in [shown.fact for shown in facts_for(secret, viewer)]


@pytest.mark.parametrize("delivery", Delivery)
@pytest.mark.parametrize("viewer", OUTSIDERS)
@pytest.mark.parametrize("spoilt", [False, True], ids=["time", "illegal actions"])
def test_streams_are_the_same_with_and_without_such_a_default(
    viewer: Seat | None, delivery: Delivery, spoilt: bool
) -> None:
    """Facts, numbers, decisions and wakes; only the clock on the wall has moved on."""

    def stream(between: Callable[[Room], None]) -> Stream:
        secret = room(STRICT, deals=2)
        seen = Stream(secret.table, viewer, delivery)
        between(secret)
        play_on(secret.table)
        seen.finish()
        seen.facts = [replace(shown, at=0.0) for shown in seen.facts]
        return seen

    def defaulted(secret: Room) -> None:
        offer(secret)
        if spoilt:
            spoil(secret)
        else:
            secret.wait(VOTE_SECONDS)
        assert open_question(secret.table).seat == DECLARER

    without, with_it = stream(lambda _: None), stream(defaulted)
    assert with_it.facts == without.facts
    assert with_it.decisions == without.decisions
    assert with_it.wakes == without.wakes


def spoil(room: Room) -> list[Reason | None]:
    asked, outcomes = open_question(room.table), Outcomes()
    for _ in range(4):
        room.table.answer(asked.seat, asked.turn_id, parse_action("18"), outcomes)
    return outcomes.reasons


@pytest.mark.parametrize("faults", [STRICT, MERCILESS], ids=["house", "forfeit"])
def test_a_secret_fault_has_no_consequence(faults: FaultPolicy) -> None:
    """A house bot that takes over, or a table that closes, would tell everybody."""
    secret = room(faults)
    offer(secret)
    secret.wait(VOTE_SECONDS)
    assert secret.table.state.taken_over == (None,) * 4
    assert not secret.table.is_over
    assert secret.table.state.conduct.accounts[2].safe_answers == 0


def test_a_secret_question_costs_no_account_anything() -> None:
    """When a later question runs out of time everybody sees."""
    secret = room()
    before = secret.table.state.conduct.accounts
    offer(secret)
    secret.go("dia")
    secret.wait(0.9)
    answer(secret.table, "reject")
    assert secret.table.state.conduct.accounts == before
    offered = secret.table.state.actions[-2:]
    assert [str(action) for _, action in offered] == ["give-up", "reject"]
    assert secret.table.state.thinks[-2:] == (0, 900)


@pytest.mark.parametrize(
    "policy",
    [ClockPolicy(1_000, 5_000, 500, 0), ClockPolicy(0, 5_000, 0, 0)],
    ids=["increment", "bank alone"],
)
def test_nor_does_it_bring_any(policy: ClockPolicy) -> None:
    secret = room(policy=policy)
    before = secret.table.state.conduct.accounts
    offer(secret)
    secret.wait(0.5)
    answer(secret.table, "reject")
    assert secret.table.state.conduct.accounts == before


def test_who_is_asked_in_secret_is_told_that_there_is_no_bank() -> None:
    secret = room()
    offer(secret)
    secret.wait(0.25)
    assert secret.table.time_left(ASKED) == TimeLeft(750, 0, 0)


def test_who_is_asked_in_secret_without_a_session_has_no_grace() -> None:
    """The table would stand still for a reason that nobody sees."""
    secret = room()
    offer(secret)
    secret.go("dia")
    secret.wait(VOTE_SECONDS)
    assert [fault.cause for fault in secret.faults] == [FaultCause.DISCONNECTED]


def test_the_declarers_clock_runs_as_if_nothing_were_asked() -> None:
    secret = room()
    secret.wait(2.0)
    offer(secret)
    secret.wait(0.5)
    assert secret.table.time_left(DECLARER) == TimeLeft(0, 3_500, 2_000)
    answer(secret.table, "reject")
    assert secret.table.time_left(DECLARER) == TimeLeft(0, 3_500, 2_000)


def test_so_does_his_grace() -> None:
    secret = room()
    offer(secret)
    secret.go("ben")
    secret.wait(0.5)
    answer(secret.table, "reject")
    assert secret.table.time_left(DECLARER) == TimeLeft(1_000, 5_000, 1_500)


def test_a_declarer_whose_time_is_up_meanwhile_is_defaulted_afterwards() -> None:
    secret = room()
    secret.wait(5.5)
    offer(secret)
    secret.wait(0.9)
    assert not secret.faults
    answer(secret.table, "reject")
    secret.wait(0.0)
    assert secret.faults == (Fault(9, DECLARER, FaultCause.STALLED),)


def test_a_declarer_who_answered_in_time_meanwhile_is_not() -> None:
    secret = room()
    secret.wait(5.5)
    turn = own_turn(secret.table, DECLARER)
    offer(secret)
    secret.table.answer(DECLARER, turn, parse_action("S7"), succeeded)
    secret.wait(0.9)
    answer(secret.table, "reject")
    secret.wait(0.0)
    assert not secret.faults
    assert secret.bank(DECLARER) == 500


def test_a_declarer_who_comes_back_is_asked_again() -> None:
    """R18: what he has to believe to be open is offered to him."""
    secret = room()
    before = open_question(secret.table)
    offer(secret)
    assert secret.table.decision_for(DECLARER) == before
    for seat in (OFFERS, SITS_OUT):
        assert secret.table.decision_for(seat) is None


def test_who_is_asked_while_it_is_his_turn_has_the_time_of_a_vote() -> None:
    """His card is not asked for besides: the vote alone is timed, and no account pays for it."""
    secret = room()
    secret.play("S7")
    on_turn = open_question(secret.table).seat
    (partner,) = {OFFERS, ASKED} - {on_turn}
    secret.table.propose(partner, secret.table.log.last(partner), GiveUp(), succeeded)
    assert open_question(secret.table).seat == on_turn
    assert secret.table.time_left(on_turn) == TimeLeft(int(VOTE_SECONDS * 1_000), 0, 0)


def test_a_declarer_who_has_answered_is_not_asked_again() -> None:
    secret = room()
    turn = own_turn(secret.table, DECLARER)
    offer(secret)
    secret.table.answer(DECLARER, turn, parse_action("S7"), succeeded)
    assert secret.table.decision_for(DECLARER) is None


def test_illegal_actions_of_the_declarer_are_counted_as_ever() -> None:
    def tried(between: Callable[[Room], None], after: Callable[[Room], None]) -> object:
        secret, outcomes = room(), Outcomes()
        turn = own_turn(secret.table, DECLARER)
        between(secret)
        for text in ("SA", "18", "hold", "SA", "S7"):
            secret.table.answer(DECLARER, turn, parse_action(text), outcomes)
        after(secret)
        assert secret.faults[-1].cause is FaultCause.ILLEGAL_ACTIONS
        return outcomes.reasons, secret.faults[-1].seat

    def nothing(secret: Room) -> None:
        del secret

    def rejects(secret: Room) -> None:
        answer(secret.table, "reject")

    assert tried(offer, rejects) == tried(nothing, nothing)


def test_illegal_actions_in_a_secret_vote_get_its_safe_answer() -> None:
    secret = room()
    offer(secret)
    assert spoil(secret)[-1] is Reason.TOO_MANY_ILLEGAL
    assert open_question(secret.table).seat == DECLARER


def test_a_vote_that_the_declarer_knows_of_is_a_question_like_others() -> None:
    """Both defenders agree; whether he accepts is asked in the open."""
    secret = room(STRICT)
    offer(secret)
    answer(secret.table, "accept")
    assert open_question(secret.table).seat == DECLARER
    assert secret.table.time_left(DECLARER) == TimeLeft(1_000, 5_000, 2_000)
    secret.wait(6.0)
    assert secret.table.state.taken_over[DECLARER] is FaultCause.STALLED
