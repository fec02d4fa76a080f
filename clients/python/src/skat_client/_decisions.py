"""The open question to a seat, and everything that may be answered."""

from dataclasses import dataclass
from enum import Enum

from skat_client._actions import Action
from skat_client._cards import Card
from skat_client._contracts import Contract, Level
from skat_client._events import ProposalKind
from skat_client._policies import DecisionClock


class Phase(Enum):
    """Where a deal stands."""

    BIDDING = 1
    """The auction."""
    FOREHAND_OPTION = 2
    """Both others passed without a number: forehand may take the game at 18."""
    SKAT_DECISION = 3
    """The declarer takes the skat or plays Hand."""
    ANNOUNCE = 4
    """The declarer names the game and discards."""
    PLAY = 5
    """The ten tricks."""
    SHORTENING_VOTE = 6
    """Somebody proposed to end the deal, and others are asked."""
    DEAL_OVER = 7
    """The deal has its result."""
    GRAND_HAND_OFFER = 8
    """Grand Hand is offered instead of a Ramsch, one player after the other."""
    RAMSCH_EXCHANGE = 9
    """The skat of a Ramsch goes round."""
    KNOCKING = 10
    """The Ramsch may be doubled before it is played."""
    KONTRA = 11
    """A defender may say Kontra, or the declarer Re."""
    REARRANGEMENT = 12
    """A defender of a Revolution may deal both defenders' cards anew."""

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True, slots=True)
class BiddingOptions:
    """In the auction: `Pass` always, and `Hold` or one of the bids as far as offered."""

    may_hold: bool
    """A number waits for an answer: hold it, or pass."""
    last_bid: int
    """The number that waits, or the last one held; 0 when there is none."""
    bids: tuple[int, ...]
    """The numbers that may be named, the lowest first; empty when one waits for an answer."""


@dataclass(frozen=True, slots=True)
class ForehandOptions:
    """Forehand's last option: `Pass`, which passes the deal in, or one of the bids."""

    bids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SkatOptions:
    """The declarer's first question: `TakeSkat` or `PlayHand`."""

    bid: int
    """The number to reach."""


@dataclass(frozen=True, slots=True)
class AnnounceOptions:
    """`Announce` any of the contracts together with any discards.

    With Spitze, `Contract.spitze_card` is not put down.
    """

    contracts: tuple[Contract, ...]
    discard_count: int
    """How many cards to put down: 2 after taking the skat, 0 in a Hand game."""
    discardable: tuple[Card, ...]
    """The cards to choose them from, all different; empty in a Hand game."""


@dataclass(frozen=True, slots=True)
class CardOptions:
    """`PlayCard` one of the cards."""

    cards: tuple[Card, ...]
    """The cards that may be played, the lowest first."""


@dataclass(frozen=True, slots=True)
class VoteOptions:
    """`Vote` on a proposal to end the deal here."""

    kind: ProposalKind
    seat: int
    """Who proposes it."""
    level: Level
    """The level claimed."""


@dataclass(frozen=True, slots=True)
class OfferOptions:
    """`Decline` always, or one of what is offered: Grand Hand, a knock, Kontra, Re."""

    accepting: tuple[Action, ...]
    """`AcceptGrandHand`, `Knock`, `SayKontra` or `SayRe`."""


@dataclass(frozen=True, slots=True)
class ExchangeOptions:
    """The skat of a Ramsch: `PickUp` or `PassOn`; after picking up, `PutDown`."""

    may_pick_up: bool
    """It may be picked up or passed on."""
    put_down_count: int
    """How many cards to put down: 2 after picking up, else 0."""
    cards: tuple[Card, ...]
    """The cards to choose them from, all different."""


@dataclass(frozen=True, slots=True)
class RearrangeOptions:
    """`Decline`, which keeps both hands, or `Rearrange` with ten of the cards."""

    cards: tuple[Card, ...]
    """The defenders' twenty cards."""


Options = (
    BiddingOptions
    | ForehandOptions
    | SkatOptions
    | AnnounceOptions
    | CardOptions
    | VoteOptions
    | OfferOptions
    | ExchangeOptions
    | RearrangeOptions
)
"""What may be answered, one type a phase."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The open question to one seat.

    No rules are needed to answer it: whatever is picked from the options is legal.
    """

    table_id: str
    turn_id: str
    """Names the question; the same after a reconnect, new for every question."""
    seat: int
    """The seat asked."""
    phase: Phase
    first_option: Action
    """The plainest legal answer: pass in the auction, the lowest card in play."""
    options: Options
    interventions: tuple[Action, ...] = ()
    """In play: proposals to end the deal, and Kontra, that may be answered instead of a card."""
    clock: DecisionClock | None = None
    """How long the seat may still think; None where nobody waits, as in the rules service."""
