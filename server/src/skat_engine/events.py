"""Facts that a transition yields, in the order in which they happened.

An event names everything about itself, hidden cards included; `skat_engine.views` makes of
it what one viewer may know.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from skat_engine.cards import DECK, Card, CardSet
from skat_engine.contracts import Contract, Level
from skat_engine.occasions import ORDINARY, Occasion
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
    ALL_TRICKS = "all_tricks"
    """The declarer laid open and claims every remaining trick; needs both defenders (R-END-8)."""
    SCHENKEN = "schenken"
    """The defenders give up in the first trick; who plays on must make Schneider (section 21)."""


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """The deal begins. A view keeps the hand of its viewer only."""

    dealt: Dealt
    occasion: Occasion = ORDINARY
    """Whether this is a Bock deal, or one of a Ramsch round without bidding."""


@dataclass(frozen=True, slots=True)
class HandDealt:
    """What a viewer sees of the dealing: the own hand, or nothing."""

    hand: CardSet | None
    """None for a spectator."""
    occasion: Occasion = ORDINARY


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
class ConcessionOffered:
    """A defender would give up and asks the other one (R-END-5).

    The declarer learns of it only when both agree, by `ShorteningProposed`.
    """

    position: Position
    partner: Position


@dataclass(frozen=True, slots=True)
class ConcessionRefused:
    """A defender will not give up with the other one (R-END-5)."""

    position: Position
    partner: Position
    """Who had offered."""


@dataclass(frozen=True, slots=True)
class GrandHandDeclined:
    """A position did not want to play Grand Hand instead of the Ramsch (R-RAM-11)."""

    position: Position


@dataclass(frozen=True, slots=True)
class GrandHandAccepted:
    """A position plays Grand Hand instead of the Ramsch (R-RAM-12)."""

    declarer: Position


@dataclass(frozen=True, slots=True)
class RamschStarted:
    """There is no declarer: everyone for himself (R-RAM-1).

    Not told where no action leads to it: in a Ramsch round without an offer of Grand Hand.
    """


@dataclass(frozen=True, slots=True)
class SkatPickedUp:
    """A position picked the skat of a Ramsch up (R-RAM-5)."""

    position: Position
    skat: tuple[Card, ...] | None
    """The two cards; None for the others."""


@dataclass(frozen=True, slots=True)
class SkatPassedOn:
    """A position passed the skat of a Ramsch on unseen (R-RAM-5)."""

    position: Position


@dataclass(frozen=True, slots=True)
class CardsPutDown:
    """A position put two cards down for the next one (R-RAM-5)."""

    position: Position
    cards: tuple[Card, ...] | None
    """None for the others; who picks them up sees them then."""


@dataclass(frozen=True, slots=True)
class Knocked:
    """A position doubled the Ramsch, or let it be (section 21)."""

    position: Position
    knock: bool


@dataclass(frozen=True, slots=True)
class KontraAnswered:
    """A defender said Kontra, or did not (R-KON-1)."""

    position: Position
    kontra: bool


@dataclass(frozen=True, slots=True)
class ReAnswered:
    """The declarer said Re, or did not (R-KON-1)."""

    declarer: Position
    re: bool


@dataclass(frozen=True, slots=True)
class SpitzeRevealed:
    """The card with which Spitze was announced is shown to everybody (R-SPI-3)."""

    declarer: Position
    card: Card


@dataclass(frozen=True, slots=True)
class DefendersCompared:
    """The defenders of a Revolution see one another's cards (section 21)."""

    position: Position
    """The defender who may deal them anew."""
    partner: Position
    cards: CardSet | None
    """The cards of `position`; None for all but the defenders."""
    partner_cards: CardSet | None
    """The cards of `partner`; None for all but the defenders."""


@dataclass(frozen=True, slots=True)
class HandsRearranged:
    """The defenders of a Revolution have their final hands (section 21)."""

    position: Position
    partner: Position
    cards: CardSet | None
    """The cards of `position`; None for all but the defenders."""
    partner_cards: CardSet | None
    """The cards of `partner`; None for all but the defenders."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """What a viewer gets of an event that he must not learn of."""


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
    | Unseen
    | DealEnded
)
"""Everything that can happen in a deal."""

CARDS_PLAYED: Final = tuple(
    tuple(CardPlayed(position, card) for card in DECK) for position in POSITIONS
)
"""The 96 events of a card on the table, made once."""
