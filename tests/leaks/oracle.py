"""Questions to the rules service that touch every kind of action, event and option."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf.message import Message

from skat.v1 import contract_pb2, rule_set_pb2, rules_service_pb2
from skat_engine import DECK, Phase, card_set, preset
from skat_server.rpc.convert.deals import dealt_to_proto
from skat_server.rpc.convert.values import action_to_proto, cards_to_proto
from tests.leaks.recording import rule_set_of
from tests.leaks.scenes import finished
from tests.leaks.twins import cut
from tests.strategies import Playthrough

Question = tuple[str, Message]


def questions() -> list[Question]:
    """Methods and requests; all of them have an answer."""
    played = [finished(preset(name), seed) for name, seed in _PLAYED]
    return [
        *(("ReplayDeal", rules_service_pb2.ReplayDealRequest(line=line(play))) for play in played),
        *_in_every_phase(played),
        ("ScoreDeal", _game()),
        ("ScoreRamsch", _ramsch()),
    ]


_PLAYED = (("xskat_extras", 4), ("xskat_extras", 0), ("bga_skat", 1))
"""With Kontra and a Revolution; with an exchange before the Ramsch; with an offer of Grand Hand."""


def line(play: Playthrough) -> rules_service_pb2.DealLine:
    """A deal and what was done in it."""
    steps = [
        rules_service_pb2.DealStep(position=position, action=action_to_proto(action))
        for position, action in play.moves
    ]
    return rules_service_pb2.DealLine(
        rule_set=rule_set_of(play.rules), dealt=dealt_to_proto(play.dealt), steps=steps
    )


def _in_every_phase(played: list[Playthrough]) -> Iterator[Question]:
    """What is legal, once for each phase that the deals came through."""
    seen: set[Phase] = {Phase.DEAL_OVER}
    for play in played:
        for length, deal in enumerate(play.states()):
            if deal.phase not in seen:
                seen.add(deal.phase)
                request = rules_service_pb2.ListLegalActionsRequest(line=line(cut(play, length)))
                yield "ListLegalActions", request


def _game() -> rules_service_pb2.ScoreDealRequest:
    deck = DECK[:12]
    return rules_service_pb2.ScoreDealRequest(
        rule_set=rule_set_pb2.RuleSet(preset="proskat_pub"),
        playing_hand=cards_to_proto(card_set(deck[:10])),
        skat=cards_to_proto(card_set(deck[10:])),
        contract=contract_pb2.Contract(kind=contract_pb2.CONTRACT_KIND_GRAND),
        bid=18,
        declarer_points=70,
        declarer_tricks=6,
        defender_tricks=4,
        kontra=True,
    )


def _ramsch() -> rules_service_pb2.ScoreRamschRequest:
    return rules_service_pb2.ScoreRamschRequest(
        rule_set=rule_set_pb2.RuleSet(preset="swedish_ramsch"),
        points=[60, 40, 20],
        tricks=[4, 4, 2],
        last_trick_winner=0,
    )
