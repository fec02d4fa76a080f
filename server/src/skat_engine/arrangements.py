"""How the defenders of a Revolution may deal their cards anew (section 21)."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Final, overload

from skat_engine.actions import DECLINE, Action, Rearrange
from skat_engine.cards import Card, CardSet, card_set, cards_in

HAND_CARDS: Final = 10


class Arrangements(Sequence[Action]):
    """Keeping the hands, then every hand of ten out of the defenders' twenty cards, on demand.

    Attributes:
        cards: the cards of both defenders.
    """

    __slots__ = ("cards",)

    def __init__(self, cards: CardSet) -> None:
        """Choose from these cards."""
        self.cards = cards

    def __len__(self) -> int:
        """Number of options."""
        return 1 + comb(self.cards.bit_count(), HAND_CARDS)

    def __contains__(self, action: object) -> bool:
        """Whether this is one of them."""
        if not isinstance(action, Rearrange):
            return action == DECLINE
        return action.cards.bit_count() == HAND_CARDS and action.cards & ~self.cards == 0

    def __iter__(self) -> Iterator[Action]:
        """All options, lower cards first."""
        yield DECLINE
        for hand in combinations(cards_in(self.cards), HAND_CARDS):
            yield Rearrange(card_set(hand))

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...
    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        """The option at this place in the order of iteration."""
        if isinstance(index, slice):
            return tuple(self[place] for place in range(len(self))[index])
        place = range(len(self))[index]
        return Rearrange(card_set(_combination(self.cards, place - 1))) if place else DECLINE


def _combination(cards: CardSet, number: int) -> list[Card]:
    """The hand of this number, as `itertools.combinations` counts them."""
    chosen: list[Card] = []
    rest = cards_in(cards)
    for place, card in enumerate(rest):
        wanted = HAND_CARDS - len(chosen)
        with_card = comb(len(rest) - place - 1, wanted - 1) if wanted else 0
        if number < with_card:
            chosen.append(card)
        else:
            number -= with_card
    return chosen
