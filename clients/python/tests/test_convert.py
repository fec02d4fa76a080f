"""Conversions cover every case and every number of the contract."""

import dataclasses
from enum import Enum
from typing import Any, NamedTuple

import pytest
from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

import skat_client
from skat.v1 import (
    account_pb2,
    account_service_pb2,
    action_pb2,
    card_pb2,
    contract_pb2,
    deal_pb2,
    decision_pb2,
    error_pb2,
    event_pb2,
    fault_pb2,
    record_service_pb2,
    rule_set_pb2,
    rules_service_pb2,
    table_pb2,
    table_service_pb2,
)
from skat.v1 import play_service_pb2 as play
from skat_client import (
    Card,
    CardOptions,
    ClockPolicy,
    ConfigurationError,
    ContractKind,
    DealCheck,
    DealCheckKind,
    DealCheckOutcome,
    DealLine,
    DealStep,
    Decision,
    DecisionClock,
    DecisionDefaulted,
    Delivery,
    Durability,
    Ending,
    EndRequested,
    ErrorReason,
    FaultCause,
    FaultConsequence,
    FaultPolicy,
    GameSummary,
    HouseBot,
    Level,
    Part,
    Phase,
    PlayCard,
    ProposalKind,
    ProtocolError,
    Quota,
    RamschSummary,
    Reasoning,
    RuleSet,
    Scope,
    TableChance,
    TableEvent,
    TableState,
    UnknownEvent,
    Visibility,
    parse_cards,
)
from skat_client._convert import (
    action_from_proto,
    action_to_proto,
    card_from_proto,
    contract_from_proto,
    contract_to_proto,
    decision_from_proto,
    level_from_proto,
    reason_from_proto,
)
from skat_client._convert_accounts import (
    bot_from_proto,
    caller_from_proto,
    issued_from_proto,
    token_from_proto,
    verdict_from_proto,
)
from skat_client._convert_enums import enum_from_proto
from skat_client._convert_events import (
    deal_result_from_proto,
    dealt_from_proto,
    dealt_to_proto,
    event_from_proto,
    ramsch_from_proto,
)
from skat_client._convert_policies import (
    clock_policy_from_proto,
    clock_policy_to_proto,
    fault_policy_from_proto,
    fault_policy_to_proto,
    time_from_proto,
)
from skat_client._convert_tables import (
    deal_line_to_proto,
    deal_source_to_proto,
    game_score_from_proto,
    ramsch_score_from_proto,
    ramsch_summary_to_proto,
    rule_set_from_proto,
    rule_set_to_proto,
    summary_to_proto,
    table_from_proto,
    view_from_proto,
    visibility_from_proto,
)
from skat_client.testing import card_decision

ENUMS: list[tuple[type[Enum], EnumDescriptor, str]] = [
    (Card, card_pb2.Card.DESCRIPTOR, "CARD_"),
    (ContractKind, contract_pb2.ContractKind.DESCRIPTOR, "CONTRACT_KIND_"),
    (Level, contract_pb2.Level.DESCRIPTOR, "LEVEL_"),
    (Phase, deal_pb2.Phase.DESCRIPTOR, "PHASE_"),
    (Ending, deal_pb2.Ending.DESCRIPTOR, "ENDING_"),
    (ProposalKind, event_pb2.ProposalKind.DESCRIPTOR, "PROPOSAL_KIND_"),
    (TableState, table_pb2.TableState.DESCRIPTOR, "TABLE_STATE_"),
    (Visibility, table_pb2.Visibility.DESCRIPTOR, "VISIBILITY_"),
    (Delivery, play.Delivery.DESCRIPTOR, "DELIVERY_"),
    (ErrorReason, error_pb2.ErrorReason.DESCRIPTOR, "ERROR_REASON_"),
    (FaultCause, fault_pb2.FaultCause.DESCRIPTOR, "FAULT_CAUSE_"),
    (FaultConsequence, fault_pb2.FaultConsequence.DESCRIPTOR, "FAULT_CONSEQUENCE_"),
    (HouseBot, table_pb2.HouseBot.DESCRIPTOR, "HOUSE_BOT_"),
    (Durability, table_pb2.Durability.DESCRIPTOR, "DURABILITY_"),
    (Scope, account_pb2.Scope.DESCRIPTOR, "SCOPE_"),
    (DealCheckKind, record_service_pb2.DealCheckKind.DESCRIPTOR, "DEAL_CHECK_KIND_"),
    (DealCheckOutcome, record_service_pb2.DealCheckOutcome.DESCRIPTOR, "DEAL_CHECK_OUTCOME_"),
]

