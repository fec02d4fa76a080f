"""A server takes as many connections as the machine lets it open files for."""

from __future__ import annotations

import subprocess
import sys

import pytest
from structlog.testing import capture_logs

from skat_server.cli.running import with_files
from skat_server.cli.serve import USAGE_ERROR
from skat_server.config import Settings
from tests.e2e.server_process import LONGEST_WAIT


@pytest.mark.parametrize(("most", "connections"), [(1_024, 768), (272, 16)])
def test_a_machine_that_allows_few_files_gets_few_connections(
    monkeypatch: pytest.MonkeyPatch, most: int, connections: int
) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (most, most))
    monkeypatch.setattr("resource.setrlimit", lambda *_: None)
    with capture_logs() as logs:
        assert with_files(Settings()).limits.connections == connections
    assert [(line["event"], line["files"], line["connections"]) for line in logs] == [
        ("files.few", most, connections)
    ]


@pytest.mark.parametrize("most", [64, 271])
def test_a_server_that_would_let_hardly_anybody_in_does_not_start(most: int) -> None:
    """The whole program, on a machine that allows so few."""
    limited = (
        f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({most}, {most}))\n"
        "from skat_server.__main__ import main; main()"
    )
    command = [sys.executable, "-c", limited, "serve", "--port", "0", "--durability", "memory"]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=LONGEST_WAIT, check=False
    )
    assert (done.returncode, done.stdout) == (USAGE_ERROR, "")
    said, advice = done.stderr.splitlines()
    assert said.startswith(f"Only {most} open files are allowed")
    assert advice.startswith("Raise the limit: LimitNOFILE=10256")
