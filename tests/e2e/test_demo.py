"""The demo: a server of its own, three bundled bots, a score sheet, and records that replay."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from skat_server.cli import app as command_line

DEMO = Path(__file__).parents[2] / "clients" / "python" / "examples" / "play_list.py"
DEALS = 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("records")


@pytest.fixture(scope="module")
def demo(folder: Path) -> subprocess.CompletedProcess[str]:
    """A short demo under development mode, in which any warning is an error."""
    options = ("--start-server", "--deals", str(DEALS), "--seed", "7", "--records", str(folder))
    return subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", str(DEMO), *options],
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_succeeds_without_a_warning(demo: subprocess.CompletedProcess[str]) -> None:
    assert demo.returncode == 0, demo.stderr
    assert "Warning" not in demo.stderr


def test_the_sheet_has_a_line_for_every_deal(demo: subprocess.CompletedProcess[str]) -> None:
    numbers = re.findall(r"^\s*(\d+)\s+(?:random|first-option|rules)\b", demo.stdout, re.MULTILINE)
    assert numbers[:DEALS] == [str(number) for number in range(1, DEALS + 1)]


def test_it_says_how_long_it_took_and_where_the_records_are(
    demo: subprocess.CompletedProcess[str], folder: Path
) -> None:
    assert re.search(rf"{DEALS} deals in [\d.]+ s", demo.stdout)
    assert str(folder) in demo.stdout


def test_the_records_replay(demo: subprocess.CompletedProcess[str], folder: Path) -> None:
    assert demo.returncode == 0
    files = [str(file) for file in folder.glob("*.jsonl")]
    result = CliRunner().invoke(command_line, ["records", "replay", *files])
    assert result.stdout.splitlines()[-1] == (
        f"{DEALS} replayed, {DEALS} identical, 0 differ, 0 unreadable"
    )
