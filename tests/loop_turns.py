"""The event loop of a test, gone round by hand."""

import asyncio


async def turns(count: int = 4) -> None:
    """Let the loop go round so often; four let its tasks go on as far as they mostly can."""
    for _ in range(count):
        turned = asyncio.Event()
        asyncio.get_running_loop().call_soon(turned.set)
        await turned.wait()
