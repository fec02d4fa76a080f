"""Spectators of one table, beside the players there."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from bench.connections import bearer, connect
from bench.field import Field, until
from bench.processes import Process
from bench.seating import SEATS, tokens_for
from bench.windows import Window
from skat.v1 import spectate_service_pb2 as wire

_PATH: Final = "/skat.v1.SpectateService/WatchTable"
_TICKS: Final = 0.1
"""Seconds after which the last events of a window have reached every spectator."""


class Watched:
    """A table with players who think, and so many spectators."""

    def __init__(self, server: Process, spectators: int, think: float) -> None:
        """Name the server; nothing is connected before `start`.

        Args:
            server: where to play.
            spectators: how many.
            think: mean seconds that players think.
        """
        self._server = server
        self._field = Field(server, 1, SEATS, think)
        self._spectators = spectators
        self._watches: Sequence[asyncio.Task[None]] = ()
        self._calls: list[Any] = []
        self._events = self._messages = 0

    async def start(self) -> None:
        """Let the players sit down, then the spectators come."""
        await self._field.start()
        self._watches = [
            asyncio.create_task(self._watch(token)) for token in tokens_for(self._spectators)
        ]
        await until(lambda: self._messages >= self._spectators)

    async def window(self, seconds: float, think: float | None = None) -> Window:
        """Play for so long."""
        self._events = self._messages = 0
        window = await self._field.window(seconds, think)
        await asyncio.sleep(_TICKS)
        return Window(
            count=window.count,
            seconds=window.seconds,
            cpu=window.cpu,
            p50_us=window.p50_us,
            p99_us=window.p99_us,
            messages=self._messages,
            events=self._events,
        )

    async def stop(self) -> None:
        """Leave."""
        for call in self._calls:
            call.cancel()
        await asyncio.gather(*self._watches, return_exceptions=True)
        await self._field.stop()

    async def _watch(self, token: str) -> None:
        request = wire.WatchTableRequest(table_id=self._field.table_ids[0]).SerializeToString()
        method: Any = connect(self._server.address).unary_stream(_PATH)
        call = method(request, metadata=bearer(token))
        self._calls.append(call)
        async for data in call:
            response = wire.WatchTableResponse.FromString(data)
            self._messages += 1
            self._events += len(response.frame.events)
