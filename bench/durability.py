"""Measures what it costs a store to keep every action; `make bench ARGS=durability` asks a server.

Prints one line of JSON for each figure. Every table appends one action after the other, the next
when the one before is durable; the last of a deal seals its record. Latencies are from the append
to the call that says it is durable.

    python -m bench.durability [--tables 1 64 1000] [--seconds 3]
"""

import argparse
import asyncio
import json
import os
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.windows import quantile_us
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import (
    Batch,
    DealRecordLine,
    Durability,
    Entry,
    EntryKind,
    SeatResult,
    Store,
    StoreError,
)
from skat_server.storage.sqlite.store import SqliteStore

ACTIONS_A_DEAL = 48
RECORD = json.dumps({"actions": [f"{n % 3} {n}" for n in range(ACTIONS_A_DEAL)], "x": "y" * 700})
RESULTS = tuple(SeatResult(seat, f"player-{seat}", 0) for seat in range(3))
WALL = 1_700_000_000.0


@dataclass(slots=True)
class Appends:
    """What the tables of one run have seen."""

    entries: int = 0
    latencies: list[float] = field(default_factory=list)
    """Seconds."""

    def percentile(self, share: float) -> float:
        """A latency in milliseconds that this share of them, 0 to 1, did not exceed."""
        return round(quantile_us(self.latencies, share) / 1_000, 3)


def batch(table_id: str, number: int) -> Batch:
    """What a table keeps as the step of this number."""
    if number == 0:
        return Batch(table_id, WALL, (Entry(EntryKind.DEAL_STARTED, "{}"),))
    action = Entry(EntryKind.ACTION, "1 CJ 1234")
    if number % ACTIONS_A_DEAL:
        return Batch(table_id, WALL, (action,))
    entries = (action, Entry(EntryKind.DEAL_ENDED, "{}"), Entry(EntryKind.DEAL_STARTED, "{}"))
    return Batch(table_id, WALL, entries, DealRecordLine(number // ACTIONS_A_DEAL, RECORD, RESULTS))


async def play(store: Store, table_id: str, until: float, seen: Appends) -> None:
    """Append as fast as the store allows."""
    loop = asyncio.get_running_loop()
    number = random.Random(table_id).randrange(ACTIONS_A_DEAL)
    while time.perf_counter() < until:
        kept: asyncio.Future[StoreError | None] = loop.create_future()
        step = batch(table_id, number)
        start = time.perf_counter()
        store.append(step, kept.set_result)
        error = await kept
        if error is not None:
            raise error
        seen.latencies.append(time.perf_counter() - start)
        seen.entries += len(step.entries)
        number += 1
        if store.durability is Durability.MEMORY:
            await asyncio.sleep(0)


async def appends(store: Store, tables: int, seconds: float) -> dict[str, float | int | str]:
    """The figures of so many tables."""
    seen = Appends()
    await store.open()
    start, cpu = time.perf_counter(), time.process_time()
    names = [f"table-{number:016x}" for number in range(tables)]
    await asyncio.gather(*(play(store, name, start + seconds, seen) for name in names))
    took, used = time.perf_counter() - start, time.process_time() - cpu
    durability = store.durability.value
    await store.close()
    return {
        "benchmark": "appends",
        "python": platform.python_version(),
        "durability": durability,
        "tables": tables,
        "events_per_second": round(seen.entries / took),
        "p50_ms": seen.percentile(0.50),
        "p99_ms": seen.percentile(0.99),
        "cpu_us_per_event": round(used / seen.entries * 1e6, 1),
    }


def new_store(durability: Durability, folder: Path) -> Store:
    """A store of this durability."""
    if durability is Durability.MEMORY:
        return MemoryStore()
    return SqliteStore(folder / "skat.db", durability)


def sync_ms(folder: Path) -> float:
    """How long the disk takes to keep a page, in milliseconds."""
    took: list[float] = []
    with (folder / "probe").open("wb", buffering=0) as stream:
        for _ in range(200):
            stream.write(bytes(4_096))
            start = time.perf_counter()
            os.fdatasync(stream.fileno())
            took.append(time.perf_counter() - start)
    return round(statistics.median(took) * 1_000, 3)


def show(figures: dict[str, float | int | str]) -> None:
    """Print one line."""
    print(json.dumps(figures), flush=True)


def measure_appends(tables: Sequence[int], seconds: float) -> None:
    """Every durability with every number of tables."""
    for count in tables:
        for durability in Durability:
            with tempfile.TemporaryDirectory() as folder:
                store = new_store(durability, Path(folder))
                show(asyncio.run(appends(store, count, seconds)))


def main() -> None:
    """Read the options, measure, and print the lines."""
    parser = argparse.ArgumentParser(description="measure what durability costs")
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 64, 1_000])
    parser.add_argument("--seconds", type=float, default=3.0, help="of each run of appends")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        show({"benchmark": "fdatasync", "p50_ms": sync_ms(Path(folder))})
    measure_appends(options.tables, options.seconds)


if __name__ == "__main__":
    main()
