"""Answers with cards in them, the cards by chance."""

from random import Random
from typing import Final

from skat_client._models import (
    Announce,
    AnnounceOptions,
    Card,
    Contract,
    ExchangeOptions,
    PassOn,
    PickUp,
    PutDown,
    Rearrange,
)

_HAND: Final = 10
"""Cards that a defender has after hands are rearranged."""


def announce(contract: Contract, options: AnnounceOptions, chance: Random) -> Announce:
    """This game with any discards; the card that Spitze is announced with stays."""
    cards = options.discardable
    if contract.spitze:
        cards = tuple(card for card in cards if card is not contract.spitze_card)
    return Announce(contract, tuple(chance.sample(cards, options.discard_count)))


def exchange(
    options: ExchangeOptions, chance: Random, *, picks_up: bool
) -> PickUp | PassOn | PutDown:
    """The skat of a Ramsch picked up or passed on; once picked up, any cards put down."""
    if options.may_pick_up:
        return PickUp() if picks_up else PassOn()
    return PutDown(tuple(chance.sample(options.cards, options.put_down_count)))


def rearrange(cards: tuple[Card, ...], chance: Random) -> Rearrange:
    """Any ten of the defenders' cards."""
    return Rearrange(tuple(sorted(chance.sample(cards, _HAND))))
