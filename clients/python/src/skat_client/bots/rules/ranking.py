"""How cards follow and beat one another, as much of the rules as a player has in mind."""

from collections.abc import Iterable
from typing import Final

from skat_client._models import Card, ContractKind, Rank, Suit

Group = Suit | None
"""Cards that follow one another: a plain suit, or None for the trumps."""

JACKS: Final = (Card.CJ, Card.SJ, Card.HJ, Card.DJ)
"""The four jacks, the highest first."""

NULL_RANKS: Final = (
    Rank.SEVEN,
    Rank.EIGHT,
    Rank.NINE,
    Rank.TEN,
    Rank.JACK,
    Rank.QUEEN,
    Rank.KING,
    Rank.ACE,
)
_SIZE: Final = len(Card) + 1
"""Tables are indexed by card; cards count from 1."""


class Ranking:
    """Groups and heights of the cards in one kind of game. Use `ranking_of`.

    Attributes:
        trumps: the trumps, the highest first: matadors are counted along them.
        members: the cards of each group, the lowest first.
    """

    def __init__(self, kind: ContractKind) -> None:
        """The ranking of one kind of game."""
        trump_suit = kind.trump_suit
        is_null = kind is ContractKind.NULL
        self._groups: list[Group] = [None] * _SIZE
        self._heights = [0] * _SIZE
        for card in Card:
            is_trump = not is_null and (card in JACKS or card.suit is trump_suit)
            self._groups[card] = None if is_trump else card.suit
            self._heights[card] = NULL_RANKS.index(card.rank) if is_null else int(card)
        self.trumps = tuple(
            sorted((c for c in Card if self._groups[c] is None), key=self.height, reverse=True)
        )
        groups: tuple[Group, ...] = (None, *Suit)
        self.members: dict[Group, tuple[Card, ...]] = {
            group: tuple(sorted((c for c in Card if self._groups[c] is group), key=self.height))
            for group in groups
        }

    def group(self, card: Card) -> Group:
        """What has to be followed when this card is led."""
        return self._groups[card]

    def height(self, card: Card) -> int:
        """Compares cards of one group."""
        return self._heights[card]

    def beats(self, card: Card, best: Card) -> bool:
        """Whether a card takes the trick from the best one before it."""
        group = self._groups[card]
        if group is self._groups[best]:
            return self._heights[card] > self._heights[best]
        return group is None

    def best(self, cards: Iterable[Card]) -> Card:
        """The card that takes the trick, of cards in the order played."""
        best: Card | None = None
        for card in cards:
            if best is None or self.beats(card, best):
                best = card
        assert best is not None
        return best


_RANKINGS: Final = {kind: Ranking(kind) for kind in ContractKind}


def ranking_of(kind: ContractKind) -> Ranking:
    """The ranking of a kind of game, made once."""
    return _RANKINGS[kind]
