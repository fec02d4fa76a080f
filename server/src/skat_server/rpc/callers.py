"""Who makes a call: found by the interceptor, asked for by the handlers."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

import grpc

from skat_server.errors import Reason, RefusedError
from skat_server.players.identity import Player

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[Any, Any]
else:  # generic in the type stubs only
    Context = grpc.aio.ServicerContext

_CALLER: Final[ContextVar[Player | None]] = ContextVar("caller", default=None)
"""A call is a task, so what is set in it is seen by its own handler only."""


@contextmanager
def calling(player: Player | None) -> Iterator[None]:
    """Let the handlers inside know who calls."""
    reset = _CALLER.set(player)
    try:
        yield
    finally:
        _CALLER.reset(reset)


def caller(context: Context) -> Player:
    """The player who makes this call.

    Raises:
        RefusedError: UNAUTHENTICATED.
    """
    del context
    player = _CALLER.get()
    if player is None:
        raise RefusedError(Reason.UNAUTHENTICATED, "send metadata `authorization: Bearer TOKEN`")
    return player


def caller_id_or_none(context: Context) -> str | None:
    """The id of the player who makes this call, None without a token."""
    del context
    player = _CALLER.get()
    return None if player is None else player.player_id
