"""Somebody who watches a table over the wire."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Self

import grpc

from skat.v1 import spectate_service_pb2, spectate_service_pb2_grpc
from tests.rpc.player import Story


class Spectator:
    """An open `WatchTable` stream, and what it has told."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        table_id: str,
        *,
        after: int | None = None,
        metadata: tuple[tuple[str, str], ...] = (),
    ) -> None:
        """Start to watch."""
        self.story = Story()
        self.frames = 0
        request = spectate_service_pb2.WatchTableRequest(table_id=table_id, after_sequence=after)
        stub = spectate_service_pb2_grpc.SpectateServiceStub(channel)
        self._call = stub.WatchTable(request, metadata=metadata)

    async def __aenter__(self) -> Self:
        """Watch for a while."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Go away."""
        self._call.cancel()

    async def read(self) -> bool:
        """Read one message; False when the stream has ended with OK."""
        response = await self._call.read()
        if not isinstance(response, spectate_service_pb2.WatchTableResponse):
            return False
        assert not response.frame.HasField("decision")
        assert not response.frame.view.HasField("seat")
        self.story.absorb(response.frame)
        self.frames += 1
        return True

    async def until(self, condition: Callable[[], bool]) -> None:
        """Read until something is true."""
        while not condition():
            assert await self.read()

    async def end(self) -> None:
        """Read until the stream ends with OK."""
        while await self.read():
            pass
        assert await self._call.code() is grpc.StatusCode.OK
