"""RulesService: the rules as a stateless oracle."""

from collections.abc import Iterable
from typing import Final

from skat.v1 import rules_service_pb2 as pb
from skat.v1 import rules_service_pb2_grpc
from skat_engine.deal import Deal
from skat_engine.errors import IllegalActionError
from skat_engine.events import Event
from skat_engine.interventions import interventions_of
from skat_engine.occasions import Occasion
from skat_engine.options import option_text
from skat_engine.phases import Phase
from skat_engine.presets import PRESETS, preset
from skat_engine.ruleset import OPTION_TYPES
from skat_engine.ruleset_text import option_table
from skat_engine.seats import POSITIONS, Seating
from skat_engine.summary import (
    SummaryError,
    ramsch_reasoning_of,
    reasoning_of,
    score_deal,
    score_ramsch_deal,
)
from skat_server.errors import Reason, RefusedError, refused_action
from skat_server.rpc.callers import Context
from skat_server.rpc.convert.deals import dealt_from_proto, result_to_proto, value_to_proto
from skat_server.rpc.convert.decisions import decision_to_proto
from skat_server.rpc.convert.facts import whole_event_to_proto
from skat_server.rpc.convert.summaries import (
    bad_summary,
    declarer_summary_from_proto,
    in_a_call,
    ramsch_summary_from_proto,
    reasoning_to_proto,
)
from skat_server.rpc.convert.tables import rule_set_from_proto
from skat_server.rpc.convert.values import action_from_proto, action_to_proto
from skat_server.rpc.errors import reason_to_proto
from skat_server.tables.state import decision_of_deal

SEATS_ARE_POSITIONS: Final = Seating(dealer=2, active=(0, 1, 2), sitting_out=())
"""The oracle knows no table: seat 0 is forehand."""

MOST_STEPS: Final = 1_000


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
        summary = declarer_summary_from_proto(request)
        try:
            value = score_deal(summary)
        except SummaryError as error:
            raise bad_summary(error) from error
        return pb.ScoreDealResponse(
            value=value_to_proto(value),
            reasoning=reasoning_to_proto(reasoning_of(summary, value)),
        )

    async def ScoreRamsch(
        self, request: pb.ScoreRamschRequest, context: Context
    ) -> pb.ScoreRamschResponse:
        """Score a Ramsch from its summary."""
        del context
        summary = ramsch_summary_from_proto(request)
        try:
            scores = score_ramsch_deal(summary)
        except SummaryError as error:
            raise bad_summary(error) from error
        return pb.ScoreRamschResponse(
            scores=scores, reasoning=reasoning_to_proto(ramsch_reasoning_of(summary))
        )


def _rule_set_info(name: str) -> pb.RuleSetInfo:
    rules = preset(name)
    options = {option: option_text(getattr(rules, option)) for option in OPTION_TYPES}
    return pb.RuleSetInfo(preset=name, options=options)


def _deal(line: pb.DealLine) -> Deal:
    if len(line.steps) > MOST_STEPS:
        raise RefusedError(
            Reason.INVALID_FIELD, f"a deal has at most {MOST_STEPS} steps", field="line.steps"
        )
    rules = rule_set_from_proto(line.rule_set)
    occasion = Occasion(line.bock, line.ramsch_round, not line.forced_ramsch)
    return Deal(rules, dealt_from_proto(line.dealt, "line.dealt"), occasion)


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
        raise in_a_call(refusal, "action") from refusal
    try:
        return deal.apply(step.position, action)
    except IllegalActionError as error:
        raise refused_action(error) from error


def _interventions(deal: Deal) -> list[pb.Interventions]:
    return [
        pb.Interventions(
            position=position,
            actions=[action_to_proto(action) for action in interventions_of(deal, position)],
        )
        for position in POSITIONS
    ]
