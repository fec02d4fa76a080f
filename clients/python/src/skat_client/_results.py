"""What a deal came to."""

from dataclasses import dataclass
from enum import Enum

from skat_client._cards import Card
from skat_client._contracts import Contract, Level


@dataclass(frozen=True, slots=True)
class DealtCards:
    """All cards of a deal, by position."""

    forehand: tuple[Card, ...]
    middlehand: tuple[Card, ...]
    rearhand: tuple[Card, ...]
    skat: tuple[Card, ...]


class Ending(Enum):
    """How a deal came to its end."""

    PASSED_IN = 1
    """Nobody bid; there is no declarer."""
    PLAYED_OUT = 2
    """All ten tricks were played."""
    NULL_LOST = 3
    """The declarer of a Null took a trick."""
    DECLARER_GAVE_UP = 4
    """The declarer conceded."""
    DEFENDERS_GAVE_UP = 5
    """The defenders conceded."""
    CLAIM_ACCEPTED = 6
    """The defenders accepted the declarer's open cards."""


@dataclass(frozen=True, slots=True)
class GameValue:
    """What a declarer game is worth and how that comes about, in game points."""

    base: int
    """Base value of the suit or Grand; the fixed value in Null."""
    matadors: int
    """Positive with, negative without, 0 in Null."""
    level: Level
    """The level that counted, announced or reached by either side."""
    multiplier: int
    """Levels in all; 1 in Null."""
    raw: int
    """`base * multiplier`, which is compared with the bid."""
    overbid: bool
    """`raw` is below the bid, so the game is lost."""
    won: bool
    """Whether the declarer won."""
    value: int
    """What is booked before the loss rule; rounded up to the bid when overbid."""
    score: int
    """Signed game points of the declarer."""


@dataclass(frozen=True, slots=True)
class DeclarerGame:
    """What a deal with a declarer came to."""

    seat: int
    """The declarer."""
    bid: int
    """The number to reach."""
    contract: Contract
    discards: tuple[Card, ...]
    """The cards put down, or the untouched skat of a Hand game."""
    declarer_points: int
    """Card points of the declarer's tricks and of skat or discards."""
    defender_points: int
    """Card points of the defenders' completed tricks."""
    value: GameValue


@dataclass(frozen=True, slots=True)
class DealResult:
    """How a deal ended. All cards are public now."""

    ending: Ending
    game: DeclarerGame | None
    """None when the deal was passed in."""
    scores: tuple[int, ...]
    """Signed game points per seat, without bonuses of the score sheet."""
    tricks: tuple[int, ...]
    """Completed tricks of forehand, middlehand and rearhand."""
    dealt: DealtCards
    """The cards as dealt."""
