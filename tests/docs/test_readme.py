"""What the README tells people to type works."""

import asyncio
import os
import re
import shlex
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from skat_server.app import App
from skat_server.config import Settings

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
COMMANDS = re.findall(r"^\$ (skat-\S+ .*)$", README, re.MULTILINE)
RECORDS = "demo-results/*/export/games.sgf"


@pytest_asyncio.fixture
async def environment() -> AsyncIterator[dict[str, str]]:
    """The environment of a terminal beside a running server, with a token exported."""
    async with App(Settings(port=0, grace=0)) as app:
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        settings = {"SKAT_SERVER": app.address, "SKAT_TOKEN": "the-token-of-the-terminal"}
        yield {**os.environ, **settings, "PATH": path}


async def outcome(
    command: tuple[str, ...], env: dict[str, str], folder: Path = ROOT
) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(
        *command,
        env=env,
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    return process.returncode, output.decode()


@pytest.mark.asyncio
@pytest.mark.parametrize("code", PYTHON, ids=["bot", "engine"])
async def test_the_code_runs(code: str, environment: dict[str, str]) -> None:
    status, output = await outcome((sys.executable, "-W", "error", "-c", code), environment)
    assert status == 0, output
    assert output.strip().splitlines()[-1].startswith(("(", "["))


@pytest.mark.asyncio
async def test_real_games_replay(environment: dict[str, str], conformance: Path) -> None:
    command = next(line for line in COMMANDS if RECORDS in line)
    files = f"{conformance / 'iss_records.sgf'} {conformance / 'xskat_games.jsonl'}"
    status, output = await outcome(tuple(command.replace(RECORDS, files).split()), environment)
    assert last_of(output) == "1043 replayed, 1041 identical, 1 differ, 1 unreadable"
    assert status == 1


def last_of(output: str) -> str:
    return output.splitlines()[-1]


def test_every_linked_page_is_there() -> None:
    prose = re.sub(r"^```.*?^```", "", README, flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(([^)#:]+)\)", prose)
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_two_commands_are_targets() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^\$ make (\w+)", README, re.MULTILINE)
    assert targets == ["demo", "test", "serve"]
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_options_of_a_server_can_be_given_to_make() -> None:
    said = re.search(r'`(make serve ARGS="[^`]+")`, which is `([^`]+)`', README)
    assert said is not None
    shown = subprocess.run(
        [*shlex.split(said.group(1)), "--just-print"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout.splitlines()[-1].endswith(said.group(2))
