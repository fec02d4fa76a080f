"""Calls that ask for the rules, without a table."""

from skat.v1 import rules_service_pb2 as rules_service
from skat_client import _convert_tables as convert
from skat_client._calls import Calls
from skat_client._rules import (
    DealLine,
    DealReplay,
    GameScore,
    GameSummary,
    LegalActions,
    RamschScore,
    RamschSummary,
    RuleBook,
)
from skat_client._tables import RuleSet


class RulesCalls(Calls):
    """The rules service."""

    async def list_rule_sets(self) -> RuleBook:
        """Every preset and every option of the rules with its meaning."""
        response = await self._call(
            self._wires.rules.ListRuleSets, rules_service.ListRuleSetsRequest()
        )
        return convert.rule_book_from_proto(response)

    async def list_legal_actions(self, line: DealLine) -> LegalActions:
        """What may be done next in a deal.

        Raises:
            InvalidRequestError: a step is not legal, or the cards are no deal.
            BadRuleSetError: an unknown preset or option, or an impossible mix.
        """
        request = rules_service.ListLegalActionsRequest(line=convert.deal_line_to_proto(line))
        response = await self._call(self._wires.rules.ListLegalActions, request)
        return convert.legal_actions_from_proto(response)

    async def replay_deal(self, line: DealLine) -> DealReplay:
        """All events of a deal with nothing hidden, up to the first illegal step.

        Raises:
            InvalidRequestError: the cards are no deal.
            BadRuleSetError: an unknown preset or option, or an impossible mix.
        """
        request = rules_service.ReplayDealRequest(line=convert.deal_line_to_proto(line))
        response = await self._call(self._wires.rules.ReplayDeal, request)
        return convert.replay_from_proto(response)

    async def score_deal(self, rule_set: RuleSet | str, summary: GameSummary) -> GameScore:
        """What a declarer game is worth, and how that comes about.

        Raises:
            InvalidRequestError: the summary is of no possible game.
            BadRuleSetError: an unknown preset or option, or an impossible mix.
        """
        if isinstance(rule_set, str):
            rule_set = RuleSet(rule_set)
        request = convert.summary_to_proto(rule_set, summary)
        response = await self._call(self._wires.rules.ScoreDeal, request)
        return convert.game_score_from_proto(response)

    async def score_ramsch(self, rule_set: RuleSet | str, summary: RamschSummary) -> RamschScore:
        """What a Ramsch brings, and how that comes about.

        Raises:
            InvalidRequestError: the summary is of no possible Ramsch.
            BadRuleSetError: an unknown preset or option, or an impossible mix.
        """
        if isinstance(rule_set, str):
            rule_set = RuleSet(rule_set)
        request = convert.ramsch_summary_to_proto(rule_set, summary)
        response = await self._call(self._wires.rules.ScoreRamsch, request)
        return convert.ramsch_score_from_proto(response)
