"""The outermost interceptor: no exception reaches a caller with its own text.

grpc.aio sends the text of an uncaught exception to the client, and ours may hold cards. Here a
refusal becomes its status, and anything else a fixed sentence with an id that the log has too.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any

import grpc
import structlog
from grpc_status import rpc_status

from skat_server.clock import new_id
from skat_server.errors import Reason, RefusedError
from skat_server.rpc.errors import status_of

_log = structlog.get_logger()

if TYPE_CHECKING:  # generic in the type stubs only
    _Context = grpc.aio.ServicerContext[Any, Any]
    _Handler = grpc.RpcMethodHandler[Any, Any]
    _Continuation = Callable[[grpc.HandlerCallDetails], Awaitable[_Handler | None]]


class ErrorInterceptor(grpc.aio.ServerInterceptor):
    """Turns exceptions of handlers into statuses."""

    async def intercept_service(
        self, continuation: _Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> _Handler | None:
        """Wrap the handler of the call; an unknown method has none."""
        handler = await continuation(handler_call_details)
        return None if handler is None else _wrapped(handler, handler_call_details.method)


def _wrapped(handler: _Handler, method: str) -> _Handler:
    kinds: tuple[tuple[Any, Callable[..., _Handler]], ...] = (
        (handler.unary_unary, grpc.unary_unary_rpc_method_handler),
        (handler.unary_stream, grpc.unary_stream_rpc_method_handler),
        (handler.stream_unary, grpc.stream_unary_rpc_method_handler),
        (handler.stream_stream, grpc.stream_stream_rpc_method_handler),
    )
    behaviour, make = next((b, m) for b, m in kinds if b is not None)
    return make(
        _guarded(behaviour, method),
        request_deserializer=_reader(handler),
        response_serializer=handler.response_serializer,
    )


def _reader(handler: _Handler) -> Callable[[bytes], object]:
    """The deserializer of a handler, which refuses what it cannot read.

    grpc.aio reads the only message of a call before the handler runs, where nobody catches an
    exception; so there the refusal takes the message's place.
    """
    read = handler.request_deserializer
    assert read is not None

    def read_or_refuse(data: bytes) -> object:
        try:
            return read(data)
        except Exception as error:
            refusal = RefusedError(
                Reason.INVALID_FIELD, "the message cannot be read as a request of this method"
            )
            if handler.request_streaming:
                raise refusal from error
            return refusal

    return read_or_refuse


def _guarded(behaviour: Callable[..., Any], method: str) -> Callable[..., Any]:
    if inspect.isasyncgenfunction(behaviour):

        async def generate(request: object, context: _Context) -> AsyncIterator[object]:
            try:
                _require_readable(request)
                async for response in behaviour(request, context):
                    yield response
            except Exception as error:  # the outermost catch
                await _abort(error, method, context)

        return generate

    async def call(request: object, context: _Context) -> object:
        try:
            _require_readable(request)
            return await behaviour(request, context)
        except Exception as error:  # the outermost catch
            return await _abort(error, method, context)

    return call


def _require_readable(request: object) -> None:
    if isinstance(request, RefusedError):
        raise request


async def _abort(error: Exception, method: str, context: _Context) -> object:
    if isinstance(error, grpc.aio.AbortError | grpc.RpcError):
        raise error
    refusal = error if isinstance(error, RefusedError) else _unexpected(error, method)
    status = rpc_status.to_status(status_of(refusal))
    await context.abort(status.code, status.details, status.trailing_metadata)


def _unexpected(error: Exception, method: str) -> RefusedError:
    error_id = new_id("error")
    _log.error("rpc.failed", rpc=method, error_id=error_id, exc_info=error)
    return RefusedError(
        Reason.INTERNAL, f"internal error {error_id}; the server's log has more", error_id=error_id
    )
