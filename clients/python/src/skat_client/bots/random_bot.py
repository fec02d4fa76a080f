"""The bot that plays by chance: the opponent to beat first, and a test of every option."""

from random import Random
from typing import Final, assert_never

from skat_client._models import (
    Action,
    AnnounceOptions,
    Bid,
    BiddingOptions,
    CardOptions,
    Decision,
    Decline,
    ExchangeOptions,
    ForehandOptions,
    Hold,
    OfferOptions,
    Options,
    Pass,
    PlayCard,
    PlayHand,
    RearrangeOptions,
    SkatOptions,
    TakeSkat,
    Vote,
    VoteOptions,
)
from skat_client._sight import TableSight
from skat_client.bots._chance import announce, exchange, rearrange

SPEAKS: Final = 0.2
"""How often it bids or holds when it may: three of them play about half of the deals."""


class RandomBot:
    """Takes any option with equal chance, except in the auction.

    There it bids the lowest number, or holds, one time in five, so that about half of the
    deals among three of them have a declarer and few are bid out of reach. It never proposes
    to end a deal.
    """

    def __init__(self, seed: int) -> None:
        """A bot whose choices follow from the seed and the questions."""
        self._random = Random(seed)  # noqa: S311 - chance, no secret

    def decide(self, decision: Decision, sight: TableSight) -> Action:
        """One of the options."""
        return self._choose(decision.options)

    def _choose(self, options: Options) -> Action:
        chance = self._random
        match options:
            case BiddingOptions() | ForehandOptions():
                return self._speak(options) if chance.random() < SPEAKS else Pass()
            case SkatOptions():
                return chance.choice((TakeSkat(), PlayHand()))
            case AnnounceOptions():
                return announce(chance.choice(options.contracts), options, chance)
            case CardOptions():
                return PlayCard(chance.choice(options.cards))
            case VoteOptions():
                return Vote(accept=chance.random() < 1 / 2)
            case OfferOptions(accepting):
                return chance.choice((Decline(), *accepting))
            case ExchangeOptions():
                picks_up = chance.random() < 1 / 2
                return exchange(options, chance, picks_up=picks_up)
            case RearrangeOptions(cards):
                return chance.choice((Decline(), rearrange(cards, chance)))
            case _:
                assert_never(options)

    @staticmethod
    def _speak(options: BiddingOptions | ForehandOptions) -> Action:
        if isinstance(options, BiddingOptions) and options.may_hold:
            return Hold()
        return Bid(options.bids[0]) if options.bids else Pass()
