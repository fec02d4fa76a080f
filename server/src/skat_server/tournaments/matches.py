"""What is planned and what came of it: matches, their tables, their boards.

A match is a range of boards that a few entries play at some tables, each table with another
lineup. In a duplicate match of three entries the three lineups are the rotations, so every board
of it is played from every seat: it is a row of whole blocks (competition guide, section 3.2).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from skat_server.statistics.games import Game

Entry = int
"""Number of an entry, from 0 in the order of registration."""

Lineup = tuple[Entry, ...]
"""Who sits on seat 0, 1, 2 (and 3) of a table."""

SEATS: Final = 3


@dataclass(frozen=True, slots=True)
class Match:
    """Boards that some entries play together."""

    key: str
    """Names the match in its tournament; computed from the schedule, so a restart finds it."""
    lineups: tuple[Lineup, ...]
    """One table for each."""
    first_board: int
    """Number of its first board, from 0."""
    boards: int
    """How many boards every table plays, in order."""
    round: int = 1
    """Round of the event, from 1."""

    @property
    def entries(self) -> frozenset[Entry]:
        """Everybody who plays in it."""
        return frozenset(entry for lineup in self.lineups for entry in lineup)

    @property
    def games(self) -> int:
        """Deals at all of its tables."""
        return len(self.lineups) * self.boards

    def table_key(self, table: int) -> str:
        """Names one of its tables; with the board it names a game (R4)."""
        return f"{self.key}.t{table}"


@dataclass(frozen=True, slots=True)
class TableResult:
    """What one table of a match came to."""

    points: tuple[tuple[int, ...], ...]
    """For each board played, in order, what it added to the total of each seat."""
    faulty: frozenset[int] = frozenset()
    """Places in `points` of boards at which a fault happened (R29)."""
    dealers: tuple[int, ...] = ()
    """The dealer's seat of each board; by turns from seat 0 on where nothing is said."""

    def order(self, place: int) -> list[int]:
        """The seats of forehand, middlehand, rearhand, and of the dealer at a table of four."""
        seats = len(self.points[place])
        dealer = self.dealers[place] if self.dealers else place
        return [(dealer + step) % seats for step in range(1, seats + 1)]


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What a finished match came to."""

    match: Match
    tables: tuple[TableResult, ...]
    """One for each lineup; a table that ended early has fewer boards."""


Results = Mapping[str, MatchResult]
"""The finished matches of a tournament by their keys."""


def rotations(first: Entry, second: Entry, third: Entry) -> tuple[Lineup, ...]:
    """The three lineups of a duplicate match.

    >>> rotations(0, 1, 2)
    ((0, 1, 2), (2, 0, 1), (1, 2, 0))
    """
    return (first, second, third), (third, first, second), (second, third, first)


def games_of(result: MatchResult, *, with_faulty: bool = True) -> Iterator[Game]:
    """The games of a match, as the statistics want them.

    A board counts only when all tables of the match have played it, so that nothing but whole
    blocks is compared.

    Args:
        result: a finished match.
        with_faulty: count boards at which a fault happened; without, the whole block is left out.
    """
    whole = min((len(table.points) for table in result.tables), default=0)
    faulty = {place for table in result.tables for place in table.faulty}
    for place in range(whole):
        if place in faulty and not with_faulty:
            continue
        for lineup, table in zip(result.match.lineups, result.tables, strict=True):
            order, points = table.order(place), table.points[place]
            yield Game(
                result.match.first_board + place,
                tuple(lineup[seat] for seat in order),
                tuple(points[seat] for seat in order),
            )
