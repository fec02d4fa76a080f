"""The 32 cards."""

from collections.abc import Iterable
from enum import IntEnum
from typing import Final


class Suit(IntEnum):
    """The four suits, the cheapest first."""

    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3
    CLUBS = 4

    def __str__(self) -> str:
        return self.name.lower()

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


class Rank(IntEnum):
    """The eight ranks in the order of suit games and Grand, jacks on top."""

    SEVEN = 1
    EIGHT = 2
    NINE = 3
    QUEEN = 4
    KING = 5
    TEN = 6
    ACE = 7
    JACK = 8

    def __str__(self) -> str:
        return self.name.lower()

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


_SUITS: Final = tuple(Suit)
_RANKS: Final = tuple(Rank)
_POINTS: Final = (0, 0, 0, 3, 4, 10, 11, 2)


class Card(IntEnum):
    """A card, named by suit letter D H S C and rank letter 7 8 9 Q K T A J (T is the ten).

    Cards sort by rank, jacks on top, and by suit within a rank, as the server sends them.

    >>> Card.CJ.suit, Card.CJ.rank, Card.CJ.points, str(Card.CJ)
    (<Suit.CLUBS: 4>, <Rank.JACK: 8>, 2, 'CJ')
    """

    D7 = 1
    H7 = 2
    S7 = 3
    C7 = 4
    D8 = 5
    H8 = 6
    S8 = 7
    C8 = 8
    D9 = 9
    H9 = 10
    S9 = 11
    C9 = 12
    DQ = 13
    HQ = 14
    SQ = 15
    CQ = 16
    DK = 17
    HK = 18
    SK = 19
    CK = 20
    DT = 21
    HT = 22
    ST = 23
    CT = 24
    DA = 25
    HA = 26
    SA = 27
    CA = 28
    DJ = 29
    HJ = 30
    SJ = 31
    CJ = 32

    @property
    def suit(self) -> Suit:
        """The printed suit, also of a jack."""
        return _SUITS[(self - 1) % 4]

    @property
    def rank(self) -> Rank:
        """The rank."""
        return _RANKS[(self - 1) // 4]

    @property
    def points(self) -> int:
        """Card points: 11 for an ace, 10 for a ten, 4, 3, 2 for king, queen, jack, else 0."""
        return _POINTS[(self - 1) // 4]

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by blanks, in the order given.

    Raises:
        ValueError: a word is not one of the 32 names.

    >>> parse_cards("CJ H7")
    (<Card.CJ: 32>, <Card.H7: 2>)
    """
    unknown = [word for word in text.split() if word not in Card.__members__]
    if unknown:
        raise ValueError(
            f"{unknown[0]!r} is not a card; write suit D H S C and rank 7 8 9 Q K T A J"
        )
    return tuple(Card[word] for word in text.split())


def cards_text(cards: Iterable[Card]) -> str:
    """The cards in the order given, joined by blanks.

    >>> cards_text((Card.CJ, Card.H7))
    'CJ H7'
    """
    return " ".join(card.name for card in cards)
