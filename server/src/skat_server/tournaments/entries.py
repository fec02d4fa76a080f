"""The text of a tournament's log, both ways: one JSON object for each change."""

import json

from skat_server.storage.protocols import Entry, EntryKind
from skat_server.tournaments.config import parse_config
from skat_server.tournaments.entrant_text import entrant_of, entrant_row
from skat_server.tournaments.formats.plan import EndReason
from skat_server.tournaments.state import (
    Change,
    Ended,
    Fixed,
    Opened,
    Paused,
    Registered,
    Resumed,
    Started,
    Withdrawn,
)

_BARE: dict[EntryKind, Change] = {
    EntryKind.TOURNAMENT_OPENED: Opened(),
    EntryKind.TOURNAMENT_STARTED: Started(),
    EntryKind.TOURNAMENT_RESUMED: Resumed(),
}


def created(fixed: Fixed) -> Entry:
    """The first entry: everything that is fixed, the secret seed included."""
    return _entry(
        EntryKind.TOURNAMENT_CREATED,
        organiser=fixed.organiser_id,
        config=fixed.text,
        seed=fixed.seed.hex(),
        created_at=fixed.created_at,
        request=fixed.request_id,
        account=fixed.account_id,
    )


def fixed_from(tournament_id: str, entry: Entry) -> Fixed:
    """What a first entry says.

    Raises:
        ConfigError: its file cannot be used any more.
    """
    row = json.loads(entry.payload)
    return Fixed(
        tournament_id=tournament_id,
        organiser_id=row["organiser"],
        text=row["config"],
        config=parse_config(row["config"]),
        seed=bytes.fromhex(row["seed"]),
        created_at=row["created_at"],
        request_id=row["request"],
        account_id=row["account"],
    )


def entry_of(change: Change) -> Entry:
    """A change as an entry."""
    match change:
        case Registered(entrant):
            return _entry(EntryKind.ENTRY_REGISTERED, **entrant_row(entrant))
        case Withdrawn(name):
            return _entry(EntryKind.ENTRY_WITHDRAWN, name=name)
        case Paused(reason):
            return _entry(EntryKind.TOURNAMENT_PAUSED, reason=reason)
        case Ended(end, reason):
            end_text = None if end is None else end.value
            return _entry(EntryKind.TOURNAMENT_ENDED, end=end_text, reason=reason)
        case _:
            return _entry(next(kind for kind, bare in _BARE.items() if bare == change))


def change_from(entry: Entry) -> Change:
    """An entry as the change it tells."""
    row = json.loads(entry.payload)
    match entry.kind:
        case EntryKind.ENTRY_REGISTERED:
            return Registered(entrant_of(row))
        case EntryKind.ENTRY_WITHDRAWN:
            return Withdrawn(row["name"])
        case EntryKind.TOURNAMENT_PAUSED:
            return Paused(row["reason"])
        case EntryKind.TOURNAMENT_ENDED:
            return Ended(None if row["end"] is None else EndReason(row["end"]), row["reason"])
        case _:
            return _BARE[entry.kind]


def _entry(kind: EntryKind, **payload: object) -> Entry:
    return Entry(kind, json.dumps(payload, separators=(",", ":")))
