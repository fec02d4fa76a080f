"""What a step is, and what all steps are made of."""

from collections.abc import Callable
from dataclasses import field, replace

from skat_engine.actions import Action
from skat_engine.seats import Seat, Seating
from skat_engine.series import Series
from skat_server.errors import Reason, RefusedError
from skat_server.storage.protocols import DealRecordLine, Entry
from skat_server.tables.clocks import Spent
from skat_server.tables.facts import Fact, Numbers, numbers_after
from skat_server.tables.faults import FaultCause
from skat_server.tables.state import ENDED, TableState
from skat_server.values import value


@value
class Told:
    """Facts that share a seating."""

    facts: tuple[Fact, ...]
    seating: Seating


@value
class Settlement:
    """An accepted action closes a turn."""

    turn_id: str
    seat: Seat
    action: Action
    spent: Spent | None = field(default=None, compare=False)
    """What the answer took; None out of turn, where nobody was asked."""


@value
class Step:
    """One change of a table, to be kept as a whole or not at all."""

    entries: tuple[Entry, ...]
    told: tuple[Told, ...]
    after: TableState
    record: Callable[[], DealRecordLine] | None = None
    """Writes the record of the deal that the step ends, for who keeps it: a start does not."""
    settles: Settlement | None = None
    """The turn that a player closes with the step. He closes none where a house bot or the table
    answers for him: an answer of his that comes later is stale, whatever it says."""
    refusal: RefusedError | None = None
    """What whoever asked for it is told all the same, once it is kept."""


def tell(state: TableState, *facts: Fact) -> tuple[Told, TableState]:
    """These facts, and the state in which they are told."""
    after = replace(state, told=numbers_after(state.told, facts, state.seating))
    return Told(facts, state.seating), after


def between_deals(state: TableState, series: Series, told: Numbers, idle: int) -> TableState:
    """The state between two deals: what belongs to one deal is as before the first.

    Args:
        state: the state before, with the deal that is over or dropped.
        series: where the score sheet stands now.
        told: what everybody has been told now.
        idle: how many dealings in a row have ended without an action of a player's own.
    """
    return TableState(
        state.occupants,
        series,
        state.seating,
        state.stage,
        dealt=state.dealt,
        end_requested=state.end_requested,
        told=told,
        seated_at=state.seated_at,
        taken_over=state.taken_over,
        idle=idle,
    )


def without_deal(state: TableState) -> TableState:
    """The state in which a deal under way is dropped."""
    return between_deals(state, state.series, state.told, state.idle)


def with_taken_over(
    state: TableState, seat: Seat, cause: FaultCause | None
) -> tuple[FaultCause | None, ...]:
    """Why a house bot plays for each seat, when one seat has changed."""
    return (*state.taken_over[:seat], cause, *state.taken_over[seat + 1 :])


def require_running(state: TableState) -> None:
    """Refuse what comes too late.

    Raises:
        RefusedError: TABLE_OVER.
    """
    if state.stage in ENDED:
        raise RefusedError(Reason.TABLE_OVER, f"the table is {state.stage.value}")


def require_seat(state: TableState, seat: Seat) -> None:
    """Refuse a seat that the table does not have.

    Raises:
        RefusedError: SEAT_NOT_FOUND.
    """
    if seat >= len(state.occupants):
        last = len(state.occupants) - 1
        raise RefusedError(Reason.SEAT_NOT_FOUND, f"there is no seat {seat}; use 0 to {last}")
