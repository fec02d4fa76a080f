"""One trick: who wins it and what it is worth."""

from typing import NamedTuple

from skat_engine.cards import CARD_POINTS, Card
from skat_engine.contracts import CardOrder
from skat_engine.seats import Position


class Trick(NamedTuple):
    """A completed trick.

    A named tuple, because a deal makes ten of them and a frozen dataclass takes twice as long.
    """

    leader: Position
    cards: tuple[Card, Card, Card]
    """In the order played, the leader's first."""
    winner: Position
    points: int
    """Card points of the three cards."""

    @property
    def winning_card(self) -> Card:
        """The card that took the trick."""
        return self.cards[(self.winner - self.leader) % 3]


def complete_trick(leader: Position, cards: tuple[Card, Card, Card], order: CardOrder) -> Trick:
    """The trick with its winner: highest trump, else highest of the suit led (R-PLAY-3)."""
    first, second, third = cards
    strength = order.strength[first]
    best, ahead = strength[first], 0
    if strength[second] > best:
        best, ahead = strength[second], 1
    if strength[third] > best:
        ahead = 2
    points = CARD_POINTS[first] + CARD_POINTS[second] + CARD_POINTS[third]
    return Trick(leader, cards, (leader + ahead) % 3, points)
