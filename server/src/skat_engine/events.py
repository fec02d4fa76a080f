"""Facts that a transition yields, in the order in which they happened.

An event names everything about itself, hidden cards included; `skat_engine.views` makes of
it what one viewer may know.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from skat_engine.cards import DECK, Card, CardSet
from skat_engine.contracts import Contract, Level
from skat_engine.results import DealResult, Dealt
from skat_engine.seats import POSITIONS, Position
from skat_engine.tricks import Trick


class ProposalKind(Enum):
    """What the others are asked to agree to (section 15)."""

    DECLARER_GIVES_UP = "declarer_gives_up"
    """Needs the consent of one defender (R-END-2)."""
    DEFENDERS_GIVE_UP = "defenders_give_up"
    """The declarer accepts, or plays on (R-END-4)."""
    CLAIM = "claim"
    """The declarer laid open; needs both defenders (R-END-7)."""


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """The deal begins. A view keeps the hand of its viewer only."""

    dealt: Dealt


@dataclass(frozen=True, slots=True)
class HandDealt:
    """What a viewer sees of the dealing: the own hand, or nothing."""

    hand: CardSet | None
    """None for a spectator."""


@dataclass(frozen=True, slots=True)
class BidMade:
    """A position named a number."""

    position: Position
    value: int


@dataclass(frozen=True, slots=True)
class BidHeld:
    """A position held the number named."""

    position: Position
    value: int


@dataclass(frozen=True, slots=True)
class Passed:
    """A position left the auction."""

    position: Position


@dataclass(frozen=True, slots=True)
class AuctionWon:
    """The auction is over and has a declarer."""

    declarer: Position
    bid: int


@dataclass(frozen=True, slots=True)
class SkatTaken:
    """The declarer picked the skat up."""

    declarer: Position
    skat: tuple[Card, ...] | None
    """The two cards; None for all but the declarer (R-SKAT-3)."""


@dataclass(frozen=True, slots=True)
class HandChosen:
    """The declarer plays Hand."""

    declarer: Position


@dataclass(frozen=True, slots=True)
class ContractAnnounced:
    """The game is named and final (R-ANN-5)."""

    declarer: Position
    contract: Contract
    discards: tuple[Card, ...] | None
    """The cards put down, empty in a Hand game; None for all but the declarer."""


@dataclass(frozen=True, slots=True)
class HandExposed:
    """The declarer's cards lie open for everybody (R-ANN-8, R-END-7)."""

    declarer: Position
    cards: CardSet


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card on the table."""

    position: Position
    card: Card


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """The third card made a trick."""

    trick: Trick


@dataclass(frozen=True, slots=True)
class ShorteningProposed:
    """Somebody wants to end the deal here and others are asked."""

    position: Position
    kind: ProposalKind
    level: Level
    """The level claimed; `SIMPLE` for anything but a claim."""


@dataclass(frozen=True, slots=True)
class VoteCast:
    """A position answered the open proposal."""

    position: Position
    accept: bool


@dataclass(frozen=True, slots=True)
class ProposalDeclined:
    """The open proposal failed and play goes on."""

    kind: ProposalKind


@dataclass(frozen=True, slots=True)
class DealEnded:
    """The deal has its result; all cards are public now."""

    result: DealResult


Event = (
    CardsDealt
    | HandDealt
    | BidMade
    | BidHeld
    | Passed
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
)
"""Everything that can happen in a deal."""

CARDS_PLAYED: Final = tuple(
    tuple(CardPlayed(position, card) for card in DECK) for position in POSITIONS
)
"""The 96 events of a card on the table, made once."""
