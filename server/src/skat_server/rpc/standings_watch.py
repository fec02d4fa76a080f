"""One stream of `WatchStandings`."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from skat.v1 import spectate_service_pb2 as pb
from skat_server.clock import Clock
from skat_server.errors import RefusedError
from skat_server.rpc import deadlines
from skat_server.rpc.callers import Context
from skat_server.rpc.convert.tournaments import standings_to_proto, tournament_to_proto
from skat_server.rpc.deadlines import slow_consumer
from skat_server.tables.sessions import Sessions
from skat_server.tournaments.runner import Runner
from skat_server.tournaments.tournament import Tournament

TICK: Final = 1.0
"""Seconds between two tables: a bootstrap costs more than a wait."""
REST: Final = 4.0
"""How much longer than the figures of a large event take, so that play has the machine."""


class StandingsWatch:
    """Somebody who watches the table of a tournament."""

    def __init__(
        self,
        tournament: Tournament,
        load: Callable[[], Awaitable[Runner | None]],
        sessions: Sessions,
        clock: Clock,
        context: Context,
    ) -> None:
        """Watch; `follow` sends.

        Args:
            tournament: which one.
            load: gives its runner, another one after a runner has failed, None while none can
                be had.
            sessions: tell who is connected.
            clock: for the rests between two tables.
            context: takes them.
        """
        self._tournament = tournament
        self._load = load
        self._sessions = sessions
        self._clock = clock
        self._context = context
        self._wake = asyncio.Event()
        self._wake.set()
        self._rested = asyncio.Event()
        self._refusal: RefusedError | None = None

    def end(self, refusal: RefusedError) -> None:
        """End it from the server's side."""
        self._refusal = self._refusal or refusal
        self._wake.set()
        self._rested.set()

    async def follow(self) -> None:
        """Send until the tournament is over.

        Raises:
            RefusedError: why it ends otherwise.
        """
        self._tournament.watchers[self._changed] = None
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                if self._refusal is not None:
                    raise self._refusal
                is_over = self._tournament.is_over
                began = self._clock.monotonic()
                await self._send()
                if is_over:
                    return
                await self._rest(max(TICK, REST * (self._clock.monotonic() - began)))
        finally:
            self._tournament.watchers.pop(self._changed, None)

    def _changed(self) -> None:
        self._wake.set()
        if self._tournament.is_over:
            self._rested.set()

    async def _rest(self, seconds: float) -> None:
        """Wait so long, but not beyond the end of the tournament."""
        timer = self._clock.call_later(seconds, self._rested.set)
        try:
            await self._rested.wait()
        finally:
            timer.cancel()
        self._rested.clear()

    async def _send(self) -> None:
        runner = await self._load()
        figures = None if runner is None else await runner.figures()
        connected = self._sessions.is_connected
        response = pb.WatchStandingsResponse(
            tournament=tournament_to_proto(self._tournament, runner, connected)
        )
        if figures is not None:
            names = [entrant.name for entrant in self._tournament.state.entrants]
            table = standings_to_proto(names, figures, figures.standings)
            response.standings.CopyFrom(table)
        timer = self._clock.call_later(deadlines.WRITE_WITHIN, partial(self.end, slow_consumer()))
        try:
            await self._context.write(response)
        finally:
            timer.cancel()
