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
    CLAIM_RIGHT = 7
    """The declarer laid open and can take every remaining trick."""
    CLAIM_WRONG = 8
    """The declarer laid open, cannot, and left the rest to the defenders."""
    LAY_OPEN_FAILED = 9
    """The declarer laid open, was not believed, and lost a trick."""
    NULL_UNDERBID = 10
    """The declarer announced a Null below the bid and lost at once."""
    RAMSCH_PLAYED = 11
    """All ten tricks of a Ramsch were played."""
    REDEALT = 12
    """Nobody bid and nothing counts: the same dealer deals again."""


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
    kontra: bool = False
    """A defender said Kontra; the score is doubled."""
    re: bool = False
    """The declarer answered Re; the score is doubled again."""
    bock: bool = False
    """A Bock deal; the score is doubled."""
    replaces_ramsch: bool = False
    """A Grand Hand that was played instead of a Ramsch."""


@dataclass(frozen=True, slots=True)
class RamschGame:
    """What a Ramsch came to."""

    points: tuple[int, ...]
    """Card points as counted, of forehand, middlehand and rearhand."""
    looked: tuple[int, ...]
    """Seats of those who looked into the skat."""
    untouched: int
    """How many passed the skat on unseen."""
    knocked: bool
    """Somebody doubled it before play."""
    durchmarsch: int | None
    """Seat that took all ten tricks, where that is a win."""
    skat: tuple[Card, ...]
    """The two cards left over."""


@dataclass(frozen=True, slots=True)
class DealResult:
    """How a deal ended. All cards are public now."""

    ending: Ending
    game: DeclarerGame | None
    """None when nobody was declarer."""
    scores: tuple[int, ...]
    """Signed game points per seat, without bonuses of the score sheet."""
    tricks: tuple[int, ...]
    """Completed tricks of forehand, middlehand and rearhand."""
    dealt: DealtCards
    """The cards as dealt."""
    ramsch: RamschGame | None = None
    """None when no Ramsch was played."""