MIRRORS: list[Descriptor] = [
    contract_pb2.Contract.DESCRIPTOR,
    deal_pb2.DealResult.DESCRIPTOR,
    deal_pb2.DealtCards.DESCRIPTOR,
    deal_pb2.DeclarerGame.DESCRIPTOR,
    deal_pb2.GameValue.DESCRIPTOR,
    deal_pb2.RamschGame.DESCRIPTOR,
    record_service_pb2.DealRecord.DESCRIPTOR,
    rule_set_pb2.RuleSet.DESCRIPTOR,
    rules_service_pb2.DealLine.DESCRIPTOR,
    rules_service_pb2.DealStep.DESCRIPTOR,
    rules_service_pb2.IllegalStep.DESCRIPTOR,
    rules_service_pb2.OptionInfo.DESCRIPTOR,
    rules_service_pb2.Part.DESCRIPTOR,
    rules_service_pb2.Reasoning.DESCRIPTOR,
    rules_service_pb2.RuleSetInfo.DESCRIPTOR,
    table_pb2.SeatInfo.DESCRIPTOR,
    table_pb2.Table.DESCRIPTOR,
    table_pb2.TableView.DESCRIPTOR,
    table_pb2.TableChance.DESCRIPTOR,
    fault_pb2.ClockPolicy.DESCRIPTOR,
    fault_pb2.FaultPolicy.DESCRIPTOR,
    decision_pb2.DecisionClock.DESCRIPTOR,
    account_pb2.Token.DESCRIPTOR,
    account_service_pb2.Quota.DESCRIPTOR,
    record_service_pb2.DealCheck.DESCRIPTOR,
]
RENAMED: list[tuple[type, Descriptor]] = [
    (skat_client.BotAccount, account_pb2.Bot.DESCRIPTOR),
    (skat_client.Caller, account_service_pb2.GetCallerResponse.DESCRIPTOR),
    (skat_client.DealVerdict, record_service_pb2.VerifyDealResponse.DESCRIPTOR),
    (skat_client.IssuedToken, account_service_pb2.IssueTokenResponse.DESCRIPTOR),
    (skat_client.GoingAway, play.GoingAway.DESCRIPTOR),
]
"""Values whose names say more than those of their messages."""


class Case(NamedTuple):
    """One case of a oneof."""

    name: str
    message: Descriptor


def cases(message: type[Message], oneof: str) -> list[Case]:
    fields: Any = message.DESCRIPTOR.oneofs_by_name[oneof].fields
    return [Case(field.name, field.message_type) for field in fields]


ACTIONS = cases(action_pb2.Action, "action")
EVENTS = cases(event_pb2.TableEvent, "event")
OPTIONS = cases(decision_pb2.Decision, "options")
SOURCES = cases(table_service_pb2.DealSource, "source")


def filled(descriptor: Descriptor, number: int = 1) -> Any:
    """A message with something in every field, down to the leaves."""
    message = message_factory.GetMessageClass(descriptor)()
    for field in descriptor.fields:
        _fill(message, field, number)
    return message


def _fill(message: Any, field: FieldDescriptor, number: int) -> None:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        getattr(message, field.name)["name"] = "value"
    elif field.message_type is not None:
        inner = filled(field.message_type, number)
        if field.is_repeated:
            getattr(message, field.name).append(inner)
        else:
            getattr(message, field.name).CopyFrom(inner)
    elif field.is_repeated:
        getattr(message, field.name).append(_leaf(field, number))
    else:
        setattr(message, field.name, _leaf(field, number))


