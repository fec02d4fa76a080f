"""All tournaments of the server: made, found, listed, run."""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import Final

import structlog

from skat_server.clock import Clock
from skat_server.errors import Reason, RefusedError, quoted
from skat_server.storage.protocols import CorruptRecordError, Durability, EntryKind, Store, TableLog
from skat_server.tables.registry import Tables
from skat_server.tables.sessions import Sessions
from skat_server.tournaments.config import ConfigError, TournamentConfig, parse_config
from skat_server.tournaments.runner import Runner
from skat_server.tournaments.state import Ended, Fixed, Paused, Stage, require_apart
from skat_server.tournaments.tournament import Tournament

_log = structlog.get_logger()

MOST_TOURNAMENTS: Final = 10_000
"""Tournaments that a server knows, those that are over included."""
MOST_PER_ORGANISER: Final = 100
"""Tournaments of one organiser that are not over."""
AGAIN: Final = 60.0
"""Seconds after which a runner that has failed is started again where nobody can be told."""


class Tournaments:
    """Finds tournaments by id and keeps the runners of those that are played."""

    def __init__(self, tables: Tables, sessions: Sessions, store: Store, clock: Clock) -> None:
        """Start without tournaments."""
        self._tables = tables
        self._sessions = sessions
        self._store = store
        self._clock = clock
        self._all: dict[str, Tournament] = {}
        self._parked: set[str] = set()
        """Tournaments whose logs cannot be read; their boards stay secret."""
        self._runners: dict[str, Runner] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._by_request: dict[tuple[str, str], str] = {}
        self._making = asyncio.Lock()
        self._is_stopping = False

    async def create(  # noqa: PLR0913, PLR0917  # what is fixed of a tournament
        self,
        tournament_id: str,
        organiser_id: str,
        text: str,
        seed: bytes,
        request_id: str,
        account_id: str = "",
    ) -> Tournament:
        """Make a tournament as a draft, or return the one that the same request has made.

        Args:
            tournament_id: a new id.
            organiser_id: who may change it.
            text: the organiser's file.
            seed: 32 unpredictable bytes; those of the file count where it has some.
            request_id: the caller's id of the request; empty for none.
            account_id: the organiser's account; empty where the server keeps none.

        Raises:
            RefusedError: BAD_TOURNAMENT for a file that cannot be used, or a rated event on a store
                that may lose actions; QUOTA_EXCEEDED; STORE_UNAVAILABLE.
        """
        async with self._making:
            known = self._by_request.get((organiser_id, request_id)) if request_id else None
            if known is not None:
                return self._all[known]
            self._require_room(organiser_id)
            config = read_file(text)
            self._require_durability(config)
            seed = bytes.fromhex(config.seeds.seed) if config.seeds.seed else seed
            at = self._clock.now()
            fixed = Fixed(
                tournament_id, organiser_id, text, config, seed, at, request_id, account_id
            )
            require_apart(fixed)
            tournament = Tournament(fixed, self._store, self._clock)
            await tournament.create()
            self._add(tournament)
            return tournament

    def recover(self, logs: Iterable[TableLog]) -> None:
        """Go on with the tournaments of these logs; `start_running` lets them play."""
        for log in logs:
            try:
                self._add(Tournament.recovered(log, self._store, self._clock))
            except (RefusedError, ConfigError, ValueError, KeyError) as error:
                self._parked.add(log.table_id)
                _log.error("tournament.parked", tournament_id=log.table_id, reason=str(error))

    def start_running(self) -> None:
        """Let every tournament that is being played go on.

        One that is over goes on as well where tables of it are still under way: they are closed.
        """
        unfinished = {table.config.tournament_id for table in self._tables.playing()}
        for tournament in self._all.values():
            is_played = tournament.state.stage in {Stage.RUNNING, Stage.PAUSED}
            if is_played or tournament.tournament_id in unfinished:
                self._start(tournament)

    @property
    def known(self) -> Collection[Tournament]:
        """All tournaments, drafts and those that are over included."""
        return self._all.values()

    @property
    def at_play(self) -> Sequence[Runner]:
        """The runners of those that are being played, the newest tournament first."""
        return [
            self._runners[tournament_id]
            for tournament_id in reversed(self._all)
            if tournament_id in self._tasks and tournament_id in self._runners
        ]

    def runner(self, tournament: Tournament) -> Runner:
        """The runner of a tournament, which knows what was played once it has looked it up."""
        found = self._runners.get(tournament.tournament_id)
        if found is None:
            found = Runner(tournament, self._tables, self._sessions, self._store, self._clock)
            self._runners[tournament.tournament_id] = found
        return found

    async def loaded(self, tournament: Tournament) -> Runner:
        """The runner of a tournament, which knows what was played.

        Raises:
            CorruptRecordError: a record of it is damaged.
            StoreError: it cannot be read now.
        """
        runner = self.runner(tournament)
        await runner.load()
        return runner

    async def readable(self, tournament: Tournament) -> Runner | None:
        """As `loaded`, but None where a record is damaged: the rest can be shown all the same.

        Raises:
            StoreError: it cannot be read now.
        """
        try:
            return await self.loaded(tournament)
        except CorruptRecordError:
            return None

    async def cancel(self, tournament: Tournament, reason: str) -> None:
        """End a tournament here; its tables under way are closed.

        Raises:
            RefusedError: TOURNAMENT_STATE when it has ended; STORE_UNAVAILABLE.
        """
        await tournament.change(Ended(None, reason))
        await self.runner(tournament).close_tables()

    async def stop(self) -> None:
        """The server stops: runners end where they are."""
        self._is_stopping = True
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def find(self, tournament_id: str, caller_id: str | None) -> Tournament:
        """The tournament of an id; a draft only for its organiser.

        Raises:
            RefusedError: TOURNAMENT_NOT_FOUND.
        """
        found = self._all.get(tournament_id)
        is_hidden = found is not None and found.state.stage is Stage.DRAFT
        if found is None or (is_hidden and caller_id != found.fixed.organiser_id):
            raise RefusedError(
                Reason.TOURNAMENT_NOT_FOUND, f"there is no tournament {quoted(tournament_id)}"
            )
        return found

    def listed(self) -> Sequence[Tournament]:
        """Tournaments that are no drafts, the newest first."""
        return [t for t in reversed(self._all.values()) if t.state.stage is not Stage.DRAFT]

    def require_released(self, tournament_id: str) -> None:
        """Refuse what tells of boards that may still be played elsewhere (T10).

        Raises:
            RefusedError: RECORD_NOT_FOUND while the tournament is not over.
        """
        found = self._all.get(tournament_id)
        is_open = found is not None and not found.is_over
        if is_open or tournament_id in self._parked:
            raise RefusedError(
                Reason.RECORD_NOT_FOUND, "boards are shown when their tournament is over"
            )

    def _require_room(self, organiser_id: str) -> None:
        if len(self._all) >= MOST_TOURNAMENTS:
            raise RefusedError(
                Reason.QUOTA_EXCEEDED,
                "the server carries too many tournaments",
                limit="tournaments",
                subject="server",
            )
        owners = Counter(t.fixed.organiser_id for t in self._all.values() if not t.is_over)
        if owners[organiser_id] >= MOST_PER_ORGANISER:
            raise RefusedError(
                Reason.QUOTA_EXCEEDED,
                f"{MOST_PER_ORGANISER} tournaments of yours are not over; cancel some first",
                limit="tournaments_per_player",
                subject=organiser_id,
            )

    def _require_durability(self, config: TournamentConfig) -> None:
        if config.rated and self._store.durability is not Durability.ACTION:
            raise RefusedError(
                Reason.BAD_TOURNAMENT,
                "rated: this server may lose actions; run it with --durability action, or set "
                "rated = false",
            )

    def _add(self, tournament: Tournament) -> None:
        fixed = tournament.fixed
        self._all[tournament.tournament_id] = tournament
        tournament.watchers[partial(self._changed, tournament)] = None
        if fixed.request_id:
            self._by_request[fixed.organiser_id, fixed.request_id] = fixed.tournament_id

    def _changed(self, tournament: Tournament) -> None:
        """Whatever became of the call that has started it, a running tournament is played."""
        if tournament.state.stage is Stage.RUNNING:
            self._start(tournament)

    def _start(self, tournament: Tournament) -> None:
        known = tournament.tournament_id in self._tasks
        if not known and not self._is_stopping:
            task = asyncio.create_task(self._play(tournament), name=tournament.tournament_id)
            self._tasks[tournament.tournament_id] = task

    async def _play(self, tournament: Tournament) -> None:
        """Play a tournament to its end, and let nothing that must not happen go unseen."""
        try:
            while not await self._played(tournament):
                await self._clock.sleep(AGAIN)
        finally:
            del self._tasks[tournament.tournament_id]
        if not tournament.is_over:
            self._changed(tournament)

    async def _played(self, tournament: Tournament) -> bool:
        """Whether the runner has come to its end, or has left a mark that it cannot go on."""
        try:
            await self.runner(tournament).run()
            return True
        except Exception:  # whatever it is, the organiser has to see it
            _log.exception("tournament.failed", tournament_id=tournament.tournament_id)
        # The next runner looks everything up anew.
        del self._runners[tournament.tournament_id]
        try:
            await tournament.change(Paused("the server has failed; its log has more"))
        except RefusedError:
            return False
        return True


def is_tournament(log: TableLog) -> bool:
    """Whether a log is that of a tournament."""
    return bool(log.lines) and log.lines[0].entry.kind is EntryKind.TOURNAMENT_CREATED


def read_file(text: str) -> TournamentConfig:
    """The organiser's file.

    Raises:
        RefusedError: BAD_TOURNAMENT, naming every mistake.
    """
    try:
        return parse_config(text)
    except ConfigError as error:
        raise RefusedError(Reason.BAD_TOURNAMENT, str(error)) from error
