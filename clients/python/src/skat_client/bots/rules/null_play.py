"""Null: the declarer ducks, the defenders make that hard."""

from typing import Final

from skat_client._models import Card, Suit
from skat_client.bots.rules.knowledge import Knowledge
from skat_client.bots.rules.odds import Odds

_CAUGHT: Final = 12.0
"""How many dangers left in the hand weigh as much as a trick taken for certain."""
_SHORT: Final = 4
"""A suit of fewer cards is short."""


def card_in_null(known: Knowledge, cards: tuple[Card, ...]) -> Card:
    """The card to play in a Null game."""
    if known.is_declarer:
        return _duck(known, cards) if known.trick else _declarer_lead(known, cards)
    return _attack(known, cards) if known.trick else _defender_lead(known, cards)


def danger_without(known: Knowledge, gone: Card) -> int:
    """What can be caught in the own hand once a card is gone.

    A card is in danger by as many lower cards of others as there are own ones too few to be
    played under them first.
    """
    return sum(_danger_of_suit(known, suit, gone) for suit in {card.suit for card in known.hand})


def _danger_of_suit(known: Knowledge, suit: Suit, gone: Card) -> int:
    height = known.ranking.height
    own = [card for card in known.own(suit) if card is not gone]
    out = known.out(suit)
    return sum(
        max(0, sum(height(other) < height(card) for other in out) - cover)
        for cover, card in enumerate(own)
    )


def _declarer_lead(known: Knowledge, cards: tuple[Card, ...]) -> Card:
    """The lead that is beaten most surely, and leaves least danger behind."""
    odds, height = Odds(known), known.ranking.height

    def cost(card: Card) -> tuple[float, int]:
        out = known.out(card.suit)
        higher = [other for other in out if height(other) > height(card)]
        lower = [other for other in out if height(other) < height(card)]
        caught = 1.0
        for seat in known.others:
            must_beat = odds.holds_any(seat, higher) * (1.0 - odds.holds_any(seat, lower))
            caught *= 1.0 - must_beat
        return _CAUGHT * caught + danger_without(known, card), -height(card)

    return min(cards, key=cost)


def _duck(known: Knowledge, cards: tuple[Card, ...]) -> Card:
    """The highest card that stays below; void, the worst one; else the lowest, hoping."""
    best, height = known.best, known.ranking.height
    assert best is not None
    if cards[0].suit is not known.trick[0].card.suit:
        return min(cards, key=lambda card: (danger_without(known, card), -height(card)))
    below = [card for card in cards if height(card) < height(best.card)]
    if below:
        return max(below, key=height)
    return min(cards, key=height) if known.to_come else max(cards, key=height)


def _defender_lead(known: Knowledge, cards: tuple[Card, ...]) -> Card:
    """Low, from a suit that the declarer has to follow and cannot duck."""
    odds, height = Odds(known), known.ranking.height

    def worth(card: Card) -> tuple[float, int]:
        out = known.out(card.suit)
        lower = [other for other in out if height(other) < height(card)]
        follows = odds.holds_any(known.declarer, out)
        must_beat = follows * (1.0 - odds.holds_any(known.declarer, lower))
        shortness = 0.05 * (_SHORT - len(known.own(card.suit)))
        return must_beat + shortness + 0.3 * follows, -height(card)

    return max(cards, key=worth)


def _attack(known: Knowledge, cards: tuple[Card, ...]) -> Card:
    """Below a declarer who takes the trick, low before one who is to play, else high ones away."""
    best, height = known.best, known.ranking.height
    assert best is not None
    if cards[0].suit is not known.trick[0].card.suit:
        return max(cards, key=lambda card: height(card) - 2 * len(known.own(card.suit)))
    if best.seat == known.declarer:
        below = [card for card in cards if height(card) < height(best.card)]
        return max(below or cards, key=height)
    return min(cards, key=height) if known.declarer in known.to_come else max(cards, key=height)
