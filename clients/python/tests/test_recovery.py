"""What happens between two connections beside waiting."""

import asyncio
import contextlib

import pytest

from skat_client import Backoff
from skat_client._recovery import Recovery
from skat_client.errors import UnavailableError


async def no_time(seconds: float) -> None:
    del seconds


async def lose_while_cancelled(recovery: Recovery) -> None:
    """A call that says it was lost in the moment in which its task is cancelled."""
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.Event().wait()
    await recovery.wait(UnavailableError("socket closed"))


@pytest.mark.asyncio
async def test_a_loss_does_not_hide_a_cancellation() -> None:
    recovery = Recovery("session", Backoff(sleep=no_time), None)
    losing = asyncio.create_task(lose_while_cancelled(recovery))
    asyncio.get_running_loop().call_soon(losing.cancel)
    with pytest.raises(asyncio.CancelledError):
        await losing


@pytest.mark.asyncio
async def test_a_time_limit_around_is_kept_as_well() -> None:
    recovery = Recovery("session", Backoff(sleep=no_time), None)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await lose_while_cancelled(recovery)
