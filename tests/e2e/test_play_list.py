"""An example: a server of its own, three bundled bots, a score sheet, and records that replay."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from skat_server.cli import app as command_line

EXAMPLE = Path(__file__).parents[2] / "clients" / "python" / "examples" / "play_list.py"
DEALS = 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("records")


@pytest.fixture(scope="module")
def played(folder: Path) -> subprocess.CompletedProcess[str]:
    """A short list under development mode, in which any warning is an error."""
    options = ("--start-server", "--deals", str(DEALS), "--seed", "7", "--records", str(folder))
    return subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", str(EXAMPLE), *options],
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_succeeds_without_a_warning(played: subprocess.CompletedProcess[str]) -> None:
    assert played.returncode == 0, played.stderr
    assert "Warning" not in played.stderr


def test_the_sheet_has_a_line_for_every_deal(played: subprocess.CompletedProcess[str]) -> None:
    row = r"^\s*(\d+)\s+(?:random|first-option|rules)\b"
    numbers = re.findall(row, played.stdout, re.MULTILINE)
    assert numbers[:DEALS] == [str(number) for number in range(1, DEALS + 1)]


def test_it_says_how_long_it_took_and_where_the_records_are(
    played: subprocess.CompletedProcess[str], folder: Path
) -> None:
    assert re.search(rf"{DEALS} deals in [\d.]+ s", played.stdout)
    assert str(folder) in played.stdout


def test_the_records_replay(played: subprocess.CompletedProcess[str], folder: Path) -> None:
    assert played.returncode == 0
    files = [str(file) for file in folder.glob("*.jsonl")]
    result = CliRunner().invoke(command_line, ["records", "replay", *files])
    assert result.stdout.splitlines()[-1] == (
        f"{DEALS} replayed, {DEALS} identical, 0 differ, 0 unreadable"
    )
