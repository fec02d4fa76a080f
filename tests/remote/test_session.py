"""A load's session on a real server that does not want it."""

import asyncio
import socket

import pytest

from skat_server.app import App
from skat_server.clock import ManualClock
from skat_server.config import Settings
from skat_server.remote.connection import Target
from skat_server.remote.load.plan import AT_ONCE
from skat_server.remote.load.session import LoadSession
from skat_server.remote.load.stopwatch import Stopwatch
from skat_server.remote.load.tally import Books
from skat_server.remote.load.wire import Wire

pytestmark = pytest.mark.asyncio

LONG_ENOUGH = 2.0
"""Seconds; no pause is longer."""
MOST_SECONDS = 30.0
"""Of real time, which no test takes."""


class NotingClock(ManualClock):
    """Says when somebody waits by it."""

    def __init__(self) -> None:
        super().__init__()
        self.is_waited_for = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self.is_waited_for.set()
        await super().sleep(seconds)


async def test_a_session_that_was_cut_after_its_welcome_waits_before_the_next_stream() -> None:
    """Two with one token would throw each other out without end."""
    clock, books = NotingClock(), Books()
    async with App(Settings(port=0, grace=0)) as app, asyncio.TaskGroup() as tasks:
        wire = Wire(Target(app.address), books, clock)
        first, second = (
            LoadSession(wire, "a-token-of-two-players", AT_ONCE, Stopwatch()) for _ in range(2)
        )
        tasks.create_task(first.run())
        await first.ready.wait()
        tasks.create_task(second.run())
        await clock.is_waited_for.wait()
        await second.ready.wait()
        assert not first.ready.is_set()
        assert books.tally.faults == {"stream: SESSION_SUPERSEDED": 1}
        await first.stop()
        await second.stop()
        clock.advance(LONG_ENOUGH)


async def test_a_session_that_nobody_has_answered_can_be_stopped() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        target = Target(f"127.0.0.1:{mute.getsockname()[1]}")
        wire = Wire(target, Books(), ManualClock())
        session = LoadSession(wire, "a-token-of-nobody", AT_ONCE, Stopwatch())
        running = asyncio.ensure_future(session.run())
        held, _ = await asyncio.to_thread(mute.accept)
        with held:  # it is connected, and waits for a word
            await asyncio.wait_for(session.stop(), MOST_SECONDS)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
