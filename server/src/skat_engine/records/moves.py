"""What the moves of a record can be: actions of the rules, and words of a server's own.

The rules know bids, cards and concessions. Servers let players do more: show the hand, walk
away, run out of time. Those words have types here, so that a record can hold them; what they
mean is the business of the server's own module, as `skat_engine.records.iss.house`.
"""

from dataclasses import dataclass
from typing import Final

from skat_engine.actions import Action
from skat_engine.cards import Card, cards_text
from skat_engine.contracts import Contract
from skat_engine.seats import Position


@dataclass(frozen=True, slots=True)
class NameGame:
    """Announce the contract first and put the cards down in a move of its own."""

    contract: Contract

    def __str__(self) -> str:
        """The contract."""
        return str(self.contract)


@dataclass(frozen=True, slots=True)
class ShowCards:
    """The declarer lays his cards open without claiming anything; play goes on."""

    cards: tuple[Card, ...] | None = None
    """The cards shown, where the record lists them."""

    def __str__(self) -> str:
        """The word and the cards."""
        return "SC" if self.cards is None else f"SC.{cards_text(self.cards)}"


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the rest away, in turn or not."""

    def __str__(self) -> str:
        """The word."""
        return "RE"


@dataclass(frozen=True, slots=True)
class TimeOut:
    """The clock of this position ran out."""

    def __str__(self) -> str:
        """The word."""
        return "TI"


@dataclass(frozen=True, slots=True)
class Leave:
    """This position left the table."""

    def __str__(self) -> str:
        """The word."""
        return "LE"


HouseMove = NameGame | ShowCards | Resign | TimeOut | Leave
"""A move that is not an action of the rules."""

Move = tuple[Position, Action | HouseMove]
"""Who did what. For `TimeOut` and `Leave` it is the position at fault."""

RESIGN: Final = Resign()
TIME_OUT: Final = TimeOut()
LEAVE: Final = Leave()
