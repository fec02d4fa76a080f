"""The installed command as a process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

COMMAND = str(Path(sys.executable).with_name("skat-server"))
LISTENING = "skat-server listening on "
LONGEST_WAIT = 30
"""Seconds after which a process counts as hung; nothing waits that long when all is well."""


def environment(**variables: str) -> dict[str, str]:
    """The environment of a process: plain and wide output, none of the caller's settings.

    Servers keep nothing unless they are told where, and log little into pipes that nobody reads.
    """
    own = {name: text for name, text in os.environ.items() if not name.startswith("SKAT_")}
    plain = {
        "COLUMNS": "200",
        "NO_COLOR": "1",
        "TERM": "dumb",
        "SKAT_DURABILITY": "memory",
        "SKAT_LOG_LEVEL": "warning",
    }
    return {**own, **plain, **variables}


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run(
        [COMMAND, *arguments],
        env=environment(**variables),
        capture_output=True,
        text=True,
        timeout=LONGEST_WAIT,
        check=False,
    )


@dataclass
class ServerProcess:
    """A server that listens."""

    process: subprocess.Popen[str]
    address: str

    def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal; the exit code and what was written on standard error."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=LONGEST_WAIT)
        return self.process.returncode, errors


@contextmanager
def serving(
    *arguments: str,
    variables: Mapping[str, str] | None = None,
    command: Sequence[str] = (COMMAND,),
) -> Iterator[ServerProcess]:
    """A server on a free port, in memory unless it is told where to keep its data.

    Killed afterwards, if it still runs.
    """
    variables = variables or {}
    if "--data" in arguments or "SKAT_DATA" in variables:
        variables = {"SKAT_DURABILITY": "action", **variables}
    with subprocess.Popen(
        [*command, "serve", *arguments],
        env=environment(**variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith(LISTENING), (line, process.stderr and process.stderr.read())
            yield ServerProcess(process, line.removeprefix(LISTENING).strip())
        finally:
            process.kill()
