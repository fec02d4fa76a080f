"""``skat-server bench``: the measurements of a checkout, where there is one."""

import os
import sys
from pathlib import Path
from typing import Final

import typer

from skat_server.cli.endings import ended

EXIT_NO_SOURCES: Final = 2
ROOT: Final = Path(__file__).parents[4]
"""The checkout, where the server is installed from one; elsewhere some folder of the machine."""

_CALLED: Final = {"SKAT_BENCH_CALLED": "skat-server bench"}
"""What the benchmark calls itself."""


def bench(context: typer.Context) -> None:
    """Measure this server against a bare echo, in a checkout of its sources.

    Everything behind it goes to the benchmark: names of figures, and its options, which
    `skat-server bench -h` explains. It is the same as `make bench`, and takes about ten minutes
    when no figure is named. To load a server that is already there use `skat-server load`.

    Example: skat-server bench tables-64 --rounds 3

    Exit code: that of the benchmark, 130 when Ctrl-C or SIGTERM ended the measuring;
    2 where there is no checkout.
    """
    if not (ROOT / "bench" / "run.py").is_file():
        raise ended(
            "The benchmark is not part of the installed package. Clone the sources of the server, "
            "and say `make bench` there; for a server that is already there: skat-server load.",
            EXIT_NO_SOURCES,
        )
    os.chdir(ROOT)
    command = [sys.executable, "-m", "bench.run", *context.args]
    # In place of this process: a signal is the benchmark's own, whoever sends it.
    os.execve(sys.executable, command, {**os.environ, **_CALLED})  # noqa: S606  # no shell
