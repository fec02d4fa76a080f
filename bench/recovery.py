"""Measures the start of a server that goes on with many open tables.

Tables of a long series are played by chance, some deals each and a part of one more, and kept in a
database as a server would keep them. Then a server is started on it again and again; the time is
that until it listens, without what a server with no table takes.

    python -m bench.recovery [--tables 1000] [--deals 20] [--rounds 5]
"""

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from bench.plan import Plan, Values
from bench.processes import Machine, cpu_seconds, skat_server
from bench.tables import play, seated_table
from bench.windows import median
from skat_server.clock import ManualClock
from skat_server.config import DATABASE
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import Batch, Done, Entry, Store, StoreError
from skat_server.storage.sqlite.store import SqliteStore

TABLES: Final = 1_000
DEALS: Final = 20
_PLAYED: Final = 20
"""Tables that are really played; the others are their twins under other names."""
_MIDDLE: Final = 20
"""Actions of the deal under way, about half of it."""
_AT_ONCE: Final = 100
"""Tables that are written at once."""


class Listening(MemoryStore):
    """Takes note of what a table keeps."""

    def __init__(self) -> None:
        """Start with nothing."""
        super().__init__()
        self.batches: list[Batch] = []

    def append(self, batch: Batch, done: Done) -> None:
        """Keep it, twice."""
        self.batches.append(batch)
        super().append(batch, done)


def played(number: int, deals: int) -> Sequence[Batch]:
    """What a table keeps up to the middle of a deal."""
    store, chance = Listening(), random.Random(number)
    play(seated_table(_name(number), store, ManualClock(), chance), deals, _MIDDLE, chance)
    return store.batches


def _name(number: int) -> str:
    return f"table-{number:016x}"


def _renamed(batch: Batch, old: str, new: str) -> Batch:
    """The same of another table."""
    entries = tuple(Entry(one.kind, one.payload.replace(old, new)) for one in batch.entries)
    return replace(batch, table_id=new, entries=entries)


async def write(folder: Path, tables: int, deals: int) -> None:
    """Make a database with so many open tables."""
    store = SqliteStore(folder / DATABASE)
    await store.open()
    logs = [played(number, deals) for number in range(min(tables, _PLAYED))]
    gate = asyncio.Semaphore(_AT_ONCE)

    async def fill(number: int) -> None:
        twin = number % len(logs)
        async with gate:
            for batch in logs[twin]:
                await _kept(store, _renamed(batch, _name(twin), _name(number)))

    await asyncio.gather(*map(fill, range(tables)))
    await store.close()


async def _kept(store: Store, batch: Batch) -> None:
    kept: asyncio.Future[StoreError | None] = asyncio.get_running_loop().create_future()
    store.append(batch, kept.set_result)
    error = await kept
    if error is not None:
        raise error


def start_seconds(machine: Machine, folder: Path) -> tuple[float, float]:
    """How long a server takes until it listens: on the wall, and of processors."""
    start = time.perf_counter()
    with skat_server(machine, folder=folder) as server:
        return time.perf_counter() - start, cpu_seconds(server.pid)


def figure(plan: Plan) -> Values:
    """The start with 1,000 open tables, of 20 deals each and a part of one more."""
    return measure(plan, plan.sized(TABLES), DEALS)


def measure(plan: Plan, tables: int, deals: int) -> Values:
    """The start with so many tables of so many deals."""
    with tempfile.TemporaryDirectory(prefix="skat-bench-") as name:
        full, empty = Path(name) / "full", Path(name) / "empty"
        asyncio.run(write(full, tables, deals))
        start_seconds(plan.machine, empty)
        rounds = [
            (start_seconds(plan.machine, full), start_seconds(plan.machine, empty))
            for _ in range(plan.rounds)
        ]
    return {
        "tables": tables,
        "deals": deals,
        "seconds": median([with_tables[0] - without[0] for with_tables, without in rounds]),
        "cpu_seconds": median([with_tables[1] - without[1] for with_tables, without in rounds]),
        "empty_seconds": median([without[0] for _, without in rounds]),
    }


def main() -> None:
    """Read the options, measure, and print the line."""
    parser = argparse.ArgumentParser(description="measure the start with many tables")
    parser.add_argument("--tables", type=int, default=TABLES, help="open tables")
    parser.add_argument("--deals", type=int, default=DEALS, help="deals that each has behind it")
    parser.add_argument("--rounds", type=int, default=Plan().rounds, help="starts")
    options = parser.parse_args()
    values = measure(Plan(rounds=options.rounds), options.tables, options.deals)
    print(json.dumps({"figure": "recovery", **values}))


if __name__ == "__main__":
    main()
