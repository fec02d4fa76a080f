"""Client processes as the measuring process sees them: started, asked for windows, stopped."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bench.client import READY, Kind
from bench.processes import Machine, Process, pin
from bench.windows import Window, window_of

WARM_UP = 0.3
"""Share of a window that is played before the first one, and not counted."""


class Client:
    """One client process that is ready."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        """Wait until it is."""
        self._process = process
        if self._line() != READY:
            raise RuntimeError("a client of the benchmark did not start; its error stands above")

    def window(self, seconds: float, think: float | None = None) -> Window:
        """Let it play for so long, thinking as before when nothing is said."""
        assert self._process.stdin is not None
        line = f"{seconds}" if think is None else f"{seconds} {think}"
        print(line, file=self._process.stdin, flush=True)
        return window_of(self._line())

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@contextmanager
def client(machine: Machine, kind: Kind, server: Process, **options: float) -> Iterator[Client]:
    """A client of a server.

    Args:
        machine: where it runs.
        kind: what it does.
        server: what it talks to.
        options: of its command line.
    """
    command: Sequence[str] = [
        *(sys.executable, "-m", "bench.client", kind.value, server.address, str(server.pid)),
        *(f"--{name}={value}" for name, value in options.items()),
    ]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        process_group=0,  # Ctrl-C is for the measuring process, which ends it
    ) as process:
        pin(process.pid, machine.client_cpus())
        try:
            yield Client(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()


def alternating(
    clients: Sequence[Client], rounds: int, seconds: float
) -> Sequence[tuple[Window, ...]]:
    """So many rounds in which each client plays one window after the other."""
    for one in clients:
        one.window(WARM_UP * seconds)
    return [tuple(one.window(seconds) for one in clients) for _ in range(rounds)]
