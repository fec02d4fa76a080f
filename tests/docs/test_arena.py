"""What the page about the arena shows works, and its numbers are those of the code."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from skat_arena import ACTION_COUNT, action_code_names
from skat_arena.encoding import OBSERVATION_SIZE, PLANES, SCALARS
from skat_server.cli import app

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = re.findall(r"^```\nskat-server (.*)\n```$", PAGE, re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("arena")


def run(code: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_code_runs(folder: Path) -> None:
    outputs = (run(code, folder) for code in SNIPPETS)
    bots, batch, learning, better, rules, pettingzoo, tested = outputs
    assert re.fullmatch(r"\(-?\d+, -?\d+, -?\d+\)\n", bots)
    assert batch == "48\n"
    assert re.fullmatch(r"(48 deals, [+-]\d+\.\d points a deal\n){3}", learning)
    assert re.fullmatch(r"\+\d+ points a deal, give or take \d+\n", better)
    assert tested.endswith("Passed API test\n")
    assert len(rules.splitlines()) == 3
    assert {line.split()[0] for line in pettingzoo.splitlines()} == {"seat_0", "seat_1", "seat_2"}
    (command,) = COMMANDS
    words = [str(folder / word) if word.endswith(".jsonl") else word for word in command.split()]
    replayed = CliRunner().invoke(app, words)
    assert replayed.stdout.endswith("12 replayed, 12 identical, 0 differ, 0 unreadable\n")


def test_the_sizes_are_those_of_the_code() -> None:
    assert f"`Discrete({ACTION_COUNT})`" in PAGE
    assert f"`observation`, {OBSERVATION_SIZE} floats" in PAGE
    assert f"32 numbers each, then {len(SCALARS)} single numbers" in PAGE
    assert len(PLANES) == 12


def test_the_ranges_of_numbers_are_those_of_the_code() -> None:
    names = action_code_names()
    assert (names[32], names[94]) == ("18", "264")
    assert (names[95], names[108]) == ("hold", "accept")
    assert (names[109], names[111]) == ("open:simple", "open:schwarz")
    assert (names[112], names[167]) == ("announce D", "announce NHOR")
