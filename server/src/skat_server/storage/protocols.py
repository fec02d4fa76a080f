"""What the tables ask of a store. The log of a table is the truth; state is a fold over it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class EntryKind(Enum):
    """What a log entry tells: accepted actions and chance, never what the rules derive."""

    TABLE_OPENED = "table_opened"
    SEAT_TAKEN = "seat_taken"
    SEAT_LEFT = "seat_left"
    DEAL_STARTED = "deal_started"
    ACTION = "action"
    DEAL_ENDED = "deal_ended"
    END_REQUESTED = "end_requested"
    TABLE_CLOSED = "table_closed"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a table's log."""

    kind: EntryKind
    payload: str
    """What happened, in the text form that its kind defines (`tables/entries.py`)."""


@dataclass(frozen=True, slots=True)
class DealRecordLine:
    """The sealed record of a finished deal."""

    deal_number: int
    json: str
    """One line in our own record format."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What one step adds to one table, all or nothing."""

    table_id: str
    entries: tuple[Entry, ...]
    record: DealRecordLine | None = None
    """Written together with the last entry of its deal."""


class StoreError(Exception):
    """The store could not take a batch; nothing of it was kept."""


Done = Callable[[StoreError | None], None]
"""Told once per batch, when it is durable or has failed."""


class Store(Protocol):
    """A durable log per table."""

    def append(self, batch: Batch, done: Done) -> None:
        """Keep a batch, then call `done`, possibly before returning.

        Batches of one table are given one after the other: the next one only after `done`.
        """

    def entries(self, table_id: str) -> Sequence[Entry]:
        """The log of a table from its first entry; empty for an unknown table."""

    def record(self, table_id: str, deal_number: int) -> DealRecordLine | None:
        """The record of a finished deal, None when there is none."""

    def records(self, table_id: str) -> Sequence[DealRecordLine]:
        """The records of a table in the order of its deals."""

    def forget(self, table_id: str) -> None:
        """Drop everything kept for a table."""
