"""A hand as its suits: what strength is counted on."""

from collections.abc import Iterable
from typing import Final

from skat_client._models import Card, Rank, Suit

RANKS: Final = tuple(Rank)
SUITS: Final = tuple(Suit)
PLAIN_MASKS: Final = 1 << len(RANKS) - 1
"""Number of sets of cards of one suit without its jack."""
SUIT_MASKS: Final = 1 << len(RANKS)
"""Number of sets of cards of one suit."""


class Shape:
    """A set of cards as small masks.

    Attributes:
        suits: by suit, diamonds first: its cards without the jack, bit 0 the seven, bit 6 the
            ace.
        jacks: the jacks, bit 0 the diamond jack.
    """

    __slots__ = ("jacks", "suits")

    def __init__(self, cards: Iterable[Card]) -> None:
        """The shape of these cards."""
        self.suits = [0, 0, 0, 0]
        self.jacks = 0
        self._flip(cards)

    def without(self, cards: Iterable[Card]) -> "Shape":
        """The shape once these cards, which must be among them, are gone."""
        rest = Shape.__new__(Shape)
        rest.suits, rest.jacks = self.suits.copy(), self.jacks
        rest._flip(cards)
        return rest

    def _flip(self, cards: Iterable[Card]) -> None:
        for card in cards:
            rank, suit = divmod(card - 1, len(SUITS))
            if card.rank is Rank.JACK:
                self.jacks ^= 1 << suit
            else:
                self.suits[suit] ^= 1 << rank

    def whole_suits(self) -> tuple[int, ...]:
        """The masks of the suits with bit 7 for the jack, for games without trumps."""
        return tuple(
            mask | (self.jacks >> suit & 1) * PLAIN_MASKS for suit, mask in enumerate(self.suits)
        )


def ranks_in(mask: int) -> tuple[Rank, ...]:
    """The ranks of a mask of one suit, the lowest first."""
    return tuple(rank for rank in RANKS if mask >> rank - 1 & 1)
