"""RulesService: the rules as a stateless oracle."""

from collections.abc import Iterable
from typing import Final

from skat.v1 import rules_service_pb2 as pb
from skat.v1 import rules_service_pb2_grpc
from skat_engine import valuation
from skat_engine.bidding import BID_VALUES
from skat_engine.cards import CardSet, card_set
from skat_engine.contracts import Contract
from skat_engine.deal import Deal
from skat_engine.errors import IllegalActionError, RuleSetError
from skat_engine.events import Event
from skat_engine.legality import interventions_of
from skat_engine.options import option_text
from skat_engine.phases import Phase
from skat_engine.presets import PRESETS, preset
from skat_engine.ruleset import OPTION_TYPES, RuleSet, require_playable
from skat_engine.ruleset_text import option_table
from skat_engine.seats import POSITIONS, Seating
from skat_engine.valuation import Standing
from skat_server.errors import Reason, RefusedError, refused_action
from skat_server.rpc.calls import Context
from skat_server.rpc.convert.deals import dealt_from_proto, result_to_proto, value_to_proto
from skat_server.rpc.convert.decisions import decision_to_proto
from skat_server.rpc.convert.facts import whole_event_to_proto
from skat_server.rpc.convert.tables import bad_rule_set, rule_set_from_proto
from skat_server.rpc.convert.values import (
    action_from_proto,
    action_to_proto,
    cards_from_proto,
    contract_from_proto,
)
from skat_server.rpc.errors import reason_to_proto
from skat_server.tables.state import decision_of_deal

SEATS_ARE_POSITIONS: Final = Seating(dealer=2, active=(0, 1, 2), sitting_out=())
"""The oracle knows no table: seat 0 is forehand."""

MOST_STEPS: Final = 1_000
DECLARER_CARDS: Final = 12
MOST: Final = (
    ("bid", BID_VALUES[-1]),
    ("declarer_points", 120),
    ("declarer_tricks", 10),
    ("defender_tricks", 10),
)
"""The largest numbers in the summary of a deal."""


class RulesServicer(rules_service_pb2_grpc.RulesServiceServicer):
    """Translates RulesService to the engine."""

    async def ListRuleSets(
        self, request: pb.ListRuleSetsRequest, context: Context
    ) -> pb.ListRuleSetsResponse:
        """Return presets and options."""
        del request, context
        return pb.ListRuleSetsResponse(
            rule_sets=[_rule_set_info(name) for name in PRESETS],
            options=[
                pb.OptionInfo(
                    name=row.name,
                    meaning=row.meaning,
                    values=row.values,
                    default_value=row.default,
                    source=row.source,
                )
                for row in option_table()
            ],
        )

    async def ListLegalActions(
        self, request: pb.ListLegalActionsRequest, context: Context
    ) -> pb.ListLegalActionsResponse:
        """Return what may be done after the steps given."""
        del context
        deal = _deal(request.line)
        for index, step in enumerate(request.line.steps):
            try:
                _take(deal, step)
            except RefusedError as refusal:
                raise RefusedError(
                    refusal.reason, f"step {index}: {refusal}", field=f"line.steps[{index}]"
                ) from refusal
        decision = decision_of_deal(deal, SEATS_ARE_POSITIONS, turn_id="")
        return pb.ListLegalActionsResponse(
            decision=decision_to_proto(decision) if decision else None,
            interventions=_interventions(deal) if deal.phase is Phase.PLAY else (),
        )

    async def ReplayDeal(
        self, request: pb.ReplayDealRequest, context: Context
    ) -> pb.ReplayDealResponse:
        """Return every event of the legal steps."""
        del context
        deal = _deal(request.line)
        events: list[Event] = [deal.opening()]
        response = pb.ReplayDealResponse()
        for index, step in enumerate(request.line.steps):
            try:
                events.extend(_take(deal, step))
            except RefusedError as refusal:
                response.illegal_step.index = index
                response.illegal_step.reason = reason_to_proto(refusal.reason)
                response.illegal_step.message = str(refusal)
                break
        response.events.extend(
            whole_event_to_proto(number, event, SEATS_ARE_POSITIONS)
            for number, event in enumerate(events, start=1)
        )
        if deal.result is not None:
            result = result_to_proto(deal.result, SEATS_ARE_POSITIONS, len(POSITIONS))
            response.result.CopyFrom(result)
        return response

    async def ScoreDeal(
        self, request: pb.ScoreDealRequest, context: Context
    ) -> pb.ScoreDealResponse:
        """Value a declarer game from its summary."""
        del context
        rules = rule_set_from_proto(request.rule_set)
        value = valuation.played_out(_standing(request, rules), rules)
        return pb.ScoreDealResponse(value=value_to_proto(value))


