"""The command that writes records in another form."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from skat_engine.records import to_json_line
from skat_server.cli import app
from tests.records.playing import random_record
from tests.records.samples import iss_line

PASSED = iss_line("1 p 2 p 0 p", "passed")
TIMED_OUT = iss_line(
    "1 18 w TI.0",
    "d:-1 penalty v:0 m:0 bidok p:0 t:0 s:0 z:0 p0:1 p1:0 p2:0 l:-1 to:0 r:0",
)


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner(env=environment).invoke(app, ["records", "convert", *arguments])


def written(path: Path, *lines: str) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def plain(result: Result) -> str:
    return " ".join(result.stderr.replace("│", " ").split())


def test_there_and_back(tmp_path: Path) -> None:
    source = written(tmp_path / "in.sgf", PASSED)
    ours, theirs = tmp_path / "ours.jsonl", tmp_path / "theirs.sgf"
    assert run(source, str(ours)).stdout == "1 read, 1 converted, 0 not\n"
    assert run(str(ours), str(theirs)).exit_code == 0
    assert "MV[w " in theirs.read_text(encoding="utf-8")
    assert theirs.read_text(encoding="utf-8").endswith("R[passed] ;)\n")


def test_what_cannot_be_converted_is_named_and_counted(tmp_path: Path) -> None:
    source = written(tmp_path / "in.sgf", PASSED, TIMED_OUT, "(;)", PASSED)
    target = tmp_path / "out.jsonl"
    result = run(source, str(target))
    assert result.stderr.splitlines() == [
        "42 not convertible: interruption: somebody ran out of time or left",
        "line 3 unreadable: property GM is missing or empty",
    ]
    assert result.stdout == "4 read, 2 converted, 2 not\n"
    assert result.exit_code == 1
    assert len(target.read_text(encoding="utf-8").splitlines()) == 2


def test_the_files_can_be_named_in_the_environment(tmp_path: Path) -> None:
    source = written(tmp_path / "in.jsonl", to_json_line(random_record(1)))
    target = str(tmp_path / "out.jsonl")
    assert run(SKAT_RECORDS_IN=source, SKAT_RECORDS_OUT=target).exit_code == 0


def test_a_file_is_not_written_over_itself(tmp_path: Path) -> None:
    source = written(tmp_path / "in.sgf", PASSED)
    result = run(source, source)
    assert (result.exit_code, "name another file" in plain(result)) == (2, True)
    assert Path(source).read_text(encoding="utf-8") == f"{PASSED}\n"


@pytest.mark.parametrize(
    ("source", "target", "why"),
    [
        ("in.sgf", "out.txt", "it must be .sgf or .jsonl"),
        ("none.sgf", "out.jsonl", "does not exist"),
        ("in.sgf", "no folder/out.jsonl", "cannot be written"),
    ],
)
def test_files_that_cannot_be_used_are_errors(
    source: str, target: str, why: str, tmp_path: Path
) -> None:
    written(tmp_path / "in.sgf", PASSED)
    result = run(str(tmp_path / source), str(tmp_path / target))
    assert result.exit_code == 2
    assert why in plain(result)
    assert result.stdout == ""


def test_help_shows_an_example_and_the_environment() -> None:
    result = CliRunner().invoke(app, ["records", "convert", "--help"], terminal_width=100)
    assert "skat-server records convert games.jsonl games.sgf" in result.stdout
    assert "SKAT_RECORDS_OUT" in result.stdout
