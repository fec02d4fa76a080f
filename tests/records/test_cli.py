"""The command that replays files of records."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from skat_server.cli import app
from tests.records.samples import xskat_row

GOOD = json.dumps(xskat_row())
OTHER_SCORE = json.dumps(xskat_row(id="by-hand-2", score=36))

Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes lines into a file and gives its name."""

    def write_lines(*lines: str, name: str = "games.jsonl") -> str:
        path = tmp_path / name
        path.write_text("\n".join(lines), encoding="utf-8")
        return str(path)

    return write_lines


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner(env=environment).invoke(app, ["records", "replay", *arguments])


def test_a_line_a_record_and_a_summary(write: Write) -> None:
    result = run(write(GOOD, OTHER_SCORE, "{}"))
    assert result.stdout.splitlines() == [
        "by-hand-1 ok",
        "by-hand-2 differs: score expected 36 got 180",
        "line 3 unreadable: field forehand is missing",
        "3 replayed, 1 identical, 1 differ, 1 unreadable",
    ]
    assert result.exit_code == 1


def test_unreadable_records_are_no_difference(write: Write) -> None:
    result = run(write(GOOD, "{}"))
    assert result.stdout.splitlines()[-1] == "2 replayed, 1 identical, 0 differ, 1 unreadable"
    assert result.exit_code == 0


def test_summary_is_over_all_files(write: Write) -> None:
    first, second = write(GOOD), write("(;)", name="more.sgf")
    assert run(first, second).stdout.splitlines() == [
        "by-hand-1 ok",
        "line 1 unreadable: property GM is missing or empty",
        "2 replayed, 1 identical, 0 differ, 1 unreadable",
    ]


def test_empty_file_has_only_the_summary(write: Write) -> None:
    result = run(write())
    assert result.stdout == "0 replayed, 0 identical, 0 differ, 0 unreadable\n"
    assert result.exit_code == 0


QUIET = [
    "by-hand-2 differs: score expected 36 got 180",
    "2 replayed, 1 identical, 1 differ, 0 unreadable",
]


@pytest.mark.parametrize("flag", ["--quiet", "-q"])
def test_quiet_leaves_out_what_is_ok(write: Write, flag: str) -> None:
    assert run(flag, write(GOOD, OTHER_SCORE)).stdout.splitlines() == QUIET


def test_options_can_be_set_in_the_environment(write: Write) -> None:
    result = run(SKAT_RECORDS_QUIET="1", SKAT_RECORDS_FILES=write(GOOD, OTHER_SCORE))
    assert result.stdout.splitlines() == QUIET


def test_id_cannot_steer_the_terminal(write: Write) -> None:
    result = run(write(json.dumps(xskat_row(id="a\x1b[2J\nb\ud800"))))
    assert result.stdout.splitlines()[0] == "a?[2J?b? ok"


def plain(result: Result) -> str:
    """What was said on standard error, without frames and line breaks."""
    return " ".join(result.stderr.replace("│", " ").split())


def test_missing_file_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    result = run(str(tmp_path / "none.sgf"))
    assert result.exit_code == 2
    assert "does not exist; name files that are there" in plain(result)
    assert result.stdout == ""


def test_unknown_ending_is_an_error_that_says_what_to_do(write: Write) -> None:
    result = run(write(GOOD, name="games.txt"))
    assert result.exit_code == 2
    assert "it must be .sgf or .jsonl" in plain(result)


def test_folder_is_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "folder.sgf"
    folder.mkdir()
    result = run(str(folder))
    assert result.exit_code == 2
    assert "is a folder" in plain(result)


def test_name_that_no_file_can_have_is_an_error() -> None:
    result = run("x" * 300 + ".sgf")
    assert result.exit_code == 2
    assert "cannot be read" in plain(result)


def test_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    """Memory at address 0 is a file on Linux, and reading it fails."""
    path = tmp_path / "memory.sgf"
    path.symlink_to("/proc/self/mem")
    result = run(str(path))
    assert result.exit_code == 2
    assert "cannot be read" in plain(result)


def test_nothing_is_replayed_when_one_file_is_wrong(write: Write, tmp_path: Path) -> None:
    result = run(write(GOOD), str(tmp_path / "none.sgf"))
    assert (result.exit_code, result.stdout) == (2, "")


def test_help_shows_an_example_and_the_environment() -> None:
    result = CliRunner().invoke(app, ["records", "replay", "--help"], terminal_width=100)
    assert "skat-server records replay --quiet games.jsonl iss.sgf" in result.stdout
    assert "SKAT_RECORDS_QUIET" in result.stdout


def test_process_writes_results_to_stdout_and_nothing_to_a_stderr_that_is_no_terminal(
    write: Write,
) -> None:
    command = [sys.executable, "-m", "skat_server", "records", "replay", write(OTHER_SCORE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.stdout.splitlines() == [
        "by-hand-2 differs: score expected 36 got 180",
        "1 replayed, 0 identical, 1 differ, 0 unreadable",
    ]
    assert done.stderr == ""
    assert done.returncode == 1


def test_progress_is_drawn_on_a_stderr_that_is_a_terminal(write: Write) -> None:
    command = [sys.executable, "-m", "skat_server", "records", "replay", write(GOOD)]
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=theirs, timeout=30, check=True
        )
        drawn = os.read(ours, 65_536)
    finally:
        os.close(ours)
        os.close(theirs)
    assert b"games.jsonl" in drawn
    assert done.stdout.splitlines()[0] == b"by-hand-1 ok"
