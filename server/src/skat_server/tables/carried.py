"""What goes from one deal of a table to the next, beside the score sheet.

It stands in the log where a deal starts, so that a table can be folded from there: what happened
before needs not be kept action by action.
"""

from dataclasses import dataclass
from typing import Final

from skat_engine.errors import NotationError
from skat_engine.records.rows import Row
from skat_engine.series import Standing
from skat_server.tables.facts import Numbers
from skat_server.tables.faults import FaultCause
from skat_server.tables.occupant_text import occupant_or_none, occupant_row, word_of
from skat_server.tables.standing_text import standing_of, standing_row
from skat_server.tables.state import Occupant, TableState


@dataclass(frozen=True, slots=True)
class Carried:
    """The part of a table's state that a deal finds and that no rule computes."""

    occupants: tuple[Occupant | None, ...]
    told: Numbers
    seated_at: tuple[int, ...]
    taken_over: tuple[FaultCause | None, ...]
    idle: int
    end_requested: bool
    series: Standing | None = None
    """Where the score sheet stands; None in logs that are older than this, which are booked."""


def carried_by(state: TableState) -> Carried:
    """What a state hands to the deal that comes next."""
    return Carried(
        state.occupants,
        state.told,
        state.seated_at,
        state.taken_over,
        state.idle,
        state.end_requested,
        state.series.standing,
    )


def carried_row(carried: Carried) -> dict[str, object]:
    """The same as a JSON object."""
    return {
        "seats": [None if one is None else occupant_row(one) for one in carried.occupants],
        "told": carried.told,
        "seated_at": carried.seated_at,
        "taken_over": [None if cause is None else cause.value for cause in carried.taken_over],
        "idle": carried.idle,
        "end_requested": carried.end_requested,
        "series": None if carried.series is None else standing_row(carried.series),
    }


def carried_of(row: Row, seats: int) -> Carried:
    """What `carried_row` has written.

    Args:
        row: the object.
        seats: places at the table.

    Raises:
        NotationError: something is missing, not of its kind, or not as long as it must be.
    """
    occupants, causes = row.items("seats"), row.items("taken_over")
    told = row.numbers("told", least=0, most=MOST)
    seated_at = row.numbers("seated_at", least=0, most=MOST)
    lengths = (len(occupants), len(told), len(seated_at), len(causes))
    if lengths != (seats, seats + 1, seats, seats):
        raise NotationError(f"seats, told, seated_at or taken_over is not that of {seats} seats")
    return Carried(
        tuple(map(occupant_or_none, occupants)),
        told,
        seated_at,
        tuple(map(_cause, causes)),
        row.number("idle", least=0, most=MOST),
        row.flag("end_requested"),
        _standing(row, seats),
    )


def _standing(row: Row, seats: int) -> Standing | None:
    known = "series" in row and row.value("series") is not None
    return standing_of(Row(row.mapping("series")), seats) if known else None


MOST: Final = 2**53 - 1
"""Larger numbers are none that we have written."""


def _cause(item: object) -> FaultCause | None:
    if item is None:
        return None
    if not isinstance(item, str):
        raise NotationError("field taken_over is not a list of strings")
    return word_of(FaultCause, item)
