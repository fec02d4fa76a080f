"""SpectateService: watching a table from outside."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final

import grpc

from skat.v1 import spectate_service_pb2 as pb
from skat.v1 import spectate_service_pb2_grpc
from skat_server.clock import Clock
from skat_server.errors import Reason, RefusedError
from skat_server.rpc import deadlines
from skat_server.rpc.callers import Context, caller_id_or_none
from skat_server.rpc.convert.frames import frame_part
from skat_server.rpc.convert.parts import framed, tag, written
from skat_server.rpc.deadlines import slow_consumer
from skat_server.rpc.endings import Endings, is_farewell
from skat_server.rpc.handlers import add_handlers
from skat_server.rpc.standings_watch import StandingsWatch
from skat_server.tables.outbox import Delivery, Outbox
from skat_server.tables.registry import Tables
from skat_server.tables.sessions import Sessions
from skat_server.tournaments.directory import Tournaments

TICK: Final = 0.03
"""Seconds over which events are gathered for a spectator: a message costs more than a wait."""

_SERVICE: Final = pb.DESCRIPTOR.services_by_name["SpectateService"].full_name
_FRAME: Final = tag(pb.WatchTableResponse, "frame")


class SpectateServicer(spectate_service_pb2_grpc.SpectateServiceServicer):
    """Follows tables for spectators."""

    def __init__(  # noqa: PLR0913, PLR0917  # it joins many parts
        self,
        tables: Tables,
        sessions: Sessions,
        tournaments: Tournaments,
        clock: Clock,
        endings: Endings,
        most_spectators: int,
    ) -> None:
        """Serve these tables and tournaments to so many streams at once."""
        self._tables = tables
        self._sessions = sessions
        self._tournaments = tournaments
        self._clock = clock
        self._endings = endings
        self._most_spectators = most_spectators
        self._spectators = 0

    async def WatchTable(  # type: ignore[override]  # the stub knows only generators
        self, request: pb.WatchTableRequest, context: Context
    ) -> None:
        """Send what lies open at a table until it is over."""
        watcher_id = caller_id_or_none(context)
        table = self._tables.find_visible(request.table_id, watcher_id)
        self._tournaments.require_released(table.config.tournament_id)
        after = request.after_sequence if request.HasField("after_sequence") else None
        self._require_room()
        watching = _Watching(self._clock, self._sessions, context)
        self._spectators += 1
        try:
            with self._endings.telling(watching.end):
                watching.outbox.attach(table, None, after)
                await watching.follow()
        finally:
            self._spectators -= 1
            watching.outbox.close()

    async def WatchStandings(  # type: ignore[override]  # the stub knows only generators
        self, request: pb.WatchStandingsRequest, context: Context
    ) -> None:
        """Send the table of a tournament whenever it has changed, until it is over."""
        tournament = self._tournaments.find(request.tournament_id, caller_id_or_none(context))
        self._require_room()
        load = partial(self._tournaments.readable, tournament)
        watching = StandingsWatch(tournament, load, self._sessions, self._clock, context)
        self._spectators += 1
        try:
            with self._endings.telling(watching.end):
                await watching.follow()
        finally:
            self._spectators -= 1

    def _require_room(self) -> None:
        if self._spectators >= self._most_spectators:
            raise RefusedError(
                Reason.QUOTA_EXCEEDED,
                "too many are watching; try again later",
                limit="spectators",
                subject="server",
            )


class _Watching:
    """One spectator."""

    def __init__(self, clock: Clock, sessions: Sessions, context: Context) -> None:
        self._clock = clock
        self._sessions = sessions
        self._context = context
        self._wake = asyncio.Event()
        self._refusal: RefusedError | None = None
        self.outbox = Outbox(Delivery.LIVE, clock, self._wake.set)

    def end(self, refusal: RefusedError) -> None:
        """End it from the server's side."""
        self._refusal = self._refusal or refusal
        if not is_farewell(refusal):
            self.outbox.close()
        self._wake.set()

    async def follow(self) -> None:
        """Send until the table is over.

        Raises:
            RefusedError: why it ends otherwise.
        """
        while not self.outbox.is_idle:
            await self._wake.wait()
            self._wake.clear()
            for update in self.outbox.drain():
                frame = frame_part(update, self._sessions.is_connected)
                await self._put(framed(_FRAME, frame))
            if self._refusal is not None:
                break
            if not self.outbox.is_idle:
                await self._clock.sleep(TICK)
        if self._refusal is not None:
            raise self._refusal

    async def _put(self, response: bytes) -> None:
        """Give a message to the transport; what takes too long is waited for, and then the end.

        A message that is being written cannot be abandoned: see `rpc/play/stream.py`.
        """
        timer = self._clock.call_later(deadlines.WRITE_WITHIN, partial(self.end, slow_consumer()))
        try:
            await self._context.write(response)
        finally:
            timer.cancel()


def add_spectate_service(servicer: SpectateServicer, server: grpc.aio.Server) -> None:
    """Add what the generated code would add, but for frames, which are bytes already (ADR 0030)."""
    add_handlers(
        server,
        _SERVICE,
        {
            "WatchTable": grpc.unary_stream_rpc_method_handler(
                servicer.WatchTable,
                request_deserializer=pb.WatchTableRequest.FromString,
                response_serializer=written,
            ),
            "WatchStandings": grpc.unary_stream_rpc_method_handler(
                servicer.WatchStandings,
                request_deserializer=pb.WatchStandingsRequest.FromString,
                response_serializer=pb.WatchStandingsResponse.SerializeToString,
            ),
        },
    )