def _leaf(field: FieldDescriptor, number: int) -> Any:
    text = {FieldDescriptor.CPPTYPE_STRING: "text", FieldDescriptor.CPPTYPE_BOOL: True}
    return (
        b"bytes" if field.type == FieldDescriptor.TYPE_BYTES else text.get(field.cpp_type, number)
    )


def only(message: type[Message], case: Case) -> Any:
    """A message with this case set, and everything in it."""
    made: Any = message()
    getattr(made, case.name).CopyFrom(filled(case.message))
    return made


# ------------------------------------------------------------------------------------------- enums


@pytest.mark.parametrize(
    ("kind", "descriptor", "prefix"), ENUMS, ids=[kind.__name__ for kind, _, _ in ENUMS]
)
def test_every_number_has_a_member_of_the_same_name(
    kind: type[Enum], descriptor: EnumDescriptor, prefix: str
) -> None:
    sent = {value.name.removeprefix(prefix): value.number for value in descriptor.values}
    del sent["UNSPECIFIED"]
    assert {member.name: member.value for member in kind} == sent


def test_a_number_of_a_newer_server_is_told_as_such() -> None:
    with pytest.raises(ProtocolError, match="Phase 99"):
        enum_from_proto(Phase, 99)


def test_a_card_that_is_not_set_is_no_card() -> None:
    with pytest.raises(ProtocolError):
        card_from_proto(card_pb2.CARD_UNSPECIFIED)


def test_a_level_that_is_not_set_is_the_simple_one() -> None:
    assert level_from_proto(contract_pb2.LEVEL_UNSPECIFIED) is Level.SIMPLE


def test_a_visibility_that_is_not_set_is_public() -> None:
    assert visibility_from_proto(table_pb2.VISIBILITY_UNSPECIFIED) is Visibility.PUBLIC


def test_an_unknown_reason_is_no_error_of_its_own() -> None:
    assert reason_from_proto(999) is None


# ------------------------------------------------------------------------------------------- cases


@pytest.mark.parametrize("case", ACTIONS, ids=lambda case: case.name)
def test_every_action_goes_both_ways(case: Case) -> None:
    message = only(action_pb2.Action, case)
    action = action_from_proto(message)
    assert type(action).__name__ == case.message.name
    assert action_to_proto(action) == message


@pytest.mark.parametrize("case", EVENTS, ids=lambda case: case.name)
def test_every_event_has_a_type_with_its_fields(case: Case) -> None:
    event = event_from_proto(only(event_pb2.TableEvent, case)).event
    assert type(event).__name__ == case.message.name
    assert field_names(type(event)) == [field.name for field in case.message.fields]


@pytest.mark.parametrize("case", EVENTS, ids=lambda case: case.name)
def test_no_field_of_an_event_is_lost(case: Case) -> None:
    event = event_from_proto(only(event_pb2.TableEvent, case)).event
    empty = (None, (), 0, "", b"")
    assert all(getattr(event, name) not in empty for name in field_names(type(event)))


@pytest.mark.parametrize("case", OPTIONS, ids=lambda case: case.name)
def test_every_question_has_options_with_its_fields(case: Case) -> None:
    message = only(decision_pb2.Decision, case)
    message.phase = deal_pb2.PHASE_PLAY
    message.first_option.hold.SetInParent()
    options = decision_from_proto("t", message).options
    assert type(options).__name__ == case.message.name
    assert field_names(type(options)) == [field.name for field in case.message.fields]


@pytest.mark.parametrize("case", OPTIONS, ids=lambda case: case.name)
def test_no_field_of_a_question_is_lost(case: Case) -> None:
    message = only(decision_pb2.Decision, case)
    message.phase = deal_pb2.PHASE_PLAY
    message.first_option.hold.SetInParent()
    options = decision_from_proto("t", message).options
    assert all(getattr(options, name) not in ((), 0) for name in field_names(type(options)))


