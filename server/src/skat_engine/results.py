"""The result of one deal, in positions."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from skat_engine.cards import FULL_DECK, Card, CardSet
from skat_engine.contracts import Contract
from skat_engine.seats import Position
from skat_engine.valuation import GameValue

_SIZES: Final = (10, 10, 10, 2)


class Ending(Enum):
    """How a deal came to its end."""

    PASSED_IN = "passed_in"
    """Nobody bid; there is no declarer (section 5)."""
    PLAYED_OUT = "played_out"
    """All ten tricks were played."""
    NULL_LOST = "null_lost"
    """The declarer of a Null took a trick (R-NULL-1)."""
    DECLARER_GAVE_UP = "declarer_gave_up"
    """The declarer conceded (R-END-1, R-END-2)."""
    DEFENDERS_GAVE_UP = "defenders_gave_up"
    """The defenders conceded (R-END-4)."""
    CLAIM_ACCEPTED = "claim_accepted"
    """The defenders accepted the declarer's open cards (R-END-7)."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards as dealt: ten for each position and the skat."""

    hands: tuple[CardSet, CardSet, CardSet]
    skat: CardSet

    def __post_init__(self) -> None:
        """Every card is in exactly one place."""
        (forehand, middlehand, rearhand), skat = self.hands, self.skat
        sizes = tuple(map(int.bit_count, (forehand, middlehand, rearhand, skat)))
        if sizes != _SIZES or forehand | middlehand | rearhand | skat != FULL_DECK:
            raise ValueError("a deal is three hands of ten and a skat of two, all different")


@dataclass(frozen=True, slots=True)
class DeclarerGame:
    """What a deal with a declarer came to."""

    declarer: Position
    bid: int
    contract: Contract
    discards: tuple[Card, ...]
    """The cards put down, or the untouched skat of a Hand game, in rising order."""
    declarer_points: int
    """Card points of the declarer's tricks and of skat or discards, 0 to 120."""
    defender_points: int
    """Card points of the defenders' completed tricks."""
    value: GameValue


@dataclass(frozen=True, slots=True)
class DealResult:
    """How a deal ended and what each position gets for it."""

    ending: Ending
    game: DeclarerGame | None
    """None when the deal was passed in."""
    scores: tuple[int, int, int]
    """Signed game points per position, without bonuses of a score sheet."""
    tricks: tuple[int, int, int]
    """Completed tricks per position."""
    dealt: Dealt
    """All cards as dealt, which everybody may see now."""
