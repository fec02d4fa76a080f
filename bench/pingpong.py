"""A client of the bare echo: many streams, one message under way on each."""

import asyncio
import time
from typing import Final

from bench.connections import ByteStream, connect, open_stream
from bench.processes import Process, cpu_seconds
from bench.raw_server import PATH
from bench.windows import Window, quantile_us

MESSAGE: Final = bytes(range(32))


class PingPong:
    """Sends a message on every stream, and the next one when it is back."""

    def __init__(self, server: Process, streams: int) -> None:
        """Name the server; nothing is connected before `start`."""
        self._server = server
        self._streams = streams
        self._calls: list[ByteStream] = []
        self._latencies: list[float] = []
        self._until = 0.0

    async def start(self) -> None:
        """Open the streams, over a connection each."""
        for _ in range(self._streams):
            call = open_stream(connect(self._server.address), PATH)
            self._calls.append(call)
            await call.write(MESSAGE)
            await call.read()

    async def window(self, seconds: float, think: float | None = None) -> Window:
        """Play for so long."""
        del think  # an echo has nothing to think about
        self._latencies = []
        cpu, start = cpu_seconds(self._server.pid), time.perf_counter()
        self._until = start + seconds
        await asyncio.gather(*map(self._play, self._calls))
        count, taken = len(self._latencies), time.perf_counter() - start
        return Window(
            count=count,
            seconds=taken,
            cpu=cpu_seconds(self._server.pid) - cpu,
            p50_us=quantile_us(self._latencies, 0.50),
            p99_us=quantile_us(self._latencies, 0.99),
            messages=count,
        )

    async def stop(self) -> None:
        """Close the streams."""
        for call in self._calls:
            call.cancel()

    async def _play(self, call: ByteStream) -> None:
        sent = time.perf_counter()
        while sent < self._until:
            await call.write(MESSAGE)
            await call.read()
            back = time.perf_counter()
            self._latencies.append(back - sent)
            sent = back
