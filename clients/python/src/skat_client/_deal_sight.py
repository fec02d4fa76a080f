"""What one viewer knows of a deal."""

from dataclasses import dataclass, field
from typing import NamedTuple

from skat_client._cards import Card
from skat_client._contracts import Contract
from skat_client._events import (
    BidHeld,
    BidMade,
    BidPassed,
    ConcessionOffered,
    DecisionDefaulted,
    ShorteningProposed,
    VoteCast,
)
from skat_client._results import DealResult


class SeatCard(NamedTuple):
    """A card and the seat that played it."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Trick:
    """A completed trick."""

    leader: int
    cards: tuple[SeatCard, ...]
    """In the order played."""
    winner: int
    points: int
    """Card points of its cards."""


@dataclass(slots=True)
class DealSight:
    """What one viewer knows of the current deal."""

    number: int
    """Counted from 1; 0 before the first deal."""
    dealer: int
    active_seats: tuple[int, ...]
    """Forehand, middlehand, rearhand; empty before the first deal."""
    sitting_out: tuple[int, ...]
    dealt_hand: tuple[Card, ...]
    """The viewer's ten cards as dealt; empty for spectators and for whoever sits out."""
    hand: tuple[Card, ...]
    """The viewer's cards now, in rising order; twelve with the skat taken."""
    auction: list[BidMade | BidHeld | BidPassed] = field(default_factory=list)
    declarer: int | None = None
    """Seat of the declarer, from the end of the auction."""
    bid: int = 0
    """The highest number named or held so far; from the end of the auction the one to reach."""
    is_hand: bool | None = None
    """Whether the declarer left the skat; None before the decision."""
    contract: Contract | None = None
    skat: tuple[Card, ...] = ()
    """The skat as dealt, where known: to the declarer who took it, to all after the deal."""
    discards: tuple[Card, ...] = ()
    """The cards put down, where known: to the declarer, to all after the deal."""
    tricks: list[Trick] = field(default_factory=list)
    current_trick: list[SeatCard] = field(default_factory=list)
    """The cards on the table in the order played; empty between tricks."""
    exposed: tuple[Card, ...] = ()
    """The declarer's cards now, once they lie open."""
    proposal: ShorteningProposed | None = None
    """The open proposal to end the deal."""
    votes: list[VoteCast] = field(default_factory=list)
    """Answers to the open proposal."""
    declarer_points: int = 0
    """Card points of the declarer's completed tricks, without skat or discards."""
    defender_points: int = 0
    """Card points of the defenders' completed tricks."""
    result: DealResult | None = None
    """Present once the deal is over."""
    points: dict[int, int] = field(default_factory=dict)
    """By seat: card points of its completed tricks; for a Ramsch, where there are no sides."""
    is_bock: bool = False
    """A Bock deal: every score counts twice."""
    is_ramsch_round: bool = False
    """A deal of a Ramsch round: there is no bidding."""
    is_ramsch: bool = False
    """A Ramsch has started: there is no declarer."""
    replaces_ramsch: bool = False
    """The declarer plays Grand Hand instead of a Ramsch."""
    looked: list[int] = field(default_factory=list)
    """Seats that picked the skat of the Ramsch up."""
    passed_on: list[int] = field(default_factory=list)
    """Seats that passed it on unseen."""
    picked_up: tuple[Card, ...] = ()
    """The cards that the viewer picked up in a Ramsch."""
    put_down: tuple[Card, ...] = ()
    """The cards that the viewer put down in a Ramsch."""
    knocked: int | None = None
    """Seat that doubled the Ramsch."""
    kontra: int | None = None
    """Seat of the defender who said Kontra."""
    re: bool = False
    """The declarer answered Re."""
    spitze_card: Card | None = None
    """The card with which Spitze was announced, once it was shown."""
    concession: ConcessionOffered | None = None
    """A defender's open offer to give up together; only the defenders know of it."""
    partner_hand: tuple[Card, ...] = ()
    """The other defender's cards now, where a Revolution has shown them."""
    defaulted: list[DecisionDefaulted] = field(default_factory=list)
    """Decisions that got their safe answer."""
    is_voided: bool = False
    """The deal was dropped and counts for nobody; its number is dealt anew."""

    @property
    def forehand(self) -> int:
        """Seat of forehand, who leads to the first trick."""
        return self.active_seats[0]

    @property
    def middlehand(self) -> int:
        """Seat of middlehand."""
        return self.active_seats[1]

    @property
    def rearhand(self) -> int:
        """Seat of rearhand."""
        return self.active_seats[2]

    @property
    def defenders(self) -> tuple[int, ...]:
        """Seats of the defenders; empty while there is no declarer."""
        if self.declarer is None:
            return ()
        return tuple(seat for seat in self.active_seats if seat != self.declarer)

    @property
    def known_discard_points(self) -> int:
        """Card points of the discards as far as the viewer knows them."""
        return sum(card.points for card in self.discards)

    @property
    def played(self) -> tuple[SeatCard, ...]:
        """Every card played in this deal, in order."""
        past = tuple(played for trick in self.tricks for played in trick.cards)
        return past + tuple(self.current_trick)

    def is_declarer(self, seat: int | None) -> bool:
        """Whether this seat is the declarer."""
        return seat is not None and seat == self.declarer

    @property
    def factor(self) -> int:
        """What Kontra, Re and Bock multiply the score by."""
        return (1 + (self.kontra is not None)) * (1 + self.re) * (1 + self.is_bock)
