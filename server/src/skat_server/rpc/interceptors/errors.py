"""The outermost interceptor: no exception reaches a caller with its own text.

grpc.aio sends the text of an uncaught exception to the client, and ours may hold cards. Here a
refusal becomes its status, and anything else a fixed sentence with an id that the log has too.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

import grpc
import structlog
from grpc_status import rpc_status

from skat_server.clock import new_id
from skat_server.errors import Reason, RefusedError
from skat_server.rpc.errors import status_of
from skat_server.rpc.interceptors.wrapping import behaviour_of, replaced
from skat_server.storage.protocols import StoreError

_log = structlog.get_logger()

if TYPE_CHECKING:  # generic in the type stubs only
    from skat_server.rpc.interceptors.wrapping import Continuation, Handler, ServicerContext


class ErrorInterceptor(grpc.aio.ServerInterceptor):
    """Turns exceptions of handlers into statuses."""

    async def intercept_service(
        self, continuation: Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> Handler | None:
        """Wrap the handler of the call; an unknown method has none."""
        method = handler_call_details.method
        try:
            handler = await continuation(handler_call_details)
            if handler is None:
                return None
            return replaced(handler, _guarded(behaviour_of(handler), method), _reader(handler))
        except Exception as error:  # of the interceptors inside
            return _failing(error, method)


def _failing(error: Exception, method: str) -> Handler:
    """A handler for calls of any kind that tells an error as all are told."""

    async def fail(_requests: object, context: ServicerContext) -> object:
        return await _abort(error, method, context)

    return grpc.stream_stream_rpc_method_handler(fail)


def _reader(handler: Handler) -> Callable[[bytes], object]:
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

        async def generate(request: object, context: ServicerContext) -> AsyncIterator[object]:
            try:
                _require_readable(request)
                async for response in behaviour(request, context):
                    yield response
            except Exception as error:  # the outermost catch
                del request  # see `_let_go`
                await _abort(error, method, context)

        return generate

    async def call(request: object, context: ServicerContext) -> object:
        try:
            _require_readable(request)
            return await behaviour(request, context)
        except Exception as error:  # the outermost catch
            del request  # see `_let_go`
            return await _abort(error, method, context)

    return call


def _require_readable(request: object) -> None:
    if isinstance(request, RefusedError):
        raise request


async def _abort(error: Exception, method: str, context: ServicerContext) -> object:
    if isinstance(error, grpc.aio.AbortError | grpc.RpcError):
        raise error
    try:
        status = rpc_status.to_status(status_of(_refusal_of(error, method)))
    except Exception as failure:  # of the very code that hides the others
        _log.error("rpc.failed", rpc=method, exc_info=failure)
        await context.abort(grpc.StatusCode.INTERNAL, "internal error")
    _let_go(error)
    await context.abort(status.code, status.details, status.trailing_metadata)


def _let_go(error: BaseException | None) -> None:
    """Forget where an error came from, once that is logged.

    The library ends a call by an exception that it keeps in a circle with the one before, until the
    garbage collector looks. The frames of that hold the request, which may be large.
    """
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error.__traceback__ = None
        error = error.__cause__ or error.__context__


def _refusal_of(error: Exception, method: str) -> RefusedError:
    match error:
        case RefusedError():
            return error
        case StoreError():
            _log.warning("rpc.store_failed", rpc=method, failure=error.failure.value)
            return RefusedError(Reason.STORE_UNAVAILABLE, "the store does not answer; try again")
        case _:
            return _unexpected(error, method)


def _unexpected(error: Exception, method: str) -> RefusedError:
    error_id = new_id("error")
    _log.error("rpc.failed", rpc=method, error_id=error_id, exc_info=error)
    return RefusedError(
        Reason.INTERNAL, f"internal error {error_id}; the server's log has more", error_id=error_id
    )
