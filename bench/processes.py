"""Servers under measurement, each a process of its own, and what the system knows of them."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skat_server.storage.protocols import Durability

EXIT_INTERRUPTED: Final = 130
"""Exit code of a measurement that was ended with Ctrl-C, as shells count it, or with SIGTERM."""
_CPUCLOCK_SCHED: Final = 2
"""As Linux numbers the clocks of a process: user and system time of all its threads."""
_ENOUGH: Final = "1000000"
"""For limits that a measurement is not to meet."""
_OPTIONS: Final = (
    *("serve", "--port", "0", "--grace", "0"),
    *("--calls-per-second", _ENOUGH, "--max-tables", _ENOUGH),
)


@dataclass(frozen=True, slots=True)
class Process:
    """A server that listens."""

    address: str
    pid: int


@dataclass(frozen=True, slots=True)
class Machine:
    """How the processes of a run share the machine.

    Attributes:
        loop: the event loop of the servers, `asyncio` or `uvloop`.
        pinned: the servers run on the first processor, the clients on the others.
    """

    loop: str = "asyncio"
    pinned: bool = False

    def server_cpus(self) -> set[int] | None:
        """Where servers run; None for anywhere."""
        return {min(os.sched_getaffinity(0))} if self.pinned else None

    def client_cpus(self) -> set[int] | None:
        """Where clients run; None for anywhere."""
        cpus = os.sched_getaffinity(0)
        return cpus - {min(cpus)} or cpus if self.pinned else None


ANYWHERE: Final = Machine()
"""Processes run wherever the system puts them."""


def cpu_seconds(pid: int) -> float:
    """CPU time of a process with all its threads so far, in seconds, as the system counts it."""
    return time.clock_gettime(~pid << 3 | _CPUCLOCK_SCHED)


def resident_bytes(pid: int) -> int:
    """Memory that a process holds and shares with nobody."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    rows = (line.split() for line in text.splitlines())
    return sum(int(row[1]) for row in rows if row[0] in {"Private_Dirty:", "Private_Clean:"}) * 1024


@contextmanager
def ending_like_ctrl_c() -> Iterator[None]:
    """Take SIGTERM for Ctrl-C: whoever ends a measurement ends its servers and clients with it."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def raw_server(machine: Machine) -> Iterator[Process]:
    """The yardstick: a bare echo."""
    with _serving(["-m", "bench.raw_server", "--loop", machine.loop], machine) as process:
        yield process


@contextmanager
def skat_server(
    machine: Machine, durability: Durability = Durability.ACTION, folder: Path | None = None
) -> Iterator[Process]:
    """The server.

    Args:
        machine: where it runs.
        durability: how well it keeps what was acknowledged.
        folder: of its database; an empty one of its own when not given.
    """
    command = ["-m", "skat_server", *_OPTIONS, "--durability", durability.value]
    with tempfile.TemporaryDirectory(prefix="skat-bench-") as own:
        if durability is not Durability.MEMORY:
            command += ["--data", str(folder or own)]
        with _serving(command, machine) as process:
            yield process


@contextmanager
def observed_server(machine: Machine, *, is_observed: bool) -> Iterator[Process]:
    """The server, every action on the disk, with metrics and lines of INFO or with neither."""
    module = "skat_server" if is_observed else "bench.unobserved_server"
    watched = ("--metrics-port", "0") if is_observed else ("--log-level", "error")
    with tempfile.TemporaryDirectory(prefix="skat-bench-") as own:
        command = ["-m", module, *_OPTIONS, "--data", own, *watched]
        with _serving(command, machine) as process:
            yield process


@contextmanager
def _serving(arguments: Sequence[str], machine: Machine) -> Iterator[Process]:
    """A server that says in its first line where it listens."""
    environment = {**os.environ, "SKAT_LOOP": machine.loop}
    with subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
        process_group=0,  # Ctrl-C is for the measuring process, which ends it
    ) as process:
        try:
            pin(process.pid, machine.server_cpus())
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                raise RuntimeError(f"{' '.join(arguments[:2])} did not start; run it by hand")
            yield Process(line.split()[-1], process.pid)
        finally:
            process.kill()  # nothing in it is worth an orderly end


def pin(pid: int, cpus: set[int] | None) -> None:
    """Let a process run on these processors only."""
    if cpus is not None:
        os.sched_setaffinity(pid, cpus)
