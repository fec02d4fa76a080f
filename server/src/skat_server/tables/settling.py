"""Waiting until a table's step is durable."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from skat_server.errors import RefusedError
from skat_server.tables.writer import Done

_Made = TypeVar("_Made")


async def settled(start: Callable[[Done], _Made]) -> _Made:
    """Start a table's command and wait until its step is durable.

    Args:
        start: is given whom to tell.

    Returns:
        What `start` has returned.

    Raises:
        RefusedError: why nothing happened.
    """
    outcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def done(refusal: RefusedError | None) -> None:
        if outcome.done():
            return
        if refusal is None:
            outcome.set_result(None)
        else:
            outcome.set_exception(refusal)

    made = start(done)
    await outcome
    return made
