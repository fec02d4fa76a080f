"""``skat-server bench`` is the benchmark of a checkout, and says so where there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from skat_server.cli import app, benchmark

LOOK = ["--rounds", "1", "--seconds", "0.1", "--scale", "0.005"]


def test_figures_and_options_go_to_the_benchmark(capfd: pytest.CaptureFixture[str]) -> None:
    assert CliRunner().invoke(app, ["bench", "engine", *LOOK]).exit_code == 0
    values = json.loads(capfd.readouterr().out.splitlines()[0])
    assert (values["figure"], values["rounds"], values["scale"]) == ("engine", 1, 0.005)


def test_its_help_names_the_figures(capfd: pytest.CaptureFixture[str]) -> None:
    assert CliRunner().invoke(app, ["bench", "-h"]).exit_code == 0
    assert "tables-1000" in capfd.readouterr().out


def test_what_the_benchmark_refuses_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    assert CliRunner().invoke(app, ["bench", "speed"]).exit_code == 2
    assert "tables-1000" in capfd.readouterr().err


def test_without_a_checkout_it_says_where_the_benchmark_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmark, "ROOT", tmp_path)
    done = CliRunner().invoke(app, ["bench", "engine"])
    assert done.exit_code == benchmark.EXIT_NO_SOURCES
    assert "make bench" in done.stderr
    assert "skat-server load" in done.stderr
