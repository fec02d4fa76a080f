"""What a player may say or do, as frozen values with a text form.

``str(action)`` is what `skat_engine.notation.parse_action` reads back.
"""

from dataclasses import dataclass
from typing import Final

from skat_engine.bidding import BID_VALUES
from skat_engine.cards import (
    CARD_TEXTS,
    DECK,
    Card,
    CardSet,
    by_byte,
    cards_in,
    cards_text,
)
from skat_engine.contracts import Contract, Level


@dataclass(frozen=True, slots=True)
class Bid:
    """Name a number; also forehand's last option (R-BID-3, R-BID-4)."""

    value: int

    def __str__(self) -> str:
        """The number."""
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Hold:
    """Accept the number the bidder named (R-BID-3)."""

    def __str__(self) -> str:
        """The word."""
        return "hold"


@dataclass(frozen=True, slots=True)
class Pass:
    """Leave the auction (R-BID-3)."""

    def __str__(self) -> str:
        """The word."""
        return "pass"


@dataclass(frozen=True, slots=True)
class TakeSkat:
    """Pick the skat up (R-SKAT-2)."""

    def __str__(self) -> str:
        """The word."""
        return "take"


@dataclass(frozen=True, slots=True)
class PlayHand:
    """Leave the skat where it is and play Hand (R-SKAT-2)."""

    def __str__(self) -> str:
        """The word."""
        return "hand"


@dataclass(frozen=True, slots=True)
class Announce:
    """Name the game and, when the skat was taken, put two cards down (R-SKAT-4).

    The discards are kept in rising order; a repeated card is kept, so that it can be refused.
    """

    contract: Contract
    discards: tuple[Card, ...] = ()
    """Two cards after taking the skat, none in a Hand game."""

    def __post_init__(self) -> None:
        """Bring the discards into one order, so that equal announcements are equal."""
        object.__setattr__(self, "discards", tuple(sorted(self.discards)))

    def __str__(self) -> str:
        """Contract and discards joined by dots: ``C.H7.S7``, ``GH``."""
        return ".".join((str(self.contract), *(CARD_TEXTS[c] for c in self.discards)))


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card to the trick (R-PLAY-2)."""

    card: Card

    def __str__(self) -> str:
        """The card."""
        return CARD_TEXTS[self.card]


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Concede the rest: the declarer his game, a defender the defence (R-END-1, R-END-4)."""

    def __str__(self) -> str:
        """The word."""
        return "give-up"


@dataclass(frozen=True, slots=True)
class LayOpen:
    """Show the hand and claim the game in a level (R-END-7).

    Where laying open claims all remaining tricks, the level is always `SIMPLE` (R-END-8, R-END-9).
    """

    level: Level

    def __str__(self) -> str:
        """The word and the level: ``open:schneider``."""
        return f"open:{self.level.name.lower()}"


@dataclass(frozen=True, slots=True)
class Vote:
    """Answer a proposal to shorten the deal."""

    accept: bool

    def __str__(self) -> str:
        """The word."""
        return "accept" if self.accept else "reject"


@dataclass(frozen=True, slots=True)
class Decline:
    """Let an offer go by: Grand Hand, Kontra, Re, a knock, other hands."""

    def __str__(self) -> str:
        """The word."""
        return "decline"


@dataclass(frozen=True, slots=True)
class AcceptGrandHand:
    """Play Grand Hand instead of the Ramsch (R-RAM-11)."""

    def __str__(self) -> str:
        """The word."""
        return "grand-hand"


@dataclass(frozen=True, slots=True)
class PickUp:
    """Pick the skat of a Ramsch up (R-RAM-5)."""

    def __str__(self) -> str:
        """The word."""
        return "pick-up"


@dataclass(frozen=True, slots=True)
class PassOn:
    """Pass the skat of a Ramsch on unseen (R-RAM-5)."""

    def __str__(self) -> str:
        """The word."""
        return "pass-on"


@dataclass(frozen=True, slots=True)
class PutDown:
    """Put two cards down after picking the skat of a Ramsch up (R-RAM-5).

    The cards are kept in rising order; a repeated card is kept, so that it can be refused.
    """

    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        """Bring the cards into one order, so that equal actions are equal."""
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))

    def __str__(self) -> str:
        """The word and the cards: ``down:H7.S7``."""
        return f"down:{cards_text(self.cards)}"


@dataclass(frozen=True, slots=True)
class Knock:
    """Double the Ramsch before it is played (section 21, ``klopfen``)."""

    def __str__(self) -> str:
        """The word."""
        return "knock"


@dataclass(frozen=True, slots=True)
class SayKontra:
    """Double the game as a defender (R-KON-1)."""

    def __str__(self) -> str:
        """The word."""
        return "kontra"


@dataclass(frozen=True, slots=True)
class SayRe:
    """Double the game again as its declarer (R-KON-1)."""

    def __str__(self) -> str:
        """The word."""
        return "re"


@dataclass(frozen=True, slots=True)
class Rearrange:
    """Deal the defenders' cards anew in a Revolution (section 21)."""

    cards: CardSet
    """What the defender who is asked keeps; the other one gets the rest."""

    def __str__(self) -> str:
        """The word and the cards: ``keep:D7.D8``."""
        return f"keep:{cards_text(cards_in(self.cards))}"


Action = (
    Bid
    | Hold
    | Pass
    | TakeSkat
    | PlayHand
    | Announce
    | PlayCard
    | GiveUp
    | LayOpen
    | Vote
    | Decline
    | AcceptGrandHand
    | PickUp
    | PassOn
    | PutDown
    | Knock
    | SayKontra
    | SayRe
    | Rearrange
)
"""Everything a player can send."""

HOLD: Final = Hold()
PASS: Final = Pass()
TAKE_SKAT: Final = TakeSkat()
PLAY_HAND: Final = PlayHand()
GIVE_UP: Final = GiveUp()
ACCEPT: Final = Vote(accept=True)
REJECT: Final = Vote(accept=False)
DECLINE: Final = Decline()
ACCEPT_GRAND_HAND: Final = AcceptGrandHand()
PICK_UP: Final = PickUp()
PASS_ON: Final = PassOn()
KNOCK: Final = Knock()
SAY_KONTRA: Final = SayKontra()
SAY_RE: Final = SayRe()
BIDS: Final[dict[int, Action]] = {value: Bid(value) for value in BID_VALUES}
PLAY_CARDS: Final[tuple[Action, ...]] = tuple(PlayCard(card) for card in DECK)
LAY_OPENS: Final[tuple[Action, ...]] = tuple(LayOpen(level) for level in Level)

_PLAYS_0, _PLAYS_1, _PLAYS_2, _PLAYS_3 = by_byte(PLAY_CARDS)


def plays_of(cards: CardSet) -> tuple[Action, ...]:
    """The actions of playing each of these cards, in rising order."""
    return (
        _PLAYS_0[cards & 255]
        + _PLAYS_1[cards >> 8 & 255]
        + _PLAYS_2[cards >> 16 & 255]
        + _PLAYS_3[cards >> 24]
    )
