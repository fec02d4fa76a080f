"""F1: the real server is killed again and again under many tables, and nothing is lost."""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path
from typing import Final

import pytest

from tests.crash.field import Field, requests_for
from tests.crash.relay import relaying
from tests.crash.supervising import Supervisor, supervised

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(300)]

TABLES: Final = int(os.environ.get("CRASH_TABLES", "50"))
KILLS: Final = int(os.environ.get("CRASH_KILLS", "20"))
SEED: Final = int(os.environ.get("CRASH_SEED", "1"))
DEALS: Final = 2
"""Per table: of so many deals the log keeps every action."""
ANSWERS: Final = 60
"""Answers at a table that can be counted on."""


async def keep_killing(supervisor: Supervisor, field: Field, chance: random.Random) -> None:
    """Kill the server at random moments of play, now and then while it is starting."""
    gap = TABLES * ANSWERS // KILLS
    for number in range(KILLS):
        await field.progress.reach(field.progress.count + chance.randint(1, gap))
        await supervisor.replace(chance.random() if number % 5 == 4 else None)


async def test_nothing_is_lost_by_kills_at_random_moments(tmp_path: Path) -> None:
    """F1, H1 to H8: all tables go on at the very decision, with the same turn."""
    data, chance = tmp_path / "data", random.Random(SEED)
    async with supervised(data) as supervisor, relaying(lambda: supervisor.address) as relay:
        field = Field(lambda: supervisor.address, SEED, way=lambda: relay.address)
        await field.open(requests_for(TABLES, DEALS))
        async with asyncio.TaskGroup() as group:
            killing = group.create_task(keep_killing(supervisor, field, chance))
            await field.play()
            killing.cancel()
        assert await supervisor.stop() == 0
    assert "Traceback" not in supervisor.log
    assert supervisor.starts > KILLS // 2
    assert await field.violations(data) == []
