"""RulesService: the oracle agrees with the engine and needs no token."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings

from skat.v1 import (
    action_pb2,
    contract_pb2,
    deal_pb2,
    error_pb2,
    rule_set_pb2,
    rules_service_pb2,
    rules_service_pb2_grpc,
)
from skat_engine import PRESETS, Deal, Phase, option_table, parse_action, preset
from skat_server.rpc import rules_servicer
from skat_server.rpc.convert.deals import dealt_to_proto
from skat_server.rpc.convert.values import (
    action_from_proto,
    action_to_proto,
    contract_from_proto,
)
from tests.rpc.deals import CLUBS_BY_FOREHAND, MIXED, TRUMPS
from tests.rpc.failures import failure
from tests.strategies import Playthrough, playthroughs

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def rules(channel: grpc.aio.Channel) -> Any:
    """The stub; its calls carry no token."""
    return rules_service_pb2_grpc.RulesServiceStub(channel)


def line(moves: str, dealt: Any = MIXED, name: str = "isko") -> rules_service_pb2.DealLine:
    """A deal so far; whoever is to act takes each move, or the position before the colon."""
    deal = Deal(preset(name), dealt)
    steps = []
    for text in moves.split():
        position, _, move = text.rpartition(":")
        spoken = position.isdigit()
        who = int(position) if spoken else deal.to_act or 0
        action = parse_action(move if spoken else text)
        steps.append(rules_service_pb2.DealStep(position=who, action=action_to_proto(action)))
        if action in deal.legal(who):
            deal.apply(who, action)
    return rules_service_pb2.DealLine(
        rule_set=rule_set_pb2.RuleSet(preset=name), dealt=dealt_to_proto(dealt), steps=steps
    )


async def test_every_preset_is_listed_with_every_option(rules: Any) -> None:
    listing = await rules.ListRuleSets(rules_service_pb2.ListRuleSetsRequest())
    assert [info.preset for info in listing.rule_sets] == list(PRESETS)
    names = {option.name for option in listing.options}
    assert all(set(info.options) == names for info in listing.rule_sets)


async def test_every_option_is_documented(rules: Any) -> None:
    listing = await rules.ListRuleSets(rules_service_pb2.ListRuleSetsRequest())
    assert [option.name for option in listing.options] == [row.name for row in option_table()]
    for option in listing.options:
        assert option.meaning
        assert option.values
        assert option.source
        assert option.default_value


async def test_the_first_decision_is_middlehands(rules: Any) -> None:
    request = rules_service_pb2.ListLegalActionsRequest(line=line(""))
    decision = (await rules.ListLegalActions(request)).decision
    assert (decision.seat, decision.phase, decision.turn_id) == (1, deal_pb2.PHASE_BIDDING, "")
    assert not decision.bidding.may_hold
    assert decision.bidding.bids[0] == 18
    assert len(decision.bidding.bids) == 63


async def test_a_number_that_waits_may_be_held(rules: Any) -> None:
    request = rules_service_pb2.ListLegalActionsRequest(line=line("20"))
    decision = (await rules.ListLegalActions(request)).decision
    assert decision.bidding.may_hold
    assert decision.bidding.last_bid == 20
    assert not decision.bidding.bids


async def test_the_last_number_held_is_told(rules: Any) -> None:
    request = rules_service_pb2.ListLegalActionsRequest(line=line("20 hold"))
    decision = (await rules.ListLegalActions(request)).decision
    assert decision.bidding.last_bid == 20
    assert decision.bidding.bids[0] == 22


async def test_forehands_last_option_is_18(rules: Any) -> None:
    request = rules_service_pb2.ListLegalActionsRequest(line=line("pass pass"))
    decision = (await rules.ListLegalActions(request)).decision
    assert decision.phase == deal_pb2.PHASE_FOREHAND_OPTION
    assert list(decision.forehand.bids) == [18]


async def test_the_skat_decision_names_the_bid(rules: Any) -> None:
    request = rules_service_pb2.ListLegalActionsRequest(line=line("22 pass pass"))
    decision = (await rules.ListLegalActions(request)).decision
    assert decision.skat.bid == 22


async def test_after_the_skat_two_of_twelve_cards_are_put_down(rules: Any) -> None:
    request = rules_service_pb2.ListLegalActionsRequest(line=line("24 hold pass pass take"))
    announce = (await rules.ListLegalActions(request)).decision.announce
    assert announce.discard_count == 2
    assert len(announce.discardable) == 12
    kinds = {contract.kind for contract in announce.contracts}
    assert contract_pb2.CONTRACT_KIND_GRAND in kinds
    assert all(c.ouvert for c in announce.contracts if c.kind == contract_pb2.CONTRACT_KIND_NULL)


async def test_a_hand_game_has_no_discards(rules: Any) -> None:
    request = rules_service_pb2.ListLegalActionsRequest(line=line("18 hold pass pass hand"))
    announce = (await rules.ListLegalActions(request)).decision.announce
    assert announce.discard_count == 0
    assert not announce.discardable
    assert len(announce.contracts) == 22


async def test_proposals_are_listed_by_position_in_play_only(rules: Any) -> None:
    play = rules_service_pb2.ListLegalActionsRequest(line=line(CLUBS_BY_FOREHAND))
    response = await rules.ListLegalActions(play)
    assert [entry.position for entry in response.interventions] == [0, 1, 2]
    cases = [a.WhichOneof("action") for a in response.interventions[1].actions]
    assert cases == ["give_up"]
    auction = rules_service_pb2.ListLegalActionsRequest(line=line("18"))
    assert not (await rules.ListLegalActions(auction)).interventions


async def test_a_vote_says_what_is_proposed(rules: Any) -> None:
    moves = line("18 hold pass pass take C.C7.D7 open:schneider", TRUMPS)
    request = rules_service_pb2.ListLegalActionsRequest(line=moves)
    vote = (await rules.ListLegalActions(request)).decision.vote
    assert (vote.seat, vote.level) == (0, contract_pb2.LEVEL_SCHNEIDER)


async def test_a_deal_that_is_over_has_no_decision(rules: Any) -> None:
    request = rules_service_pb2.ListLegalActionsRequest(line=line("pass pass pass"))
    assert not (await rules.ListLegalActions(request)).HasField("decision")


async def test_legal_actions_need_a_legal_line(rules: Any) -> None:
    request = rules_service_pb2.ListLegalActionsRequest(line=line("18 18"))
    refused = await failure(rules.ListLegalActions(request))
    assert refused.reason == "ILLEGAL_BID"
    assert refused.fields == ["line.steps[1]"]


async def test_an_unreadable_step_is_a_bad_field(rules: Any) -> None:
    request = rules_service_pb2.ListLegalActionsRequest(line=line(""))
    request.line.steps.add(position=1)
    refused = await failure(rules.ListLegalActions(request))
    assert (refused.reason, refused.fields) == ("INVALID_FIELD", ["line.steps[0]"])


async def test_too_many_steps_are_a_bad_field(rules: Any) -> None:
    request = rules_service_pb2.ListLegalActionsRequest(line=line(""))
    request.line.steps.extend([rules_service_pb2.DealStep()] * 1_001)
    assert (await failure(rules.ListLegalActions(request))).fields == ["line.steps"]


async def test_a_deal_without_cards_is_a_bad_field(rules: Any) -> None:
    request = rules_service_pb2.ListLegalActionsRequest(line=line(""))
    request.line.ClearField("dealt")
    assert (await failure(rules.ListLegalActions(request))).fields == ["line.dealt"]


def steps_of(played: Playthrough) -> list[rules_service_pb2.DealStep]:
    """The moves on the wire."""
    return [
        rules_service_pb2.DealStep(position=position, action=action_to_proto(action))
        for position, action in played.moves
    ]


def line_of(played: Playthrough) -> rules_service_pb2.DealLine:
    """A whole playthrough on the wire."""
    return rules_service_pb2.DealLine(
        rule_set=rule_set_pb2.RuleSet(preset="isko"),
        dealt=dealt_to_proto(played.dealt),
        steps=steps_of(played),
    )


def offered(response: rules_service_pb2.ListLegalActionsResponse) -> set[str]:
    """Every single answer that a decision allows, in notation; contracts without discards."""
    decision = response.decision
    actions = [action_from_proto(action) for action in decision.interventions]
    texts = {str(action) for action in actions}
    match decision.WhichOneof("options"):
        case "bidding":
            texts |= {"pass", *map(str, decision.bidding.bids)}
            texts |= {"hold"} if decision.bidding.may_hold else set()
        case "forehand":
            texts |= {"pass", *map(str, decision.forehand.bids)}
        case "skat":
            texts |= {"take", "hand"}
        case "cards":
            texts |= {
                str(action_from_proto(action_pb2.Action(play_card=action_pb2.PlayCard(card=card))))
                for card in decision.cards.cards
            }
        case "vote":
            texts |= {"accept", "reject"}
        case "offer" | "exchange" | "rearrange":
            raise AssertionError("isko knows no such decision")
        case "announce":
            texts |= {
                str(contract_from_proto(contract, hand=False))
                for contract in decision.announce.contracts
            }
        case None:
            assert not texts
    return texts


def legal_texts(deal: Deal) -> set[str]:
    """What the engine allows, in notation; contracts without discards."""
    if deal.to_act is None:
        return set()
    options = deal.legal(deal.to_act)
    if deal.phase is Phase.ANNOUNCE:
        return {str(option).partition(".")[0] for option in options}
    return {str(option) for option in options}


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(played=playthroughs(interventions=True))
async def test_legal_actions_agree_with_the_engine_at_every_point(played: Playthrough) -> None:
    servicer = rules_servicer.RulesServicer()
    whole = line_of(played)
    for taken, deal in enumerate(played.states()):
        request = rules_service_pb2.ListLegalActionsRequest(line=whole)
        del request.line.steps[taken:]
        response = await servicer.ListLegalActions(request, None)  # type: ignore[arg-type]
        assert offered(response) == legal_texts(deal)


async def test_a_replay_tells_every_event_with_nothing_hidden(rules: Any) -> None:
    moves = line(f"{CLUBS_BY_FOREHAND} S7 S9")
    response = await rules.ReplayDeal(rules_service_pb2.ReplayDealRequest(line=moves))
    cases = [event.WhichOneof("event") for event in response.events]
    assert cases == [
        *("deal_started", "bid_made", "bid_held", "bid_passed", "bid_passed", "auction_won"),
        *("skat_taken", "contract_announced", "card_played", "card_played"),
    ]
    assert [event.sequence for event in response.events] == list(range(1, 11))
    assert len(response.events[6].skat_taken.skat) == 2
    assert len(response.events[7].contract_announced.discards) == 2
    assert not response.HasField("result")


async def test_a_replay_to_the_end_has_the_result(rules: Any) -> None:
    moves = line("18 hold pass pass take C.C7.D7 open:schwarz accept accept", TRUMPS)
    response = await rules.ReplayDeal(rules_service_pb2.ReplayDealRequest(line=moves))
    assert response.result.ending == deal_pb2.ENDING_CLAIM_ACCEPTED
    assert response.result == response.events[-1].deal_ended.result
    assert list(response.result.scores) == [response.result.game.value.score, 0, 0]


async def test_a_replay_stops_at_the_first_illegal_step(rules: Any) -> None:
    moves = line(f"{CLUBS_BY_FOREHAND} S7 HA S9")
    response = await rules.ReplayDeal(rules_service_pb2.ReplayDealRequest(line=moves))
    assert response.illegal_step.index == 7
    assert response.illegal_step.reason == error_pb2.ERROR_REASON_MUST_FOLLOW
    assert response.illegal_step.message
    assert response.events[-1].WhichOneof("event") == "card_played"


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ("0:18", "NOT_YOUR_TURN"),
        ("7:18", "INVALID_FIELD"),
        ("pass pass pass 0:pass", "DEAL_OVER"),
        ("take", "WRONG_PHASE"),
    ],
)
async def test_an_illegal_step_has_the_reason(rules: Any, moves: str, reason: str) -> None:
    request = rules_service_pb2.ReplayDealRequest(line=line(moves))
    response = await rules.ReplayDeal(request)
    name = error_pb2.ErrorReason.Name(response.illegal_step.reason)
    assert name == f"ERROR_REASON_{reason}"


async def test_a_step_without_action_is_illegal_and_unread(rules: Any) -> None:
    request = rules_service_pb2.ReplayDealRequest(line=line("18"))
    request.line.steps.add(position=0)
    response = await rules.ReplayDeal(request)
    assert response.illegal_step.index == 1
    assert response.illegal_step.reason == error_pb2.ERROR_REASON_INVALID_FIELD
