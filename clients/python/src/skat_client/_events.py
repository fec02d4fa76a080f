"""What happens at a table, as one viewer may know it. Seats count from 0, clockwise."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from skat_client._cards import Card
from skat_client._contracts import Contract, Level
from skat_client._policies import FaultCause
from skat_client._results import DealResult


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody sat down."""

    seat: int
    player_name: str


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """Somebody got up. The seat's clock runs on."""

    seat: int


@dataclass(frozen=True, slots=True)
class DealStarted:
    """Cards were dealt."""

    deal_number: int
    """Counted from 1 in the series."""
    dealer: int
    active_seats: tuple[int, ...]
    """Forehand, middlehand, rearhand."""
    sitting_out: tuple[int, ...]
    """Empty with three seats."""
    hand: tuple[Card, ...]
    """The viewer's ten cards; empty for spectators and for whoever sits out."""
    bock: bool = False
    """A Bock deal: every score counts twice."""
    ramsch_round: bool = False
    """A deal of a Ramsch round: there is no bidding."""
    grand_hand_offered: bool = False
    """In a Ramsch round: Grand Hand is offered; not in a forced Ramsch."""
    deal_id: str = ""
    """Id of the deal, as in its record."""
    commitment: bytes = b""
    """What binds the deal to its seed, 32 bytes; empty for cards that were given."""


@dataclass(frozen=True, slots=True)
class BidMade:
    """A number was named."""

    seat: int
    value: int


@dataclass(frozen=True, slots=True)
class BidHeld:
    """A number was held."""

    seat: int
    value: int


@dataclass(frozen=True, slots=True)
class BidPassed:
    """A player left the auction."""

    seat: int


@dataclass(frozen=True, slots=True)
class AuctionWon:
    """The auction has a winner, the declarer."""

    seat: int
    bid: int
    """The number to reach."""


@dataclass(frozen=True, slots=True)
class SkatTaken:
    """The declarer picked the skat up."""

    seat: int
    skat: tuple[Card, ...]
    """The two cards; empty for everybody but the declarer."""


@dataclass(frozen=True, slots=True)
class HandChosen:
    """The declarer plays Hand."""

    seat: int


@dataclass(frozen=True, slots=True)
class ContractAnnounced:
    """The game was named."""

    seat: int
    contract: Contract
    """Every implied flag is set."""
    discards: tuple[Card, ...]
    """The cards put down; empty for everybody but the declarer and in a Hand game."""


@dataclass(frozen=True, slots=True)
class HandExposed:
    """The declarer's cards lie open for everybody."""

    seat: int
    cards: tuple[Card, ...]
    """The cards held now."""


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """Three cards made a trick; its winner leads next."""

    seat: int
    """The winner."""
    cards: tuple[Card, ...]
    """In the order played."""
    points: int
    """Their card points."""


class ProposalKind(Enum):
    """What others are asked to agree to."""

    DECLARER_GIVES_UP = 1
    """The declarer gives up; one defender must agree."""
    DEFENDERS_GIVE_UP = 2
    """A defender gives up for both; the declarer accepts or plays on."""
    CLAIM = 3
    """The declarer laid open and claims a level; both defenders must agree."""
    ALL_TRICKS = 4
    """The declarer laid open and claims every remaining trick; both defenders must agree."""
    SCHENKEN = 5
    """The defenders give up in the first trick; who plays on then must make Schneider."""

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True, slots=True)
class ShorteningProposed:
    """Somebody wants to end the deal here and others are asked, one after the other."""

    seat: int
    kind: ProposalKind
    level: Level
    """The level claimed; simple for anything but a claim."""


@dataclass(frozen=True, slots=True)
class VoteCast:
    """Somebody answered the open proposal."""

    seat: int
    accept: bool


@dataclass(frozen=True, slots=True)
class ProposalDeclined:
    """The open proposal failed and play goes on."""

    kind: ProposalKind


@dataclass(frozen=True, slots=True)
class DealEnded:
    """The deal has its result and is booked."""

    result: DealResult
    changes: tuple[int, ...]
    """What the deal adds to each seat's total, bonuses of the score sheet included."""
    totals: tuple[int, ...]
    """Each seat's total after the deal."""
    seed: bytes = b""
    """The seed that the commitment bound, 32 bytes; empty for cards that were given."""


