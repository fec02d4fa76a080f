"""The result of one deal, in positions."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from skat_engine.cards import FULL_DECK, Card, CardSet
from skat_engine.contracts import Contract
from skat_engine.seats import Position
from skat_engine.valuation import NO_DOUBLING, Doubling, GameValue

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
    """The defenders accepted the declarer's open cards (R-END-7, R-END-8)."""
    CLAIM_RIGHT = "claim_right"
    """The declarer laid open and can take every remaining trick (R-END-9)."""
    CLAIM_WRONG = "claim_wrong"
    """The declarer laid open, cannot, and left the rest to the defenders (R-END-9)."""
    LAY_OPEN_FAILED = "lay_open_failed"
    """The declarer laid open, was not believed, and lost a trick (R-END-8)."""
    NULL_UNDERBID = "null_underbid"
    """The declarer announced a Null below the bid and lost at once (R-OVER-5)."""
    RAMSCH_PLAYED = "ramsch_played"
    """All ten tricks of a Ramsch were played (section 16)."""
    REDEALT = "redealt"
    """Nobody bid and nothing counts: the same dealer deals again (R-TAB-2, section 5)."""


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
    """Card points of the defenders' tricks; with the declarer's 120 when all were assigned."""
    value: GameValue
    doubling: Doubling = NO_DOUBLING
    """Kontra, Re and Bock, which `value.score` includes (R-KON-4, R-BOCK-1)."""
    replaces_ramsch: bool = False
    """A Grand Hand that was played instead of a Ramsch (R-RAM-12)."""


@dataclass(frozen=True, slots=True)
class RamschGame:
    """What a Ramsch came to."""

    points: tuple[int, int, int]
    """Card points per position as counted, the skat included where somebody gets it (R-RAM-2)."""
    looked: tuple[Position, ...]
    """Who picked the skat up (R-RAM-6)."""
    untouched: int
    """How many passed it on unseen; 0 where there is no exchange (R-RAM-6)."""
    knocked: bool
    """Somebody doubled it before play (section 21)."""
    durchmarsch: Position | None
    """Who took all ten tricks, where that is a win (R-RAM-7)."""
    skat: tuple[Card, ...]
    """The two cards left over, in rising order."""


@dataclass(frozen=True, slots=True)
class DealResult:
    """How a deal ended and what each position gets for it."""

    ending: Ending
    game: DeclarerGame | None
    """None when nobody was declarer."""
    scores: tuple[int, int, int]
    """Signed game points per position, without bonuses of a score sheet."""
    tricks: tuple[int, int, int]
    """Completed tricks per position."""
    dealt: Dealt
    """All cards as dealt, which everybody may see now."""
    ramsch: RamschGame | None = None
    """None when no Ramsch was played."""
