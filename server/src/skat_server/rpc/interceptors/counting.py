"""Counts calls, streams, messages and what ends them.

It stands directly inside of the interceptor for errors, where what is refused still has its
reason, and outside of all others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import grpc
import structlog
from structlog.contextvars import bound_contextvars

from skat_server.errors import Reason, RefusedError
from skat_server.observability.disguise import disguised
from skat_server.observability.metrics import declarations as declared
from skat_server.observability.metrics.instruments import Counter
from skat_server.observability.metrics.room import Room
from skat_server.rpc.errors import STATUSES
from skat_server.rpc.interceptors.wrapping import replaced, serving
from skat_server.rpc.peers import address_of
from skat_server.rpc.rights import PACKAGE
from skat_server.storage.protocols import StoreError

if TYPE_CHECKING:
    from skat_server.rpc.interceptors.wrapping import Continuation, Handler, Serve, ServicerContext

Convert = Callable[[Any], Any]

UNKNOWN: Final = "unknown"

AUTH: Final = {
    Reason.UNAUTHENTICATED: "unauthenticated",
    Reason.TOKEN_REVOKED: "revoked",
    Reason.BANNED: "banned",
    Reason.SCOPE_MISSING: "scope",
}
"""Refusals for who calls."""
LIMITS: Final = {
    Reason.RATE_LIMITED: "rate",
    Reason.QUOTA_EXCEEDED: "quota",
    Reason.SLOW_CONSUMER: "slow",
    Reason.OVERLOADED: "overload",
}
"""Refusals for how much is asked."""
ENDS: Final = {
    Reason.SLOW_CONSUMER: "slow",
    Reason.HELLO_EXPECTED: "idle",
    Reason.RATE_LIMITED: "limit",
    Reason.QUOTA_EXCEEDED: "limit",
    Reason.SESSION_SUPERSEDED: "superseded",
    Reason.GOING_AWAY: "drain",
    Reason.DRAINING: "drain",
    Reason.INTERNAL: "error",
    Reason.STORE_UNAVAILABLE: "error",
    **dict.fromkeys(AUTH, "auth"),
}
"""What ends streams; `refused` for all other reasons."""

_log = structlog.get_logger()


class CountingInterceptor(grpc.aio.ServerInterceptor):
    """Counts what passes."""

    def __init__(self, room: Room) -> None:
        """Count in this room."""
        self._room = room
        self._methods: dict[str, _Method] = {}

    async def intercept_service(
        self, continuation: Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> Handler | None:
        """Wrap the handler of the call; an unknown method has none."""
        handler = await continuation(handler_call_details)
        path = handler_call_details.method
        if handler is None:
            self._room.counter(declared.RPC_STARTED, method=UNKNOWN).add()
            self._room.counter(declared.RPC_HANDLED, method=UNKNOWN, code="UNIMPLEMENTED").add()
            return None
        method = self._methods.get(path)
        if method is None:
            method = self._methods[path] = _Method(self._room, path)
        return method.counted(handler)


class _Method:
    """The numbers of one method."""

    def __init__(self, room: Room, path: str) -> None:
        self._room = room
        self._path = path
        self._name = path.removeprefix("/")
        kind = kind_of(path)
        self._started = room.counter(declared.RPC_STARTED, method=self._name)
        self._streams = room.gauge(declared.STREAMS, kind=kind)
        self._received = room.counter(declared.MESSAGES, kind=kind, direction="in")
        self._sent = room.counter(declared.MESSAGES, kind=kind, direction="out")
        self._handled: dict[str, Counter] = {}

    def counted(self, handler: Handler) -> Handler:
        """The handler with its calls counted, and its messages if it streams."""
        is_stream = bool(handler.response_streaming)
        read, write = self._reader(handler), handler.response_serializer
        assert write is not None
        if is_stream:
            read, write = counting(read, self._received), counting(write, self._sent)
        return replaced(handler, self._call(serving(handler), is_stream=is_stream), read, write)

    def _reader(self, handler: Handler) -> Convert:
        """The deserializer; what it cannot read never comes to the handler, and is counted here."""
        read, is_alone = handler.request_deserializer, not handler.request_streaming
        assert read is not None

        def read_or_count(data: bytes) -> object:
            try:
                return read(data)
            except Exception:
                if is_alone:
                    self._started.add()
                    self._count_code("INVALID_ARGUMENT")
                raise

        return read_or_count

    def _call(self, serve: Serve, *, is_stream: bool) -> Serve:
        async def call(request: object, context: ServicerContext) -> object:
            self._started.add()
            self._streams.add(is_stream)
            try:
                with bound_contextvars(rpc=self._name):
                    response = await serve(request, context)
            except BaseException as error:
                self._failed(error, context, is_stream=is_stream)
                raise
            else:
                self._count_code("OK")
                if is_stream:
                    self._count_end("client")
                return response
            finally:
                self._streams.add(-is_stream)

        return call

    def _failed(self, error: BaseException, context: ServicerContext, *, is_stream: bool) -> None:
        self._count_code(code_of(error, context))
        if isinstance(error, RefusedError):
            self._count_refusal(error, context)
        if is_stream:
            self._count_end(_end_of(error))

    def _count_refusal(self, refusal: RefusedError, context: ServicerContext) -> None:
        cause = AUTH.get(refusal.reason)
        if cause is not None:
            self._room.counter(declared.AUTH_FAILURES, cause=cause).add()
            peer = disguised(address_of(context.peer()))
            _log.info("auth.failed", rpc=self._name, cause=cause, peer=peer)
        limit = LIMITS.get(refusal.reason)
        if limit is not None:
            self._room.counter(declared.RATE_LIMITED, cause=limit).add()

    def _count_code(self, code: str) -> None:
        handled = self._handled.get(code)
        if handled is None:
            handled = self._room.counter(declared.RPC_HANDLED, method=self._name, code=code)
            self._handled[code] = handled
        handled.add()

    def _count_end(self, cause: str) -> None:
        self._room.counter(declared.DISCONNECTS, cause=cause).add()


def kind_of(path: str) -> str:
    """Whose stream a method has."""
    match path.removeprefix(PACKAGE).rpartition("/")[-1]:
        case "Play":
            return "seat"
        case "WatchTable":
            return "spectator"
        case "WatchStandings":
            return "tournament"
        case _:
            return "other"


def code_of(error: BaseException, context: ServicerContext) -> str:
    """The status that a call ends with for an error."""
    match error:
        case RefusedError():
            return STATUSES[error.reason].name
        case StoreError():
            return grpc.StatusCode.UNAVAILABLE.name
        case asyncio.CancelledError():
            return grpc.StatusCode.CANCELLED.name
        case grpc.aio.AbortError():
            code = context.code()
            return code.name
        case _:
            return grpc.StatusCode.INTERNAL.name


def _end_of(error: BaseException) -> str:
    match error:
        case RefusedError():
            return ENDS.get(error.reason, "refused")
        case asyncio.CancelledError() | grpc.aio.AbortError():
            return "client"
        case _:
            return "error"


def counting(convert: Convert, counter: Counter) -> Convert:
    """A serializer or deserializer that counts what it converts."""

    def counted(message: Any) -> Any:
        counter.value += 1.0
        return convert(message)

    return counted
