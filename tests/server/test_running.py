"""What runs beside a server: to its end, and without ending it."""

import asyncio
from typing import Any

import pytest

from skat_server.cli.running import running_beside
from tests.loop_turns import turns

pytestmark = pytest.mark.asyncio


async def fail() -> None:
    raise ValueError("on purpose")


async def test_a_watch_that_fails_is_told_at_once_and_ends_nothing() -> None:
    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
    async with running_beside([fail()]):
        await turns()
        (context,) = told
        assert isinstance(context["exception"], ValueError)


async def test_watches_are_over_when_the_server_is() -> None:
    ended = asyncio.Event()

    async def watch() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with running_beside([watch()]):
        await turns()
        assert not ended.is_set()
    assert ended.is_set()
