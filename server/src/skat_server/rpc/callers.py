"""Who makes a call."""

from typing import TYPE_CHECKING, Any

import grpc

from skat_server.players.identity import Player, player_of

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[Any, Any]
else:  # generic in the type stubs only
    Context = grpc.aio.ServicerContext


def caller(context: Context) -> Player:
    """The player who makes this call.

    Raises:
        RefusedError: UNAUTHENTICATED.
    """
    return player_of(_authorization(context))


def caller_id_or_none(context: Context) -> str | None:
    """The id of the player who makes this call, None without a token.

    Raises:
        RefusedError: UNAUTHENTICATED for a token that cannot be used.
    """
    authorization = _authorization(context)
    return None if authorization is None else player_of(authorization).player_id


def _authorization(context: Context) -> str | None:
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            return value if isinstance(value, str) else value.decode(errors="replace")
    return None
