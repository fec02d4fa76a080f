"""The bot that plays by chance: the opponent to beat first, and a test of every option."""

from random import Random
from typing import Final, assert_never

from skat_client._models import (
    Action,
    Announce,
    AnnounceOptions,
    Bid,
    BiddingOptions,
    CardOptions,
    Decision,
    ForehandOptions,
    Hold,
    Options,
    Pass,
    PlayCard,
    PlayHand,
    SkatOptions,
    TakeSkat,
    Vote,
    VoteOptions,
)
from skat_client._sight import TableSight

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
                discards = tuple(chance.sample(options.discardable, options.discard_count))
                return Announce(chance.choice(options.contracts), discards)
            case CardOptions():
                return PlayCard(chance.choice(options.cards))
            case VoteOptions():
                return Vote(accept=chance.random() < 1 / 2)
            case _:
                assert_never(options)

    @staticmethod
    def _speak(options: BiddingOptions | ForehandOptions) -> Action:
        if isinstance(options, BiddingOptions) and options.may_hold:
            return Hold()
        return Bid(options.bids[0]) if options.bids else Pass()
