"""``skat-server bench`` is the benchmark of a checkout, and says so where there is none."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench import run
from bench.catalog import Figure
from bench.plan import Plan, Values
from bench.processes import EXIT_INTERRUPTED
from skat_server.cli import app, benchmark
from tests.e2e.server_process import COMMAND, LONGEST_WAIT

LOOK = ["--rounds", "1", "--seconds", "0.1", "--scale", "0.005"]


def benchmark_of(*arguments: str) -> subprocess.CompletedProcess[str]:
    """What becomes of the command, which gives its process to the benchmark."""
    command = [COMMAND, "bench", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=LONGEST_WAIT, check=False
    )


def test_figures_and_options_go_to_the_benchmark() -> None:
    done = benchmark_of("engine", *LOOK)
    assert done.returncode == 0
    values = json.loads(done.stdout.splitlines()[0])
    assert (values["figure"], values["rounds"], values["scale"]) == ("engine", 1, 0.005)


def test_its_help_names_it_and_the_figures() -> None:
    done = benchmark_of("-h")
    assert done.returncode == 0
    assert done.stdout.startswith("usage: skat-server bench [-h]")
    assert "tables-1000" in done.stdout


def test_what_the_benchmark_refuses_is_refused() -> None:
    done = benchmark_of("speed")
    assert done.returncode == 2
    assert "tables-1000" in done.stderr


def test_it_names_the_command_that_was_typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for called, usage in ((None, "make bench"), ("skat-server bench", "skat-server bench")):
        if called is not None:
            monkeypatch.setenv(run.CALLED, called)
        with pytest.raises(SystemExit, match="2"):
            run.main(["speed"])
        assert capsys.readouterr().err.startswith(f"usage: {usage} [-h]")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--rounds", "0"], "take 1 or more"),
        (["--seconds", "nan"], "is not from 0.05"),
        (["--scale", "-1"], "is not from 0.001"),
        (["--loop", "trio"], "take asyncio or uvloop"),
    ],
)
def test_options_that_measure_nothing_are_refused(
    options: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        run.main(["engine", *options])
    assert says in capsys.readouterr().err


MEASURED: Values = {"deal_us": 90.0, "decision_us": 14.0}


def test_what_was_measured_until_ctrl_c_is_judged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: Plan) -> Values:
        raise KeyboardInterrupt

    figures = {"engine": Figure(lambda _: MEASURED, ""), "raw": Figure(interrupted, "")}
    monkeypatch.setattr(run, "FIGURES", figures)
    with pytest.raises(SystemExit, match=str(EXIT_INTERRUPTED)):
        run.main([])
    (row,) = rows_of("us a deal with", capsys.readouterr().out)
    assert row == ["engine", "us a deal with its legality queries", "90", "<= 250", "<= 100", "aim"]


def rows_of(what: str, printed: str) -> list[list[str]]:
    """The cells of every line that says it."""
    lines = [line for line in printed.splitlines() if what in line]
    return [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines]


@pytest.mark.parametrize(
    "less", [["--scale", "0.5"], ["--rounds", "2"], ["--seconds", "1"]], ids=lambda one: one[0]
)
def test_a_look_is_shown_and_not_judged(
    less: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "FIGURES", {"engine": Figure(lambda _: MEASURED, "")})
    run.main(less)
    printed = capsys.readouterr().out
    assert rows_of("us a deal with", printed) == [
        ["engine", "us a deal with its legality queries", "90"]
    ]
    assert printed.splitlines()[-1].startswith("A look, not a figure: ")


def test_without_a_checkout_it_says_where_the_benchmark_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmark, "ROOT", tmp_path)
    done = CliRunner().invoke(app, ["bench", "engine"])
    assert done.exit_code == benchmark.EXIT_NO_SOURCES
    assert "make bench" in done.stderr
    assert "skat-server load" in done.stderr
