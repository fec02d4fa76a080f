"""A table made again from its log, by the very steps that made the log.

Deals before the last two are known by the score sheet that the last but one has found; in older
logs, which have none, they are booked from their results. From there on every entry is taken for
what asked for it, the step is made anew, and its entries must be those of the log: so state, the
numbers of every viewer, and what was settled are what they were (ADR 0012).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, assert_never

from skat_engine.seats import Seat
from skat_engine.series import Series
from skat_server.errors import RefusedError
from skat_server.storage.protocols import Entry, EntryKind, LoggedEntry, TableLog
from skat_server.tables import steps
from skat_server.tables.clocks import Spent
from skat_server.tables.entry_values import (
    ActionEntry,
    DealEndedEntry,
    DealStartedEntry,
    DealtEntry,
    DealVoidedEntry,
    DecisionDefaultedEntry,
    EndRequestedEntry,
    Read,
    SeatLeftEntry,
    SeatReturnedEntry,
    SeatTakenEntry,
    SeatTakenOverEntry,
    TableClosedEntry,
)
from skat_server.tables.log import KEPT_DEALS
from skat_server.tables.reading import EntryError, read, read_dealt, read_opening, result_in
from skat_server.tables.state import Stage, TableConfig, TableState
from skat_server.tables.steps import Step
from skat_server.tables.table import Table

MakeTable = Callable[[TableConfig, TableState], Table]
"""Builds a table that goes on from a state."""

_STARTED: Final = EntryKind.DEAL_STARTED  # bound, because looking up an enum member is slow
_ENDED: Final = EntryKind.DEAL_ENDED
_OPENING: Final = 1
"""Entries before anything has happened."""


class RecoveryError(Exception):
    """A log that is not one of a table, or not of the table that it makes."""


def recovered(log: TableLog, make: MakeTable) -> Table:
    """The table of a log, as it was after the last entry; nobody is told anything.

    Args:
        log: at least the opening, the starts and results of all deals, and everything from the
            last but one deal on.
        make: builds the table.

    Raises:
        RecoveryError: the log cannot be folded; it says nothing of cards or seeds.
    """
    try:
        return _folded(log, make)
    except EntryError as error:
        raise RecoveryError(str(error)) from None
    except RecoveryError:
        raise
    except Exception as error:  # whatever a broken log brings about, other tables go on
        raise RecoveryError(f"its fold fails with {type(error).__name__}") from error


def _folded(log: TableLog, make: MakeTable) -> Table:
    lines = log.lines
    if not lines:
        raise RecoveryError("its log is empty, or another server has written it")
    config = read_opening(lines[0].entry)
    if config.table_id != log.table_id:
        raise RecoveryError("its log is that of another table")
    starts = [place for place, line in enumerate(lines) if line.entry.kind is _STARTED]
    if len(starts) < KEPT_DEALS:
        first = steps.first_state(config)
        table = make(config, first)
        _replay(table, lines, _take(table, steps.opened(config, first), lines, 0))
    else:
        table = _resumed(config, lines, starts[-KEPT_DEALS], make)
    table.reopen()
    return table


def _resumed(
    config: TableConfig, lines: Sequence[LoggedEntry], start: int, make: MakeTable
) -> Table:
    """The table from the entry on with which one of its deals starts."""
    started = read(lines[start].entry, config.rules.seats)
    assert isinstance(started, DealStartedEntry)
    found = started.carried
    if found.series is None:
        series = _booked(config, lines[_OPENING:start])
    else:
        series = Series.resumed(config.rules, config.draw, found.series)
    before = TableState(
        found.occupants,
        series,
        series.next_seating(),
        Stage.PLAYING,
        dealt=started.dealing - 1,
        end_requested=found.end_requested,
        told=found.told,
        seated_at=found.seated_at,
        taken_over=found.taken_over,
        idle=found.idle,
    )
    table = make(config, before)
    after = _take(table, steps.deal(config, before), lines, start)
    _replay(table, lines, after)
    return table


def _booked(config: TableConfig, lines: Sequence[LoggedEntry]) -> Series:
    """The series after these entries; only starts and results of deals are read."""
    series, seats = Series(config.rules, config.draw), config.rules.seats
    started: Entry | None = None
    for line in lines:
        entry = line.entry
        if entry.kind is _STARTED:
            started = entry
        elif entry.kind is _ENDED:
            if started is None:
                raise RecoveryError("a deal has ended without a start")
            ended = read(entry, seats)
            assert isinstance(ended, DealEndedEntry)
            _book(series, read_dealt(started, seats), ended)
            started = None
    return series


def _book(series: Series, started: DealtEntry, ended: DealEndedEntry) -> None:
    """Write one result down, and compare what the log says of it.

    Raises:
        RecoveryError: the log says something else.
    """
    booking = series.book(result_in(ended, started.dealt))
    if ended.end_requested:
        series.request_end()
    number = booking.deal_number
    if (started.deal_number, ended.deal_number) != (number, number):
        raise RecoveryError(f"deal {number} is logged as another one")
    if started.dealer != booking.seating.dealer:
        raise RecoveryError(f"deal {number} has another dealer")
    if ended.totals != booking.totals:
        raise RecoveryError(f"the totals after deal {number} are others")


def _replay(table: Table, lines: Sequence[LoggedEntry], place: int) -> None:
    """Take every step again from this place on."""
    while place < len(lines):
        asked = read(lines[place].entry, table.config.rules.seats)
        try:
            step = _step(table, asked)
        except RefusedError as refusal:
            raise RecoveryError(f"{_named(lines, place)}: {refusal.reason.name}") from None
        if step is None or not step.entries:
            raise RecoveryError(f"{_named(lines, place)}: nothing asks for it")
        place = _take(table, step, lines, place)


def _step(table: Table, asked: Read) -> Step | None:
    """The step that an entry begins; None for an entry that no step begins with.

    Raises:
        RefusedError: the table would not take it.
    """
    config, state = table.config, table.state
    match asked:
        case ActionEntry() | DecisionDefaultedEntry() | DealVoidedEntry():
            return None if state.deal is None else _step_of_deal(config, state, asked)
        case SeatTakenEntry(seat, occupant):
            return steps.sit(config, state, occupant, seat)
        case SeatLeftEntry(seat):
            return steps.leave(state, seat)
        case SeatReturnedEntry(seat):
            return steps.give_back(state, seat)
        case EndRequestedEntry(seat):
            return steps.request_end(config, state, _player_at(config, state, seat))
        case TableClosedEntry(reason, cause, seat):
            return steps.close(state, reason, cause, seat)
        case DealStartedEntry() | DealEndedEntry() | SeatTakenOverEntry():
            return None
        case _:
            assert_never(asked)


def _step_of_deal(
    config: TableConfig,
    state: TableState,
    asked: ActionEntry | DecisionDefaultedEntry | DealVoidedEntry,
) -> Step:
    match asked:
        case ActionEntry(position, action, think_ms, grace_ms):
            return steps.act(config, state, position, action, Spent(think_ms, grace_ms))
        case DecisionDefaultedEntry(cause=cause, think_ms=think_ms, grace_ms=grace_ms):
            return steps.default(config, state, cause, Spent(think_ms, grace_ms))
        case DealVoidedEntry(reason):
            return steps.void_deal(config, state, reason)
        case _:
            assert_never(asked)


def _player_at(config: TableConfig, state: TableState, seat: Seat | None) -> str:
    """Who sits on a seat; the owner where no seat is named."""
    occupant = None if seat is None else state.occupants[seat]
    return config.owner_id if occupant is None else occupant.player_id


def _take(table: Table, step: Step, lines: Sequence[LoggedEntry], place: int) -> int:
    """Make a step the state if the log has the same entries; the place after them.

    Raises:
        RecoveryError: it has others.
    """
    seats, end = table.config.rules.seats, place + len(step.entries)
    if end > len(lines):
        raise RecoveryError("its log ends inside a step")
    for number, made in enumerate(step.entries, place):
        logged = lines[number].entry
        if made != logged and not _is_same(made, logged, seats):
            raise RecoveryError(f"{_named(lines, number)}: the table makes another one of it")
    table.take(step, lines[place].at)
    return end


def _is_same(made: Entry, logged: Entry, seats: int) -> bool:
    """Whether two entries say the same, in whatever words."""
    if made.kind is not logged.kind:
        return False
    theirs = read(logged, seats)
    return _comparable(read(made, seats), theirs) == theirs


def _comparable(made: Read, logged: Read) -> Read:
    """What was made, without what was not written yet when the log was."""
    if not isinstance(made, DealStartedEntry) or not isinstance(logged, DealStartedEntry):
        return made
    if logged.carried.series is not None:
        return made
    return replace(made, carried=replace(made.carried, series=None))


def _named(lines: Sequence[LoggedEntry], place: int) -> str:
    return f"entry {place + 1}, {lines[place].entry.kind.value}"
