"""What a player says or does."""

from dataclasses import dataclass

from skat_client._cards import Card, cards_text
from skat_client._contracts import Contract, Level


@dataclass(frozen=True, slots=True)
class Bid:
    """Name a number in the auction, or take the game at forehand's last option."""

    value: int
    """One of the 63 game values, 18 to 264, above the last number."""

    def __str__(self) -> str:
        return f"bid {self.value}"


@dataclass(frozen=True, slots=True)
class Hold:
    """Accept the number that the bidder named."""

    def __str__(self) -> str:
        return "hold"


@dataclass(frozen=True, slots=True)
class Pass:
    """Leave the auction; at forehand's last option, pass the deal in."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class TakeSkat:
    """Pick up the two cards of the skat."""

    def __str__(self) -> str:
        return "take skat"


@dataclass(frozen=True, slots=True)
class PlayHand:
    """Leave the skat unseen and play Hand."""

    def __str__(self) -> str:
        return "play hand"


@dataclass(frozen=True, slots=True)
class Announce:
    """Name the game and put cards down. Final once accepted."""

    contract: Contract
    discards: tuple[Card, ...] = ()
    """Two different cards of the hand after taking the skat, none in a Hand game."""

    def __str__(self) -> str:
        if not self.discards:
            return f"announce {self.contract}"
        return f"announce {self.contract}, put down {cards_text(self.discards)}"


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card to the trick."""

    card: Card

    def __str__(self) -> str:
        return f"play {self.card}"


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Concede: the declarer his game, a defender the defence."""

    def __str__(self) -> str:
        return "give up"


@dataclass(frozen=True, slots=True)
class LayOpen:
    """Lay the hand open for everybody and claim the game."""

    level: Level = Level.SIMPLE
    """The level claimed."""

    def __str__(self) -> str:
        return f"lay open, claim {self.level}"


@dataclass(frozen=True, slots=True)
class Vote:
    """Answer the open proposal to end the deal here."""

    accept: bool

    def __str__(self) -> str:
        return "accept" if self.accept else "reject"


@dataclass(frozen=True, slots=True)
class Decline:
    """Let an offer go by: Grand Hand, a knock, Kontra, Re, rearranged hands."""

    def __str__(self) -> str:
        return "decline"


@dataclass(frozen=True, slots=True)
class AcceptGrandHand:
    """Play Grand Hand instead of the Ramsch, as its declarer and without a bid."""

    def __str__(self) -> str:
        return "accept grand hand"


@dataclass(frozen=True, slots=True)
class PickUp:
    """Pick the skat of a Ramsch up; two cards have to be put down then."""

    def __str__(self) -> str:
        return "pick up"


@dataclass(frozen=True, slots=True)
class PassOn:
    """Pass the skat of a Ramsch on without looking."""

    def __str__(self) -> str:
        return "pass on"


@dataclass(frozen=True, slots=True)
class PutDown:
    """Put two cards down for the next player of a Ramsch."""

    cards: tuple[Card, ...]
    """Two different cards of the hand."""

    def __str__(self) -> str:
        return f"put down {cards_text(self.cards)}"


@dataclass(frozen=True, slots=True)
class Knock:
    """Double the Ramsch before it is played."""

    def __str__(self) -> str:
        return "knock"


@dataclass(frozen=True, slots=True)
class SayKontra:
    """Double the game as a defender."""

    def __str__(self) -> str:
        return "say kontra"


@dataclass(frozen=True, slots=True)
class SayRe:
    """Double the game again as its declarer."""

    def __str__(self) -> str:
        return "say re"


@dataclass(frozen=True, slots=True)
class Rearrange:
    """Deal the defenders' cards of a Revolution anew."""

    cards: tuple[Card, ...]
    """The ten cards that the defender who is asked keeps; the other one gets the rest."""

    def __str__(self) -> str:
        return f"keep {cards_text(self.cards)}"


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
"""Everything a player may do."""
