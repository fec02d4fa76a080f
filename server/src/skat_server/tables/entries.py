"""The text of log entries: accepted facts and chance, from which a table can be folded again.

`tables/reading.py` reads what is written here. Every payload is one JSON object but that of an
action, the most frequent one, which is ``POSITION ACTION THINK_MS``: the action in the engine's
notation, then the milliseconds from the opening of the decision to the receipt of the answer, 0
for an action out of turn. Where some of them were grace, their number follows.
"""

import json
from typing import Final

from skat_engine.actions import Action
from skat_engine.notation import dealt_text
from skat_engine.records.facts import result_facts
from skat_engine.scoring import Booking
from skat_engine.seats import Position, Seat, Seating
from skat_server.storage.protocols import Entry, EntryKind
from skat_server.tables.carried import carried_by, carried_row
from skat_server.tables.clocks import Spent
from skat_server.tables.config_text import config_row
from skat_server.tables.faults import FaultCause
from skat_server.tables.occupant_text import occupant_row
from skat_server.tables.sources import Dealing
from skat_server.tables.state import Occupant, TableConfig, TableState

# Nothing that is written here contains itself, so nobody looks for that.
_JSON: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False)
_ACTION: Final = EntryKind.ACTION  # looking the member up costs more than the text


def table_opened(config: TableConfig) -> Entry:
    """Everything that is fixed when the table is made; where its deals come from is secret."""
    return _entry(EntryKind.TABLE_OPENED, **config_row(config))


def seat_taken(seat: Seat, occupant: Occupant) -> Entry:
    """Who sat down where."""
    return _entry(EntryKind.SEAT_TAKEN, seat=seat, **occupant_row(occupant))


def seat_left(seat: Seat) -> Entry:
    """Which seat is free again."""
    return _entry(EntryKind.SEAT_LEFT, seat=seat)


def deal_started(before: TableState, seating: Seating, dealing: Dealing) -> Entry:
    """The chance of a deal, its cards and their seed or null, and what the deal finds."""
    return _entry(
        EntryKind.DEAL_STARTED,
        deal=before.deal_number,
        dealing=before.dealt + 1,
        dealer=seating.dealer,
        dealt=dealt_text(dealing.dealt),
        seed=None if dealing.seed is None else dealing.seed.hex(),
        **carried_row(carried_by(before)),
    )


def acted(position: Position, action: Action, spent: Spent) -> Entry:
    """What a position did, and how long it took."""
    text = f"{position} {action!s} {spent.think_ms}"
    return Entry(_ACTION, f"{text} {spent.grace_ms}" if spent.grace_ms else text)


def decision_defaulted(
    position: Position, action: Action, cause: FaultCause, spent: Spent
) -> Entry:
    """The safe answer that a position got, why, and how long its decision was open."""
    return _entry(
        EntryKind.DECISION_DEFAULTED,
        position=position,
        action=str(action),
        cause=cause.value,
        think_ms=spent.think_ms,
        grace_ms=spent.grace_ms,
    )


def seat_taken_over(seat: Seat, cause: FaultCause) -> Entry:
    """For which seat a house bot plays from now on, and why."""
    return _entry(EntryKind.SEAT_TAKEN_OVER, seat=seat, cause=cause.value)


def seat_returned(seat: Seat) -> Entry:
    """Which seat is played by its player again."""
    return _entry(EntryKind.SEAT_RETURNED, seat=seat)


def deal_voided(reason: str) -> Entry:
    """Why the deal under way is dropped."""
    return _entry(EntryKind.DEAL_VOIDED, reason=reason)


def deal_ended(booking: Booking, *, end_requested: bool) -> Entry:
    """The result of the deal, from which it is booked, and the totals to compare with."""
    return _entry(
        EntryKind.DEAL_ENDED,
        deal=booking.deal_number,
        result=result_facts(booking.result),
        totals=booking.totals,
        end_requested=end_requested,
    )


def end_requested(seat: Seat | None) -> Entry:
    """Who asked for the end of the series; null for the owner from outside."""
    return _entry(EntryKind.END_REQUESTED, seat=seat)


def table_closed(reason: str, cause: FaultCause | None, seat: Seat | None) -> Entry:
    """Why the table ended before its series, and whose fault it is, if anybody's."""
    return _entry(
        EntryKind.TABLE_CLOSED,
        reason=reason,
        cause=None if cause is None else cause.value,
        seat=seat,
    )


def _entry(kind: EntryKind, **payload: object) -> Entry:
    return Entry(kind, _JSON.encode(payload))
