"""How long a stream waits for its client."""

import asyncio
from typing import Final

from google.protobuf.message import Message

from skat_server.errors import Reason, RefusedError
from skat_server.rpc.callers import Context

WRITE_WITHIN: Final = 10.0
"""Seconds that the transport may refuse a message before the reader counts as too slow."""


async def write_in_time(context: Context, response: Message) -> None:
    """Write to a stream whose reader keeps up.

    Raises:
        RefusedError: SLOW_CONSUMER when the transport takes nothing for too long.
    """
    try:
        async with asyncio.timeout(WRITE_WITHIN):
            await context.write(response)
    except TimeoutError as error:
        raise RefusedError(
            Reason.SLOW_CONSUMER, f"nothing was read for {WRITE_WITHIN:.0f} s; reconnect"
        ) from error
