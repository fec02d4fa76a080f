"""Plays a tournament: begins the tables of its plan, takes their results, ends it.

There is nothing in here that a crash could lose. What was played is in the logs of the tables,
whose ids are computed from the plan; so a runner that starts anew looks every planned table up and
goes on where the last one stopped (R1, R3, R4).
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import structlog

from skat_server.clock import Clock
from skat_server.errors import Reason, RefusedError
from skat_server.storage.protocols import Store, StoreError
from skat_server.tables.registry import Tables
from skat_server.tables.sessions import Sessions
from skat_server.tables.settling import settled
from skat_server.tables.table import Table
from skat_server.tournaments.config import TournamentConfig
from skat_server.tournaments.matches import Match
from skat_server.tournaments.progress import Progress, Standing
from skat_server.tournaments.readiness import Readiness
from skat_server.tournaments.state import Ended, Stage
from skat_server.tournaments.summary import Summary
from skat_server.tournaments.tables import table_config
from skat_server.tournaments.tournament import Tournament

_log = structlog.get_logger()

RETRY: Final = 1.0
"""Seconds after which is tried again what store or server could not do."""
_ALL: Final = 1_000_000
"""More deals than any table has."""


@dataclass(frozen=True, slots=True)
class Backlog:
    """What is planned of a tournament, as far as its plan is settled."""

    ready: int
    """Tables that could begin."""
    delayed: int
    """Tables that wait for players, or for the end of a pause."""
    under_way: int
    """Tables that have begun."""
    boards_done: int
    """Boards of finished matches."""
    boards_open: int
    """Boards of all other matches."""


class Runner:
    """The play of one tournament.

    Attributes:
        is_loaded: whether it knows what was played before.
        latest_figures: what somebody was told last, matches ago perhaps; None until then.
    """

    def __init__(
        self, tournament: Tournament, tables: Tables, sessions: Sessions, store: Store, clock: Clock
    ) -> None:
        """Nothing begins before `run`, and nothing is known before `load`."""
        self._tournament = tournament
        self._tables = tables
        self._sessions = sessions
        self._store = store
        self._clock = clock
        self._wake = asyncio.Event()
        self._progress = Progress(tournament)
        self._running: dict[str, Table] = {}
        self._seats: Counter[str] = Counter()
        """At how many of them each player sits."""
        self._loading = asyncio.Lock()
        self.is_loaded = False
        self._computing = asyncio.Lock()
        self.latest_figures: Summary | None = None
        self._refused: Reason | None = None
        """Why the last try failed; said once."""
        seconds = tournament.fixed.config.ready_within_s
        self._readiness = Readiness(sessions, clock, seconds, self._wake.set)

    @property
    def standing(self) -> Standing:
        """The tournament with what was played so far."""
        return self._progress.now

    @property
    def tournament_id(self) -> str:
        """Whose play it is."""
        return self._tournament.tournament_id

    @property
    def config(self) -> TournamentConfig:
        """What the organiser has fixed."""
        return self._tournament.fixed.config

    @property
    def backlog(self) -> Backlog:
        """What is still to be played."""
        under_way = len(self._running)
        waiting = max(0, self._progress.tables_missing - under_way)
        is_ready = self._tournament.state.stage is Stage.RUNNING and self._readiness.is_settled
        done, left = self._progress.boards
        return Backlog(
            ready=waiting if is_ready else 0,
            delayed=0 if is_ready else waiting,
            under_way=under_way,
            boards_done=done,
            boards_open=left,
        )

    @property
    def games_done(self) -> int:
        """Games that are over at the tables of the plan."""
        tables = (
            (match, number)
            for match in self._progress.now.plan.matches
            for number in range(len(match.lineups))
        )
        return sum(self.boards_done(match, number) or 0 for match, number in tables)

    def table_id(self, match: Match, number: int) -> str:
        """The id of a planned table."""
        return self._progress.table_ids(match)[number]

    def boards_done(self, match: Match, number: int) -> int | None:
        """Boards that a planned table has played; None before it has begun."""
        table = self._running.get(self.table_id(match, number))
        if table is not None:
            return table.state.series.deals_done
        return self._progress.boards_done(match, number)

    async def figures(self) -> Summary:
        """The figures so far, computed beside the loop, and once for all who ask."""
        async with self._computing:
            standing = self._progress.now
            if standing.figures is None:
                standing.figures = await asyncio.to_thread(standing.event.summary)
            self.latest_figures = standing.figures
            return standing.figures

    def table_changed(self, table: Table) -> None:
        """A table of the tournament has something new; the end of it wakes the runner."""
        if table.is_over:
            table.viewers.pop(self, None)
            self._wake.set()

    async def load(self) -> None:
        """Look up what was played before a restart, if nobody has yet.

        Raises:
            CorruptRecordError: the record of a board is damaged.
            StoreError: the store cannot be read now.
        """
        async with self._loading:
            if not self.is_loaded:
                await self._find_played()
                self.is_loaded = True

    async def run(self) -> None:
        """Play until the tournament is over and none of its tables is under way.

        What store or server cannot do now is tried again.
        """
        self._tournament.watchers[self._wake_soon] = None
        try:
            while True:
                self._wake.clear()
                if await self._step():
                    return
                await self._wake.wait()
        finally:
            self._tournament.watchers.pop(self._wake_soon, None)
            self._readiness.forget()

    def _wake_soon(self) -> None:
        """Come again after all else had its turn: house bots in memory never wait for anything."""
        asyncio.get_running_loop().call_soon(self._wake.set)

    async def close_tables(self) -> None:
        """Close the tables that are under way, because the tournament is over.

        Raises:
            RefusedError: STORE_UNAVAILABLE.
        """
        reason = self._tournament.state.reason or "the tournament is over"
        for table in tuple(self._running.values()):
            try:
                await settled(partial(table.close, reason))
            except RefusedError as refusal:
                if refusal.reason is not Reason.TABLE_OVER:
                    raise

    async def _step(self) -> bool:
        """Do what can be done now; True when nothing is left to be done."""
        try:
            await self.load()
            await self._collect()
            if self._tournament.is_over:
                await self.close_tables()
            else:
                await self._advance()
        except (RefusedError, StoreError) as error:
            self._try_again(error)
            return False
        self._refused = None
        return self._tournament.is_over and not self._running

    def _try_again(self, error: RefusedError | StoreError) -> None:
        reason = error.reason if isinstance(error, RefusedError) else Reason.STORE_UNAVAILABLE
        if reason is not self._refused:
            _log.warning(
                "tournament.waits",
                tournament_id=self._tournament.tournament_id,
                reason=reason.name,
                why=str(error),
            )
        self._refused = reason
        self._clock.call_later(RETRY, self._wake.set)

    async def _advance(self) -> None:
        """Begin what may begin; end the tournament when there is nothing more to play."""
        if self._tournament.state.stage is not Stage.RUNNING:
            self._readiness.reset()
            return
        if self._progress.is_done:
            await self._tournament.change(Ended(self._progress.now.plan.end))
            return
        entrants = self._tournament.state.entrants
        if self._readiness.is_over(player for entry in entrants for player in entry.players):
            await self._begin_tables()

    async def _begin_tables(self) -> None:
        """Begin planned tables in schedule order, as many as may be under way."""
        most = self._tournament.fixed.config.tables_at_once
        for match, number, table_id in self._progress.missing():
            if len(self._running) >= most or self._tournament.state.stage is not Stage.RUNNING:
                return
            if table_id in self._running or not self._has_seats(match.lineups[number]):
                continue
            if (await self._begin(match, number)).is_over:
                await _others_turn()

    def _has_seats(self, lineup: Sequence[int]) -> bool:
        """Whether nobody would sit at more tables than players may.

        Tables outside of the tournament do not count: nobody can hold it up with them.
        """
        entrants, most = (
            self._tournament.state.entrants,
            max(1, self._tables.limits.seats_per_player),
        )
        players = (player for entry in lineup for player in entrants[entry].players)
        return all(self._seats[player] < most for player in players)

    async def _begin(self, match: Match, number: int) -> Table:
        """Open a table with everybody seated; the first deal begins with it."""
        config = table_config(self._progress.now.event, match, number, self._clock.now())
        table = await settled(partial(self._tables.create, config))
        self._follow(table)
        return table

    def _follow(self, table: Table) -> None:
        self._running[table.table_id] = table
        self._seats.update(occupant.player_id for occupant in table.config.seated if occupant)
        self._sessions.follow(table)
        if table.is_over:  # house bots are quick
            self._wake_soon()
        else:
            table.viewers[self] = None

    async def _find_played(self) -> None:
        """Look up the planned tables that have begun before, and all that are under way."""
        is_new = True
        while is_new:
            for _, _, table_id in list(self._progress.missing()):
                await self._find(table_id)
            is_new = self._progress.settle()
        for table in self._tables.playing():
            is_own = table.config.tournament_id == self._tournament.tournament_id
            if is_own and table.table_id not in self._running:  # played ahead of a test
                self._follow(table)

    async def _find(self, table_id: str) -> None:
        if table_id in self._running:
            return
        table = self._tables.get(table_id)
        if table is not None and not table.is_over:
            self._follow(table)
        elif table is not None or await self._store.log(table_id) is not None:
            await self._take(table_id)

    async def _collect(self) -> None:
        """Take the results of tables that are over."""
        over = [table for table in self._running.values() if table.is_over]
        for table in over:
            await self._take(table.table_id)
            del self._running[table.table_id]
            self._seats -= Counter(o.player_id for o in table.config.seated if o)
        if over:
            self._progress.settle()
            self._tournament.tell()

    async def _take(self, table_id: str) -> None:
        self._progress.take(table_id, await self._store.records(table_id, 0, _ALL))


async def _others_turn() -> None:
    """Let all else in the event loop go on."""
    turned = asyncio.Event()
    asyncio.get_running_loop().call_soon(turned.set)
    await turned.wait()
