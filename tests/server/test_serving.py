"""The options of ``serve`` come to the same settings, whoever is given them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

from skat_server.cli import app
from skat_server.clock import Clock
from skat_server.config import AdminSettings, Auth, Settings, WebSettings
from skat_server.doctor.finding import Finding
from skat_server.storage.protocols import Durability

COMMAND_LINES = [
    [],
    ["--durability", "memory"],
    ["--host", "0.0.0.0", "--insecure", "--no-reflection", "--auth", "open"],
    ["--metrics-port", "9464", "--admin-port", "0", "--grace", "3", "--max-tables", "7"],
    ["--calls-per-second", "9", "--unasked-per-second", "8", "--max-connections", "70"],
    ["--trusted-network", "10.0.0.0/8", "--durability", "deal", "--data", "elsewhere"],
]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    """The settings that a command would run, or look at, a server with."""
    found: list[Settings] = []

    async def run(settings: Settings, *_: object) -> None:
        found.append(settings)

    def examine(settings: Settings, _: Clock) -> Iterator[Finding]:
        found.append(settings)
        return iter(())

    # The commands have the names of their modules.
    serving = import_module("skat_server.cli.serve")
    monkeypatch.setattr(serving, "run", run)
    for name in ("configure_logging", "catch_strays"):  # they are for a process of its own
        monkeypatch.setattr(serving, name, lambda *_, **__: None)
    monkeypatch.setattr(import_module("skat_server.cli.doctor"), "examine", examine)
    return found


def settings_for(seen: list[Settings], command: str, *options: str) -> Settings:
    """What a command makes of a command line."""
    CliRunner().invoke(app, [command, *options])
    return seen.pop()


@pytest.mark.parametrize("options", COMMAND_LINES, ids=" ".join)
def test_what_is_examined_is_what_would_be_run(seen: list[Settings], options: list[str]) -> None:
    examined = settings_for(seen, "doctor", *options)
    assert examined == settings_for(seen, "serve", *options)


def test_an_option_that_is_given_is_a_setting(seen: list[Settings]) -> None:
    options = [word for words in COMMAND_LINES[3:] for word in words]
    found = settings_for(seen, "doctor", *options)
    assert (found.web, found.admin) == (WebSettings(port=9464), AdminSettings())
    assert (found.grace, found.max_tables, found.limits.connections) == (3.0, 7, 70)
    assert (found.limits.calls_per_second, found.limits.unasked_per_second) == (9, 8)
    assert "10.0.0.0/8" in found.limits.trusted_networks
    assert (found.data, found.durability) == (Path("elsewhere"), Durability.DEAL)
    assert not found.migrates
    assert found.auth is Auth.OPEN


def test_the_rest_is_examined_where_options_do_not_fit_together(seen: list[Settings]) -> None:
    found = settings_for(
        seen, "doctor", "--host", "0.0.0.0", "--metrics-port", "9464", "--data", "elsewhere"
    )
    assert (found.host, found.tls) == ("0.0.0.0", None)
    assert (found.web, found.data) == (WebSettings(port=9464), Path("elsewhere"))
