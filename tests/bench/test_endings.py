"""Whoever ends a measurement ends the servers and clients that it has started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bench.processes import EXIT_INTERRUPTED
from tests.e2e.server_process import COMMAND, LONGEST_WAIT

ROOT = Path(__file__).parents[2]
MEASURING = """
import sys
from bench import growth, run
from bench.catalog import Figure
from bench.processes import ANYWHERE, skat_server

def waiting(*_):
    with skat_server(ANYWHERE) as server:
        print(server.pid, flush=True)
        sys.stdin.read()

run.FIGURES = {"raw": Figure(waiting, "")}
growth.measure = waiting
"""


@pytest.mark.parametrize("script", ["run.main([])", "growth.main(['--tables', '1'])"])
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_no_server_outlives_a_measurement_that_is_ended(script: str, how: signal.Signals) -> None:
    command = [sys.executable, "-c", MEASURING + script]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.PIPE,  # closed when it has been ended
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as measuring:
        assert measuring.stdout is not None
        server = int(measuring.stdout.readline())
        measuring.send_signal(how)
        _, errors = measuring.communicate(timeout=LONGEST_WAIT)
    with pytest.raises(ProcessLookupError):
        os.kill(server, signal.SIGKILL)
    assert measuring.returncode == EXIT_INTERRUPTED
    assert "Traceback" not in errors


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_command_ends_its_benchmark(how: signal.Signals) -> None:
    """One process is told, as with `kill`, not all of a terminal.

    The error output is open as long as the benchmark or a client of it lives.
    """
    command = [COMMAND, "bench", "raw", "--rounds", "100000"]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, process_group=0
    ) as bench:
        assert bench.stderr is not None
        assert "raw" in bench.stderr.readline(), "the benchmark has begun"
        bench.send_signal(how)
        try:
            bench.communicate(timeout=LONGEST_WAIT)
        except subprocess.TimeoutExpired:
            os.killpg(bench.pid, signal.SIGTERM)
            raise
    assert bench.returncode == EXIT_INTERRUPTED
