"""Which game to announce: the one that is expected to bring most."""

from typing import Final

from skat_client._models import Announce, AnnounceOptions, Card, Contract, Rank, Suit
from skat_client.bots.rules.discards import best_discards
from skat_client.bots.rules.prospects import by_hand

_SHORTER: Final = 2
"""A trump suit may be so many cards shorter than the longest suit."""


def announcement(
    options: AnnounceOptions, hand: tuple[Card, ...], *, bid: int, leads: bool
) -> Announce:
    """The announcement, with discards when the skat was taken.

    Args:
        options: what may be announced.
        hand: the own cards, twelve with the skat taken.
        bid: the number to reach.
        leads: whether the declarer is forehand.
    """
    if options.discard_count:
        cards = options.discardable
        contracts = _worth_a_thought(_plain(options.contracts), cards)
        found = [best_discards(each, cards, bid=bid, leads=leads) for each in contracts]
    else:
        found = [p for p in by_hand(hand, leads=leads) if p.contract in options.contracts]
    if not found:
        return Announce(options.contracts[0])
    best = max(found, key=lambda prospect: prospect.expected(bid))
    return Announce(best.contract, best.discards)


def _plain(contracts: tuple[Contract, ...]) -> tuple[Contract, ...]:
    """All but those that stake the game on something more."""
    plain = tuple(each for each in contracts if not (each.spitze or each.revolution))
    return plain or contracts


def _worth_a_thought(
    contracts: tuple[Contract, ...], cards: tuple[Card, ...]
) -> tuple[Contract, ...]:
    """All but the suit games in a suit that is much shorter than the longest."""
    lengths = [0] * (len(Suit) + 1)
    for card in cards:
        if card.rank is not Rank.JACK:
            lengths[card.suit] += 1
    least = max(lengths) - _SHORTER
    suits = [contract.kind.trump_suit for contract in contracts]
    chosen = tuple(
        contract
        for contract, suit in zip(contracts, suits, strict=True)
        if suit is None or lengths[suit] >= least
    )
    return chosen or contracts
