"""A server takes as many connections as the machine lets it open files for."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from skat_server.cli.running import with_files
from skat_server.config import Settings


@pytest.mark.parametrize(("most", "connections"), [(1_024, 768), (64, 1)])
def test_a_machine_that_allows_few_files_gets_few_connections(
    monkeypatch: pytest.MonkeyPatch, most: int, connections: int
) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (most, most))
    monkeypatch.setattr("resource.setrlimit", lambda *_: None)
    with capture_logs() as logs:
        assert with_files(Settings()).limits.connections == connections
    assert [(line["event"], line["connections"]) for line in logs] == [("files.few", connections)]
