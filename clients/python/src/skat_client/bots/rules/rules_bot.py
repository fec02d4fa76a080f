"""The bot itself: each kind of decision goes to the module that knows it."""

from typing import assert_never

from skat_client._models import (
    Action,
    AnnounceOptions,
    BiddingOptions,
    CardOptions,
    Decision,
    Decline,
    ExchangeOptions,
    ForehandOptions,
    OfferOptions,
    PlayCard,
    RearrangeOptions,
    SkatOptions,
    Vote,
    VoteOptions,
)
from skat_client._sight import TableSight
from skat_client.bots.rules.announcing import announcement
from skat_client.bots.rules.bidding import bid_or_pass, highest_bid, last_option, take_or_leave
from skat_client.bots.rules.offers import answer_to_offer
from skat_client.bots.rules.play import card_to_play
from skat_client.bots.rules.ramsch import pass_or_put_down
from skat_client.bots.rules.votes import accepts


class RulesBot:
    """Bids, discards and plays by rules of thumb.

    It keeps nothing in mind that the sight does not hold, so one bot can play any number of
    tables, and the same questions get the same answers.
    """

    def decide(self, decision: Decision, sight: TableSight) -> Action:
        """The answer to a decision, always one of its options."""
        deal = sight.deal
        leads = sight.seat == deal.forehand
        options = decision.options
        match options:
            case BiddingOptions():
                return bid_or_pass(options, highest_bid(deal.hand, leads=leads))
            case ForehandOptions():
                return last_option(options, highest_bid(deal.hand, leads=leads))
            case SkatOptions(bid):
                return take_or_leave(deal.hand, bid=bid, leads=leads)
            case AnnounceOptions():
                return announcement(options, deal.hand, bid=deal.bid, leads=leads)
            case CardOptions(cards):
                return PlayCard(card_to_play(sight, cards))
            case VoteOptions(kind, _, level):
                return Vote(accept=accepts(kind, level, sight))
            case OfferOptions():
                return answer_to_offer(options, sight)
            case ExchangeOptions():
                return pass_or_put_down(options)
            case RearrangeOptions():
                return Decline()
            case _:
                assert_never(options)
