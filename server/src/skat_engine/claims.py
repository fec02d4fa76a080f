"""Whether a declarer can take every remaining trick: an exact search (R-END-9).

All cards are known to the search, and the defenders do what they can. Once the declarer
leads he must lead every trick, so only two things matter of a defender's card: which of the
declarer's cards it beats, and which it has to follow. Cards that agree in both are one.
"""

from collections.abc import Sequence

from skat_engine.cards import DECK, Card, CardSet, card_set, cards_in
from skat_engine.contracts import CardOrder, legal_cards
from skat_engine.seats import Position
from skat_engine.tricks import complete_trick

_TRICK_CARDS = 3


def can_take_all(
    hands: Sequence[CardSet],
    declarer: Position,
    leader: Position,
    table: tuple[Card, ...],
    order: CardOrder,
) -> bool:
    """Whether the declarer takes the trick under way and all that follow, against any defence.

    Args:
        hands: the cards each position holds.
        declarer: who claims.
        leader: who led, or leads, the trick under way.
        table: the cards of that trick, the leader's first.
        order: the ranking tables of a trump game.
    """
    return _Claim(declarer, order).takes_all(tuple(hands), leader, table)


class _Claim:
    """The search for one claim, with what it has found so far."""

    def __init__(self, declarer: Position, order: CardOrder) -> None:
        self.declarer = declarer
        self.order = order
        self.beaten_by = tuple(_beaten_by(card, order) for card in DECK)
        self.found: dict[tuple[object, ...], bool] = {}

    def takes_all(
        self, hands: tuple[CardSet, ...], leader: Position, table: tuple[Card, ...]
    ) -> bool:
        """The trick under way, card by card; from the next one on the declarer leads."""
        if len(table) == _TRICK_CARDS:
            first, second, third = table
            trick = complete_trick(leader, (first, second, third), self.order)
            return trick.winner == self.declarer and self.leads_to_all(hands)
        if leader == self.declarer and not table:
            return self.leads_to_all(hands)
        position = (leader + len(table)) % 3
        held = hands[position]
        cards = cards_in(legal_cards(held, table[0] if table else None, self.order))
        outcomes = (
            self.takes_all(_without(hands, position, card), leader, (*table, card))
            for card in cards
        )
        return any(outcomes) if position == self.declarer else all(outcomes)

    def leads_to_all(self, hands: tuple[CardSet, ...]) -> bool:
        """Whether some card led wins whatever is played, and so on to the last one."""
        own = hands[self.declarer]
        first, second = (hands[(self.declarer + step) % 3] for step in (1, 2))
        kinds = (self._kinds(first, own), self._kinds(second, own))
        if not any(beaten for hand in kinds for beaten, _ in hand):
            return True
        key = (own, *kinds)
        if key not in self.found:
            self.found[key] = any(
                self._wins_with(card, own, first, second) for card in cards_in(own)[::-1]
            )
        return self.found[key]

    def _wins_with(self, card: Card, own: CardSet, first: CardSet, second: CardSet) -> bool:
        replies = [legal_cards(hand, card, self.order) for hand in (first, second)]
        if any(self.beaten_by[one] >> card & 1 for held in replies for one in cards_in(held)):
            return False
        rest = CardSet(own & ~(1 << card))
        return all(
            self.leads_to_all(self._hands(rest, first & ~(1 << one), second & ~(1 << two)))
            for one in self._different(replies[0], rest)
            for two in self._different(replies[1], rest)
        )

    def _hands(self, own: CardSet, first: int, second: int) -> tuple[CardSet, ...]:
        """The three hands at their positions."""
        hands = [own, CardSet(first), CardSet(second)]
        return tuple(hands[(position - self.declarer) % 3] for position in range(3))

    def _kind(self, card: Card, own: CardSet) -> tuple[int, int]:
        """Which of the declarer's cards this one beats, and which it follows."""
        return self.beaten_by[card] & own, self.order.follow[card] & own

    def _kinds(self, hand: CardSet, own: CardSet) -> tuple[tuple[int, int], ...]:
        return tuple(sorted(self._kind(card, own) for card in cards_in(hand)))

    def _different(self, cards: CardSet, own: CardSet) -> list[Card]:
        """One card of each kind."""
        return list({self._kind(card, own): card for card in cards_in(cards)}.values())


def _beaten_by(card: Card, order: CardOrder) -> int:
    """The cards that this one beats when they are led."""
    return card_set(led for led in DECK if order.strength[led][card] > order.strength[led][led])


def _without(hands: tuple[CardSet, ...], position: Position, card: Card) -> tuple[CardSet, ...]:
    return tuple(
        CardSet(hand & ~(1 << card)) if who == position else hand for who, hand in enumerate(hands)
    )
