"""A session's connection as one stream both ways."""

import asyncio
import contextlib
from typing import Final

import grpc

from skat.v1 import play_service_pb2 as play
from skat.v1 import play_service_pb2_grpc
from skat_client._failures import error_from_rpc
from skat_client._inbox import Inbox
from skat_client._links import FIRST_LIMITS, SilentError, within
from skat_client._session_options import SessionOptions
from skat_client.errors import ProtocolError, UnavailableError

_Call = grpc.aio.StreamStreamCall[play.PlayRequest, play.PlayResponse]

_SILENT_HEARTBEATS: Final = 3
"""Heartbeats that may be missing before the connection counts as dead."""
_SHORTEST_SILENCE: Final = 1.0
"""Seconds of silence that no connection dies of, whatever heartbeat the server names."""


class StreamLink:
    """A `Play` stream.

    A task of its own reads it, so that heartbeats are answered however long the session's user
    thinks; another one notices when nothing comes any more.
    """

    def __init__(
        self,
        stub: "play_service_pb2_grpc.PlayServiceAsyncStub",
        call_metadata: tuple[tuple[str, str], ...],
        options: SessionOptions,
    ) -> None:
        self.limits: play.Welcome = FIRST_LIMITS
        self.has_lasted: bool = False
        self._options = options
        self._call: _Call = stub.Play(metadata=call_metadata)
        self._inbox = Inbox()
        self._writing = asyncio.Lock()
        self._reader: asyncio.Task[None] | None = None
        self._guardian: asyncio.Task[None] | None = None
        self._heard_at = 0.0

    @property
    def has_more(self) -> bool:
        """Whether a message has been read that nobody has taken."""
        return not self._inbox.is_empty

    async def open(self, hello: play.Hello) -> play.PlayResponse:
        """Say hello; the message with the welcome."""
        response = await within(
            self._options.welcome_timeout, "welcome", lambda: self._greet(hello)
        )
        if not response.HasField("welcome"):
            raise ProtocolError("the first message of the server has no welcome")
        self.limits = response.welcome
        self._hear()
        self._reader = asyncio.create_task(self._read())
        if self.limits.heartbeat_ms:
            silence = _SILENT_HEARTBEATS * self.limits.heartbeat_ms / 1000
            self._guardian = asyncio.create_task(self._guard(max(silence, _SHORTEST_SILENCE)))
        return response

    async def send(self, request: play.PlayRequest) -> None:
        """Write a message; to cancel this costs the connection."""
        # A stream that has ended tells why when it is read.
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            async with self._writing:
                await self._call.write(request)

    async def receive(self) -> play.PlayResponse:
        """The next message but heartbeats."""
        return await self._inbox.take()

    async def finish(self) -> None:
        """Close the client's side, and wait until the server has closed its own."""
        self._inbox.discard()
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            async with self._writing:
                await self._call.done_writing()
        if self._reader is not None:
            await asyncio.wait({self._reader})

    def drop(self) -> None:
        """Cancel the stream."""
        for task in (self._reader, self._guardian):
            if task is not None:
                task.cancel()
        self._call.cancel()

    async def _greet(self, hello: play.Hello) -> play.PlayResponse:
        await self.send(play.PlayRequest(hello=hello))
        return await self._next()

    async def _next(self) -> play.PlayResponse:
        try:
            response = await self._call.read()
        except grpc.aio.AioRpcError as error:
            raise error_from_rpc(error) from error
        if response is grpc.aio.EOF:
            raise UnavailableError("the server closed the session")
        if not isinstance(response, play.PlayResponse):
            # So the library says that the bytes are no message.
            raise ProtocolError("the server sent what cannot be read")
        return response

    async def _read(self) -> None:
        try:
            while True:
                response = await self._next()
                self._hear()
                if response.HasField("heartbeat"):
                    self.has_lasted = True
                    await self.send(play.PlayRequest(heartbeat=response.heartbeat))
                if response.tables or response.results or response.HasField("going_away"):
                    await self._inbox.put(response)
        except asyncio.CancelledError:
            # Not only this task: whoever cancels a write has cancelled the call.
            self._inbox.fail(UnavailableError("the connection was cut here"))
            raise
        except Exception as error:
            self._inbox.fail(error)

    async def _guard(self, longest: float) -> None:
        clock = self._options.backoff
        while (quiet := clock.now() - self._heard_at) < longest:
            await clock.sleep(longest - quiet)
            if self._inbox.is_full:
                # It is we who do not read.
                self._hear()
        self._inbox.fail(SilentError(f"nothing came for {longest:g} s"))
        self._call.cancel()

    def _hear(self) -> None:
        self._heard_at = self._options.backoff.now()
