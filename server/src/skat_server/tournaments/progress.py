"""What was played of a tournament so far, and what its plan makes of that."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from skat_server.storage.protocols import SealedDeal
from skat_server.tournaments.event import Event, PlayedMatch, PlayedTable
from skat_server.tournaments.formats.plan import Plan
from skat_server.tournaments.matches import Match, MatchResult, TableResult
from skat_server.tournaments.summary import Summary
from skat_server.tournaments.tables import played_table, table_id_of
from skat_server.tournaments.tournament import Tournament


@dataclass
class Standing:
    """A tournament after some matches, with what was computed of it: no work is done twice."""

    event: Event
    figures: Summary | None = None
    """None until somebody has asked for them."""

    @cached_property
    def plan(self) -> Plan:
        """The schedule as far as it is settled."""
        return self.event.plan()


class Progress:
    """The finished tables of one tournament, match by match."""

    def __init__(self, tournament: Tournament) -> None:
        """Begin without results."""
        self._tournament = tournament
        self._matches: dict[str, PlayedMatch] = {}
        self._finished: dict[str, tuple[PlayedTable, TableResult]] = {}
        """Finished tables of matches that are not finished, by table id."""
        self._ids: dict[str, tuple[str, ...]] = {}
        """Ids of the tables of matches that were asked for."""
        self._now: Standing | None = None

    @property
    def now(self) -> Standing:
        """Where the tournament stands."""
        entrants = self._tournament.state.entrants
        if self._now is None or self._now.event.entrants is not entrants:
            self._now = Standing(Event(self._tournament.fixed, entrants, dict(self._matches)))
        return self._now

    def boards_done(self, match: Match, number: int) -> int | None:
        """Boards of a planned table that is finished; None for any other."""
        played = self._matches.get(match.key)
        if played is not None:
            return len(played.result.tables[number].points)
        found = self._finished.get(self.table_ids(match)[number])
        return None if found is None else len(found[1].points)

    @property
    def is_done(self) -> bool:
        """Whether all of the plan is played, and nothing will follow."""
        return self.now.plan.end is not None and not self.open_matches()

    def open_matches(self) -> list[Match]:
        """Planned matches that are not finished, in schedule order."""
        return [match for match in self.now.plan.matches if match.key not in self._matches]

    @property
    def tables_missing(self) -> int:
        """How many planned tables are not finished."""
        planned = sum(len(match.lineups) for match in self.open_matches())
        return planned - len(self._finished)

    @property
    def boards(self) -> tuple[int, int]:
        """Boards of the planned matches that are finished, and of those that are not."""
        left = sum(match.boards for match in self.open_matches())
        return sum(match.boards for match in self.now.plan.matches) - left, left

    def missing(self) -> Iterator[tuple[Match, int, str]]:
        """Planned tables that are not finished: match, number, id; in schedule order."""
        for match in self.open_matches():
            for number, table_id in enumerate(self.table_ids(match)):
                if table_id not in self._finished:
                    yield match, number, table_id

    def take(self, table_id: str, records: Sequence[SealedDeal]) -> None:
        """A table is finished; `settle` makes matches of it."""
        self._finished[table_id] = played_table(table_id, records, with_records=False)

    def settle(self) -> bool:
        """Finish the matches of which all tables are finished; whether there was one."""
        complete = [match for match in self.open_matches() if self._is_complete(match)]
        for match in complete:
            found = [self._finished.pop(table_id) for table_id in self.table_ids(match)]
            result = MatchResult(match, tuple(points for _, points in found))
            self._matches[match.key] = PlayedMatch(result, tuple(table for table, _ in found))
            self._now = None
        return bool(complete)

    def _is_complete(self, match: Match) -> bool:
        return all(table_id in self._finished for table_id in self.table_ids(match))

    def table_ids(self, match: Match) -> tuple[str, ...]:
        """The ids of a match's tables; computed once, since a runner asks after every table."""
        found = self._ids.get(match.key)
        if found is None:
            numbers = range(len(match.lineups))
            found = tuple(table_id_of(self._tournament.fixed, match, n) for n in numbers)
            self._ids[match.key] = found
        return found
