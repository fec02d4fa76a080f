"""Ramsch: everyone for himself, and who takes most card points loses."""

from skat_client._models import (
    Card,
    ContractKind,
    ExchangeOptions,
    PassOn,
    PutDown,
)
from skat_client._sight import TableSight
from skat_client.bots.rules.ranking import ranking_of

_RANKING = ranking_of(ContractKind.GRAND)


def pass_or_put_down(options: ExchangeOptions) -> PassOn | PutDown:
    """Leave the skat alone: looking is paid for, or brings cards that others wanted away."""
    if options.may_pick_up:
        return PassOn()
    worst = sorted(options.cards, key=_burden, reverse=True)
    return PutDown(tuple(sorted(worst[: options.put_down_count])))


def card_in_ramsch(sight: TableSight, cards: tuple[Card, ...]) -> Card:
    """The card that takes fewest points, and keeps the low ones for later."""
    trick = [played.card for played in sight.deal.current_trick]
    if not trick:
        return _lead(sight, cards)
    best = _RANKING.best(trick)
    below = [card for card in cards if not _RANKING.beats(card, best)]
    if below:
        return max(below, key=_burden)
    if len(trick) == len(sight.deal.active_seats) - 1:
        # It takes the trick in any case, so it is the time for a card that takes tricks.
        return max(cards, key=lambda card: (_RANKING.height(card), -card.points))
    return min(cards, key=_RANKING.height)


def _lead(sight: TableSight, cards: tuple[Card, ...]) -> Card:
    """The card that most others can beat."""
    seen = {played.card for played in sight.deal.played} | set(sight.deal.hand)

    def stays_below(card: Card) -> tuple[int, int]:
        group, height = _RANKING.members[_RANKING.group(card)], _RANKING.height(card)
        higher = sum(other not in seen and _RANKING.height(other) > height for other in group)
        return higher, -card.points

    return max(cards, key=stays_below)


def _burden(card: Card) -> tuple[int, int]:
    return card.points, _RANKING.height(card)
