"""Threads interrupt nobody while a server is busy, under the policies of the real system."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

import pytest
from structlog.testing import CapturingLogger

from skat_server.cli import scheduling
from skat_server.cli.scheduling import (
    BUSY,
    BUSY_LOOKS,
    CALM,
    CALM_LOOKS,
    EVERY,
    Activity,
    batch_while_busy,
    can_set_policy,
    put_under,
)
from skat_server.clock import ManualClock
from tests.loop_turns import turns

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has these policies")

SATURATED, HALF, IDLE = 1.0, (CALM + BUSY) / 2, 0.1


@pytest.fixture
def thread() -> Iterator[int]:
    """Another thread of this process; all are under the usual policy, and are so in the end."""
    if not can_set_policy():
        pytest.skip("a sandbox forbids it, or the tests run under another policy")
    over = threading.Event()
    other = threading.Thread(target=over.wait, daemon=True)
    other.start()
    assert other.native_id is not None
    try:
        yield other.native_id
    finally:
        put_under(os.SCHED_OTHER)
        over.set()
        other.join()


class Machine:
    """A process whose use of the processor is told by hand, and that is watched."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.used = 0.0

    @classmethod
    @asynccontextmanager
    async def watched(cls) -> AsyncIterator[Self]:
        machine = cls()
        watch = asyncio.create_task(batch_while_busy(machine.clock, lambda: machine.used))
        try:
            yield machine
        finally:
            watch.cancel()

    async def run(self, share: float, looks: int = 1) -> None:
        """Let it use this share of a processor until it was looked at so many times."""
        for _ in range(looks):
            await turns(1)
            self.used += share * EVERY
            self.clock.advance(EVERY)
        await turns(1)


def policies(thread: int) -> set[int]:
    """Of the thread that runs this, and of another one."""
    return {os.sched_getscheduler(0), os.sched_getscheduler(thread)}


def forbid(monkeypatch: pytest.MonkeyPatch, forbidden: set[int], why: OSError) -> None:
    """Let the system refuse some policies."""
    real = os.sched_setscheduler

    def refusing(thread: int, policy: int, param: os.sched_param) -> None:
        if policy in forbidden:
            raise why
        real(thread, policy, param)

    monkeypatch.setattr(os, "sched_setscheduler", refusing)


@pytest.mark.asyncio
async def test_threads_interrupt_nobody_while_the_server_is_busy(thread: int) -> None:
    async with Machine.watched() as machine:
        await machine.run(HALF, CALM_LOOKS)
        await machine.run(SATURATED, BUSY_LOOKS - 1)
        assert policies(thread) == {os.SCHED_OTHER}
        await machine.run(SATURATED)
        assert policies(thread) == {os.SCHED_BATCH}
        await machine.run(IDLE, CALM_LOOKS - 1)
        assert policies(thread) == {os.SCHED_BATCH}
        await machine.run(IDLE)
        assert policies(thread) == {os.SCHED_OTHER}


@pytest.mark.asyncio
async def test_what_cannot_be_done_now_is_tried_at_the_next_look(
    thread: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    threads = scheduling._THREADS
    async with Machine.watched() as machine:
        monkeypatch.setattr(scheduling, "_THREADS", tmp_path / "gone")
        await machine.run(SATURATED, BUSY_LOOKS + 5)
        assert policies(thread) == {os.SCHED_OTHER}
        monkeypatch.setattr(scheduling, "_THREADS", threads)
        await machine.run(SATURATED)
        assert policies(thread) == {os.SCHED_BATCH}


class Unlucky:
    """Lists threads, but not a second time in a row."""

    def __init__(self, threads: Path) -> None:
        self.threads, self.lists = threads, 0

    def iterdir(self) -> Iterator[Path]:
        self.lists += 1
        if self.lists % 2 == 0:
            raise OSError(24, "Too many open files")
        return self.threads.iterdir()


@pytest.mark.asyncio
async def test_what_was_done_by_half_is_undone_in_calm(
    thread: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = scheduling._THREADS
    async with Machine.watched() as machine:
        monkeypatch.setattr(scheduling, "_THREADS", Unlucky(threads))
        await machine.run(SATURATED, BUSY_LOOKS)
        assert policies(thread) == {os.SCHED_BATCH}
        await machine.run(IDLE, CALM_LOOKS)
        monkeypatch.setattr(scheduling, "_THREADS", threads)
        await machine.run(IDLE)
        assert policies(thread) == {os.SCHED_OTHER}


def test_a_thread_under_a_third_policy_stays_there(thread: int) -> None:
    os.sched_setscheduler(thread, os.SCHED_IDLE, os.sched_param(0))
    put_under(os.SCHED_BATCH)
    assert os.sched_getscheduler(0) == os.SCHED_BATCH
    assert os.sched_getscheduler(thread) == os.SCHED_IDLE


def test_whether_it_can_be_had_is_asked_and_changes_nothing(thread: int) -> None:
    assert can_set_policy()
    assert policies(thread) == {os.SCHED_OTHER}


def test_a_policy_that_somebody_has_chosen_stays(thread: int) -> None:
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    assert not can_set_policy()
    assert policies(thread) == {os.SCHED_BATCH, os.SCHED_OTHER}


@pytest.mark.parametrize("why", [PermissionError(1, "not here"), OSError(22, "no such policy")])
def test_where_it_is_forbidden_it_is_left(
    thread: int, monkeypatch: pytest.MonkeyPatch, why: OSError
) -> None:
    forbid(monkeypatch, {os.SCHED_BATCH}, why)
    log = CapturingLogger()
    monkeypatch.setattr(scheduling, "_log", log)
    assert not can_set_policy()
    assert log.calls == [("info", ("scheduling.unavailable",), {"why": str(why)})]
    assert policies(thread) == {os.SCHED_OTHER}


@pytest.mark.parametrize("shown", [None, "1"], ids=["nothing", "numbers of another namespace"])
def test_where_threads_cannot_be_seen_it_is_left(
    thread: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, shown: str | None
) -> None:
    folder = tmp_path / "task"
    if shown is not None:
        (folder / shown).mkdir(parents=True)
    monkeypatch.setattr(scheduling, "_THREADS", folder)
    assert not can_set_policy()
    assert policies(thread) == {os.SCHED_OTHER}


@pytest.mark.parametrize(
    ("shares", "is_busy"),
    [
        ([SATURATED] * (BUSY_LOOKS - 1) + [HALF] + [SATURATED] * (BUSY_LOOKS - 1), False),
        ([HALF] * 100, False),
        ([SATURATED] * BUSY_LOOKS + [HALF] * 100, True),
        ([SATURATED] * BUSY_LOOKS + ([IDLE] * (CALM_LOOKS - 1) + [HALF]) * 2, True),
        ([SATURATED] * BUSY_LOOKS + [IDLE] * CALM_LOOKS, False),
    ],
)
def test_one_look_is_neither_busy_time_nor_calm(shares: list[float], is_busy: bool) -> None:
    activity, at, used = Activity(0.0, 0.0), 0.0, 0.0
    for share in shares:
        at, used = at + EVERY, used + share * EVERY
        activity.look(at, used)
    assert activity.is_busy is is_busy
