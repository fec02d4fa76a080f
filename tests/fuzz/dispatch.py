"""The server without a socket: bytes go through parser, guards and handlers, in this process.

Of gRPC nothing is left but the object that a handler talks to. So a fuzzer that watches the
branches taken sees those of the server and no others.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

import grpc
from google.protobuf.any_pb2 import Any as Packed
from google.rpc import error_details_pb2, status_pb2

from skat_server.app import App
from skat_server.clock import ManualClock
from skat_server.config import Limits, Settings
from skat_server.errors import RefusedError
from skat_server.players.identity import player_of
from skat_server.rpc.guards import player_guards
from skat_server.rpc.interceptors.wrapping import behaviour_of
from skat_server.rpc.services import add_admin_services, add_player_services
from skat_server.storage.memory import MemoryStore
from skat_server.tables.state import Occupant
from tests.server.playing import config

NAMES: Final = ("ann", "ben", "cem")
MUCH: Final = 10**6
PATIENCE: Final = 0.05
"""Seconds after which a call counts as one that waits for others, and is left."""


@dataclass(frozen=True)
class Details:
    """What is known of a call before it is served."""

    method: str
    invocation_metadata: Sequence[tuple[str, str]]


class AbortedError(grpc.aio.AbortError):
    """How a call ends that is refused."""

    def __init__(self, code: grpc.StatusCode, text: str, reason: str) -> None:
        """Keep the status and the reason, which is empty when there is none."""
        super().__init__(f"{code.name}: {text}")
        self.code = code
        self.reason = reason


class CallContext:
    """What a handler is given to talk to its caller."""

    def __init__(self) -> None:
        self.said: list[object] = []

    def peer(self) -> str:
        """Where the call comes from."""
        return "ipv4:127.0.0.1:1"

    def auth_context(self) -> Mapping[str, Sequence[bytes]]:
        """Plain text."""
        return {}

    async def write(self, message: object) -> None:
        """Keep what is said."""
        self.said.append(message)

    async def abort(
        self, code: grpc.StatusCode, details: str = "", trailing_metadata: Any = ()
    ) -> NoReturn:
        """End the call."""
        raise AbortedError(code, details, _reason(trailing_metadata))


def _reason(trailing: Sequence[tuple[str, bytes]]) -> str:
    info, packed = error_details_pb2.ErrorInfo(), Packed()
    for _, value in trailing:
        for packed in status_pb2.Status.FromString(value).details:
            if packed.Unpack(info):
                return info.reason
    return ""


class _Collector:
    """Takes handlers as a server does."""

    def __init__(self) -> None:
        self.handlers: dict[str, Any] = {}

    def add_generic_rpc_handlers(self, handlers: object) -> None:
        """They come as registered ones as well."""

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Any]) -> None:
        """Keep them by path."""
        self.handlers |= {f"/{service}/{name}": handler for name, handler in handlers.items()}


class Dispatch:
    """A server of its own, with a table at which three players sit.

    Attributes:
        handlers: by path, of both ports.
        store: what the tables keep.
        table: the table.
    """

    def __init__(self) -> None:
        """Make it; needs a running loop."""
        limits = Limits(MUCH, MUCH, calls_per_second=MUCH, calls_burst=MUCH)
        settings = Settings(port=0, limits=limits)
        self.store = MemoryStore()
        clock = ManualClock()
        app = App(settings, clock=clock, store=self.store, entropy=bytes)
        parts, calls = app._rpc._parts, app._rpc._calls
        collector: Any = _Collector()
        add_player_services(collector, parts, calls, settings)
        add_admin_services(collector, parts, calls)
        self.handlers: dict[str, Any] = collector.handlers
        self._guards = player_guards(settings.limits, clock, parts.door, calls.live, parts.room)
        self.table = app.tables.create(config(None), expected)
        for name in NAMES:
            occupant = Occupant(player_of(bearer(name)).player_id, name)
            app.tables.sit(self.table, occupant, None, expected)
        self._drain = app.drain
        self._at_first = self._counts

    @property
    def has_changed(self) -> bool:
        """Whether a call has left something behind."""
        return self._counts != self._at_first

    @property
    def _counts(self) -> object:
        entries = sum(len(lines) for lines in self.store._logs.values())
        return entries, self._drain.is_draining, self.table.log.told

    async def call(self, method: str, messages: Sequence[bytes], caller: str) -> CallContext:
        """Serve a call as it would come from the wire.

        Raises:
            AbortedError: it was refused.
        """
        metadata = [("authorization", bearer(caller))] if caller else []
        handler = await self._guarded(Details(method, metadata), 0)
        context = CallContext()
        behaviour = behaviour_of(handler)
        request = self._request(handler, messages)
        if inspect.isasyncgenfunction(behaviour):
            async for message in behaviour(request, context):
                await context.write(message)
        else:
            await context.write(await behaviour(request, context))
        return context

    def _request(self, handler: Any, messages: Sequence[bytes]) -> object:
        read = handler.request_deserializer or bytes
        if handler.request_streaming:
            return _streamed(read, messages)
        return read(messages[0] if messages else b"")

    async def _guarded(self, details: Details, depth: int) -> Any:
        """The handler behind the guards from this one on."""
        if depth == len(self._guards):
            return self.handlers[details.method]
        guard: Any = self._guards[depth]
        return await guard.intercept_service(lambda inner: self._guarded(inner, depth + 1), details)


async def _streamed(
    read: Callable[[bytes], object], messages: Sequence[bytes]
) -> AsyncIterator[object]:
    for message in messages:
        yield read(message)


def bearer(name: str) -> str:
    """The authorization of a player."""
    return f"Bearer token-of-player-{name}"


def expected(refusal: RefusedError | None) -> None:
    """What has to succeed has."""
    assert refusal is None


async def served(call: Awaitable[CallContext]) -> AbortedError | None:
    """Let a call run for a moment; how it was refused, if it was."""
    task = asyncio.ensure_future(call)
    await asyncio.wait([task], timeout=PATIENCE)
    if not task.done():
        task.cancel()
        await asyncio.wait([task])
        return None
    error = task.exception()
    if error is None or isinstance(error, AbortedError):
        return error
    raise error
