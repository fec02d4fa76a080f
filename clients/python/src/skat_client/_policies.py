"""How long the seats of a table may think, and what happens to those that do not play."""

from dataclasses import dataclass
from enum import Enum


class FaultCause(Enum):
    """Why a seat did not play as asked. Records, streams and metrics use the same list."""

    TIMEOUT = 1
    """Its time ran out while its session was alive."""
    STALLED = 2
    """Its time ran out, and its session gave no sign of life since the question was asked."""
    DISCONNECTED = 3
    """Its time and its grace ran out while it had no session."""
    SEAT_EMPTY = 4
    """Nobody sat there when the time ran out."""
    ILLEGAL_ACTIONS = 5
    """It sent too many actions that the rules do not allow."""
    ADMIN = 6
    """The operator of the server decided so."""
    SERVER = 7
    """The server failed."""

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


class FaultConsequence(Enum):
    """What happens to a seat with too many faults."""

    HOUSE_PLAYS = 1
    """A house bot plays for the seat until its player comes back."""
    FORFEIT = 2
    """The seat forfeits: the table is closed, and its closing names seat and cause."""
    NONE = 3
    """Nothing more: every decision goes on having its full time and then its safe answer."""

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True, slots=True)
class ClockPolicy:
    """How long the seats of a table may think, in milliseconds, each 0 to 3,600,000.

    A decision has its own time first, and then what is left of the seat's bank for the deal.
    While a seat has no session its grace runs first, and only then its time. What the server
    needs for itself is never charged.
    """

    decision_ms: int = 30_000
    """What each decision has."""
    bank_ms: int = 120_000
    """What a seat has beyond that for each deal."""
    increment_ms: int = 0
    """What is added to the bank for every decision that was answered in time."""
    grace_ms: int = 30_000
    """How long a seat may be without a session in each deal before its clock runs."""


@dataclass(frozen=True, slots=True)
class FaultPolicy:
    """What happens when a seat does not play as asked.

    A decision whose time has run out gets its safe answer, `Decision.first_option`.
    """

    illegal_actions: int = 3
    """Illegal actions that a seat may send at one decision, the clock running, 0 to 100; the
    one after them gets the safe answer instead."""
    safe_answers: int = 3
    """Safe answers in one deal that a seat gets before the consequence follows, 0 to 1,000."""
    consequence: FaultConsequence = FaultConsequence.HOUSE_PLAYS
    """What follows then."""


@dataclass(frozen=True, slots=True)
class DecisionClock:
    """How long a seat may still think, in milliseconds, at the moment the question was sent.

    The decision's own time runs first, then the bank.
    """

    decision_ms: int
    """What is left of the decision's own time."""
    bank_ms: int
    """What is left in the seat's bank for the deal."""
    grace_ms: int
    """How long the seat may still be without a session in this deal before its clock runs."""

    @property
    def total_ms(self) -> int:
        """All that is left for this decision: own time and bank."""
        return self.decision_ms + self.bank_ms
