"""The declarer's cards in suit games and Grand."""

from typing import Final

from skat_client._models import Card
from skat_client.bots.rules.knowledge import Knowledge
from skat_client.bots.rules.odds import Odds
from skat_client.bots.rules.prices import price

_DRAWN: Final = 9.0
"""Card points that a foe's trump is worth which falls to a lead."""
_ESTABLISHED: Final = 1.0
"""Card points for each card of the suit led that stands once the higher ones are gone."""


def card_of_declarer(known: Knowledge, cards: tuple[Card, ...]) -> Card:
    """The card the declarer plays."""
    odds = Odds(known)
    if known.trick:
        return max(cards, key=lambda card: price(known, odds, card))
    draws = _worth_of_drawing(known, odds)
    return max(cards, key=lambda card: _lead_price(known, odds, card, draws))


def _lead_price(known: Knowledge, odds: Odds, card: Card, draws: float) -> float:
    is_trump = known.ranking.group(card) is None
    if is_trump:
        return price(known, odds, card) + draws
    group = known.ranking.group(card)
    own, out = known.own(group), known.out(group)
    height = known.ranking.height(card)
    above = sum(known.ranking.height(other) > height for other in out)
    later = max(0, len(own) - above) if above else 0
    return price(known, odds, card) + _ESTABLISHED * later


def _worth_of_drawing(known: Knowledge, odds: Odds) -> float:
    """What it is worth to lead trumps: the foes' trumps that fall, if ours last longer."""
    own, out = known.own(None), known.out(None)
    if not own or not out:
        return 0.0
    height = known.ranking.height
    lone_master = len(out) == 1 and height(out[0]) > height(own[-1])
    if lone_master or 2 * len(own) <= len(out):
        return 0.0
    falling = sum(odds.holds_any(seat, out) for seat in known.others)
    return _DRAWN * falling
