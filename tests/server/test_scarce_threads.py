"""A server that gets no thread from the machine says so and ends, as for everything it lacks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from skat_server.cli.serve import USAGE_ERROR
from tests.e2e.server_process import LONGEST_WAIT

AT_ONCE = """
import threading
threading.stack_size(1 << 47)
"""
"""No address space has room for such a stack, so the system refuses the next thread."""
LATER = """
import threading
from skat_server.storage.sqlite.database import Database

prepare = Database._prepare

def prepare_late(database):
    prepare(database)
    threading.stack_size(1 << 47)

Database._prepare = prepare_late
"""


@pytest.mark.parametrize("when", [AT_ONCE, LATER], ids=["for its log", "for what it keeps"])
def test_a_server_without_threads_says_so(when: str, tmp_path: Path) -> None:
    program = f"{when}\nfrom skat_server.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "serve", "--port", "0", "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=LONGEST_WAIT,
        check=False,
    )
    assert (done.returncode, done.stdout) == (USAGE_ERROR, "")
    (said,) = done.stderr.splitlines()
    assert said.startswith("The machine lets the server start no further thread: ")
