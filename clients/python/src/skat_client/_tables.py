"""Tables and their rules, as the server lists them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from skat_client._policies import ClockPolicy, FaultPolicy
from skat_client._results import DealtCards

OptionValue = str | int
"""What an option is set to: its text on the wire, or a number, a bool or a member of an enum."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of a table: a named preset with single options overridden."""

    preset: str
    overrides: Mapping[str, OptionValue] = field(default_factory=dict, hash=False)
    """Option name to value, both as `AsyncClient.list_rule_sets` documents them. Numbers and
    bools become the text that is meant; what a server sends is text."""


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
    """Deals are being played, also while a seat is empty."""
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
    """Known only to whoever has the id; only its players and its owner may watch it."""

    def __str__(self) -> str:
        return self.name.lower()


class HouseBot(Enum):
    """A bot of the server's own, which fills seats and stands in for players."""

    FIRST_OPTION = 1
    """Takes the plainest answer: passes, declines, plays its lowest legal card."""
    RANDOM = 2
    """Takes any legal answer by chance, and seldom bids high."""

    def __str__(self) -> str:
        return self.name.lower().replace("_", "-")


class Durability(Enum):
    """How well a server keeps what it has acknowledged."""

    ACTION = 1
    """Every action survives a crash and a power cut."""
    DEAL = 2
    """Every finished deal survives both; the deal under way survives a crash only."""
    MEMORY = 3
    """Nothing survives: for training and self-play."""

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class TableChance:
    """What binds the operator to the cards of a table before anybody sits down."""

    commitment: bytes = b""
    """Binds the table's seed; empty for deals that were given."""
    seed: bytes = b""
    """The table's seed itself, 32 bytes; empty until the table is over."""


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """One place at a table."""

    seat: int
    taken: bool
    player_name: str
    """Empty for a free seat."""
    connected: bool
    """Whether the player has a session open; always for a house bot."""
    house_bot: HouseBot | None = None
    """The house bot that sits there; None for a player."""
    taken_over: bool = False
    """Whether a house bot plays for the player, who may come back."""


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
    clock: ClockPolicy | None = None
    """How long the seats may think; None where the server does not say."""
    faults: FaultPolicy | None = None
    """What happens to those that do not play; None where the server does not say."""
    chance: TableChance = TableChance()
    """How its deals come about."""
    durability: Durability | None = None
    """How well the server keeps it; None where it does not say."""

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
    sha256: bytes = b""
    """SHA-256 over `previous_sha256` and the bytes of `json`: records of a table are a chain."""
    previous_sha256: bytes = b""
    """`sha256` of the table's record before this one; 32 zero bytes for the first."""