@pytest.mark.parametrize("case", SOURCES, ids=lambda case: case.name)
def test_every_source_of_deals_can_be_asked_for(case: Case) -> None:
    arguments: dict[str, Any] = {
        "fresh": {},
        "seeded": {"seed": b"bytes"},
        "listed": {"deals": (dealt_from_proto(filled(deal_pb2.DealtCards.DESCRIPTOR)),)},
    }
    source = getattr(skat_client, case.message.name)(**arguments[case.name])
    assert deal_source_to_proto(source) == only(table_service_pb2.DealSource, case)


def test_an_event_of_a_newer_server_keeps_its_sequence() -> None:
    event = event_from_proto(event_pb2.TableEvent(sequence=7))
    assert (event.sequence, event.event) == (7, UnknownEvent())


def test_a_question_of_a_newer_server_is_told_as_such() -> None:
    with pytest.raises(ProtocolError, match="update it"):
        decision_from_proto("t", decision_pb2.Decision(turn_id="1"))


def test_an_action_of_a_newer_server_is_told_as_such() -> None:
    with pytest.raises(ProtocolError, match="update it"):
        action_from_proto(action_pb2.Action())


# ------------------------------------------------------------------------------------------ values


def field_names(kind: type) -> list[str]:
    return [field.name for field in dataclasses.fields(kind)]


def names_in(value: object) -> list[str]:
    return field_names(type(value))


def fields_of(message: Message) -> list[str]:
    return [field.name for field in message.DESCRIPTOR.fields]


@pytest.mark.parametrize("descriptor", MIRRORS, ids=lambda descriptor: descriptor.name)
def test_a_value_has_the_fields_of_its_message(descriptor: Descriptor) -> None:
    kind = getattr(skat_client, descriptor.name)
    assert field_names(kind) == [field.name for field in descriptor.fields]


@pytest.mark.parametrize(
    ("kind", "descriptor"), RENAMED, ids=[kind.__name__ for kind, _ in RENAMED]
)
def test_so_has_one_of_another_name(kind: type, descriptor: Descriptor) -> None:
    assert field_names(kind) == [field.name for field in descriptor.fields]


def test_a_clock_policy_goes_both_ways() -> None:
    policy = ClockPolicy(decision_ms=1, bank_ms=2, increment_ms=3, grace_ms=4)
    message = clock_policy_to_proto(policy)
    assert len(message.ListFields()) == len(message.DESCRIPTOR.fields)
    assert clock_policy_from_proto(message) == policy


def test_a_fault_policy_goes_both_ways_with_zeros() -> None:
    policy = FaultPolicy(0, 0, FaultConsequence.FORFEIT)
    message = fault_policy_to_proto(policy)
    assert (message.HasField("illegal_actions"), message.HasField("safe_answers")) == (True, True)
    assert fault_policy_from_proto(message) == policy


def test_what_a_fault_policy_does_not_say_has_its_default() -> None:
    expected = FaultPolicy(3, 3, FaultConsequence.HOUSE_PLAYS)
    assert fault_policy_from_proto(fault_pb2.FaultPolicy()) == expected


def test_a_question_says_how_long_one_may_think() -> None:
    message = card_decision("1", parse_cards("D7"))
    message.clock.CopyFrom(decision_pb2.DecisionClock(decision_ms=5, bank_ms=7, grace_ms=9))
    clock = decision_from_proto("t", message).clock
    assert clock == DecisionClock(decision_ms=5, bank_ms=7, grace_ms=9)
    assert clock.total_ms == 12


def test_a_table_of_a_silent_server_has_no_policies() -> None:
    table = table_from_proto(table_pb2.Table(state=table_pb2.TABLE_STATE_OPEN))
    assert (table.clock, table.faults, table.durability) == (None, None, None)
    assert table.chance == TableChance(b"", b"")


def test_a_cause_of_a_newer_server_stops_nobody() -> None:
    defaulted = event_pb2.DecisionDefaulted(seat=1, cause=fault_pb2.FaultCause.ValueType(99))
    message = event_pb2.TableEvent(decision_defaulted=defaulted)
    assert event_from_proto(message).event == DecisionDefaulted(1, None)


