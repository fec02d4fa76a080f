"""How likely others hold a card, and how likely a trick is won with one."""

from collections.abc import Iterable
from typing import Final

from skat_client._models import Card, ContractKind, Rank
from skat_client.bots.rules.knowledge import Knowledge

_SKAT_CARDS: Final = 2
_DECLARER_TRUMP: Final = 2.5
"""A trump that a defender does not see is more likely with the declarer ..."""
_DECLARER_PLAIN: Final = 0.7
"""... whose hand has less room for the rest."""
_SKAT_TRUMP: Final = 0.1
_SKAT_ACE: Final = 0.3
_SKAT_PLAIN: Final = 1.4
"""Nobody puts trumps down, and few an ace."""


class Odds:
    """Chances of single cards, worked out once a decision."""

    def __init__(self, knowledge: Knowledge) -> None:
        """Odds from what one seat knows."""
        self._known = knowledge
        self._ranking = knowledge.ranking
        self._chances: dict[int, dict[Card, float]] = {seat: {} for seat in knowledge.others}
        room = [(seat, self._room(seat)) for seat in knowledge.others]
        for card in knowledge.unseen:
            self._place(card, room)

    def _place(self, card: Card, room: list[tuple[int, tuple[float, float]]]) -> None:
        """Share one card out among those who may hold it."""
        known, is_trump = self._known, self._ranking.group(card) is None
        weights = [
            (seat, trump if is_trump else plain)
            for seat, (trump, plain) in room
            if known.may_hold(seat, card)
        ]
        total = sum([weight for _, weight in weights])
        lies_open = known.exposed is not None and card in known.exposed
        if not known.skat_is_known and not lies_open:
            total += _SKAT_CARDS * self._skat_bias(card, is_trump=is_trump)
        for seat, weight in weights:
            self._chances[seat][card] = weight / total

    def _room(self, seat: int) -> tuple[float, float]:
        """How much room a seat has for each trump and for each plain card."""
        known = self._known
        cards = float(known.cards_left(seat))
        if known.kind is ContractKind.NULL or seat != known.declarer:
            return cards, cards
        return _DECLARER_TRUMP * cards, _DECLARER_PLAIN * cards

    def _skat_bias(self, card: Card, *, is_trump: bool) -> float:
        if self._known.contract.hand or self._known.kind is ContractKind.NULL:
            return 1.0
        if is_trump:
            return _SKAT_TRUMP
        return _SKAT_ACE if card.rank is Rank.ACE else _SKAT_PLAIN

    def holds(self, seat: int, card: Card) -> float:
        """Chance that a seat holds a card."""
        return self._chances[seat].get(card, 0.0)

    def holds_any(self, seat: int, cards: Iterable[Card]) -> float:
        """Chance that a seat holds at least one of these cards."""
        none = 1.0
        chances = self._chances[seat]
        for card in cards:
            none *= 1.0 - chances.get(card, 0.0)
        return 1.0 - none

    def beats(self, seat: int, best: Card, led: Card) -> float:
        """Chance that a seat can take the trick from its best card."""
        known, ranking = self._known, self._ranking
        group, best_group, height = ranking.group(led), ranking.group(best), ranking.height(best)
        chance = 0.0
        if best_group is group:
            chance = self.holds_any(
                seat, (c for c in known.out(group) if ranking.height(c) > height)
            )
        if group is None:
            return chance
        trumps = (c for c in known.out(None) if best_group is not None or c > best)
        void = 1.0 - self.holds_any(seat, known.out(group))
        return chance + void * self.holds_any(seat, trumps)

    def trick(self, card: Card) -> float:
        """Chance that the own side takes this trick when the seat plays this card."""
        known = self._known
        best = known.best
        led = known.trick[0].card if known.trick else card
        if best is None or self._ranking.beats(card, best.card):
            return self._stays_ours(card, led)
        if not known.is_friend(best.seat):
            return sum(self.beats(s, best.card, led) for s in known.to_come if known.is_friend(s))
        return self._stays_ours(best.card, led)

    def _stays_ours(self, best: Card, led: Card) -> float:
        known = self._known
        chance = 1.0
        for seat in known.to_come:
            if not known.is_friend(seat):
                chance *= 1.0 - self.beats(seat, best, led)
        if known.partner in known.to_come:
            chance += (1.0 - chance) * self._rescued(known.partner, led)
        return chance

    def _rescued(self, partner: int, led: Card) -> float:
        """Chance that the partner takes what the declarer, who has to follow, would take."""
        out = self._known.out(self._ranking.group(led))
        if not out:
            return 0.0
        follows = self.holds_any(self._known.declarer, out)
        return self.holds(partner, out[-1]) * follows
