"""F18: SIGTERM under load; whatever the grace leaves undone goes on after the next start."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.crash.field import Field, requests_for
from tests.crash.relay import relaying
from tests.crash.supervising import Supervisor, supervised

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(120)]

TABLES = 30
DEALS = 2
STOPS = 2
GRACE = 0.3
MARGIN = 10.0
"""Seconds beyond the grace in which a process on a busy machine has to be gone."""


async def stop_and_start(supervisor: Supervisor, field: Field) -> list[int]:
    """Stop the server in the middle of play, some times; the exit codes."""
    codes = []
    for _ in range(STOPS):
        await field.progress.reach(field.progress.count + TABLES)
        async with asyncio.timeout(GRACE + MARGIN):
            codes.append(await supervisor.stop())
        await supervisor.start()
    return codes


async def test_a_server_that_is_told_to_stop_loses_nothing(tmp_path: Path) -> None:
    """F18, H1 to H8: exit code 0 inside the grace, no result missing."""
    data = tmp_path / "data"
    async with (
        supervised(data, "--grace", str(GRACE)) as supervisor,
        relaying(lambda: supervisor.address) as relay,
    ):
        field = Field(lambda: supervisor.address, seed=18, way=lambda: relay.address)
        await field.open(requests_for(TABLES, DEALS))
        async with asyncio.TaskGroup() as group:
            stopping = group.create_task(stop_and_start(supervisor, field))
            await field.play()
        assert stopping.result() == [0] * STOPS
        assert await supervisor.stop() == 0
    assert "Traceback" not in supervisor.log
    assert await field.violations(data) == []
