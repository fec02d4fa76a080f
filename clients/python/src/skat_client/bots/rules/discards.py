"""Which two cards to put down."""

from collections.abc import Iterable
from itertools import combinations

from skat_client._models import Card, Contract, ContractKind, Rank
from skat_client.bots.rules.prospects import Prospect, chances_of
from skat_client.bots.rules.shape import Shape
from skat_client.bots.rules.values import game_value


def best_discards(
    contract: Contract, cards: tuple[Card, ...], *, bid: int, leads: bool
) -> Prospect:
    """A game with the pair put down that makes it worth most.

    Args:
        contract: what is to be played.
        cards: the twelve cards.
        bid: the number to reach.
        leads: whether the declarer is forehand.
    """
    shape, value = Shape(cards), game_value(contract, cards)

    def prospect(pair: tuple[Card, ...]) -> Prospect:
        points = sum([card.points for card in pair])
        chances = chances_of(contract, shape.without(pair), leads=leads, points=points)
        return Prospect(contract, chances, value, pair)

    prospects = map(prospect, _pairs(contract.kind, cards))
    return max(prospects, key=lambda found: found.expected(bid))


def _pairs(kind: ContractKind, cards: tuple[Card, ...]) -> Iterable[tuple[Card, ...]]:
    """The pairs worth a thought: what a game is won with stays, if there is something else."""
    for choice in _choices(kind, cards):
        if len(choice) > 1:
            return combinations(choice, 2)
    return combinations(cards, 2)


def _choices(kind: ContractKind, cards: tuple[Card, ...]) -> Iterable[list[Card]]:
    """The cards to choose from, the narrowest choice first."""
    if kind is ContractKind.NULL:
        yield [card for card in cards if card.rank > Rank.EIGHT]
    else:
        plain = [c for c in cards if c.rank is not Rank.JACK and c.suit is not kind.trump_suit]
        yield [card for card in plain if card.rank is not Rank.ACE]
        yield plain
