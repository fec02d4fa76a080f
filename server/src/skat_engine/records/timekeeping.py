"""How long the players of a recorded deal had, and where they did not play as asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from itertools import pairwise
from typing import Final

from skat_engine.errors import NotationError
from skat_engine.records.rows import Row
from skat_engine.seats import Seat

LONGEST_MS: Final = 3_600_000
"""What a clock may be set to at most, in milliseconds: an hour."""

_MOST_MS: Final = 2**53 - 1
"""What every reader of JSON can hold."""


class FaultCause(Enum):
    """Why a seat did not play as asked; the names are those of the wire's `FaultCause`."""

    TIMEOUT = "timeout"
    """Its time ran out while its session was alive."""
    STALLED = "stalled"
    """Its time ran out, and its session gave no sign of life since the question was asked."""
    DISCONNECTED = "disconnected"
    """Its time and its grace ran out while it had no session."""
    SEAT_EMPTY = "seat_empty"
    """Nobody sat there when the time ran out."""
    ILLEGAL_ACTIONS = "illegal_actions"
    """It sent too many actions that the rules do not allow."""
    ADMIN = "admin"
    """The operator of the server decided so."""
    SERVER = "server"
    """The server failed."""


@dataclass(frozen=True, slots=True)
class ClockPolicy:
    """How long the seats of a table may think, in milliseconds, each 0 to `LONGEST_MS`."""

    decision_ms: int
    """What each decision has."""
    bank_ms: int
    """What a seat has beyond that, for each deal."""
    increment_ms: int
    """Added to the bank for every decision that was answered in time."""
    grace_ms: int
    """How long a seat may be without a session, for each deal, before its clock runs."""

    def __post_init__(self) -> None:
        """Refuse what no clock can be set to.

        Raises:
            ValueError: a time is out of range, or nobody would have any.
        """
        for field in fields(self):
            if not 0 <= getattr(self, field.name) <= LONGEST_MS:
                raise ValueError(f"{field.name} is not from 0 to {LONGEST_MS}")
        if not self.decision_ms and not self.bank_ms:
            raise ValueError("neither decision_ms nor bank_ms leaves any time")


_TIMES: Final = tuple(field.name for field in fields(ClockPolicy))


@dataclass(frozen=True, slots=True)
class Fault:
    """An action that was not the seat's own but its safe answer."""

    index: int
    """Which of the deal's actions, from 0."""
    seat: Seat
    cause: FaultCause


@dataclass(frozen=True, slots=True)
class Timekeeping:
    """What a record says beside think times."""

    clock: ClockPolicy
    graces: tuple[tuple[int, int], ...] = ()
    """Which actions, from 0, were taken after some grace, and how many milliseconds of it."""
    faults: tuple[Fault, ...] = ()
    """In the order of the actions."""
    stand_ins: tuple[int, ...] = ()
    """Which actions, from 0, a house bot took for a player whose seat it had taken over."""


def timekeeping_fields(kept: Timekeeping | None) -> dict[str, object]:
    """The fields of a record; none where nobody kept the time."""
    if kept is None:
        return {}
    clock = {name: getattr(kept.clock, name) for name in _TIMES}
    found: dict[str, object] = {"clock": clock}
    if kept.graces:
        found["grace_ms"] = [list(grace) for grace in kept.graces]
    if kept.faults:
        found["faults"] = [[fault.index, fault.seat, fault.cause.value] for fault in kept.faults]
    if kept.stand_ins:
        found["stand_ins"] = kept.stand_ins
    return found


def timekeeping_of_row(row: Row, actions: int, seats: int) -> Timekeeping | None:
    """What the fields of a record say; nothing where there is no clock.

    Args:
        row: the record.
        actions: how many it has.
        seats: places at its table.

    Raises:
        NotationError: a field has another form, or names an action or a seat that is not there.
    """
    if "clock" not in row:
        for name in _NEED_A_CLOCK:
            if name in row:
                raise NotationError(f"field {name} needs a clock")
        return None
    kept = Timekeeping(
        clock_of(row.mapping("clock")),
        tuple(map(_grace, _items(row, "grace_ms"))),
        tuple(map(_fault, _items(row, "faults"))),
        row.numbers("stand_ins", least=0, most=_MOST_MS) if "stand_ins" in row else (),
    )
    try:
        check_timekeeping(kept, actions, seats)
    except ValueError as error:
        raise NotationError(str(error)) from None
    return kept


def check_timekeeping(kept: Timekeeping, actions: int, seats: int) -> None:
    """Refuse graces and faults that fit no such deal.

    Raises:
        ValueError: one names an action or a seat that is not there, or the same action again.
    """
    if not (kept.graces or kept.faults or kept.stand_ins):
        return  # as in most deals
    for name, indices in (
        ("grace_ms", [index for index, _ in kept.graces]),
        ("faults", [fault.index for fault in kept.faults]),
        ("stand_ins", kept.stand_ins),
    ):
        if not all(map(range(actions).__contains__, indices)):
            raise ValueError(f"field {name} names an action that is not there")
        if any(after <= before for before, after in pairwise(indices)):
            raise ValueError(f"field {name} does not go from action to action")
    if not all(0 <= fault.seat < seats for fault in kept.faults):
        raise ValueError("field faults names a seat that is not there")


def clock_of(mapping: Mapping[str, object]) -> ClockPolicy:
    """The policy in an object with its four fields.

    Raises:
        NotationError: it is none.
    """
    row = Row(mapping)
    try:
        return ClockPolicy(*(row.number(name, least=0, most=LONGEST_MS) for name in _TIMES))
    except ValueError as error:
        raise NotationError(f"clock: {error}") from None


def _items(row: Row, name: str) -> list[object]:
    return row.items(name) if name in row else []


def _grace(item: object) -> tuple[int, int]:
    match item:
        case [int(index), int(used)] if not _has_truth(item) and 0 < used <= _MOST_MS:
            return index, used
        case _:
            raise NotationError("field grace_ms is not pairs of an action and its milliseconds")


def _fault(item: object) -> Fault:
    match item:
        case [int(index), int(seat), str(cause)] if not _has_truth(item) and cause in _CAUSES:
            return Fault(index, seat, _CAUSES[cause])
        case _:
            raise NotationError("field faults is not triples of an action, its seat and a cause")


_NEED_A_CLOCK: Final = ("grace_ms", "faults", "stand_ins")
_CAUSES: Final = {cause.value: cause for cause in FaultCause}


def _has_truth(items: Sequence[object]) -> bool:
    """Whether there is a truth value, which Python takes for a number."""
    return any(isinstance(item, bool) for item in items)
