"""Tables and their rules, as the server lists them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from skat_client._results import DealtCards


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of a table: a named preset with single options overridden."""

    preset: str
    overrides: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Option name to value, both as `AsyncClient.list_rule_sets` documents them."""


@dataclass(frozen=True, slots=True)
class FreshDeals:
    """A fresh secret seed for every deal."""


@dataclass(frozen=True, slots=True)
class SeededDeals:
    """Deals computed from one seed, for practice and tests: its owner knows every card."""

    seed: bytes
    """32 bytes."""


@dataclass(frozen=True, slots=True)
class ListedDeals:
    """These deals, for practice and tests. The series is as long as the list."""

    deals: tuple[DealtCards, ...]
    """1 to 200 deals."""


DealSource = FreshDeals | SeededDeals | ListedDeals
"""Where the deals of a table come from."""


class TableState(Enum):
    """Where a table stands."""

    OPEN = 1
    """Seats are free and no deal has begun."""
    PLAYING = 2
    """Deals are being played; play waits at a seat that was left."""
    FINISHED = 3
    """The last deal of the series is booked."""
    CLOSED = 4
    """The table was closed before its series ended."""

    def __str__(self) -> str:
        return self.name.lower()


class Visibility(Enum):
    """Who may find and watch a table."""

    PUBLIC = 1
    """Listed, and open to spectators."""
    PRIVATE = 2
    """Known only to whoever has the id; only its players may watch it or read its records."""

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """One place at a table."""

    seat: int
    taken: bool
    player_name: str
    """Empty for a free seat."""
    connected: bool
    """Whether the player has a session open."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table and its series."""

    table_id: str
    display_name: str
    """The name its creator gave; may be empty."""
    state: TableState
    rule_set: RuleSet
    visibility: Visibility
    seats: tuple[SeatInfo, ...]
    """All seats in order."""
    deals_done: int
    """Deals booked, passed ones included."""
    deals: int
    """Deals of the series; 0 when it has no fixed length."""
    totals: tuple[int, ...]
    """Each seat's total so far."""
    created_at: datetime
    """In UTC."""

    @property
    def is_over(self) -> bool:
        """Whether no further deal is played here."""
        return self.state in (TableState.FINISHED, TableState.CLOSED)


@dataclass(frozen=True, slots=True)
class TableView:
    """What a viewer needs to know before the next event of a table."""

    table: Table
    seat: int | None
    """The viewer's seat; None for spectators."""
    sequence: int
    """Sequence of the viewer's latest event."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Where the caller sits now."""

    table: Table
    seat: int


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One finished deal, complete enough to be replayed."""

    table_id: str
    deal_number: int
    """Counted from 1."""
    json: str
    """One line of JSON in the record format `skat-deal`, without the line's end."""
