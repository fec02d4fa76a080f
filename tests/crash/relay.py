"""A TCP relay in front of a server: it forwards, swallows, stands still or breaks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

CHUNK: Final = 65_536


class Relay:
    """Forwards connections to wherever the server listens at the moment.

    Attributes:
        address: where it listens itself; always the same.
    """

    def __init__(self, target: Callable[[], str]) -> None:
        """Know the way to the server.

        Args:
            target: gives ``host:port`` for each new connection.
        """
        self.address = ""
        self._target = target
        self._swallows = False
        self._flows = asyncio.Event()
        self._flows.set()
        self._writers: set[asyncio.StreamWriter] = set()

    def swallow(self) -> None:
        """Let nothing more of what the server says arrive."""
        self._swallows = True

    def halt(self) -> None:
        """Let nothing pass in either direction; connections stay open."""
        self._flows.clear()

    def cut(self) -> None:
        """Break all connections; new ones work."""
        self._swallows = False
        self._flows.set()
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one connection to its end."""
        host, _, port = self._target().rpartition(":")
        try:
            from_server, to_server = await asyncio.open_connection(host, int(port))
        except OSError:
            writer.transport.abort()
            return
        both = {writer, to_server}
        self._writers |= both
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pump(reader, to_server, is_answer=False))
                group.create_task(self._pump(from_server, writer, is_answer=True))
        finally:
            self._writers -= both
            for one in both:
                one.transport.abort()

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_answer: bool
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(CHUNK):
                await self._flows.wait()
                if is_answer and self._swallows:
                    continue
                writer.write(data)
                await writer.drain()
        writer.transport.abort()


@asynccontextmanager
async def relaying(target: Callable[[], str]) -> AsyncIterator[Relay]:
    """A relay on a free port."""
    relay = Relay(target)
    async with await asyncio.start_server(relay.serve, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()
        relay.address = f"{host}:{port}"
        try:
            yield relay
        finally:
            relay.cut()
