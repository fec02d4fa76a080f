"""The page about performance names what there is."""

import re
import shlex
from pathlib import Path

import pytest

from bench import growth, run
from bench.catalog import FIGURES
from bench.targets import TARGETS

PAGE = (Path(__file__).parents[2] / "docs" / "performance.md").read_text(encoding="utf-8")


def test_every_figure_is_explained() -> None:
    rows = re.findall(r"^\| (`.+?`) \|", PAGE, re.MULTILINE)
    explained = {name for row in rows for name in re.findall(r"`([\w-]+)`", row)}
    assert set(FIGURES) <= explained


PARSERS = {"bench": run.parser(), "growth": growth.parser()}


@pytest.mark.parametrize("command", re.findall(r"^make .+$", PAGE, re.MULTILINE))
def test_the_commands_of_the_page_are_understood(command: str) -> None:
    """As a shell reads the whole line: what explains it is a comment."""
    words = shlex.split(command, comments=True)
    arguments = [word.removeprefix("ARGS=") for word in words if word.startswith("ARGS=")]
    (target,) = set(words) - {"make", *(f"ARGS={one}" for one in arguments)}
    options = " ".join(arguments).split()
    if options != ["-h"]:
        PARSERS[target].parse_args(options)


def test_uvloop_is_installed_as_the_benchmark_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(SystemExit, match="2"):
        run.main(["engine", "--loop", "uvloop"])
    said = re.search(r"-m (pip install -c )(\S+) uvloop", capsys.readouterr().err)
    assert said is not None
    constraints = Path(said.group(2))
    assert "uvloop==" in constraints.read_text(encoding="utf-8")
    assert f"{said.group(1)}{constraints.name} uvloop" in PAGE


def test_every_target_belongs_to_a_figure() -> None:
    assert set(TARGETS) <= set(FIGURES)


def test_the_plot_is_drawn(tmp_path: Path) -> None:
    rows = [
        {
            "tables": tables,
            "actions_per_core_second": 1_000,
            "half_load_p50_ms": 1.0,
            "half_load_p99_ms": 2.0,
            "memory_mib": 0.1 * tables,
        }
        for tables in (1, 10, 100)
    ]
    growth.draw(rows, tmp_path / "growth.svg")
    assert "<svg" in (tmp_path / "growth.svg").read_text(encoding="utf-8")
