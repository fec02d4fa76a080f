"""The demo: a cup of three bundled bots on a server of its own, a report, a verified export."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from skat_server.cli import app as command_line
from tests.e2e.server_process import LONGEST_WAIT

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "clients" / "python" / "examples" / "play_cup.py"
BOARDS = 4


def command(folder: Path, boards: int = BOARDS) -> list[str]:
    """A short demo under development mode, in which any warning is an error."""
    options = ["--boards", str(boards), "--seed", "11" * 32, "--results", str(folder / "results")]
    return [sys.executable, "-X", "dev", "-W", "error", str(DEMO), *options]


def environment(folder: Path) -> dict[str, str]:
    """Temporary files go where they can be counted."""
    (folder / "tmp").mkdir(exist_ok=True)
    own = {name: text for name, text in os.environ.items() if not name.startswith("SKAT_")}
    return {**own, "TMPDIR": str(folder / "tmp")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def demo(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(folder), env=environment(folder), capture_output=True, text=True, check=False
    )


def test_it_succeeds_without_a_warning(demo: subprocess.CompletedProcess[str]) -> None:
    assert demo.returncode == 0, demo.stderr
    assert "Warning" not in demo.stderr


def test_the_table_has_everybody_with_an_interval(
    demo: subprocess.CompletedProcess[str],
) -> None:
    number = r"[+-]\d+\.\d"
    rows = re.findall(rf"(random|first-option|rules) +{number} +{number} +{number}", demo.stdout)
    assert sorted(rows) == ["first-option", "random", "rules"]
    assert re.search(rf"{BOARDS} boards, {3 * BOARDS} games in [\d.]+ s", demo.stdout)


def test_it_has_been_verified(demo: subprocess.CompletedProcess[str]) -> None:
    assert f"verified: OK: {3 * BOARDS} games" in demo.stdout


def test_the_report_and_the_export_are_where_it_says(
    demo: subprocess.CompletedProcess[str],
) -> None:
    report, export = (
        Path(re.findall(rf"^{what}: (.*)$", demo.stdout, re.MULTILINE)[0])
        for what in ("report", "export")
    )
    assert report.read_text(encoding="utf-8").count("<svg") == 4
    verified = CliRunner().invoke(command_line, ["tournament", "verify", str(export)])
    assert verified.exit_code == 0
    replayed = CliRunner().invoke(command_line, ["records", "replay", str(export / "games.sgf")])
    assert "0 differ, 0 unreadable" in replayed.stdout


def test_nothing_else_is_left(demo: subprocess.CompletedProcess[str], folder: Path) -> None:
    assert demo.returncode == 0
    assert list((folder / "tmp").iterdir()) == []
    assert {path.name for path in folder.iterdir()} == {"results", "tmp"}


def test_a_demo_that_is_ended_takes_its_server_along(tmp_path: Path) -> None:
    with subprocess.Popen(
        command(tmp_path, boards=600),
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        process.stderr.readline()  # it has begun
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=LONGEST_WAIT)
    assert process.returncode == 128 + signal.SIGTERM
    assert list((tmp_path / "tmp").iterdir()) == []
    assert not (tmp_path / "results").exists()
