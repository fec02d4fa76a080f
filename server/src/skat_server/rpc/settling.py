"""Waiting until a table's step is durable."""

import asyncio
from collections.abc import Callable

from skat_server.errors import RefusedError
from skat_server.tables.writer import Done


async def settled(start: Callable[[Done], object]) -> None:
    """Start a table's command and wait until its step is durable.

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

    start(done)
    await outcome
