"""Two deals that look the same to somebody: what a viewer knows, and cards that may change places.

What a viewer may know is written down here once more, from the rules and without the engine's
own views, so that an error in those shows.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skat_engine import (
    Action,
    Announce,
    Card,
    CardSet,
    Deal,
    Dealt,
    Event,
    IllegalActionError,
    Position,
    PutDown,
    Rearrange,
    card_set,
    cards_in,
)
from skat_engine.events import (
    CardPlayed,
    CardsDealt,
    DefendersCompared,
    HandExposed,
    SkatPickedUp,
    SkatTaken,
    SpitzeRevealed,
)
from tests.strategies import Playthrough

Pair = tuple[Card, Card]
Viewer = Position | None
"""A position of the deal, or None for whoever has no cards in it."""


def cut(play: Playthrough, length: int) -> Playthrough:
    """The first moves of a deal."""
    return Playthrough(play.rules, play.dealt, play.moves[:length], play.occasion)


def events_of(play: Playthrough) -> Iterator[Event]:
    """Everything that happened, hidden cards included.

    Raises:
        IllegalActionError: a move may not be made.
    """
    deal = play.start()
    yield deal.opening()
    for position, action in play.moves:
        yield from deal.apply(position, action)


def known_cards(play: Playthrough, viewer: Viewer) -> CardSet:
    """The cards whose place a viewer has been shown at some time."""
    known = 0
    for event in events_of(play):
        known |= _shown(event, viewer)
    return CardSet(known)


def _shown(event: Event, viewer: Viewer) -> int:
    match event:
        case CardsDealt(dealt) if viewer is not None:
            return dealt.hands[viewer]
        case SkatTaken(who, skat) | SkatPickedUp(who, skat) if who == viewer:
            return card_set(skat or ())
        case CardPlayed(_, card) | SpitzeRevealed(_, card):
            return 1 << card
        case HandExposed(_, cards):
            return cards
        case DefendersCompared(who, partner, cards, others) if viewer in (who, partner):
            return (cards or 0) | (others or 0)
        case _:
            return 0


def swapped_card(card: Card, pair: Pair) -> Card:
    """The card, or its partner."""
    first, second = pair
    return {first: second, second: first}.get(card, card)


def swapped_set(cards: CardSet, pair: Pair) -> CardSet:
    """The cards with two in each other's place."""
    return card_set(swapped_card(card, pair) for card in cards_in(cards))


def swapped_deal(dealt: Dealt, pair: Pair) -> Dealt:
    """The deal with two cards in each other's place."""
    forehand, middlehand, rearhand = (swapped_set(hand, pair) for hand in dealt.hands)
    return Dealt((forehand, middlehand, rearhand), swapped_set(dealt.skat, pair))


def swapped_action(action: Action, pair: Pair) -> Action:
    """What looks the same from outside: hidden cards that are put down go with their places."""

    def others(cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple(swapped_card(card, pair) for card in cards)

    match action:
        case Announce(contract, discards):
            return Announce(contract, others(discards))
        case PutDown(cards):
            return PutDown(others(cards))
        case Rearrange(cards):
            return Rearrange(swapped_set(cards, pair))
        case _:
            return action


def swapped(play: Playthrough, pair: Pair) -> Playthrough:
    """The twin of a playthrough."""
    moves = tuple((position, swapped_action(action, pair)) for position, action in play.moves)
    return Playthrough(play.rules, swapped_deal(play.dealt, pair), moves, play.occasion)


def plainest(play: Playthrough) -> frozenset[int]:
    """The moves that a clock or a house bot would make as well: the first option."""
    deal, found = play.start(), set()
    for index, (position, action) in enumerate(play.moves):
        if position == deal.to_act and action == deal.legal(position)[0]:
            found.add(index)
        deal.apply(position, action)
    return frozenset(found)


def is_possible(play: Playthrough, plain: frozenset[int] = frozenset()) -> bool:
    """Whether every move is legal and the deal goes on after it: at its end nothing is hidden.

    Args:
        play: the deal so far.
        plain: moves that have to be the plainest ones.
    """
    try:
        deal = Deal(play.rules, play.dealt, play.occasion)
        for index, (position, action) in enumerate(play.moves):
            if index in plain and action != deal.legal(position)[0]:
                return False
            deal.apply(position, action)
    except IllegalActionError:
        return False
    return not deal.is_over


@dataclass(frozen=True)
class Twins:
    """The same deal twice, as far as its viewer may know."""

    viewer: Viewer
    one: Playthrough
    other: Playthrough

    def hides_from(self, viewer: Viewer) -> bool:
        """Whether somebody else may not see the difference either."""
        return known_cards(self.one, viewer) & self._moved == 0

    @property
    def _moved(self) -> int:
        pairs = zip(self.one.dealt.hands, self.other.dealt.hands, strict=True)
        moved = self.one.dealt.skat ^ self.other.dealt.skat
        for before, after in pairs:
            moved |= before ^ after
        return moved


def twins_of(
    play: Playthrough,
    viewer: Viewer,
    chance: random.Random,
    plain: frozenset[int] = frozenset(),
) -> Twins | None:
    """A twin of this playthrough for this viewer, None when there is none."""
    known = known_cards(play, viewer)
    hidden = [card for card in map(Card, range(32)) if not known >> card & 1]
    pairs = [(one, two) for one in hidden for two in hidden if one < two]
    chance.shuffle(pairs)
    for pair in pairs:
        other = swapped(play, pair)
        if other.dealt != play.dealt and is_possible(other, plain):
            return Twins(viewer, play, other)
    return None
