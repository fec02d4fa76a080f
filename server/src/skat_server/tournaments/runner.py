"""Plays a tournament: begins the tables of its plan, takes their results, ends it.

There is nothing in here that a crash could lose. What was played is in the logs of the tables,
whose ids are computed from the plan; so a runner that starts anew looks every planned table up and
goes on where the last one stopped (R1, R3, R4).
"""

import asyncio
from collections.abc import Iterator
from typing import Final

import structlog

from skat_server.clock import Clock, Timer
from skat_server.errors import RefusedError
from skat_server.storage.protocols import Store
from skat_server.tables.registry import Tables
from skat_server.tables.sessions import Sessions
from skat_server.tables.table import Table
from skat_server.tournaments.event import Event, PlayedMatch, PlayedTable
from skat_server.tournaments.formats.plan import Plan
from skat_server.tournaments.matches import Match, MatchResult, TableResult
from skat_server.tournaments.state import Ended, Stage
from skat_server.tournaments.tables import played_table, table_config, table_id_of
from skat_server.tournaments.tournament import Tournament

_log = structlog.get_logger()

RETRY: Final = 1.0
"""Seconds after which a table that could not begin is tried again."""


class Runner:
    """The play of one tournament."""

    def __init__(
        self, tournament: Tournament, tables: Tables, sessions: Sessions, store: Store, clock: Clock
    ) -> None:
        """Nothing begins before `run`."""
        self._tournament = tournament
        self._tables = tables
        self._sessions = sessions
        self._store = store
        self._clock = clock
        self._wake = asyncio.Event()
        self._matches: dict[str, PlayedMatch] = {}
        self._finished: dict[str, tuple[PlayedTable, TableResult]] = {}
        """Finished tables of matches that are not finished, by table id."""
        self._running: dict[str, Table] = {}
        self._is_ready = False
        self._timer: Timer | None = None

    @property
    def event(self) -> Event:
        """The tournament with what was played so far."""
        tournament = self._tournament
        return Event(tournament.fixed, tournament.state.entrants, dict(self._matches))

    def plan(self) -> Plan:
        """The schedule as far as it is settled."""
        return self.event.plan()

    def table_of(self, match: Match, number: int) -> Table | None:
        """A planned table while it is under way."""
        return self._running.get(table_id_of(self._tournament.fixed, match, number))

    def boards_done(self, match: Match, number: int) -> int:
        """Boards that a planned table has played while it is under way."""
        table = self.table_of(match, number)
        return 0 if table is None else table.state.series.deals_done

    @property
    def games_under_way(self) -> int:
        """Games that are over, in matches that are not."""
        done = sum(len(points.points) for _, points in self._finished.values())
        return done + sum(table.state.series.deals_done for table in self._running.values())

    def table_changed(self, table: Table) -> None:
        """A table of the tournament has something new; the end of it wakes the runner."""
        if table.is_over:
            table.viewers.pop(self, None)
            self._wake.set()

    async def run(self) -> None:
        """Play until the tournament is over."""
        self._tournament.watchers[self._wake.set] = None
        try:
            await self._find_played()
            while not self._tournament.is_over:
                self._wake.clear()
                await self._collect()
                if not await self._advance():
                    await self._wake.wait()
        finally:
            self._tournament.watchers.pop(self._wake.set, None)
            if self._timer is not None:
                self._timer.cancel()

    async def close_tables(self, reason: str) -> None:
        """Close the tables that are under way."""
        for table in tuple(self._running.values()):
            table.close(reason, lambda refusal: None)

    async def _advance(self) -> bool:
        """Begin what may begin; True when the tournament has ended with it."""
        if self._tournament.state.stage is not Stage.RUNNING:
            return False
        plan = self.plan()
        if plan.end is not None and not plan.to_play(self.event.results):
            await self._tournament.change(Ended(plan.end))
            return True
        if self._are_all_here():
            for match, number in self._waiting(plan):
                if len(self._running) >= self._tournament.fixed.config.tables_at_once:
                    break
                await self._begin(match, number)
        return False

    def _are_all_here(self) -> bool:
        """Whether every entry is connected, or time to wait for it is over (R5)."""
        if self._is_ready:
            return True
        entrants = self._tournament.state.entrants
        players = [player for entrant in entrants for player in entrant.players]
        self._is_ready = all(self._sessions.is_connected(player) for player in players)
        if not self._is_ready and self._timer is None:
            seconds = self._tournament.fixed.config.ready_within_s
            self._timer = self._clock.call_later(seconds, self._stop_waiting)
            self._sessions.watch(self._wake.set)
        return self._is_ready

    def _stop_waiting(self) -> None:
        self._is_ready = True
        self._wake.set()

    def _waiting(self, plan: Plan) -> Iterator[tuple[Match, int]]:
        """Planned tables that have not begun, in schedule order."""
        for match in plan.to_play(self.event.results):
            for number in range(len(match.lineups)):
                table_id = table_id_of(self._tournament.fixed, match, number)
                if table_id not in self._running and table_id not in self._finished:
                    yield match, number

    async def _begin(self, match: Match, number: int) -> None:
        """Open a table with everybody seated; the first deal begins with it."""
        event, made = self.event, asyncio.get_running_loop().create_future()
        config = table_config(event, match, number, self._clock.now())

        def done(refusal: RefusedError | None) -> None:
            if not made.done():
                made.set_result(refusal)

        try:
            table = self._tables.create(config, done)
        except RefusedError as refusal:
            self._try_again(refusal)
            return
        refused = await made
        if refused is None:
            self._follow(table)
        else:
            self._try_again(refused)

    def _try_again(self, refusal: RefusedError) -> None:
        _log.warning("tournament.table_refused", reason=refusal.reason.name)
        self._clock.call_later(RETRY, self._wake.set)

    def _follow(self, table: Table) -> None:
        self._running[table.table_id] = table
        table.viewers[self] = None
        self._sessions.follow(table)
        if table.is_over:
            self._wake.set()

    async def _find_played(self) -> None:
        """Look up the planned tables that have begun before a restart, match by match."""
        before = -1
        while before < len(self._matches):
            before = len(self._matches)
            for match in self.plan().to_play(self.event.results):
                for number in range(len(match.lineups)):
                    await self._find(table_id_of(self._tournament.fixed, match, number))
                await self._settle(match)

    async def _find(self, table_id: str) -> None:
        if table_id in self._running or table_id in self._finished:
            return
        table = self._tables.get(table_id)
        if table is not None and not table.is_over:
            self._follow(table)
        elif table is not None or await self._store.log(table_id) is not None:
            await self._take(table_id)

    async def _collect(self) -> None:
        """Take the results of tables that are over."""
        over = [table_id for table_id, table in self._running.items() if table.is_over]
        for table_id in over:
            await self._take(table_id)
            del self._running[table_id]
        if over:
            for match in self.plan().to_play(self.event.results):
                await self._settle(match)
            self._tournament.tell()

    async def _take(self, table_id: str) -> None:
        records = await self._store.records(table_id, 0, 1_000_000)
        self._finished[table_id] = played_table(table_id, records)

    async def _settle(self, match: Match) -> None:
        """A match is finished when all of its tables are."""
        fixed = self._tournament.fixed
        ids = [table_id_of(fixed, match, number) for number in range(len(match.lineups))]
        if not all(table_id in self._finished for table_id in ids):
            return
        found = [self._finished.pop(table_id) for table_id in ids]
        result = MatchResult(match, tuple(points for _, points in found))
        self._matches[match.key] = PlayedMatch(result, tuple(table for table, _ in found))
