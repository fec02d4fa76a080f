"""Measures what it costs to keep every action: appends, a whole server, the start after a crash.

Prints one line of JSON for each figure. Every table appends one action after the other, the next
when the one before is durable; the last of a deal seals its record. Latencies are from the append
to the call that says it is durable.

    python -m bench.durability [--tables 1 64 1000] [--seconds 3] [--server-tables 64]
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
from dataclasses import dataclass, field, replace
from pathlib import Path

from bench.server import measure
from skat_engine import GiveUp, LayOpen, preset
from skat_server.app import App
from skat_server.clock import ManualClock
from skat_server.config import Settings
from skat_server.errors import RefusedError
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import (
    Batch,
    DealRecordLine,
    Done,
    Durability,
    Entry,
    EntryKind,
    SeatResult,
    Store,
    StoreError,
)
from skat_server.storage.sqlite.store import SqliteStore
from skat_server.tables.sources import FreshDeals
from skat_server.tables.state import Occupant, TableConfig, Visibility
from skat_server.tables.table import Table

ACTIONS_A_DEAL = 48
RECORD = json.dumps({"actions": [f"{n % 3} {n}" for n in range(ACTIONS_A_DEAL)], "x": "y" * 700})
RESULTS = tuple(SeatResult(seat, f"player-{seat}", 0) for seat in range(3))
WALL = 1_700_000_000.0
RECOVERED_TABLES = 1_000


@dataclass(slots=True)
class Appends:
    """What the tables of one run have seen."""

    entries: int = 0
    latencies: list[float] = field(default_factory=list)
    """Seconds."""

    def percentile(self, share: float) -> float:
        """A latency in milliseconds that so many did not exceed."""
        ordered = sorted(self.latencies)
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1_000, 3)


def batch(table_id: str, number: int) -> Batch:
    """What a table keeps as its so-manieth step."""
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


def real_table(table_id: str) -> list[Batch]:
    """What a table keeps up to the middle of its third deal, played by whoever may act."""
    store, chance = Listening(), random.Random(7)
    config = TableConfig(
        table_id=table_id,
        owner_id="owner",
        display_name="",
        preset="isko",
        overrides=(),
        rules=preset("isko"),
        visibility=Visibility.PUBLIC,
        source=FreshDeals(bytes(32)),
        draw=(),
        created_at=WALL,
    )
    table = Table(config, store, ManualClock())
    table.open(_succeeded)
    for seat in range(3):
        table.sit(Occupant(f"player-{seat}", f"bot {seat}"), seat, _succeeded)
    while len(store.batches) < 2.5 * ACTIONS_A_DEAL and table.decision is not None:
        plays = [one for one in table.decision.options if not isinstance(one, GiveUp | LayOpen)]
        decision, action = table.decision, plays[chance.randrange(len(plays))]
        table.answer(decision.seat, decision.turn_id, action, _succeeded)
    return store.batches


def _succeeded(refusal: RefusedError | None) -> None:
    if refusal is not None:
        raise refusal


def renamed(batch: Batch, name: str, new: str) -> Batch:
    """The same of another table."""
    entries = (Entry(one.kind, one.payload.replace(name, new)) for one in batch.entries)
    return replace(batch, table_id=new, entries=tuple(entries))


async def start_after_crash(folder: Path, tables: int) -> dict[str, float | int | str]:
    """How long it takes until so many tables go on where they were."""
    store = SqliteStore(folder / "skat.db")
    await store.open()
    played = real_table("table-0")

    async def fill(table_id: str) -> None:
        for batch in played:
            kept: asyncio.Future[StoreError | None] = asyncio.get_running_loop().create_future()
            store.append(renamed(batch, "table-0", table_id), kept.set_result)
            await kept

    await asyncio.gather(*(fill(f"table-{number:016x}") for number in range(tables)))
    await store.close()
    start = time.perf_counter()
    async with App(Settings(port=0, data=folder, grace=0.0)) as app:
        took = time.perf_counter() - start
        recovered = len(app.tables.public(None))
    return {
        "benchmark": "recovery",
        "tables": recovered,
        "entries_a_table": sum(len(batch.entries) for batch in played),
        "seconds": round(took, 3),
    }


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
    parser.add_argument("--server-tables", type=int, default=64, help="tables of a whole server")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        show({"benchmark": "fdatasync", "p50_ms": sync_ms(Path(folder))})
        show(asyncio.run(start_after_crash(Path(folder), RECOVERED_TABLES)))
    measure_appends(options.tables, options.seconds)
    for durability in ("memory", "deal", "action"):
        show(measure(options.server_tables, 5, 3, durability))


if __name__ == "__main__":
    main()
