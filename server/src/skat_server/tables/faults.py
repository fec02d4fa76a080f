"""What happens to a seat that does not play as asked."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from skat_engine.records import FaultCause

__all__ = ["DEFAULT_FAULTS", "FaultCause", "FaultConsequence", "FaultPolicy"]

MOST_ILLEGAL_ACTIONS: Final = 100
MOST_SAFE_ANSWERS: Final = 1_000


class FaultConsequence(Enum):
    """What happens to a seat with too many faults."""

    HOUSE_PLAYS = "house_plays"
    """A house bot plays for the seat until its player comes back."""
    FORFEIT = "forfeit"
    """The table is closed, and its closing names seat and cause."""
    NONE = "none"
    """Nothing more: every decision goes on having its full time and then its safe answer."""


@dataclass(frozen=True, slots=True)
class FaultPolicy:
    """How much a table bears."""

    illegal_actions: int
    """Illegal actions that a seat may send at one decision; the one after them gets the safe
    answer instead. 0 to `MOST_ILLEGAL_ACTIONS`."""
    safe_answers: int
    """Safe answers in one deal that a seat gets before the consequence follows, 0 to
    `MOST_SAFE_ANSWERS`."""
    consequence: FaultConsequence
    """What follows then."""

    def __post_init__(self) -> None:
        """Refuse what is out of range.

        Raises:
            ValueError: it is.
        """
        if not 0 <= self.illegal_actions <= MOST_ILLEGAL_ACTIONS:
            raise ValueError(f"illegal_actions is not from 0 to {MOST_ILLEGAL_ACTIONS}")
        if not 0 <= self.safe_answers <= MOST_SAFE_ANSWERS:
            raise ValueError(f"safe_answers is not from 0 to {MOST_SAFE_ANSWERS}")

    def is_exceeded(self, faults: int, cause: FaultCause) -> bool:
        """Whether the consequence follows from a seat's fault.

        For a seat that nobody sits on the house plays at once: nobody is there to be spared.

        Args:
            faults: how many the seat has in this deal, with this one.
            cause: of this one.
        """
        if cause is FaultCause.SEAT_EMPTY and self.consequence is FaultConsequence.HOUSE_PLAYS:
            return True
        return self.consequence is not FaultConsequence.NONE and faults > self.safe_answers


DEFAULT_FAULTS: Final = FaultPolicy(3, 3, FaultConsequence.HOUSE_PLAYS)