def _rule_set_info(name: str) -> pb.RuleSetInfo:
    rules = preset(name)
    obstacle = ""
    try:
        require_playable(rules)
    except RuleSetError as error:
        obstacle = str(error)
    return pb.RuleSetInfo(
        preset=name,
        options={option: option_text(getattr(rules, option)) for option in OPTION_TYPES},
        not_playable_because=obstacle,
    )


def _deal(line: pb.DealLine) -> Deal:
    if len(line.steps) > MOST_STEPS:
        raise RefusedError(
            Reason.INVALID_FIELD, f"a deal has at most {MOST_STEPS} steps", field="line.steps"
        )
    rules = rule_set_from_proto(line.rule_set)
    try:
        return Deal(rules, dealt_from_proto(line.dealt, "line.dealt"))
    except RuleSetError as error:
        raise bad_rule_set(error) from error


def _take(deal: Deal, step: pb.DealStep) -> Iterable[Event]:
    """Take one step.

    Raises:
        RefusedError: INVALID_FIELD for no position, else the reason of the engine.
    """
    if step.position not in POSITIONS:
        raise RefusedError(Reason.INVALID_FIELD, f"{step.position} is no position; use 0, 1 or 2")
    try:
        action = action_from_proto(step.action)
    except RefusedError as refusal:
        raise _in_a_call(refusal, "action") from refusal
    try:
        return deal.apply(step.position, action)
    except IllegalActionError as error:
        raise refused_action(error) from error


def _in_a_call(refusal: RefusedError, field: str) -> RefusedError:
    """What a stream calls an unreadable action is a bad field of a call."""
    unreadable = refusal.reason is Reason.UNREADABLE_ACTION
    reason = Reason.INVALID_FIELD if unreadable else refusal.reason
    return RefusedError(reason, str(refusal), field=field)


def _interventions(deal: Deal) -> list[pb.Interventions]:
    return [
        pb.Interventions(
            position=position,
            actions=[action_to_proto(action) for action in interventions_of(deal, position)],
        )
        for position in POSITIONS
    ]


def _standing(request: pb.ScoreDealRequest, rules: RuleSet) -> Standing:
    cards = _declarer_cards(request)
    contract = _contract(request)
    for field, most in MOST:
        number = getattr(request, field)
        if number > most:
            raise RefusedError(
                Reason.INVALID_FIELD, f"{field} is {number}; the most is {most}", field=field
            )
    counted = (
        0 if contract.is_null else valuation.matadors(contract.kind, cards, rules.matador_limit)
    )
    return Standing(
        contract=contract,
        bid=request.bid,
        matadors=counted,
        declarer_points=request.declarer_points,
        defender_points=120 - request.declarer_points,
        declarer_tricks=request.declarer_tricks,
        defender_tricks=request.defender_tricks,
    )


def _contract(request: pb.ScoreDealRequest) -> Contract:
    try:
        contract = contract_from_proto(request.contract, hand=False)
    except RefusedError as refusal:
        raise _in_a_call(refusal, "contract") from refusal
    if valuation.is_null_below_bid(contract, request.bid):
        raise RefusedError(
            Reason.NULL_BELOW_BID, f"{contract} is worth less than {request.bid}", field="bid"
        )
    return contract


def _declarer_cards(request: pb.ScoreDealRequest) -> CardSet:
    field = "declarer_cards"
    try:
        cards = card_set(cards_from_proto(request.declarer_cards))
    except RefusedError as refusal:
        raise RefusedError(Reason.INVALID_FIELD, str(refusal), field=field) from refusal
    if cards.bit_count() != DECLARER_CARDS or len(request.declarer_cards) != DECLARER_CARDS:
        raise RefusedError(
            Reason.INVALID_FIELD,
            f"name the declarer's {DECLARER_CARDS} different cards",
            field=field,
        )
    return cards
