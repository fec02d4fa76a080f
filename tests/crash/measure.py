"""Measures how long a killed server needs until it listens again, with many tables under way.

Prints one line of JSON: seconds from the start of the process to the line that says where it
listens, once with nothing in its folder and once with the tables, and the seconds after that until
a player of a quarter of the tables has been asked again at all of them.

    python -m tests.crash.measure [--tables 1000] [--seed 1]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import tempfile
from pathlib import Path
from time import perf_counter

from tests.crash.field import Field, requests_for
from tests.crash.supervising import Supervisor, supervised

ANSWERS = 20
"""Answers at a table before the kill."""


async def started(supervisor: Supervisor) -> float:
    """Seconds that a start takes."""
    begin = perf_counter()
    await supervisor.start()
    return perf_counter() - begin


async def measured(tables: int, seed: int, folder: Path) -> dict[str, object]:
    """Play, kill, start."""
    empty = await _empty_start(folder / "empty")
    async with supervised(folder / "data") as supervisor:
        field = Field(lambda: supervisor.address, seed)
        await field.open(requests_for(tables, deals=2))
        await field.play_until(tables * ANSWERS)
        await supervisor.kill()
        full = await started(supervisor)
        resumed = await field.resumed()
    size = (folder / "data" / "skat.db").stat().st_size
    return {
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "tables": tables,
        "answers": field.progress.count,
        "database_mb": round(size / 1e6, 1),
        "empty_start_s": round(empty, 2),
        "start_s": round(full, 2),
        "asked_again_s": round(resumed, 2),
    }


async def _empty_start(data: Path) -> float:
    supervisor = Supervisor(data)
    try:
        return await started(supervisor)
    finally:
        await supervisor.end()


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(measured(options.tables, options.seed, Path(folder)))
    print(json.dumps(result))


if __name__ == "__main__":
    main()