def test_a_table_closed_by_its_owner_has_no_culprit() -> None:
    message = event_pb2.TableEvent(table_closed=event_pb2.TableClosed(reason="enough"))
    assert event_from_proto(message).event == skat_client.TableClosed("enough", None, None)


@pytest.mark.parametrize(
    "moment", [Timestamp(seconds=1 << 62), Timestamp(nanos=-1), Timestamp(seconds=-(1 << 62))]
)
def test_a_time_that_is_none_is_told_as_such(moment: Timestamp) -> None:
    with pytest.raises(ProtocolError, match="a time that is none"):
        time_from_proto(moment)


def test_no_field_of_a_caller_is_lost() -> None:
    caller = caller_from_proto(filled(account_service_pb2.GetCallerResponse.DESCRIPTOR))
    assert all(getattr(caller, name) for name in field_names(type(caller)))
    assert caller.quotas == (Quota("text", 1, 1),)


def test_no_field_of_a_bot_is_lost() -> None:
    bot = bot_from_proto(filled(account_pb2.Bot.DESCRIPTOR))
    assert all(getattr(bot, name) for name in field_names(type(bot)))


def test_a_token_may_be_good_for_ever() -> None:
    message = filled(account_pb2.Token.DESCRIPTOR)
    assert all(getattr(token_from_proto(message), f.name) for f in message.DESCRIPTOR.fields)
    assert token_from_proto(message).is_revoked
    message.ClearField("expires_at")
    message.ClearField("revoked_at")
    token = token_from_proto(message)
    assert (token.expires_at, token.revoked_at, token.is_revoked) == (None, None, False)


def test_the_text_of_a_token_is_not_printed() -> None:
    issued = issued_from_proto(account_service_pb2.IssueTokenResponse(text="the-secret"))
    assert (issued.text, "the-secret" in repr(issued)) == ("the-secret", False)


def test_a_verdict_names_every_check() -> None:
    verdict = verdict_from_proto(filled(record_service_pb2.VerifyDealResponse.DESCRIPTOR))
    check = DealCheck(DealCheckKind.FORMAT, DealCheckOutcome.OK, "text")
    assert verdict == skat_client.DealVerdict(ok=True, checks=(check,))


def test_events_carry_their_time_in_utc() -> None:
    event: TableEvent = event_from_proto(filled(event_pb2.TableEvent.DESCRIPTOR))
    assert event.at.isoformat() == "1970-01-01T00:00:01+00:00"


def test_a_question_for_a_card_is_a_value() -> None:
    cards = parse_cards("CJ D7")
    assert decision_from_proto("t", card_decision("1", cards, seat=2)) == Decision(
        table_id="t",
        turn_id="1",
        seat=2,
        phase=Phase.PLAY,
        first_option=PlayCard(Card.D7),
        options=CardOptions((Card.D7, Card.CJ)),
    )


def test_contracts_go_both_ways() -> None:
    message = filled(contract_pb2.Contract.DESCRIPTOR)
    assert contract_to_proto(contract_from_proto(message)) == message


def test_dealt_cards_go_both_ways() -> None:
    message = filled(deal_pb2.DealtCards.DESCRIPTOR)
    assert dealt_to_proto(dealt_from_proto(message)) == message


def test_rule_sets_go_both_ways() -> None:
    message = filled(rule_set_pb2.RuleSet.DESCRIPTOR)
    assert rule_set_to_proto(rule_set_from_proto(message)) == message


class Dealer(Enum):
    RANDOM = "random"


def test_options_are_written_as_the_wire_has_them() -> None:
    overrides: dict[str, str | int] = {
        "session_deals": 6,
        "kontra": True,
        "ramsch": False,
        "first_dealer": "random",
    }
    message = rule_set_to_proto(RuleSet("isko", overrides))
    assert dict(message.overrides) == {
        "session_deals": "6",
        "kontra": "true",
        "ramsch": "false",
        "first_dealer": "random",
    }


