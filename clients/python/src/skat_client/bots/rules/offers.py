"""What is offered before play: Grand Hand, a knock, Kontra, Re. Mostly declined."""

from typing import Final

from skat_client._models import (
    AcceptGrandHand,
    Action,
    Card,
    Contract,
    ContractKind,
    Decline,
    OfferOptions,
    Rank,
    SayKontra,
    SayRe,
)
from skat_client._sight import TableSight
from skat_client.bots.rules.prospects import chances_of
from skat_client.bots.rules.ranking import JACKS, ranking_of
from skat_client.bots.rules.shape import Shape

_GRAND_HAND: Final = 0.8
"""Chance of winning from which Grand Hand is played instead of a Ramsch."""
_RE: Final = 0.9
"""Chance of winning from which a Kontra is answered by Re."""
_KONTRA: Final = 9.0
"""Strength from which a defender says Kontra."""
_JACK, _TRUMP, _ACE = 1.5, 1.0, 1.5
"""What a jack, another trump and a plain ace add to a defender's strength."""
_SKAT_POINTS: Final = 7
"""Card points in an average skat."""


def answer_to_offer(options: OfferOptions, sight: TableSight) -> Action:
    """What is offered where the hand is very strong; else `Decline`."""
    for offered in options.accepting:
        if _is_taken(offered, sight):
            return offered
    return Decline()


def _is_taken(offered: Action, sight: TableSight) -> bool:
    deal = sight.deal
    leads = sight.seat == deal.forehand
    match offered:
        case AcceptGrandHand():
            grand = Contract(ContractKind.GRAND, hand=True)
            shape = Shape(deal.hand)
            won = chances_of(grand, shape, leads=leads, points=_SKAT_POINTS).won
            return won >= _GRAND_HAND
        case SayKontra() if deal.contract is not None:
            return _defence(deal.contract.kind, deal.hand) >= _KONTRA
        case SayRe() if deal.contract is not None:
            shape, points = Shape(deal.hand), deal.known_discard_points
            return chances_of(deal.contract, shape, leads=leads, points=points).won >= _RE
        case _:
            return False


def _defence(kind: ContractKind, hand: tuple[Card, ...]) -> float:
    """The strength of a defender's hand; none in Null, where strength is no help."""
    if kind is ContractKind.NULL:
        return 0.0
    trumps = ranking_of(kind).trumps
    jacks = sum(card in JACKS for card in hand)
    others = sum(card in trumps for card in hand) - jacks
    aces = sum(card.rank is Rank.ACE and card not in trumps for card in hand)
    return _JACK * jacks + _TRUMP * others + _ACE * aces
