"""Who calls and whether he may, before any handler runs.

The caller comes from the token alone; what a message says about seats and players is compared
with him and never believed (T3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import grpc
from structlog.contextvars import bound_contextvars

from skat_server.players.doors import Door
from skat_server.players.identity import Player
from skat_server.rpc.callers import calling
from skat_server.rpc.interceptors.wrapping import replaced, serving
from skat_server.rpc.live_calls import LiveCalls
from skat_server.rpc.peers import address_of
from skat_server.rpc.rights import NEEDS, PACKAGE, Need, require_right

if TYPE_CHECKING:
    from skat_server.rpc.interceptors.wrapping import Continuation, Handler, Serve, ServicerContext


class AuthInterceptor(grpc.aio.ServerInterceptor):
    """Lets callers through to the methods that they may call."""

    def __init__(self, door: Door, live: LiveCalls) -> None:
        """Guard the methods of the contract; health and reflection are for everybody.

        Args:
            door: finds the callers.
            live: knows the calls that run.
        """
        self._door = door
        self._live = live

    async def intercept_service(
        self, continuation: Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> Handler | None:
        """Wrap the handler of the call; an unknown method has none."""
        handler = await continuation(handler_call_details)
        path = handler_call_details.method
        if handler is None or not path.startswith(PACKAGE):
            return handler
        return replaced(
            handler, self._guarded(handler, NEEDS[path], _authorization(handler_call_details))
        )

    def _guarded(self, handler: Handler, need: Need, authorization: str | None) -> Serve:
        serve = serving(handler)
        is_stream = bool(handler.response_streaming)

        async def call(request: object, context: ServicerContext) -> object:
            player = await self._admit(need, authorization, context)
            if player is None:
                with calling(None):
                    return await serve(request, context)
            with calling(player), bound_contextvars(player_id=player.player_id):
                return await self._live.run(
                    player, lambda: serve(request, context), is_stream=is_stream
                )

        return call

    async def _admit(
        self, need: Need, authorization: str | None, context: ServicerContext
    ) -> Player | None:
        player = await self._door.admit(authorization, address_of(context.peer()))
        require_right(need, player, self._door.stranger)
        return player


def _authorization(details: grpc.HandlerCallDetails) -> str | None:
    for key, value in details.invocation_metadata or ():
        if key == "authorization":
            return value if isinstance(value, str) else value.decode(errors="replace")
    return None
