"""Announced games."""

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final

from skat_client._cards import Card, Suit


class ContractKind(Enum):
    """The kinds of declarer games."""

    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3
    CLUBS = 4
    GRAND = 5
    NULL = 6

    @property
    def trump_suit(self) -> Suit | None:
        """The trump suit of a suit game; None in Grand and Null."""
        return Suit(self.value) if self.value <= Suit.CLUBS else None

    @property
    def base(self) -> int | None:
        """Game points of one level; None in Null, whose values are fixed."""
        return _BASE.get(self)

    def __str__(self) -> str:
        return self.name.lower()


_BASE: Final = {
    ContractKind.DIAMONDS: 9,
    ContractKind.HEARTS: 10,
    ContractKind.SPADES: 11,
    ContractKind.CLUBS: 12,
    ContractKind.GRAND: 24,
}


_SPITZE_CARD: Final = {
    ContractKind.DIAMONDS: Card.D7,
    ContractKind.HEARTS: Card.H7,
    ContractKind.SPADES: Card.S7,
    ContractKind.CLUBS: Card.C7,
    ContractKind.GRAND: Card.DJ,
}


class Level(IntEnum):
    """How far one side beats the other."""

    SIMPLE = 1
    """A plain win or loss."""
    SCHNEIDER = 2
    """One side has 30 card points or fewer."""
    SCHWARZ = 3
    """One side has no trick."""

    def __str__(self) -> str:
        return self.name.lower()

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


@dataclass(frozen=True, slots=True)
class Contract:
    """An announced game.

    >>> str(Contract(ContractKind.GRAND, hand=True, announced=Level.SCHNEIDER))
    'grand hand schneider'
    """

    kind: ContractKind
    hand: bool = False
    """Played without taking the skat."""
    announced: Level = Level.SIMPLE
    """The announced level; above simple only in Hand games of a suit or Grand."""
    ouvert: bool = False
    """Played with open cards."""
    spitze: bool = False
    """The lowest trump is announced to win the tenth trick; where the rules have it."""
    revolution: bool = False
    """Null ouvert against defenders who may rearrange their cards; where the rules have it."""

    @property
    def spitze_card(self) -> Card | None:
        """The lowest trump: the card that Spitze is announced with; None in Null."""
        return _SPITZE_CARD.get(self.kind)

    def __str__(self) -> str:
        words = [str(self.kind)]
        if self.hand:
            words.append("hand")
        if self.announced is not Level.SIMPLE:
            words.append(str(self.announced))
        if self.ouvert:
            words.append("ouvert")
        if self.spitze:
            words.append("spitze")
        if self.revolution:
            words.append("revolution")
        return " ".join(words)
