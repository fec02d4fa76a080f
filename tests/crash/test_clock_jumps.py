"""F19: the wall clock of the machine jumps by an hour, both ways, while tables are played."""

from __future__ import annotations

import asyncio
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from skat.v1 import table_service_pb2 as tables
from skat_server.storage.protocols import EntryKind
from tests.crash.database import histories_in
from tests.crash.field import Field
from tests.crash.recording import table_request
from tests.crash.supervising import supervised
from tests.histories.model import TableHistory

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(120)]

SOURCE: Final = Path(__file__).with_name("wallclock.c")
HOUR: Final = 3_600
JUMPS: Final = (HOUR, -HOUR, 0, -HOUR, HOUR)
"""By how much the clock is wrong, one after the other."""
TABLES: Final = 10


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """The clock as a library; skipped where it cannot be built, failed where it must be."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        reason = "a clock that jumps needs Linux and a C compiler (gcc)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    built = tmp_path / "wallclock.so"
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(built), str(SOURCE), "-ldl"]
    subprocess.run(command, check=True, capture_output=True)
    return built


class WrongClock:
    """The file that says how wrong the clock is."""

    def __init__(self, path: Path) -> None:
        """Start right."""
        self.path = path
        self.set(0)

    def set(self, seconds: int) -> None:
        """Let the clock jump."""
        with self.path.open("r+b" if self.path.exists() else "wb") as file:
            file.write(struct.pack("=q", seconds))


def soon(number: int) -> tables.CreateTableRequest:
    """A table whose players have half a minute for each decision, far less than an hour."""
    request = table_request(number, deals=2)
    request.clock.decision_ms = 30_000
    return request


async def jump(clock: WrongClock, field: Field) -> None:
    """Let the clock jump in the middle of play."""
    for seconds in JUMPS:
        await field.progress.reach(field.progress.count + TABLES * 5)
        clock.set(seconds)


def times(table: TableHistory) -> list[float]:
    """When everything was kept, by the wall clock."""
    return [line.at for line in table.lines]


async def test_nothing_happens_when_the_wall_clock_jumps(tmp_path: Path, library: Path) -> None:
    """F19, H1 to H8: nobody runs out of time, and nothing is lost."""
    data, clock = tmp_path / "data", WrongClock(tmp_path / "clock")
    variables = {"LD_PRELOAD": str(library), "SKAT_WALL_CLOCK": str(clock.path)}
    async with supervised(data, variables=variables) as supervisor:
        field = Field(lambda: supervisor.address, seed=19)
        await field.open([soon(number) for number in range(TABLES)])
        async with asyncio.TaskGroup() as group:
            jumping = group.create_task(jump(clock, field))
            await field.play()
            jumping.cancel()
        assert await supervisor.stop() == 0
    assert "Traceback" not in supervisor.log
    assert await field.violations(data) == []
    kept = histories_in(data)
    kinds = {line.entry.kind for table in kept for line in table.lines}
    assert EntryKind.DECISION_DEFAULTED not in kinds
    assert max(max(times(table)) - min(times(table)) for table in kept) > HOUR / 2
