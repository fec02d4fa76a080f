"""All tournaments of the server: made, found, listed, run."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final

import structlog

from skat_server.clock import Clock
from skat_server.errors import Reason, RefusedError, quoted
from skat_server.storage.protocols import Durability, EntryKind, Store, TableLog
from skat_server.tables.registry import Tables
from skat_server.tables.sessions import Sessions
from skat_server.tournaments.config import ConfigError, TournamentConfig, parse_config
from skat_server.tournaments.runner import Runner
from skat_server.tournaments.state import Ended, Fixed, Stage
from skat_server.tournaments.tournament import Tournament

_log = structlog.get_logger()

SEED_BYTES: Final = 32
MOST_TOURNAMENTS: Final = 10_000


class Tournaments:
    """Finds tournaments by id and keeps the runners of those that are played."""

    def __init__(self, tables: Tables, sessions: Sessions, store: Store, clock: Clock) -> None:
        """Start without tournaments."""
        self._tables = tables
        self._sessions = sessions
        self._store = store
        self._clock = clock
        self._all: dict[str, Tournament] = {}
        self._runners: dict[str, Runner] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._by_request: dict[tuple[str, str], str] = {}

    async def create(
        self, tournament_id: str, organiser_id: str, text: str, seed: bytes, request_id: str
    ) -> Tournament:
        """Make a tournament as a draft, or return the one that the same request has made.

        Args:
            tournament_id: a new id.
            organiser_id: who may change it.
            text: the organiser's file.
            seed: 32 unpredictable bytes; those of the file count where it has some.
            request_id: the caller's id of the request; empty for none.

        Raises:
            RefusedError: BAD_TOURNAMENT for a file that cannot be used, or a rated event on a store
                that may lose actions; QUOTA_EXCEEDED; STORE_UNAVAILABLE.
        """
        known = self._by_request.get((organiser_id, request_id)) if request_id else None
        if known is not None:
            return self._all[known]
        if len(self._all) >= MOST_TOURNAMENTS:
            raise RefusedError(Reason.QUOTA_EXCEEDED, "the server carries too many tournaments")
        config = read_file(text)
        if config.rated and self._store.durability is not Durability.ACTION:
            raise RefusedError(
                Reason.BAD_TOURNAMENT,
                "rated: this server may lose actions; run it with --durability action, or set "
                "rated = false",
            )
        seed = bytes.fromhex(config.seeds.seed) if config.seeds.seed else seed
        at = self._clock.now()
        fixed = Fixed(tournament_id, organiser_id, text, config, seed, at, request_id)
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
                kind = type(error).__name__
                _log.error("tournament.parked", tournament_id=log.table_id, reason=kind)

    def start_running(self) -> None:
        """Let every tournament that is being played go on."""
        for tournament in self._all.values():
            if not tournament.is_over and tournament.state.stage in _PLAYED:
                self.run(tournament)

    def run(self, tournament: Tournament) -> Runner:
        """Let a tournament be played, if it is not yet."""
        runner = self.runner(tournament)
        if tournament.tournament_id not in self._tasks and not tournament.is_over:
            task = asyncio.create_task(runner.run(), name=tournament.tournament_id)
            self._tasks[tournament.tournament_id] = task
            task.add_done_callback(self._stopped)
        return runner

    def runner(self, tournament: Tournament) -> Runner:
        """The runner of a tournament, which knows what was played."""
        found = self._runners.get(tournament.tournament_id)
        if found is None:
            found = Runner(tournament, self._tables, self._sessions, self._store, self._clock)
            self._runners[tournament.tournament_id] = found
        return found

    async def cancel(self, tournament: Tournament, reason: str) -> None:
        """End a tournament here; its tables under way are closed.

        Raises:
            RefusedError: TOURNAMENT_STATE when it has ended.
        """
        await tournament.change(Ended(None, reason))
        await self.runner(tournament).close_tables(reason or "the tournament was cancelled")

    async def stop(self) -> None:
        """The server stops: runners end where they are."""
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
        if found is not None and not found.is_over:
            raise RefusedError(
                Reason.RECORD_NOT_FOUND, "boards are shown when their tournament is over"
            )

    def _add(self, tournament: Tournament) -> None:
        fixed = tournament.fixed
        self._all[tournament.tournament_id] = tournament
        if fixed.request_id:
            self._by_request[fixed.organiser_id, fixed.request_id] = fixed.tournament_id

    def _stopped(self, task: asyncio.Task[None]) -> None:
        self._tasks.pop(task.get_name(), None)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("tournament.stopped", tournament_id=task.get_name(), exc_info=error)


_PLAYED: Final = frozenset({Stage.RUNNING, Stage.PAUSED})


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
