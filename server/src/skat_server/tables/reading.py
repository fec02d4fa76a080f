"""Log entries as values: what `tables/entries.py` has written.

What is wrong with an entry is said by names of fields only: its text may hold cards and seeds.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from skat_engine.errors import NotationError
from skat_engine.notation import parse_action, parse_dealt
from skat_engine.records.facts import result_of
from skat_engine.records.rows import Row, parse_row
from skat_engine.results import DealResult, Dealt
from skat_engine.seats import POSITIONS, Seat
from skat_server.storage.protocols import Entry, EntryKind
from skat_server.tables.carried import MOST, carried_of
from skat_server.tables.config_text import config_of
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
from skat_server.tables.faults import FaultCause
from skat_server.tables.occupant_text import occupant_of, word_of
from skat_server.tables.state import TableConfig


class EntryError(Exception):
    """An entry that cannot be read."""


def read_opening(entry: Entry) -> TableConfig:
    """The first entry of a table.

    Raises:
        EntryError: it is another one, or cannot be read.
    """
    if entry.kind is not EntryKind.TABLE_OPENED:
        raise EntryError(f"{entry.kind.value} where a table must open")
    return _said(lambda text: config_of(parse_row(text)), entry)


def read(entry: Entry, seats: int) -> Read:
    """An entry after the first one.

    Args:
        entry: what to read.
        seats: places at the table.

    Raises:
        EntryError: it cannot be read.
    """
    reader = _READERS.get(entry.kind)
    if reader is None:
        raise EntryError(f"{entry.kind.value} inside a table's log")
    try:
        return reader(entry.payload, seats)
    except NotationError as error:
        raise _unreadable(entry, error) from None


def read_dealt(entry: Entry, seats: int) -> DealtEntry:
    """The start of a deal that is over, without what it found.

    Raises:
        EntryError: it cannot be read.
    """
    return _said(lambda text: _dealt(parse_row(text), seats), entry)


def result_in(ended: DealEndedEntry, dealt: Dealt) -> DealResult:
    """The result of a deal whose cards were these.

    Raises:
        EntryError: a fact is missing or not of its kind.
    """
    try:
        return result_of(Row(ended.facts), dealt)
    except NotationError:
        raise EntryError("deal_ended: the result cannot be read") from None


_Value = TypeVar("_Value")


def _said(parse: Callable[[str], _Value], entry: Entry) -> _Value:
    try:
        return parse(entry.payload)
    except NotationError as error:
        raise _unreadable(entry, error) from None


def _unreadable(entry: Entry, error: NotationError) -> EntryError:
    """What to say of an entry: errors repeat the notation of cards, but not the fields of a row."""
    why = str(error) if str(error).startswith("field ") else "it cannot be read"
    return EntryError(f"{entry.kind.value}: {why}")


def _seat_taken(text: str, seats: int) -> SeatTakenEntry:
    row = parse_row(text)
    return SeatTakenEntry(_seat(row, seats), occupant_of(row))


def _seat_left(text: str, seats: int) -> SeatLeftEntry:
    return SeatLeftEntry(_seat(parse_row(text), seats))


def _dealt(row: Row, seats: int) -> DealtEntry:
    return DealtEntry(
        row.number("deal", least=1, most=MOST),
        row.number("dealer", least=0, most=seats - 1),
        parse_dealt(row.text("dealt")),
    )


def _deal_started(text: str, seats: int) -> DealStartedEntry:
    row = parse_row(text)
    return DealStartedEntry(
        _dealt(row, seats),
        row.number("dealing", least=1, most=MOST),
        row.text_or_none("seed"),
        carried_of(row, seats),
    )


def _acted(text: str, seats: int) -> ActionEntry:
    del seats
    words = text.split(" ")
    if len(words) not in _ACTION_WORDS or words[0] not in _POSITIONS:
        raise NotationError("field position is not one")
    times = [int(word) for word in words[2:] if _NUMBER.fullmatch(word)]
    if len(times) != len(words) - 2:
        raise NotationError("field think_ms or grace_ms is not a number")
    return ActionEntry(
        _POSITIONS[words[0]], parse_action(words[1]), times[0], times[1] if times[1:] else 0
    )


def _decision_defaulted(text: str, seats: int) -> DecisionDefaultedEntry:
    del seats
    row = parse_row(text)
    return DecisionDefaultedEntry(
        row.number("position", least=0, most=POSITIONS[-1]),
        parse_action(row.text("action")),
        word_of(FaultCause, row.text("cause")),
        row.number("think_ms", least=0, most=MOST),
        row.number("grace_ms", least=0, most=MOST),
    )


def _seat_taken_over(text: str, seats: int) -> SeatTakenOverEntry:
    row = parse_row(text)
    return SeatTakenOverEntry(_seat(row, seats), word_of(FaultCause, row.text("cause")))


def _seat_returned(text: str, seats: int) -> SeatReturnedEntry:
    return SeatReturnedEntry(_seat(parse_row(text), seats))


def _deal_voided(text: str, seats: int) -> DealVoidedEntry:
    del seats
    return DealVoidedEntry(parse_row(text).text("reason"))


def _deal_ended(text: str, seats: int) -> DealEndedEntry:
    row = parse_row(text)
    totals = row.numbers("totals", least=-MOST, most=MOST)
    if len(totals) != seats:
        raise NotationError(f"field totals is not that of {seats} seats")
    return DealEndedEntry(
        row.number("deal", least=1, most=MOST),
        row.mapping("result"),
        totals,
        row.flag("end_requested"),
    )


def _end_requested(text: str, seats: int) -> EndRequestedEntry:
    return EndRequestedEntry(_seat_or_none(parse_row(text), seats))


def _table_closed(text: str, seats: int) -> TableClosedEntry:
    row = parse_row(text)
    cause = row.text_or_none("cause")
    return TableClosedEntry(
        row.text("reason"),
        None if cause is None else word_of(FaultCause, cause),
        _seat_or_none(row, seats),
    )


def _seat(row: Row, seats: int) -> Seat:
    return row.number("seat", least=0, most=seats - 1)


def _seat_or_none(row: Row, seats: int) -> Seat | None:
    return None if row.value("seat") is None else _seat(row, seats)


_NUMBER: Final = re.compile("[0-9]{1,16}")
_ACTION_WORDS: Final = (3, 4)
_POSITIONS: Final = {str(position): position for position in POSITIONS}

_READERS: Final[Mapping[EntryKind, Callable[[str, int], Read]]] = {
    EntryKind.SEAT_TAKEN: _seat_taken,
    EntryKind.SEAT_LEFT: _seat_left,
    EntryKind.DEAL_STARTED: _deal_started,
    EntryKind.ACTION: _acted,
    EntryKind.DECISION_DEFAULTED: _decision_defaulted,
    EntryKind.SEAT_TAKEN_OVER: _seat_taken_over,
    EntryKind.SEAT_RETURNED: _seat_returned,
    EntryKind.DEAL_VOIDED: _deal_voided,
    EntryKind.DEAL_ENDED: _deal_ended,
    EntryKind.END_REQUESTED: _end_requested,
    EntryKind.TABLE_CLOSED: _table_closed,
}
