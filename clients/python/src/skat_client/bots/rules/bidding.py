"""How high to bid, and whether to look at the skat."""

from collections.abc import Collection
from typing import Final

from skat_client._models import (
    Action,
    Bid,
    BiddingOptions,
    Card,
    ForehandOptions,
    Hold,
    Pass,
    PlayHand,
    TakeSkat,
)
from skat_client.bots.rules.prospects import Prospect, by_hand, with_skat

ENOUGH: Final = 0.0
"""List points that a game has to be expected to bring before it is bid for."""
HAND_GAIN: Final = 10.0
"""List points that Hand has to be expected to bring more, for the skat also gives choices."""


def highest_bid(hand: Collection[Card], *, leads: bool) -> int:
    """The highest number that is worth being declarer for; 0 when none is."""
    found = with_skat(hand, leads=leads) + by_hand(hand, leads=leads)
    return max((p.value for p in found if p.expected() >= ENOUGH), default=0)


def bid_or_pass(options: BiddingOptions, limit: int) -> Action:
    """Name the next number or hold the one named, up to the limit."""
    if options.may_hold:
        return Hold() if options.last_bid <= limit else Pass()
    return _next_bid(options.bids, limit)


def last_option(options: ForehandOptions, limit: int) -> Action:
    """Take the game that nobody wanted, or pass the deal in."""
    return _next_bid(options.bids, limit)


def _next_bid(bids: tuple[int, ...], limit: int) -> Action:
    return Bid(bids[0]) if bids and bids[0] <= limit else Pass()


def take_or_leave(hand: Collection[Card], *, bid: int, leads: bool) -> Action:
    """Take the skat, unless the hand is clearly better off without it."""
    left = _best(by_hand(hand, leads=leads), bid)
    taken = _best(with_skat(hand, leads=leads), bid)
    return PlayHand() if left >= taken + HAND_GAIN else TakeSkat()


def _best(found: list[Prospect], bid: int) -> float:
    return max(prospect.expected(bid) for prospect in found)
