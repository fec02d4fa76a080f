"""Who may look at a table and read its records."""

from dataclasses import dataclass
from typing import Self

from skat_server.storage.protocols import EntryKind, TableLog
from skat_server.tables.entry_values import (
    DealStartedEntry,
    SeatLeftEntry,
    SeatTakenEntry,
)
from skat_server.tables.reading import read, read_opening
from skat_server.tables.state import Occupant, TableConfig, TableState, Visibility

_SEATS_IN = frozenset({EntryKind.SEAT_TAKEN, EntryKind.SEAT_LEFT, EntryKind.DEAL_STARTED})
"""Kinds of entries that tell who sits where."""


@dataclass(frozen=True, slots=True)
class Audience:
    """The people of a table, and whether it is for others as well."""

    visibility: Visibility
    player_ids: frozenset[str]
    """Its owner, and who sits there."""
    tournament_id: str
    """The tournament that the table belongs to; empty for none."""

    @classmethod
    def of(cls, config: TableConfig, state: TableState) -> Self:
        """Of a table that is carried."""
        return cls._from(config, state.occupants)

    @classmethod
    def in_log(cls, log: TableLog) -> Self:
        """Of a table that is known from its log only.

        Raises:
            EntryError: the log cannot be read.
        """
        config = read_opening(log.lines[0].entry)
        occupants = list(config.seated) or [None] * config.rules.seats
        for line in log.lines[_latest_start(log) :]:
            if line.entry.kind not in _SEATS_IN:
                continue
            match read(line.entry, config.rules.seats):
                case SeatTakenEntry(seat, occupant):
                    occupants[seat] = occupant
                case SeatLeftEntry(seat):
                    occupants[seat] = None
                case DealStartedEntry(carried=carried):
                    occupants = list(carried.occupants)
                case _:
                    raise AssertionError("no other kind was read")
        return cls._from(config, tuple(occupants))

    @classmethod
    def _from(cls, config: TableConfig, occupants: tuple[Occupant | None, ...]) -> Self:
        seated = (occupant.player_id for occupant in occupants if occupant is not None)
        people = frozenset((config.owner_id, *seated))
        return cls(config.visibility, people, config.tournament_id)

    def includes(self, player_id: str | None) -> bool:
        """Whether this caller may look; None is somebody without a name."""
        return self.visibility is Visibility.PUBLIC or player_id in self.player_ids


def _latest_start(log: TableLog) -> int:
    """Where the latest deal starts, which tells who sat there; else behind the opening."""
    for place in range(len(log.lines) - 1, 0, -1):
        if log.lines[place].entry.kind is EntryKind.DEAL_STARTED:
            return place
    return 1
