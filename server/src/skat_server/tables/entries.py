"""The text of log entries: accepted facts and chance, from which a table can be replayed.

Every payload is one JSON object but that of an action, the most frequent one, which is
``POSITION ACTION THINK_MS``: the action in the engine's notation, then the milliseconds from the
opening of the decision to the receipt of the answer, 0 for an action out of turn.
"""

import json

from skat_engine.actions import Action
from skat_engine.cards import cards_text
from skat_engine.notation import dealt_text
from skat_engine.scoring import Booking
from skat_engine.seats import Position, Seat, Seating
from skat_server.storage.protocols import Entry, EntryKind
from skat_server.tables.sources import Dealing
from skat_server.tables.state import Occupant, TableConfig


def table_opened(config: TableConfig) -> Entry:
    """Everything that is fixed when the table is made, but where its deals come from."""
    return _entry(
        EntryKind.TABLE_OPENED,
        owner=config.owner_id,
        name=config.display_name,
        preset=config.preset,
        overrides=dict(config.overrides),
        visibility=config.visibility.value,
        draw=cards_text(config.draw),
        created_at=config.created_at,
    )


def seat_taken(seat: Seat, occupant: Occupant) -> Entry:
    """Who sat down where."""
    return _entry(EntryKind.SEAT_TAKEN, seat=seat, player=occupant.player_id, name=occupant.name)


def seat_left(seat: Seat) -> Entry:
    """Which seat is free again."""
    return _entry(EntryKind.SEAT_LEFT, seat=seat)


def deal_started(deal_number: int, seating: Seating, dealing: Dealing) -> Entry:
    """The chance of a deal: its cards, and their seed or null."""
    return _entry(
        EntryKind.DEAL_STARTED,
        deal=deal_number,
        dealer=seating.dealer,
        dealt=dealt_text(dealing.dealt),
        seed=None if dealing.seed is None else dealing.seed.hex(),
    )


def acted(position: Position, action: Action, think_ms: int) -> Entry:
    """What a position did, and how long it took."""
    return Entry(EntryKind.ACTION, f"{position} {action} {think_ms}")


def deal_ended(booking: Booking) -> Entry:
    """The totals after the deal, so that a replay can be compared with what was booked."""
    return _entry(EntryKind.DEAL_ENDED, deal=booking.deal_number, totals=booking.totals)


def end_requested(seat: Seat | None) -> Entry:
    """Who asked for the end of the series; null for the owner from outside."""
    return _entry(EntryKind.END_REQUESTED, seat=seat)


def table_closed(reason: str) -> Entry:
    """Why the table ended before its series."""
    return _entry(EntryKind.TABLE_CLOSED, reason=reason)


def _entry(kind: EntryKind, **payload: object) -> Entry:
    return Entry(kind, json.dumps(payload, separators=(",", ":")))
