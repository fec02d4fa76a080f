"""The 32 cards, as small ints, and sets of them, as 32-bit masks.

A card is ``rank * 4 + suit``. With ranks ordered ``7 8 9 Q K T A J`` the lowest bit of a
mask is its cheapest card and the four jacks are the top four bits.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Final, NewType, TypeVar

from skat_engine.errors import NotationError

Card = NewType("Card", int)
"""A card, 0 (``D7``) to 31 (``CJ``)."""

CardSet = NewType("CardSet", int)
"""A set of cards: bit ``c`` is set when card ``c`` is in it."""


class Suit(IntEnum):
    """The four suits, by rising jack and rising base value (R-VAL)."""

    DIAMONDS = 0
    HEARTS = 1
    SPADES = 2
    CLUBS = 3


class Rank(IntEnum):
    """The eight ranks in the order of suit games and Grand, jacks on top (R-CARD-3)."""

    SEVEN = 0
    EIGHT = 1
    NINE = 2
    QUEEN = 3
    KING = 4
    TEN = 5
    ACE = 6
    JACK = 7


SUIT_LETTERS: Final = "DHSC"
RANK_LETTERS: Final = "789QKTAJ"

DECK: Final[tuple[Card, ...]] = tuple(Card(c) for c in range(32))
"""All cards in rising order (R-CARD-1)."""

EMPTY: Final = CardSet(0)
FULL_DECK: Final = CardSet(0xFFFF_FFFF)
JACKS: Final = CardSet(0xF000_0000)

_POINTS_OF_RANK: Final = (0, 0, 0, 3, 4, 10, 11, 2)

CARD_POINTS: Final[tuple[int, ...]] = tuple(_POINTS_OF_RANK[c >> 2] for c in DECK)
"""Card points (Augen) of each card; 120 in all (R-CARD-2)."""

CARD_TEXTS: Final[tuple[str, ...]] = tuple(SUIT_LETTERS[c & 3] + RANK_LETTERS[c >> 2] for c in DECK)
_CARD_OF_TEXT: Final = {text: Card(c) for c, text in enumerate(CARD_TEXTS)}


def new_card(suit: Suit, rank: Rank) -> Card:
    """The card of this suit and rank."""
    return Card(rank * 4 + suit)


def suit_of(card: Card) -> Suit:
    """The printed suit, also of a jack."""
    return Suit(card & 3)


def rank_of(card: Card) -> Rank:
    """The rank."""
    return Rank(card >> 2)


def card_text(card: Card) -> str:
    """The card as suit and rank letter.

    >>> card_text(new_card(Suit.CLUBS, Rank.JACK))
    'CJ'
    """
    return CARD_TEXTS[card]


def parse_card(text: str) -> Card:
    """Read ``CJ``, ``H7``, ``DT``.

    Raises:
        NotationError: the text is not one of the 32 names.
    """
    card = _CARD_OF_TEXT.get(text)
    if card is None:
        raise NotationError(f"{text!r} is not a card; write suit C S H D and rank A K Q J T 9 8 7")
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by spaces or dots, in the order given."""
    words = text.replace(".", " ").split()
    try:
        return tuple([_CARD_OF_TEXT[word] for word in words])
    except KeyError:
        return tuple(map(parse_card, words))  # says which one


def card_set(cards: Iterable[Card]) -> CardSet:
    """The set of these cards; a card named twice counts once."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return CardSet(mask)


def cards_text(cards: Iterable[Card]) -> str:
    """The cards joined by dots, as records write them."""
    return ".".join([CARD_TEXTS[card] for card in cards])


Item = TypeVar("Item")


def by_byte(items: Sequence[Item]) -> tuple[tuple[tuple[Item, ...], ...], ...]:
    """Tables that turn a set into things about its cards, a byte of the mask at a time.

    Args:
        items: one thing for each of the 32 cards.

    Returns:
        Per byte of a mask, lowest first, per value of that byte: the things of its cards.
    """
    return tuple(
        tuple(tuple(items[low + bit] for bit in range(8) if byte >> bit & 1) for byte in range(256))
        for low in (0, 8, 16, 24)
    )


_CARDS_0, _CARDS_1, _CARDS_2, _CARDS_3 = by_byte(DECK)
_POINTS_0, _POINTS_1, _POINTS_2, _POINTS_3 = (
    tuple(map(sum, table)) for table in by_byte(CARD_POINTS)
)


def cards_in(cards: CardSet) -> tuple[Card, ...]:
    """The members of a set in rising order."""
    return (
        _CARDS_0[cards & 255]
        + _CARDS_1[cards >> 8 & 255]
        + _CARDS_2[cards >> 16 & 255]
        + _CARDS_3[cards >> 24]
    )


def points_in(cards: CardSet) -> int:
    """The card points of a set, 0 to 120 (R-CARD-2)."""
    return (
        _POINTS_0[cards & 255]
        + _POINTS_1[cards >> 8 & 255]
        + _POINTS_2[cards >> 16 & 255]
        + _POINTS_3[cards >> 24]
    )


def hand_text(cards: CardSet) -> str:
    """A set as text, high cards first, suits together: ``CJ DJ CA C9 H7``."""
    order = sorted(cards_in(cards), key=_display_key)
    return " ".join(CARD_TEXTS[card] for card in order)


def _display_key(card: Card) -> tuple[bool, int, int]:
    is_jack = card >> 2 == Rank.JACK
    return (not is_jack, -(card & 3), -(card >> 2))
