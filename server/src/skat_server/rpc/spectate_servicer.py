"""SpectateService: watching a table from outside."""

import asyncio
from typing import Final

from skat.v1 import spectate_service_pb2 as pb
from skat.v1 import spectate_service_pb2_grpc
from skat_server.clock import Clock
from skat_server.errors import Reason, RefusedError
from skat_server.rpc.callers import Context, caller_id_or_none
from skat_server.rpc.convert.tables import frame_to_proto
from skat_server.rpc.deadlines import write_in_time
from skat_server.tables.outbox import Delivery, Outbox
from skat_server.tables.registry import Tables
from skat_server.tables.sessions import Sessions

MOST_SPECTATORS: Final = 2_000
"""Streams of spectators at once; players must always find room."""

TICK: Final = 0.03
"""Seconds over which events are gathered for a spectator: a message costs more than a wait."""


class SpectateServicer(spectate_service_pb2_grpc.SpectateServiceServicer):
    """Follows tables for spectators."""

    def __init__(self, tables: Tables, sessions: Sessions, clock: Clock) -> None:
        """Serve these tables."""
        self._tables = tables
        self._sessions = sessions
        self._clock = clock
        self._going_away = False
        self._wakes: dict[asyncio.Event, None] = {}

    def end_all(self) -> None:
        """The server shuts down: every stream ends."""
        self._going_away = True
        for wake in self._wakes:
            wake.set()

    async def WatchTable(  # type: ignore[override]  # the stub knows only generators
        self, request: pb.WatchTableRequest, context: Context
    ) -> None:
        """Send what lies open at a table until it is over."""
        table = self._tables.find_visible(request.table_id, caller_id_or_none(context))
        after = request.after_sequence if request.HasField("after_sequence") else None
        if len(self._wakes) >= MOST_SPECTATORS:
            raise RefusedError(Reason.QUOTA_EXCEEDED, "too many are watching; try again later")
        wake = asyncio.Event()
        outbox = Outbox(Delivery.LIVE, self._clock, wake.set)
        outbox.attach(table, None, after)
        self._wakes[wake] = None
        try:
            await self._follow(outbox, wake, context)
        finally:
            self._wakes.pop(wake)
            outbox.close()

    async def _follow(self, outbox: Outbox, wake: asyncio.Event, context: Context) -> None:
        while not outbox.is_idle:
            await wake.wait()
            wake.clear()
            if self._going_away:
                raise RefusedError(Reason.GOING_AWAY, "the server shuts down; watch again")
            for update in outbox.drain():
                frame = frame_to_proto(update, self._sessions.is_connected)
                await write_in_time(context, pb.WatchTableResponse(frame=frame))
            if not outbox.is_idle:
                await self._clock.sleep(TICK)
