"""What the tables ask of a store. The log of a table is the truth; state is a fold over it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

from skat_server.values import value


class EntryKind(Enum):
    """What a log entry tells: accepted actions and chance, never what the rules derive."""

    TABLE_OPENED = "table_opened"
    SEAT_TAKEN = "seat_taken"
    SEAT_LEFT = "seat_left"
    DEAL_STARTED = "deal_started"
    ACTION = "action"
    DECISION_DEFAULTED = "decision_defaulted"
    SEAT_TAKEN_OVER = "seat_taken_over"
    SEAT_RETURNED = "seat_returned"
    DEAL_VOIDED = "deal_voided"
    DEAL_ENDED = "deal_ended"
    END_REQUESTED = "end_requested"
    TABLE_CLOSED = "table_closed"
    TOURNAMENT_CREATED = "tournament_created"
    TOURNAMENT_OPENED = "tournament_opened"
    ENTRY_REGISTERED = "entry_registered"
    ENTRY_WITHDRAWN = "entry_withdrawn"
    TOURNAMENT_STARTED = "tournament_started"
    TOURNAMENT_PAUSED = "tournament_paused"
    TOURNAMENT_RESUMED = "tournament_resumed"
    TOURNAMENT_ENDED = "tournament_ended"


TOURNAMENT_KINDS: Final = frozenset(
    {
        EntryKind.TOURNAMENT_CREATED,
        EntryKind.TOURNAMENT_OPENED,
        EntryKind.ENTRY_REGISTERED,
        EntryKind.ENTRY_WITHDRAWN,
        EntryKind.TOURNAMENT_STARTED,
        EntryKind.TOURNAMENT_PAUSED,
        EntryKind.TOURNAMENT_RESUMED,
        EntryKind.TOURNAMENT_ENDED,
    }
)
"""Kinds of the log of a tournament, which is kept like that of a table."""


TOURNAMENT_PREFIX: Final = "tournament-"
"""How the ids of tournaments begin, and of nothing else."""


class Durability(Enum):
    """How well a store keeps what it has acknowledged."""

    ACTION = "action"
    """Every batch survives a crash and a power cut."""
    DEAL = "deal"
    """Batches that end a deal survive both; the others survive a crash only."""
    MEMORY = "memory"
    """Nothing survives the process."""


@value
class Entry:
    """One line of a table's log."""

    kind: EntryKind
    payload: str
    """What happened, in the text form that its kind defines (`tables/entries.py`)."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What a finished deal brought to one seat."""

    seat: int
    player_id: str
    """Who sat there at the end of the deal; empty for nobody."""
    points: int
    """What the deal added to the seat's total."""


@dataclass(frozen=True, slots=True)
class DealRecordLine:
    """The record of a finished deal, to be sealed by the store."""

    deal_number: int
    """Counted from 1."""
    json: str
    """One line in our own record format."""
    results: tuple[SeatResult, ...] = ()
    """One for every seat of the table."""


@dataclass(frozen=True, slots=True)
class SealedDeal:
    """The record of a finished deal in the chain of its table (`storage/sealing.py`)."""

    deal_number: int
    json: str
    sha256: bytes
    """Over `previous_sha256` and the record's bytes."""
    previous_sha256: bytes
    """`sha256` of the record before it; 32 zero bytes for the first."""


@value
class Batch:
    """What one step adds to one table, all or nothing."""

    table_id: str
    at: float
    """Seconds since 1970; the time of every entry in it."""
    entries: tuple[Entry, ...]
    record: DealRecordLine | None = None
    """Sealed in the same transaction as the last entry of its deal."""
    is_last: bool = False
    """The table is over with it."""


@value
class LoggedEntry:
    """An entry as it was kept."""

    at: float
    """Seconds since 1970."""
    entry: Entry


@dataclass(frozen=True, slots=True)
class TableLog:
    """What a store has kept of one table, from its first entry.

    Actions may be missing for all but its last two dealings, void ones included.
    """

    table_id: str
    lines: Sequence[LoggedEntry]


class StoreFailure(Enum):
    """Why a store could not take a batch."""

    FULL = "full"
    """No space; it may come back."""
    FENCED = "fenced"
    """Another process has taken over; this one must write nothing more."""
    BROKEN = "broken"
    """The device failed to keep what it had, or that is somewhere else by now: only a restart can
    tell what is there."""
    OTHER = "other"


class StoreError(Exception):
    """The store could not take a batch; nothing of it was kept.

    Attributes:
        failure: why.
    """

    def __init__(self, message: str, failure: StoreFailure = StoreFailure.OTHER) -> None:
        """Keep sentence and cause."""
        super().__init__(message)
        self.failure = failure


class CorruptRecordError(Exception):
    """A sealed record is not what it was when it was sealed; it is never handed out (F21).

    Attributes:
        table_id: whose deal it is.
        deal_number: which one.
        why: what is wrong with it.
    """

    def __init__(self, table_id: str, deal_number: int, why: str) -> None:
        """Keep the place and the reason."""
        super().__init__(f"deal {deal_number} of table {table_id} is damaged: {why}")
        self.table_id = table_id
        self.deal_number = deal_number
        self.why = why


class UnusableStoreError(Exception):
    """What a store would keep its data in cannot be used; the text says what to do."""


Done = Callable[[StoreError | None], None]
"""Told once per batch, when it is durable or has failed."""


class Store(Protocol):
    """A durable log per table. All methods are called in the loop that owns the tables."""

    @property
    def durability(self) -> Durability:
        """What an acknowledgement means."""

    @property
    def is_available(self) -> bool:
        """Whether batches can be kept now, as far as is known."""

    @property
    def fatal(self) -> StoreError | None:
        """Why this process can never keep anything again (FENCED, BROKEN); None while it can.

        Whoever runs the process ends it then, and a restart reads what is there.
        """

    def watch(self, call: Callable[[], None]) -> None:
        """Call back whenever `is_available` or `fatal` has changed."""

    async def open(self) -> None:
        """Get ready; called once, before anything else.

        Raises:
            UnusableStoreError: what is there cannot be used.
        """

    def append(self, batch: Batch, done: Done) -> None:
        """Keep a batch, then call `done`, possibly before returning.

        Batches of one table are given one after the other: the next one only after `done`.
        """

    async def load(self, ended: int) -> Sequence[TableLog]:
        """The logs of all tables that are not over, and of so many of the latest that are.

        Those of tournaments are all there (`TOURNAMENT_PREFIX`). In the order of opening.
        """

    async def log(self, table_id: str) -> TableLog | None:
        """The log of one table, None for an unknown one.

        Of a retired one nothing, or what tells whose records they are; actions may be missing.
        """

    async def record(self, table_id: str, deal_number: int) -> SealedDeal | None:
        """The record of a finished deal, None when there is none.

        Raises:
            CorruptRecordError: what is there is not what was sealed.
            StoreError: it cannot be read now.
        """

    async def records(self, table_id: str, after: int, limit: int) -> Sequence[SealedDeal]:
        """At most so many records of a table, of the deals after a number, in their order.

        Raises:
            CorruptRecordError: what is there is not what was sealed.
            StoreError: they cannot be read now.
        """

    def retire(self, table_id: str) -> None:
        """A table that is over is carried no longer; its records need not be quick to read."""

    async def close(self) -> None:
        """Keep what was given, and let go of files and threads."""
