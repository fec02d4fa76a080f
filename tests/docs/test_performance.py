"""The page about performance names what there is."""

import re
import shlex
from pathlib import Path

from bench import growth, run
from bench.targets import TARGETS

PAGE = (Path(__file__).parents[2] / "docs" / "performance.md").read_text(encoding="utf-8")


def test_every_figure_is_explained() -> None:
    rows = re.findall(r"^\| (`.+?`) \|", PAGE, re.MULTILINE)
    explained = {name for row in rows for name in re.findall(r"`([\w-]+)`", row)}
    assert set(run.FIGURES) <= explained


def test_the_commands_of_the_page_are_understood() -> None:
    commands = re.findall(r"^make bench ARGS=(\".+?\")", PAGE, re.MULTILINE)
    assert commands
    for command in commands:
        (arguments,) = shlex.split(command)
        run.parser().parse_args(arguments.split())


def test_every_target_belongs_to_a_figure() -> None:
    assert set(TARGETS) <= set(run.FIGURES)


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
