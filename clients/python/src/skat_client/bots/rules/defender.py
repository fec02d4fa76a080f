"""The defenders' cards in suit games and Grand."""

from skat_client._models import Card
from skat_client.bots.rules.knowledge import Knowledge
from skat_client.bots.rules.odds import Odds
from skat_client.bots.rules.prices import DEFENDER, price


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
        return -DEFENDER.trump_lead
    follows = odds.holds_any(known.declarer, known.out(group))
    trumps = odds.holds_any(known.declarer, known.out(None))
    forced = (1.0 - follows) * trumps
    return DEFENDER.long_lead * len(known.own(group)) + DEFENDER.force * forced
