"""What a player may say or do, as frozen values with a text form.

``str(action)`` is what `skat_engine.notation.parse_action` reads back.
"""

from dataclasses import dataclass
from typing import Final

from skat_engine.bidding import BID_VALUES
from skat_engine.cards import CARD_TEXTS, DECK, Card, CardSet, by_byte
from skat_engine.contracts import Contract, Level


@dataclass(frozen=True, slots=True)
class Bid:
    """Name a number; also forehand's last option at 18 (R-BID-3, R-BID-4)."""

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
    """Show the hand and claim the game in a level (R-END-7)."""

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


Action = Bid | Hold | Pass | TakeSkat | PlayHand | Announce | PlayCard | GiveUp | LayOpen | Vote
"""Everything a player can send."""

HOLD: Final = Hold()
PASS: Final = Pass()
TAKE_SKAT: Final = TakeSkat()
PLAY_HAND: Final = PlayHand()
GIVE_UP: Final = GiveUp()
ACCEPT: Final = Vote(accept=True)
REJECT: Final = Vote(accept=False)
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
