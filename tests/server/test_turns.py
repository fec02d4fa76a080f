"""Threads take turns while a server is busy, under the policies of the real system."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Iterator

import pytest

from skat_server.cli.turns import (
    BUSY,
    CALM,
    CALM_LOOKS,
    EVERY,
    Business,
    schedule,
    take_turns_while_busy,
)
from skat_server.clock import ManualClock

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has these policies")

SATURATED, HALF, IDLE = 1.0, (CALM + BUSY) / 2, 0.1


@pytest.fixture
def thread() -> Iterator[int]:
    """Another thread of this process; all are under the usual policy, and are so in the end."""
    over = threading.Event()
    other = threading.Thread(target=over.wait)
    other.start()
    assert other.native_id is not None
    yield other.native_id
    schedule(os.SCHED_OTHER)
    over.set()
    other.join()


class Machine:
    """A process whose use of the processor is told by hand."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.used = 0.0

    async def run(self, share: float, looks: int = 1) -> None:
        """Let it use this share of a processor until it was looked at so many times."""
        for _ in range(looks):
            await self._turn()
            self.used += share * EVERY
            self.clock.advance(EVERY)
        await self._turn()

    async def _turn(self) -> None:
        """Let the loop go round, so that whoever waits for the clock is told."""
        turned = asyncio.Event()
        asyncio.get_running_loop().call_soon(turned.set)
        await turned.wait()


def policies(thread: int) -> set[int]:
    """Of the thread that runs this, and of another one."""
    return {os.sched_getscheduler(0), os.sched_getscheduler(thread)}


@pytest.mark.asyncio
async def test_threads_take_turns_while_the_server_is_busy(thread: int) -> None:
    machine = Machine()
    watch = asyncio.create_task(take_turns_while_busy(machine.clock, lambda: machine.used))
    await machine.run(HALF, CALM_LOOKS)
    assert policies(thread) == {os.SCHED_OTHER}
    await machine.run(SATURATED)
    assert policies(thread) == {os.SCHED_BATCH}
    await machine.run(IDLE, CALM_LOOKS - 1)
    assert policies(thread) == {os.SCHED_BATCH}
    await machine.run(IDLE)
    assert policies(thread) == {os.SCHED_OTHER}
    watch.cancel()


@pytest.mark.asyncio
async def test_a_policy_that_somebody_has_chosen_stays(thread: int) -> None:
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    machine = Machine()
    await take_turns_while_busy(machine.clock, lambda: machine.used)
    assert policies(thread) == {os.SCHED_IDLE, os.SCHED_OTHER}


@pytest.mark.asyncio
async def test_where_it_is_forbidden_play_goes_on(
    thread: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it is, the first request tells, before there is anything to do."""

    def forbidden(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", forbidden)
    machine = Machine()
    await take_turns_while_busy(machine.clock, lambda: machine.used)
    monkeypatch.undo()
    assert policies(thread) == {os.SCHED_OTHER}


def test_a_short_pause_is_no_calm() -> None:
    business = Business(0.0, 0.0)
    at = used = 0.0
    seen = []
    for share in [SATURATED, *[IDLE] * (CALM_LOOKS - 1), HALF, *[IDLE] * (CALM_LOOKS - 1)]:
        at, used = at + EVERY, used + share * EVERY
        business.look(at, used)
        seen.append(business.is_busy)
    assert all(seen)
