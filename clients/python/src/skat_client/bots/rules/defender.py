"""The defenders' cards in suit games and Grand."""

from typing import Final

from skat_client._models import Card
from skat_client.bots.rules.knowledge import Knowledge
from skat_client.bots.rules.odds import Odds
from skat_client.bots.rules.prices import price

_TRUMP_LEAD: Final = 2.5
"""Card points that a trump lead costs."""
_LENGTH: Final = 0.25
"""Card points for each card of the suit led."""
_FORCED: Final = 2.4
"""Card points for a trump that the declarer is made to spend."""


def card_of_defender(known: Knowledge, cards: tuple[Card, ...]) -> Card:
    """The card a defender plays."""
    odds = Odds(known)
    if known.trick:
        return max(cards, key=lambda card: price(known, odds, card))
    return max(cards, key=lambda card: price(known, odds, card) + _lead_worth(known, odds, card))


def _lead_worth(known: Knowledge, odds: Odds, card: Card) -> float:
    """What the choice of the suit is worth: trumps stay, and the declarer may spend his."""
    group = known.ranking.group(card)
    if group is None:
        return -_TRUMP_LEAD
    follows = odds.holds_any(known.declarer, known.out(group))
    trumps = odds.holds_any(known.declarer, known.out(None))
    forced = (1.0 - follows) * trumps
    return _LENGTH * len(known.own(group)) + _FORCED * forced
