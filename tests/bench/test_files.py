"""A measurement that needs more open files than there may be says so before it starts anything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bench.catalog import FIGURES
from bench.plan import Plan
from tests.e2e.server_process import LONGEST_WAIT

ROOT = Path(__file__).parents[2]


def measured_with(files: int, script: str) -> subprocess.CompletedProcess[str]:
    """What becomes of it in a process that may open so many files."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files}))\n"
    return subprocess.run(
        [sys.executable, "-c", f"{limit}from bench import growth, run; {script}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LONGEST_WAIT,
        check=False,
    )


@pytest.mark.parametrize("files", [60, 300])
@pytest.mark.parametrize("script", ["run.main(['tables-64'])", "growth.main(['--tables', '64'])"])
def test_too_few_files_are_told_before_anything_is_started(script: str, files: int) -> None:
    done = measured_with(files, script)
    assert (done.returncode, done.stdout) == (2, "")
    said, advice = done.stderr.splitlines()
    assert said.startswith(f"Only {files} open files are allowed, and figures need more: ")
    assert said.endswith(" 456.")
    assert "`ulimit -Hn 456`" in advice


def test_the_page_says_how_many_all_figures_need() -> None:
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    most = max(figure.files(Plan()) for figure in FIGURES.values())
    assert f"all figures need {most:,} of them" in page


def test_a_figure_without_a_server_needs_none() -> None:
    done = measured_with(60, "run.main(['engine', '--rounds', '1', '--scale', '0.005'])")
    assert done.returncode == 0


@pytest.mark.parametrize("figure", ["raw", "tables-64", "fan-out", "idle"])
def test_so_many_files_as_are_asked_for_are_enough(figure: str) -> None:
    look = Plan(rounds=1, seconds=0.1, scale=0.2)
    options = ["--rounds", "1", "--seconds", "0.1", "--scale", "0.2"]
    done = measured_with(FIGURES[figure].files(look), f"run.main({[figure, *options]})")
    assert done.returncode == 0, done.stderr