@dataclass(frozen=True, slots=True)
class SeriesEnded:
    """The last deal of the series is booked; nothing but `TableClosed` follows."""

    totals: tuple[int, ...]
    """Each seat's final total."""
    places: tuple[int, ...]
    """Places by seat, 1 is first; equal places can be parted only by lot."""


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table is gone; nothing follows."""

    reason: str
    """Why, for people."""
    cause: FaultCause | None = None
    """Why, where a fault closed it."""
    seat: int | None = None
    """The seat at fault, where there is one."""


@dataclass(frozen=True, slots=True)
class DecisionDefaulted:
    """A decision got its safe answer instead of the seat's own; the answer's events follow."""

    seat: int
    cause: FaultCause | None
    """None where this version of the client does not know it."""


@dataclass(frozen=True, slots=True)
class SeatTakenOver:
    """From now on a house bot plays for a seat."""

    seat: int
    cause: FaultCause | None
    """None where this version of the client does not know it."""


@dataclass(frozen=True, slots=True)
class SeatReturned:
    """The player of a seat plays again himself."""

    seat: int


@dataclass(frozen=True, slots=True)
class DealVoided:
    """The deal under way is dropped and counts for nobody; its number is dealt anew."""

    reason: str
    """Why, for people."""


@dataclass(frozen=True, slots=True)
class ConcessionOffered:
    """A defender would give up and asks the other one. Only the defenders are told."""

    seat: int
    partner: int
    """Who is asked."""


@dataclass(frozen=True, slots=True)
class ConcessionRefused:
    """A defender will not give up with the other one. Only the defenders are told."""

    seat: int
    partner: int
    """Who had offered."""


@dataclass(frozen=True, slots=True)
class GrandHandDeclined:
    """A player did not want Grand Hand instead of the Ramsch."""

    seat: int


@dataclass(frozen=True, slots=True)
class GrandHandAccepted:
    """A player plays Grand Hand instead of the Ramsch, as its declarer."""

    seat: int


@dataclass(frozen=True, slots=True)
class RamschStarted:
    """There is no declarer: everyone for himself."""


@dataclass(frozen=True, slots=True)
class SkatPickedUp:
    """A player picked the skat of a Ramsch up."""

    seat: int
    skat: tuple[Card, ...]
    """The two cards; empty for everybody else."""


@dataclass(frozen=True, slots=True)
class SkatPassedOn:
    """A player passed the skat of a Ramsch on unseen."""

    seat: int


@dataclass(frozen=True, slots=True)
class CardsPutDown:
    """A player put two cards down for the next one of a Ramsch."""

    seat: int
    cards: tuple[Card, ...]
    """The two cards; empty for everybody else."""


@dataclass(frozen=True, slots=True)
class Knocked:
    """A player doubled the Ramsch, or let it be."""

    seat: int
    knock: bool
    """Whether it is doubled."""


@dataclass(frozen=True, slots=True)
class KontraAnswered:
    """A defender said Kontra, or did not."""

    seat: int
    kontra: bool
    """Whether the game is doubled."""


@dataclass(frozen=True, slots=True)
class ReAnswered:
    """The declarer said Re, or did not."""

    seat: int
    re: bool
    """Whether the game is doubled again."""


@dataclass(frozen=True, slots=True)
class SpitzeRevealed:
    """The card with which Spitze was announced."""

    seat: int
    """The declarer."""
    card: Card


@dataclass(frozen=True, slots=True)
class DefendersCompared:
    """The defenders of a Revolution see one another's cards."""

    seat: int
    """The defender who may deal both hands anew."""
    partner: int
    """The other one."""
    cards: tuple[Card, ...]
    """Cards of `seat`; empty for all but the defenders."""
    partner_cards: tuple[Card, ...]
    """Cards of `partner`; empty for all but the defenders."""


@dataclass(frozen=True, slots=True)
class HandsRearranged:
    """The defenders of a Revolution have their final hands."""

    seat: int
    """The defender who was asked."""
    partner: int
    """The other one."""
    cards: tuple[Card, ...]
    """Cards of `seat`; empty for all but the defenders."""
    partner_cards: tuple[Card, ...]
    """Cards of `partner`; empty for all but the defenders."""


@dataclass(frozen=True, slots=True)
class EndRequested:
    """Somebody asked for the end of a series that has no other.

    It ends with the deal under way, or with the circuit of dealers where the rules want that.
    """

    seat: int | None
    """None when the table's owner asked, who may not sit there."""


@dataclass(frozen=True, slots=True)
class UnknownEvent:
    """A fact that this version of the client cannot read. Skip it; its sequence counts."""


Event = (
    SeatTaken
    | SeatLeft
    | DealStarted
    | BidMade
    | BidHeld
    | BidPassed
    | AuctionWon
    | SkatTaken
    | HandChosen
    | ContractAnnounced
    | HandExposed
    | CardPlayed
    | TrickTaken
    | ShorteningProposed
    | VoteCast
    | ProposalDeclined
    | DealEnded
    | SeriesEnded
    | TableClosed
    | DecisionDefaulted
    | SeatTakenOver
    | SeatReturned
    | DealVoided
    | ConcessionOffered
    | ConcessionRefused
    | GrandHandDeclined
    | GrandHandAccepted
    | RamschStarted
    | SkatPickedUp
    | SkatPassedOn
    | CardsPutDown
    | Knocked
    | KontraAnswered
    | ReAnswered
    | SpitzeRevealed
    | DefendersCompared
    | HandsRearranged
    | EndRequested
    | UnknownEvent
)
"""Everything that can happen at a table."""


@dataclass(frozen=True, slots=True)
class TableEvent:
    """An event with its number and its time."""

    sequence: int
    """The viewer's own number of this event at this table, from 1 and without gaps."""
    at: datetime
    """When it became durable, in UTC, rounded to 10 ms."""
    event: Event
