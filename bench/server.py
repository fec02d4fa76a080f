"""Measures actions over gRPC: a server process, and three players in this one.

Prints one line of JSON per number of tables. The server's CPU time is read from the operating
system, so that a slow client does not flatter or hurt it. Rates are medians of the rounds.

    python -m bench.server [--tables 1 64] [--deals 36] [--rounds 3]
"""

import argparse
import asyncio
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.load import Load, play_tables

CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
MOST_DEALS_A_ROUND = 360


@contextmanager
def running_server(durability: str = "memory") -> Iterator[tuple[str, int]]:
    """A server on a free port: its address and its process id."""
    command = [sys.executable, "-m", "skat_server", "serve", "--port", "0"]
    command += ["--durability", durability]
    with tempfile.TemporaryDirectory() as folder:
        if durability != "memory":
            command += ["--data", folder]
        yield from _run(command)


def _run(command: list[str]) -> Iterator[tuple[str, int]]:
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            yield line.split()[-1], process.pid
        finally:
            process.terminate()
            process.wait()


def cpu_seconds(pid: int) -> float:
    """CPU time of a process so far, user and system."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS


def one_round(address: str, pid: int, tables: int, deals: int) -> tuple[Load, float, float]:
    """One load: what was done, wall seconds, CPU seconds of the server."""
    cpu, start = cpu_seconds(pid), time.perf_counter()
    load = asyncio.run(play_tables(address, tables, deals, seed=tables))
    return load, time.perf_counter() - start, cpu_seconds(pid) - cpu


def measure(
    tables: int, deals: int, rounds: int, durability: str = "memory"
) -> dict[str, float | int | str]:
    """The figures of so many tables, by name."""
    with running_server(durability) as (address, pid):
        one_round(address, pid, 1, 2)
        outcomes = [one_round(address, pid, tables, deals) for _ in range(rounds)]
    load = outcomes[0][0]
    return {
        "benchmark": "grpc",
        "durability": durability,
        "python": platform.python_version(),
        "tables": tables,
        "sessions": 3,
        "deals": load.deals,
        "rounds": rounds,
        "actions_per_second": round(statistics.median(o[0].actions / o[1] for o in outcomes)),
        "actions_per_server_core_second": round(
            statistics.median(o[0].actions / o[2] for o in outcomes)
        ),
        "responses_per_action": round(load.responses / load.actions, 2),
    }


def main() -> None:
    """Read the options, measure, and print the lines."""
    parser = argparse.ArgumentParser(description="measure actions over gRPC")
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 64], help="tables at once")
    parser.add_argument("--deals", type=int, default=36, help="most deals of each series")
    parser.add_argument("--rounds", type=int, default=3, help="rounds to take the median of")
    options = parser.parse_args()
    for tables in options.tables:
        deals = max(1, min(options.deals, MOST_DEALS_A_ROUND // tables))
        print(json.dumps(measure(tables, deals, options.rounds)), flush=True)


if __name__ == "__main__":
    main()
