"""What the page about loads tells people to type works, and what it lists is complete."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from skat_server.cli import app
from skat_server.remote.load.plan import LoadBot
from tests.e2e.server_process import ServerProcess, serving
from tests.e2e.test_probes import web_address

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "load.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^```\n(skat-server (?:load|records) .*)\n```$", PAGE, re.MULTILINE)
LOADS = [command for command in COMMANDS if command.startswith("skat-server load")]
QUIET = ("--log-level", "warning")
"""Nobody reads the lines of many tables, and a pipe that is full stops whoever writes."""
DEALS = "--deals 4"
"""Ends every load of the page after a moment."""


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with serving("--port", "0", "--metrics-port", "0", *QUIET) as process:
        yield process


@pytest.fixture(scope="module")
def web(server: ServerProcess) -> str:
    return web_address(server)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("load")


def run(command: str, server: ServerProcess, web: str, folder: Path) -> str:
    command = command.replace("127.0.0.1:9464", web)
    command = command.replace("127.0.0.1:7654", server.address).replace("ramp-up 5", "ramp-up 0.2")
    command = re.sub(r"(\w+\.jsonl?)", lambda name: str(folder / name[1]), command)
    _, *words = f"{command} {DEALS}".split() if " load " in command else command.split()
    done = CliRunner().invoke(app, words, env={"SKAT_SERVER": server.address})
    assert done.exit_code == 0, (command, done.stderr)
    return done.stdout


@pytest.mark.parametrize("command", LOADS, ids=range(len(LOADS)))
def test_every_command_works(command: str, server: ServerProcess, web: str, folder: Path) -> None:
    run(command, server, web, folder)


def test_what_is_written_can_be_read(server: ServerProcess, web: str, folder: Path) -> None:
    (command,) = [load for load in LOADS if "--json" in load]
    run(command, server, web, folder)
    document = json.loads((folder / "load.json").read_text(encoding="utf-8"))
    assert set(fields(document)) - set(re.findall(r"`(\w+)`", PAGE)) == set()
    assert document["throughput"]["deals"] >= 4
    assert document["plan"]["rules"] == "proskat_pub"
    (replay,) = set(COMMANDS) - set(LOADS)
    assert "0 differ, 0 unreadable" in run(replay, server, web, folder)


def fields(document: dict[str, Any]) -> Iterator[str]:
    """Every field of the document that the page has to name."""
    yield from document
    for part in ("throughput", "at_the_end", "generator", "server", "latency_ms"):
        yield from document[part]
    yield from document["latency_ms"]["decision"]


def test_the_document_can_be_printed(server: ServerProcess, web: str, folder: Path) -> None:
    printed = run("skat-server load --tables 2 --json -", server, web, folder)
    document = json.loads(printed)
    assert document["format"] == "skat-load"
    assert document["server"]["deals_of_its_tables"] >= 4, document


def test_every_bot_is_explained() -> None:
    named = set(re.findall(r"`([\w-]+)`", PAGE.partition("## Who plays")[2]))
    assert {bot.value for bot in LoadBot} <= named
