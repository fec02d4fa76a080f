"""What the log of a table tells after its opening, as values; `tables/reading.py` reads them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from skat_engine.actions import Action
from skat_engine.results import Dealt
from skat_engine.seats import Position, Seat
from skat_server.tables.carried import Carried
from skat_server.tables.faults import FaultCause
from skat_server.tables.state import Occupant


@dataclass(frozen=True, slots=True)
class SeatTakenEntry:
    """Somebody sat down."""

    seat: Seat
    occupant: Occupant


@dataclass(frozen=True, slots=True)
class SeatLeftEntry:
    """Somebody got up."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DealtEntry:
    """Of a deal that is over: which it was, who dealt, and the cards."""

    deal_number: int
    dealer: Seat
    dealt: Dealt = field(repr=False)


@dataclass(frozen=True, slots=True)
class DealStartedEntry:
    """Cards were dealt."""

    deal: DealtEntry
    dealing: int
    """How often, this time included."""
    seed: str | None = field(repr=False)
    carried: Carried


@dataclass(frozen=True, slots=True)
class ActionEntry:
    """A position acted."""

    position: Position
    action: Action
    think_ms: int
    grace_ms: int


@dataclass(frozen=True, slots=True)
class DecisionDefaultedEntry:
    """A decision got its safe answer."""

    position: Position
    action: Action
    cause: FaultCause
    think_ms: int
    grace_ms: int


@dataclass(frozen=True, slots=True)
class SeatTakenOverEntry:
    """A house bot plays for a seat."""

    seat: Seat
    cause: FaultCause


@dataclass(frozen=True, slots=True)
class SeatReturnedEntry:
    """A seat is played by its player again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DealVoidedEntry:
    """The deal under way was dropped."""

    reason: str


@dataclass(frozen=True, slots=True)
class DealEndedEntry:
    """A deal was booked."""

    deal_number: int
    facts: Mapping[str, object]
    """Of the result, as records have them."""
    totals: tuple[int, ...]
    end_requested: bool


@dataclass(frozen=True, slots=True)
class EndRequestedEntry:
    """Somebody asked for the end of the series."""

    seat: Seat | None


@dataclass(frozen=True, slots=True)
class TableClosedEntry:
    """The table ended before its series."""

    reason: str
    cause: FaultCause | None
    seat: Seat | None


Read = (
    SeatTakenEntry
    | SeatLeftEntry
    | DealStartedEntry
    | ActionEntry
    | DecisionDefaultedEntry
    | SeatTakenOverEntry
    | SeatReturnedEntry
    | DealVoidedEntry
    | DealEndedEntry
    | EndRequestedEntry
    | TableClosedEntry
)
"""What follows the opening of a table."""
