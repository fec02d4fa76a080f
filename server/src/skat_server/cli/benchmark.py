"""``skat-server bench``: the measurements of a checkout, where there is one."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import typer

from skat_server.cli.endings import EXIT_INTERRUPTED, ended

EXIT_NO_SOURCES: Final = 2
ROOT: Final = Path(__file__).parents[4]
"""The checkout, where the server is installed from one; elsewhere some folder of the machine."""


def bench(context: typer.Context) -> None:
    """Measure this server against a bare echo, in a checkout of its sources.

    Everything behind it goes to the benchmark: names of figures, and its options, which
    `skat-server bench -h` explains. It is the same as `make bench`, and takes about ten minutes
    when no figure is named. To load a server that is already there use `skat-server load`.

    Example: skat-server bench tables-64 --rounds 3

    Exit code: that of the benchmark, 130 after Ctrl-C or SIGTERM; 2 where there is no
    checkout.
    """
    if not (ROOT / "bench" / "run.py").is_file():
        raise ended(
            "The benchmark is not part of the installed package. Clone the sources of the server, "
            "and say `make bench` there; for a server that is already there: skat-server load.",
            EXIT_NO_SOURCES,
        )
    command = [sys.executable, "-m", "bench.run", *context.args]
    with subprocess.Popen(command, cwd=ROOT) as process:  # noqa: S603  # the caller's own words
        before = signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        try:
            code = _end_of(process)
        finally:
            signal.signal(signal.SIGTERM, before)
    if code:
        raise typer.Exit(code)


def _end_of(process: "subprocess.Popen[bytes]") -> int:
    """Its exit code; after Ctrl-C, which it hears too, it tells what it has measured.

    SIGTERM is sent to one process only, so it is passed on.
    """
    while True:
        try:
            code = process.wait()
            return EXIT_INTERRUPTED if code == -signal.SIGTERM else code  # before it could heed it
        except KeyboardInterrupt:
            continue
