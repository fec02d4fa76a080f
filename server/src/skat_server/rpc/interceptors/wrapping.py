"""Putting something around a handler, whatever kind of call it serves."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any

import grpc

if TYPE_CHECKING:  # generic in the type stubs only
    Handler = grpc.RpcMethodHandler[Any, Any]
    ServicerContext = grpc.aio.ServicerContext[Any, Any]
    Continuation = Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]]
    Serve = Callable[[Any, ServicerContext], Awaitable[object]]


def behaviour_of(handler: Handler) -> Callable[..., Any]:
    """What serves the calls of a handler."""
    behaviours = (
        handler.unary_unary,
        handler.unary_stream,
        handler.stream_unary,
        handler.stream_stream,
    )
    return next(behaviour for behaviour in behaviours if behaviour is not None)


def serving(handler: Handler) -> Serve:
    """What serves the calls of a handler, as a coroutine that writes what it streams."""
    behaviour = behaviour_of(handler)
    if not inspect.isasyncgenfunction(behaviour):
        return behaviour

    async def write_all(request: object, context: ServicerContext) -> object:
        responses: AsyncIterator[object] = behaviour(request, context)
        async for response in responses:
            await context.write(response)
        return None

    return write_all


def replaced(
    handler: Handler,
    behaviour: Callable[..., Any],
    deserializer: Callable[[bytes], object] | None = None,
    serializer: Callable[[Any], bytes] | None = None,
) -> Handler:
    """A handler of the same kind that serves otherwise.

    Args:
        handler: the handler so far.
        behaviour: serves its calls from now on.
        deserializer: reads its requests; the one so far when not given.
        serializer: writes its responses; the one so far when not given.
    """
    makers: dict[tuple[bool, bool], Callable[..., Handler]] = {
        (False, False): grpc.unary_unary_rpc_method_handler,
        (False, True): grpc.unary_stream_rpc_method_handler,
        (True, False): grpc.stream_unary_rpc_method_handler,
        (True, True): grpc.stream_stream_rpc_method_handler,
    }
    make = makers[bool(handler.request_streaming), bool(handler.response_streaming)]
    return make(
        behaviour,
        request_deserializer=deserializer or handler.request_deserializer,
        response_serializer=serializer or handler.response_serializer,
    )
