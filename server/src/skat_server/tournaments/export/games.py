"""The games of an event one by one, as its files have them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skat_server.storage.protocols import SealedDeal
from skat_server.tournaments.event import Event, PlayedMatch
from skat_server.tournaments.matches import Lineup, Match
from skat_server.tournaments.plays import Deed


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game: a board at one table."""

    match: Match
    table: int
    """Which of the match's tables."""
    table_id: str
    place: int
    """Which of the table's boards, from 0."""
    deed: Deed
    points: tuple[int, ...]
    """What it added to the total of each seat."""
    order: Sequence[int]
    """The seats of forehand, middlehand and rearhand, and of the dealer at a table of four."""
    sealed: SealedDeal
    is_faulty: bool

    @property
    def board(self) -> int:
        """Number of its board."""
        return self.match.first_board + self.place

    @property
    def lineup(self) -> Lineup:
        """Who sat on seat 0, 1, 2 (and 3)."""
        return self.match.lineups[self.table]


def games_of_event(event: Event) -> Iterator[PlayedGame]:
    """The games of the matches that count, in schedule order; the event has its records."""
    for match in event.counting():
        yield from _games_of_match(match)


def _games_of_match(match: PlayedMatch) -> Iterator[PlayedGame]:
    for number, (table, result) in enumerate(zip(match.tables, match.result.tables, strict=True)):
        rows = zip(table.records, table.deeds, result.points, strict=True)
        for place, (sealed, deed, points) in enumerate(rows):
            yield PlayedGame(
                match.result.match,
                number,
                table.table_id,
                place,
                deed,
                points,
                result.order(place),
                sealed,
                place in result.faulty,
            )
