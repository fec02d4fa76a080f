"""Measures how a server grows with its tables, and draws it; `make growth` writes the page's image.

For each number of tables a server keeps them on a disk, with a session a seat up to 3,000 sessions,
which then sit at several tables. Its players answer at once to find what it can do, then think so
long that half of that is asked of it, which shows how long a decision takes when nobody waits in
line; then its memory is read. Prints one line of JSON for each number, and shows how far it is.

    python -m bench.growth [--tables 1 8 64 512 4000] [--seconds 3] [--output docs/growth.svg]
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench.arguments import count, window_seconds
from bench.client import Kind
from bench.driving import client
from bench.files import UNFIT, files_for, why_too_few
from bench.plan import Values
from bench.processes import (
    ANYWHERE,
    EXIT_INTERRUPTED,
    ending_like_ctrl_c,
    resident_bytes,
    skat_server,
)
from bench.progress import under_way
from bench.seating import SEATS

TABLES: Final = (1, 8, 64, 256, 1_000, 2_000, 4_000)
MOST_SESSIONS: Final = 3_000
_SHARE: Final = 0.5
"""Of what the server can do, while the time of a decision is taken."""


def sessions_at(tables: int) -> int:
    """Over how many sessions so many tables are played."""
    return min(SEATS * tables, MOST_SESSIONS)


def measure(tables: int, seconds: float) -> Values:
    """What a server with so many tables does, and holds."""
    sessions = sessions_at(tables)
    with skat_server(ANYWHERE) as server:
        empty = resident_bytes(server.pid)
        with client(ANYWHERE, Kind.FIELD, server, tables=tables, sessions=sessions) as field:
            field.window(seconds / 2)
            full = field.window(seconds)
            rate = full.count / full.seconds
            half = field.window(seconds, tables / (_SHARE * rate))
            memory = resident_bytes(server.pid)
    return {
        "tables": tables,
        "sessions": sessions,
        "actions_per_second": round(rate),
        "actions_per_core_second": round(full.per_core_second),
        "half_load_p50_ms": round(half.p50_us / 1e3, 2),
        "half_load_p99_ms": round(half.p99_us / 1e3, 2),
        "memory_mib": round((memory - empty) / 2**20, 1),
    }


def draw(rows: Sequence[Values], output: Path) -> None:
    """Draw throughput, time of a decision and memory against tables.

    Raises:
        ModuleNotFoundError: matplotlib is not there; it comes with the extra `report`.
    """
    from matplotlib.figure import Figure  # noqa: PLC0415  # an extra

    tables = [row["tables"] for row in rows]
    figure = Figure(figsize=(10, 3.4), layout="constrained")
    panels = figure.subplots(1, 3)
    for panel, title, keys in zip(
        panels,
        ("actions per server core-second", "ms from answer to decision, half load", "MiB"),
        (("actions_per_core_second",), ("half_load_p50_ms", "half_load_p99_ms"), ("memory_mib",)),
        strict=True,
    ):
        for key in keys:
            panel.plot(tables, [row[key] for row in rows], marker="o")
        panel.set(title=title, xlabel="tables", xscale="log")
        panel.set_ylim(bottom=0)
        panel.grid(alpha=0.3)
    panels[1].legend(["p50", "p99"])
    figure.savefig(output, metadata={"Date": None})


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, measure, print and draw; nothing is drawn after Ctrl-C."""
    options = parser().parse_args(arguments)
    most = max(map(sessions_at, options.tables))
    too_few = why_too_few({"growth": files_for(most)})
    if too_few is not None:
        print(too_few, file=sys.stderr)
        sys.exit(UNFIT)
    try:
        with ending_like_ctrl_c():
            rows = _measured(options.tables, options.seconds)
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    if options.output is not None:
        draw(rows, options.output)


def _measured(numbers: Sequence[int], seconds: float) -> Sequence[Values]:
    rows = []
    for done, tables in enumerate(numbers):
        says = f"a server with {tables:,} tables" if tables > 1 else "a server with one table"
        with under_way("growth", says, done, len(numbers)):
            rows.append(measure(tables, seconds))
        print(json.dumps({"figure": "growth", **rows[-1]}), flush=True)
    return rows


def parser() -> argparse.ArgumentParser:
    """What the command line understands."""
    options = argparse.ArgumentParser(
        prog="make growth",
        description="Measure how a server grows with its tables, and draw it.",
        epilog="make growth writes over docs/growth.svg, which git tracks. For a look elsewhere: "
        'make growth ARGS="--tables 1 8 64 --output /tmp/growth.svg"',
    )
    options.add_argument(
        "--tables", type=count, nargs="+", default=TABLES, help="numbers of tables"
    )
    options.add_argument(
        "--seconds", type=window_seconds, default=3.0, help="length of a window (3)"
    )
    options.add_argument("--output", type=_image, default=None, help="image to write, as .svg")
    return options


def _image(text: str) -> Path:
    """Where the image goes; what is wrong with it is said before minutes of measuring."""
    path = Path(text)
    if path.suffix != ".svg" or not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is no .svg in a folder that is there")
    return path


if __name__ == "__main__":
    main()
