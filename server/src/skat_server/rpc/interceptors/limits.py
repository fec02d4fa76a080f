"""What callers may ask of the server at once and in a second (T12, T13).

One interceptor stands before the caller is known and counts by address, one behind counts by
player. What settles a decision inside of a stream is free (ADR 0015).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

import grpc

from skat_server.rpc.allowances import Allowances
from skat_server.rpc.callers import Context
from skat_server.rpc.interceptors.wrapping import replaced, serving

if TYPE_CHECKING:
    from skat_server.rpc.interceptors.wrapping import Continuation, Handler, Serve, ServicerContext

Holder = Callable[[Context], str | None]
"""Finds who is to be charged for a call; None charges nobody."""


class LimitInterceptor(grpc.aio.ServerInterceptor):
    """Counts calls and streams of every holder and refuses what is too much."""

    def __init__(self, allowances: Allowances, holder: Holder) -> None:
        """Charge the holder that is found for a call."""
        self._allowances = allowances
        self._holder = holder

    async def intercept_service(
        self, continuation: Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> Handler | None:
        """Wrap the handler of the call; an unknown method has none."""
        handler = await continuation(handler_call_details)
        return None if handler is None else replaced(handler, self._limited(handler))

    def _limited(self, handler: Handler) -> Serve:
        serve = serving(handler)
        is_stream = bool(handler.response_streaming)

        async def call(request: object, context: ServicerContext) -> object:
            holder = self._holder(context)
            with ExitStack() as stack:
                if holder is not None:
                    self._allowances.count_call(holder)
                    if is_stream:
                        stack.enter_context(self._allowances.stream(holder, context.peer()))
                return await serve(request, context)

        return call
