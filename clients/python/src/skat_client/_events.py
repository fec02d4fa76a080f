"""What happens at a table, as one viewer may know it. Seats count from 0, clockwise."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from skat_client._cards import Card
from skat_client._contracts import Contract, Level
from skat_client._results import DealResult


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody sat down."""

    seat: int
    player_name: str


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """Somebody got up. Play waits at this seat until somebody takes it."""

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
