"""Measures how fast tables are made again from their logs, as at every start of a server.

Tables of a long series are played by chance in memory, some deals each and a part of one more;
then all of them are folded from their logs. Prints one line of JSON; the time is the median of the
rounds. What reading the logs from a disk takes is not in it.

    python -m bench.recovery [--tables 1000] [--deals 20] [--rounds 3] [--seed 1]
"""

import argparse
import asyncio
import gc
import json
import platform
import random
import statistics
import time
from collections.abc import Sequence

from skat_engine import Action, GiveUp, LayOpen, preset
from skat_server.clock import ManualClock
from skat_server.errors import RefusedError
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import Entry, EntryKind, LoggedEntry, TableLog
from skat_server.tables.registry import TableLimits, Tables
from skat_server.tables.sources import FreshDeals
from skat_server.tables.state import Occupant, OpenDecision, TableConfig, Visibility
from skat_server.tables.table import Table

NAMES = ("ann", "ben", "cem")
MOST = 1_000_000
PLAYED = 100
MIDDLE = 20
"""Actions of the deal under way, about half of it."""


def tables_in(store: MemoryStore) -> Tables:
    """A registry without limits that matter."""
    limits = TableLimits(running=MOST, ended=MOST, per_owner=MOST, seats_per_player=MOST)
    return Tables(store, ManualClock(), limits)


def succeeded(refusal: RefusedError | None) -> None:
    """For commands that must not be refused."""
    if refusal is not None:
        raise refusal


def config(number: int, chance: random.Random) -> TableConfig:
    """One table of many."""
    return TableConfig(
        table_id=f"table-{number}",
        owner_id=f"player-{number % 100}",
        display_name="",
        preset="isko",
        overrides=(),
        rules=preset("isko", {"session_deals": 36}),
        visibility=Visibility.PUBLIC,
        source=FreshDeals(chance.randbytes(32)),
        draw=(),
        created_at=0.0,
    )


def pick(decision: OpenDecision, chance: random.Random) -> Action:
    """One of the plainer answers at random, none that ends the deal early."""
    options = [one for one in decision.options[:12] if not isinstance(one, GiveUp | LayOpen)]
    return options[chance.randrange(len(options))]


def play(table: Table, deals: int, chance: random.Random) -> None:
    """Play so many deals and the beginning of one more."""
    for seat, name in enumerate(NAMES):
        table.sit(Occupant(f"{table.table_id}-{name}", name), seat, succeeded)
    while table.state.series.deals_done < deals or len(table.state.actions) < MIDDLE:
        decision = table.decision
        if decision is None or table.state.series.deals_done > deals:
            return
        table.answer(decision.seat, decision.turn_id, pick(decision, chance), succeeded)


def written(tables: int, deals: int, seed: int) -> Sequence[TableLog]:
    """The logs of so many tables; some are played, the others are their twins."""
    store, chance = MemoryStore(), random.Random(seed)
    registry = tables_in(store)
    for number in range(min(tables, PLAYED)):
        play(registry.create(config(number, chance), succeeded), deals, chance)
    logs = [trimmed(log) for log in asyncio.run(store.load(MOST))]
    return [twin(logs[number % len(logs)], number) for number in range(tables)]


def twin(log: TableLog, number: int) -> TableLog:
    """The same log under another table's id."""
    first, *others = log.lines
    row = json.loads(first.entry.payload) | {"table": f"table-{number}"}
    opening = LoggedEntry(first.at, Entry(first.entry.kind, json.dumps(row)))
    return TableLog(f"table-{number}", [opening, *others])


def trimmed(log: TableLog) -> TableLog:
    """What a store has to keep of a log: of old dealings no actions."""
    starts = [n for n, line in enumerate(log.lines) if line.entry.kind is EntryKind.DEAL_STARTED]
    cut = starts[-2] if starts[1:] else 0
    old = [line for line in log.lines[:cut] if line.entry.kind is not EntryKind.ACTION]
    return TableLog(log.table_id, [*old, *log.lines[cut:]])


def recovery_seconds(logs: Sequence[TableLog]) -> float:
    """Processor time of one recovery; nothing here waits, and others may share the cores."""
    registry = tables_in(MemoryStore())
    gc.collect()
    gc.disable()  # as the server does
    start = time.process_time()
    registry.recover(logs)
    taken = time.process_time() - start
    gc.enable()
    if len(registry.public(None)) != len(logs):
        raise RuntimeError("a table was not made again")
    return taken


def measure(tables: int, deals: int, rounds: int, seed: int) -> dict[str, float | int | str]:
    """Everything this script measures, by name."""
    logs = written(tables, deals, seed)
    seconds = statistics.median(recovery_seconds(logs) for _ in range(rounds))
    return {
        "benchmark": "recovery",
        "python": platform.python_version(),
        "tables": tables,
        "deals": deals,
        "entries": sum(len(log.lines) for log in logs),
        "rounds": rounds,
        "seconds": round(seconds, 2),
        "tables_per_second": round(tables / seconds),
    }


def main() -> None:
    """Read the options, measure, and print the line."""
    parser = argparse.ArgumentParser(description="measure the recovery of tables")
    parser.add_argument("--tables", type=int, default=1000, help="open tables")
    parser.add_argument("--deals", type=int, default=20, help="finished deals of each")
    parser.add_argument("--rounds", type=int, default=3, help="rounds to take the median of")
    parser.add_argument("--seed", type=int, default=1, help="which deals and which choices")
    options = parser.parse_args()
    print(json.dumps(measure(options.tables, options.deals, options.rounds, options.seed)))


if __name__ == "__main__":
    main()
