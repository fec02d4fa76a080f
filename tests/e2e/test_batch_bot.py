"""An example: one numpy bot at many tables of a real server."""

import re
import subprocess
import sys
from pathlib import Path

from tests.e2e.server_process import serving

EXAMPLE = Path(__file__).parents[2] / "clients" / "python" / "examples" / "batch_bot.py"
QUIET = ("--log-level", "warning")
"""Nobody reads the lines of many tables, and a pipe that is full stops whoever writes."""
TABLES, DEALS = 8, 2


def test_it_answers_many_tables_at_once() -> None:
    with serving("--port", "0", *QUIET) as server:
        options = ["--server", server.address, "--tables", str(TABLES), "--deals", str(DEALS)]
        played = subprocess.run(
            [sys.executable, "-W", "error", str(EXAMPLE), *options],
            capture_output=True,
            text=True,
            check=False,
        )
    assert played.returncode == 0, played.stderr
    decisions, batches, largest = map(
        int, re.findall(r"(\d+) decisions in (\d+) batches, up to (\d+)", played.stdout)[0]
    )
    assert batches < decisions
    assert 1 < largest <= TABLES
    assert f"points in {TABLES * DEALS} deals" in played.stdout
