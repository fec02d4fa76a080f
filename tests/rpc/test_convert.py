"""Values over the wire and back: every case of every enum, every action, every fact."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings

from skat.v1 import action_pb2, card_pb2, contract_pb2, deal_pb2, decision_pb2, event_pb2, table_pb2
from skat_engine import (
    DECK,
    HAND_CONTRACTS,
    SKAT_CONTRACTS,
    Action,
    Announce,
    Card,
    Contract,
    ContractKind,
    Dealt,
    Ending,
    Level,
    Occasion,
    Phase,
    ProposalKind,
    card_text,
    new_contract,
    parse_contract,
    seating,
)
from skat_engine import events as engine_events
from skat_server.errors import RefusedError
from skat_server.rpc.convert import deal_facts, deals, facts, tables, values
from skat_server.tables import facts as table_facts
from skat_server.tables.facts import DealFact, Fact, ShownFact, shown_to
from skat_server.tables.state import Stage, Visibility
from tests import strategies
from tests.builders import hand
from tests.server.playing import MIXED, full_table, play_on
from tests.server.samples import CLOSED, OPEN
from tests.server.watching import log_of
from tests.written import written_event


@pytest.mark.parametrize("card", DECK, ids=card_text)
def test_a_card_has_the_number_of_its_name(card: Card) -> None:
    number = values.card_to_proto(card)
    assert card_pb2.Card.Name(number) == f"CARD_{card_text(card)}"
    assert values.card_from_proto(number) == card


@pytest.mark.parametrize("number", [0, -1, 33, 2**31 - 1])
def test_a_number_that_is_no_card_is_refused(number: int) -> None:
    with pytest.raises(RefusedError, match="is no card"):
        values.card_from_proto(number)


def test_a_set_of_cards_is_sent_in_rising_order() -> None:
    names = [card_pb2.Card.Name(n) for n in values.cards_to_proto(hand("CJ D7 HA S7 DJ"))]
    assert names == ["CARD_D7", "CARD_S7", "CARD_HA", "CARD_DJ", "CARD_CJ"]


@pytest.mark.parametrize("level", Level)
def test_a_level_survives(level: Level) -> None:
    number = values.level_to_proto(level)
    assert contract_pb2.Level.Name(number) == f"LEVEL_{level.name}"
    assert values.level_from_proto(number) is level


def test_a_level_that_is_not_set_is_simple() -> None:
    assert values.level_from_proto(contract_pb2.LEVEL_UNSPECIFIED) is Level.SIMPLE


@pytest.mark.parametrize("contract", SKAT_CONTRACTS + HAND_CONTRACTS, ids=str)
def test_a_contract_survives(contract: Contract) -> None:
    message = values.contract_to_proto(contract)
    assert values.contract_from_proto(message, hand=False) == contract


@pytest.mark.parametrize("kind", ContractKind)
def test_a_kind_has_its_name(kind: ContractKind) -> None:
    message = values.contract_to_proto(new_contract(kind))
    assert contract_pb2.ContractKind.Name(message.kind) == f"CONTRACT_KIND_{kind.name}"


IMPLIED = [
    ("C", {"ouvert": True}, "CHSZO"),
    ("G", {"announced": contract_pb2.LEVEL_SCHNEIDER}, "GHS"),
    ("H", {"announced": contract_pb2.LEVEL_SCHWARZ}, "HHSZ"),
    ("S", {"hand": True, "ouvert": True}, "SHSZO"),
    ("N", {"ouvert": True}, "NO"),
    ("N", {"hand": True}, "NH"),
]


@pytest.mark.parametrize(("kind", "flags", "whole"), IMPLIED)
def test_implied_flags_may_be_left_out(kind: str, flags: dict[str, int], whole: str) -> None:
    message = values.contract_to_proto(parse_contract(kind))
    message.ClearField("announced")
    message.MergeFrom(contract_pb2.Contract(**flags))  # type: ignore[arg-type]  # by name
    assert values.contract_from_proto(message, hand=False) == parse_contract(whole)


@pytest.mark.parametrize("hand", [False, True])
def test_null_knows_no_level(hand: bool) -> None:
    message = contract_pb2.Contract(
        kind=contract_pb2.CONTRACT_KIND_NULL, hand=hand, announced=contract_pb2.LEVEL_SCHWARZ
    )
    with pytest.raises(RefusedError) as caught:
        values.contract_from_proto(message, hand=False)
    assert caught.value.reason.name == "CONTRADICTORY_ANNOUNCEMENT"


def test_the_hand_flag_may_be_left_out_in_a_hand_game() -> None:
    message = action_pb2.Action()
    message.announce.contract.kind = contract_pb2.CONTRACT_KIND_CLUBS
    assert values.action_from_proto(message) == Announce(parse_contract("CH"))


@settings(deadline=None)
@given(strategies.actions)
def test_an_action_survives(action: Action) -> None:
    assert values.action_from_proto(values.action_to_proto(action)) == action


@settings(deadline=None)
@given(strategies.actions)
def test_an_action_survives_as_bytes(action: Action) -> None:
    wire = values.action_to_proto(action).SerializeToString()
    assert values.action_from_proto(action_pb2.Action.FromString(wire)) == action


def test_every_case_of_an_action_can_be_read() -> None:
    cases = {field.name for field in action_pb2.Action.DESCRIPTOR.oneofs_by_name["action"].fields}
    assert set(values._READERS) == cases


@settings(deadline=None)
@given(strategies.deals_dealt)
def test_a_deal_survives(dealt: Dealt) -> None:
    assert deals.dealt_from_proto(deals.dealt_to_proto(dealt), "deal") == dealt


ENUMS = [
    pytest.param(Phase, deal_pb2.Phase, "PHASE_", id="phases"),
    pytest.param(Ending, deal_pb2.Ending, "ENDING_", id="endings"),
    pytest.param(ProposalKind, event_pb2.ProposalKind, "PROPOSAL_KIND_", id="proposals"),
    pytest.param(Level, contract_pb2.Level, "LEVEL_", id="levels"),
    pytest.param(ContractKind, contract_pb2.ContractKind, "CONTRACT_KIND_", id="kinds"),
    pytest.param(Stage, table_pb2.TableState, "TABLE_STATE_", id="stages"),
    pytest.param(Visibility, table_pb2.Visibility, "VISIBILITY_", id="visibilities"),
]


@pytest.mark.parametrize(("inside", "wire", "prefix"), ENUMS)
def test_an_enum_has_the_same_names_on_both_sides(inside: type, wire: object, prefix: str) -> None:
    names = {prefix + member.name for member in inside}  # type: ignore[attr-defined]
    assert {*names, f"{prefix}UNSPECIFIED"} == set(wire.keys())  # type: ignore[attr-defined]


def test_every_phase_and_proposal_has_its_number() -> None:
    assert set(deals.PHASES_TO_PROTO) == set(Phase)
    assert set(deal_facts.PROPOSALS_TO_PROTO) == set(ProposalKind)


@pytest.mark.parametrize("stage", Stage)
def test_a_stage_survives(stage: Stage) -> None:
    number = table_pb2.TableState.Value(f"TABLE_STATE_{stage.name}")
    assert tables.stage_from_proto(number) is stage


def test_every_fact_of_a_deal_has_a_writer() -> None:
    assert set(deal_facts.WRITERS) == set(get_args(DealFact))


def booked() -> Fact:
    """The result of a deal."""
    table = full_table()
    play_on(table)
    return next(f.fact for f in log_of(table) if isinstance(f.fact, table_facts.DealBooked))


def test_every_kind_of_fact_is_an_event_of_the_wire() -> None:
    event = event_pb2.TableEvent.DESCRIPTOR.oneofs_by_name["event"]
    cases = {field.name for field in event.fields}
    shown = (shown_to(fact, seating(0, 3), 2) for fact in (*OPEN, *CLOSED, booked()))
    written = [written_event(ShownFact(1, 0.0, f, seating(0, 3))) for f in shown if f]
    assert {message.WhichOneof("event") for message in written} == cases


def test_nobody_is_written_a_whole_deal() -> None:
    whole = ShownFact(1, 0.0, table_facts.DealStarted(1, MIXED, Occasion()), seating(0, 3))
    with pytest.raises(AssertionError, match="nobody is shown"):
        written_event(whole)


def test_positions_become_seats() -> None:
    """With four seats and dealer 2, forehand sits on seat 3."""
    passed = ShownFact(7, 1.0, engine_events.Passed(0), seating(2, 4))
    event = written_event(passed)
    assert (event.sequence, event.bid_passed.seat) == (7, 3)


@pytest.mark.parametrize(
    ("at", "text"), [(0.004, "0.00"), (0.006, "0.01"), (1.995001, "2.00"), (1e9 + 0.239, "1e9.24")]
)
def test_a_moment_is_rounded_to_ten_milliseconds(at: float, text: str) -> None:
    moment = facts.timestamp(at)
    seconds = str(moment.seconds).replace("1000000000", "1e9")
    assert f"{seconds}.{moment.nanos // 10_000_000:02}" == text
    assert moment.nanos % 10_000_000 == 0


def test_every_kind_of_options_is_written_for_some_phase() -> None:
    """The three offers share their options; a deal that is over has none."""
    fields = {f.name for f in decision_pb2.Decision.DESCRIPTOR.oneofs[0].fields}
    assert len(fields) == len(Phase) - 1 - 2
