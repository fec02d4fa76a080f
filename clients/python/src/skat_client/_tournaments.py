"""Tournaments, as the server tells of them."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from skat_client._tables import HouseBot


class TournamentState(Enum):
    """Where a tournament stands."""

    DRAFT = 1
    """Being prepared; only its organiser sees it."""
    OPEN = 2
    """Entries may register."""
    RUNNING = 3
    """Being played."""
    PAUSED = 4
    """No new tables begin; those under way are finished."""
    FINISHED = 5
    """All that was planned has been played, or a test has ended."""
    CANCELLED = 6
    """Ended by its organiser."""

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Entry:
    """Somebody who takes part."""

    number: int
    """From 0, in the order of registration."""
    name: str
    """Unique in the tournament."""
    house_bot: HouseBot | None
    """The bot of the server's own that it is; None for a player."""
    connected: bool
    """Whether a session of it is open."""
    client_nonce: bytes
    """Its share in the chance of the boards."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """An event: entries, a format, boards."""

    tournament_id: str
    name: str
    state: TournamentState
    end: str
    """Why it has ended, for instance `schedule_done`; empty while it has not."""
    reason: str
    """Why it is paused or was cancelled, for people; empty where nobody has said."""
    config: str
    """The file it was made from, TOML."""
    entries: tuple[Entry, ...]
    """By number, house bots included."""
    games_done: int
    games_planned: int
    """Games planned so far."""
    seed_commitment: bytes
    """What binds the organiser to the boards: SHA-256 of label, id and seed."""
    boards_root: bytes
    """Root of the tree over the boards' commitments; empty before the start, and where there are
    too many boards."""
    seed: bytes
    """Empty until it has ended."""
    created_at: datetime
    """In UTC."""

    @property
    def is_over(self) -> bool:
        """Whether nothing will be played any more."""
        return self.state in (TournamentState.FINISHED, TournamentState.CANCELLED)


@dataclass(frozen=True, slots=True)
class Standing:
    """One entry in the table; points are points a game against the average of the field."""

    entry: int
    """Its number."""
    name: str
    place: int
    """1 is first."""
    strength: float
    low: float
    """Lower end of the interval that holds together with all others."""
    high: float
    """Upper end."""
    best_place: int
    """The best place that is not ruled out."""
    worst_place: int
    """The worst one."""
    games: int
    points_per_36: float
    """Points for 36 games, as they were written."""
    faults: int
    """Games in which a fault happened at its table."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The table of a tournament."""

    rows: tuple[Standing, ...]
    """Best first, those who have whole blocks; empty while too few games connect them."""
    confidence: float
    """Of all intervals together, 0 to 1."""
    blocks: int
    """Whole blocks that count."""
    games: int
    """Games that count."""


@dataclass(frozen=True, slots=True)
class StandingsSeen:
    """A tournament and its table, as somebody sees them who watches."""

    tournament: Tournament
    standings: Standings
