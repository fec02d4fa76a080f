"""Answers to decisions straight from the message: a player of a load must cost next to nothing."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from skat.v1 import action_pb2, decision_pb2
from skat_server.remote.load.plan import LoadBot

Choose = Callable[[decision_pb2.Decision, Random], action_pb2.Action]
"""Answers an open decision."""

NAMES_A_NUMBER: Final = 0.4
"""How often a random player bids or holds instead of passing: most deals get a declarer."""


def first_option(decision: decision_pb2.Decision, chance: Random) -> action_pb2.Action:
    """The plainest answer."""
    del chance
    return decision.first_option


def random_option(decision: decision_pb2.Decision, chance: Random) -> action_pb2.Action:
    """Any legal card, now and then a number, else the plainest answer."""
    match decision.WhichOneof("options"):
        case "cards":
            cards = decision.cards.cards
            card = cards[int(chance.random() * len(cards))]
            return action_pb2.Action(play_card=action_pb2.PlayCard(card=card))
        case "bidding" if chance.random() < NAMES_A_NUMBER:
            return _number(decision.bidding)
        case _:
            return decision.first_option


def _number(options: decision_pb2.BiddingOptions) -> action_pb2.Action:
    if options.may_hold:
        return action_pb2.Action(hold=action_pb2.Hold())
    if options.bids:
        return action_pb2.Action(bid=action_pb2.Bid(value=options.bids[0]))
    return action_pb2.Action(pass_auction=action_pb2.Pass())


CHOICES: Final[Mapping[LoadBot, Choose]] = {
    LoadBot.RANDOM: random_option,
    LoadBot.FIRST_OPTION: first_option,
}
"""The players of ours."""