def test_a_member_of_an_enum_is_written_as_its_value() -> None:
    overrides: dict[str, Any] = {"first_dealer": Dealer.RANDOM}
    message = rule_set_to_proto(RuleSet("isko", overrides))
    assert message.overrides["first_dealer"] == "random"


@pytest.mark.parametrize("value", [6.0, None, ["a"]])
def test_an_option_without_a_text_is_named(value: Any) -> None:
    with pytest.raises(ConfigurationError, match="option session_deals cannot be"):
        rule_set_to_proto(RuleSet("isko", {"session_deals": value}))


def test_no_field_of_a_table_is_lost() -> None:
    table = table_from_proto(filled(table_pb2.Table.DESCRIPTOR))
    assert all(getattr(table, name) for name in field_names(type(table)))


def test_a_spectator_has_no_seat() -> None:
    message = filled(table_pb2.TableView.DESCRIPTOR)
    message.ClearField("seat")
    assert view_from_proto(message).seat is None


def test_no_field_of_a_result_is_lost() -> None:
    result = deal_result_from_proto(filled(deal_pb2.DealResult.DESCRIPTOR))
    values = [result, result.game, result.ramsch]
    assert all(
        getattr(value, name) not in (None, (), 0) for value in values for name in names_in(value)
    )


def test_a_summary_of_a_game_fills_its_question() -> None:
    contract = contract_from_proto(filled(contract_pb2.Contract.DESCRIPTOR))
    cards = parse_cards("D7")
    flags = (True, True, True, True, True, True)
    summary = GameSummary(contract, cards, cards, 18, 1, 1, 1, *flags)
    request = summary_to_proto(RuleSet("isko"), summary)
    assert field_names(GameSummary) == ["contract", "playing_hand", "skat", *fields_of(request)[4:]]
    assert len(request.ListFields()) == len(request.DESCRIPTOR.fields)


def test_a_summary_of_a_ramsch_fills_its_question() -> None:
    summary = RamschSummary((1,), (1,), (1,), 1, True, True, 1, 1)
    request = ramsch_summary_to_proto(RuleSet("isko"), summary)
    assert field_names(RamschSummary) == fields_of(request)[1:]
    assert len(request.ListFields()) == len(request.DESCRIPTOR.fields)


def test_the_score_of_a_game_comes_with_its_reasoning() -> None:
    score = game_score_from_proto(filled(rules_service_pb2.ScoreDealResponse.DESCRIPTOR))
    part = Part("text", 1)
    assert (score.value.score, score.reasoning) == (1, Reasoning((part,), 1, (part,)))


def test_the_score_of_a_ramsch_comes_with_its_reasoning() -> None:
    score = ramsch_score_from_proto(filled(rules_service_pb2.ScoreRamschResponse.DESCRIPTOR))
    part = Part("text", 1)
    assert (score.scores, score.reasoning) == ((1,), Reasoning((part,), 1, (part,)))


def test_a_deal_line_fills_its_message() -> None:
    dealt = dealt_from_proto(filled(deal_pb2.DealtCards.DESCRIPTOR))
    line = DealLine(RuleSet("isko"), dealt, (DealStep(1, PlayCard(Card.D7)),), True, True, True)
    message = deal_line_to_proto(line)
    assert len(message.ListFields()) == len(message.DESCRIPTOR.fields)


def test_a_ramsch_without_durchmarsch_has_none() -> None:
    message = filled(deal_pb2.RamschGame.DESCRIPTOR)
    message.ClearField("durchmarsch")
    assert ramsch_from_proto(message).durchmarsch is None


def test_the_owner_who_asks_for_the_end_has_no_seat() -> None:
    message = event_pb2.TableEvent(end_requested=event_pb2.EndRequested())
    assert event_from_proto(message).event == EndRequested(None)


def test_a_passed_deal_has_no_game() -> None:
    message = filled(event_pb2.TableEvent.DESCRIPTOR)
    message.deal_ended.CopyFrom(filled(event_pb2.DealEnded.DESCRIPTOR))
    message.deal_ended.result.ClearField("game")
    event = event_from_proto(message).event
    assert isinstance(event, skat_client.DealEnded)
    assert event.result.game is None
