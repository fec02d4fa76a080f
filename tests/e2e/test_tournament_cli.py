"""Every command of `skat-server tournament`, against a server that is a process of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from skat_server.cli import app
from skat_server.tournaments.config import EXAMPLE
from tests.e2e.server_process import COMMAND, ServerProcess, environment, serving
from tests.rpc.test_tournaments import HOUSE

CUP = f"""
name = "Cup of the house"
[format]
kind = "round_robin"
boards = 3
{HOUSE}"""
AB_TEST = """
name = "AB"
[format]
kind = "ab_test"
boards = 10
[stop]
delta1 = 500.0
most_blocks = 50
[[entries]]
name = "new"
house = "random"
[[entries]]
name = "old"
house = "first_option"
"""
OPEN_CUP = 'name = "Open"\n[format]\nkind = "swiss"\nrounds = 2\nboards = 1\n'
TOKEN = "the-token-of-the-organiser"

REFUSED, UNUSABLE = 1, 2


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that keeps every action, as rated events want it."""
    folder = tmp_path_factory.mktemp("data")
    with serving("--port", "0", "--data", str(folder)) as process:
        yield process


class Terminal:
    """Types commands."""

    def __init__(self, address: str, folder: Path) -> None:
        self.address = address
        self.folder = folder

    def type(self, *words: str, token: str = TOKEN, token_file: str = "") -> Result:
        """Run a command in this process."""
        variables = {"SKAT_SERVER": self.address, "SKAT_TOKEN": token, "COLUMNS": "200"}
        variables["SKAT_TOKEN_FILE"] = token_file
        return CliRunner().invoke(app, ["tournament", *words], env=variables)

    def done(self, *words: str) -> str:
        """What a command prints that has to succeed."""
        result = self.type(*words)
        assert result.exit_code == 0, (words, result.stderr, result.exception)
        return result.stdout

    def file(self, text: str) -> str:
        """A file with this in it."""
        path = self.folder / "event.toml"
        path.write_text(text)
        return str(path)

    def created(self, text: str = CUP) -> str:
        """The id of a new tournament."""
        return self.done("create", self.file(text)).strip()

    def played(self, text: str = CUP) -> str:
        """The id of a tournament that has been played."""
        tournament_id = self.created(text)
        self.done("start", tournament_id)
        self.done("status", tournament_id)
        return tournament_id


@pytest.fixture
def terminal(server: ServerProcess, tmp_path: Path) -> Terminal:
    return Terminal(server.address, tmp_path)


@pytest.fixture(scope="module")
def finished(server: ServerProcess, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tournament that has been played."""
    return Terminal(server.address, tmp_path_factory.mktemp("files")).played()


# ----------------------------------------------------------------------------- without a server


def test_the_example_can_be_previewed(tmp_path: Path) -> None:
    nowhere = Terminal("127.0.0.1:1", tmp_path)
    example = nowhere.done("example")
    assert example == EXAMPLE
    shown = nowhere.done("preview", nowhere.file(example), "--entries", "9")
    assert re.search(r"games .*720", shown)
    assert re.search(r"house bots that fill up +│ 0", shown)
    assert "smallest difference that shows" in shown


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("name = 1", "name: "),
        ("name = ", "this is no TOML"),
        (f"{CUP}\n[stop]\nwhen = 3", "stop.when: "),
        (CUP.replace("second", "first"), "entries share a name: first"),
        (
            CUP.replace("boards = 3", "boards = 0"),
            "format.boards: 0 cannot be used; write a whole number from 1 to ",
        ),
    ],
)
@pytest.mark.parametrize("command", ["preview", "create"])
def test_mistakes_in_a_file_are_named(
    terminal: Terminal, command: str, text: str, place: str
) -> None:
    result = terminal.type(command, terminal.file(text))
    assert result.exit_code == UNUSABLE
    assert place in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("command", ["preview", "create"])
def test_a_file_that_is_not_there_is_named(terminal: Terminal, command: str) -> None:
    result = terminal.type(command, "/nowhere/event.toml")
    assert (result.exit_code, result.stderr) == (
        UNUSABLE,
        "/nowhere/event.toml: No such file or directory\n",
    )


def test_too_few_entries_are_said_by_the_preview(terminal: Terminal) -> None:
    text = 'name = "L"\n[format]\nkind = "lists"\n'
    result = terminal.type("preview", terminal.file(text), "--entries", "4")
    assert result.exit_code == UNUSABLE
    assert "4" in result.stderr


def test_without_a_server_it_is_said_how_to_start_one(tmp_path: Path) -> None:
    nowhere = Terminal("127.0.0.1:1", tmp_path)
    result = nowhere.type("list")
    assert result.exit_code == REFUSED
    assert result.stderr == (
        "no server answers at 127.0.0.1:1; start one with `skat-server serve`, or name another "
        "with --server\n"
    )


# ---------------------------------------------------------------------------------- from the start


def test_an_event_from_its_file_to_its_end(terminal: Terminal) -> None:
    tournament_id = terminal.done("create", terminal.file(CUP), "--open").strip()
    listed = terminal.done("list")
    assert re.search(rf"{tournament_id}\s+│ Cup of the house │ open", listed)
    assert terminal.done("start", tournament_id).startswith("running, ")
    lines = terminal.done("status", tournament_id).splitlines()
    assert any(line.startswith("finished (schedule done), 18 of 18 games") for line in lines)
    assert any("first" in line and "to" in line for line in lines)


def test_a_draft_is_opened_and_cancelled_with_a_reason(terminal: Terminal) -> None:
    tournament_id = terminal.created(OPEN_CUP)
    assert terminal.done("open", tournament_id) == "open\n"
    cancelled = terminal.done("cancel", tournament_id, "--reason", "rain")
    assert cancelled.startswith("cancelled: rain")


def test_an_event_that_waits_is_looked_at_once(terminal: Terminal) -> None:
    tournament_id = terminal.created(OPEN_CUP)
    terminal.done("open", tournament_id)
    shown = terminal.done("status", tournament_id, "--once")
    assert shown == "open\n0 entries; no game has been played yet\n"
    terminal.done("cancel", tournament_id)


def test_a_paused_event_goes_on(terminal: Terminal) -> None:
    text = CUP.replace("boards = 3", "boards = 200")
    tournament_id = terminal.created(text)
    terminal.done("start", tournament_id)
    assert terminal.done("pause", tournament_id).startswith("paused, ")
    assert terminal.done("resume", tournament_id).startswith("running, ")
    terminal.done("cancel", tournament_id)


def test_the_tables_of_an_event(terminal: Terminal, finished: str) -> None:
    standings = terminal.done("standings", finished)
    assert "all intervals hold together with 95 per cent; 6 boards" in standings
    crosstable = terminal.done("crosstable", finished)
    assert re.search(r"first\s+│ -\s+│ [+-]\d+\.\d\d \(\d+\)", crosstable)
    pairings = terminal.done("pairings", finished)
    assert len(re.findall(r"r1\.m\d\.t\d", pairings)) == 6
    assert "3 of 3" in pairings


def test_a_sequential_test_says_where_it_stands(terminal: Terminal) -> None:
    shown = terminal.done("test", terminal.played(AB_TEST))
    assert re.search(r"verdict\s+│ accept h0", shown)
    assert "corrected for the stop" in shown


def test_on_a_terminal_the_picture_has_bars_and_progress(
    terminal: Terminal, finished: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = terminal.done("status", finished)
    assert "━━━ 100 %" in shown
    assert re.search(r"1 \w+ +[ ─●]+ +[+-]\d+\.\d\d", shown)


def test_an_event_without_a_test_has_none_to_show(terminal: Terminal, finished: str) -> None:
    result = terminal.type("test", finished)
    assert (result.exit_code, result.stderr) == (
        REFUSED,
        "only an ab_test has a sequential test, and the format is round_robin; see standings\n",
    )


def test_what_is_piped_is_whole_and_plain(server: ServerProcess, finished: str) -> None:
    """No escape sequences, and no cell cut to a width that nobody has."""
    variables = environment(SKAT_SERVER=server.address)
    for name in ("COLUMNS", "NO_COLOR", "TERM"):
        del variables[name]
    shown = subprocess.run(
        [COMMAND, "tournament", "pairings", finished],
        env=variables,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "\x1b" not in shown.stdout
    row = r"r1\.m0\.t0 +│ 1 +│ first, second, third +│ 3 of 3 +│ table-[0-9a-f]{16}"
    assert re.search(row, shown.stdout)


@pytest.mark.parametrize("command", ["status", "standings"])
def test_a_table_that_is_piped_is_as_wide_as_what_is_in_it(
    server: ServerProcess, finished: str, command: str
) -> None:
    """A shell may tell every program how wide its terminal is; a pipe is none."""
    shown = subprocess.run(
        [COMMAND, "tournament", command, finished],
        env={**environment(SKAT_SERVER=server.address), "COLUMNS": "40"},
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line for line in shown.stdout.splitlines() if "│" in line]
    assert sorted(row.split("│")[1].strip() for row in rows) == ["first", "second", "third"]


# -------------------------------------------------------------------------------- files of an event


@pytest.mark.parametrize("command", ["report", "export"])
def test_whoever_is_not_the_organiser_is_told_so(
    terminal: Terminal, finished: str, command: str, tmp_path: Path
) -> None:
    target = tmp_path / "files" / "cup.html"
    target.parent.mkdir()
    result = terminal.type(command, finished, str(target), token="the-token-of-somebody")
    assert result.exit_code == REFUSED
    assert "not for you: only the organiser can read all tables of a tournament" in result.stderr
    assert not target.exists()


def test_an_export_verifies_and_a_tampered_one_does_not(terminal: Terminal, finished: str) -> None:
    folder = terminal.folder / "export"
    printed = terminal.done("export", finished, str(folder)).splitlines()
    assert {Path(line).name for line in printed} == {
        "games.jsonl",
        "manifest.json",
        "standings.json",
        "tournament.json",
    }
    assert terminal.done("verify", str(folder)) == (
        "OK: 18 games, their cards, actions, scores and standings hold\n"
    )
    games = folder / "games.jsonl"
    games.write_text(games.read_text().replace('"points":[', '"points":[9', 1))
    result = terminal.type("verify", str(folder))
    assert result.exit_code == 1
    assert "games.jsonl: its SHA-256 is not that of manifest.json" in result.stdout
    assert "r1.m0, table 0, board 0: it brought" in result.stdout


def test_an_export_in_all_forms(terminal: Terminal, finished: str) -> None:
    folder = terminal.folder / "export"
    terminal.done("export", finished, str(folder), "--format", "sgf", "--format", "parquet")
    sums = json.loads((folder / "manifest.json").read_text())["sha256"]
    assert {"games.sgf", "games.parquet", "games.jsonl"} <= set(sums)
    replayed = CliRunner().invoke(app, ["records", "replay", "-q", str(folder / "games.sgf")])
    assert "0 differ, 0 unreadable" in replayed.stdout
    assert terminal.done("verify", str(folder)).startswith("OK: 18 games")


def test_a_folder_with_something_in_it_is_left_alone(terminal: Terminal, finished: str) -> None:
    terminal.file("mine")
    result = terminal.type("export", finished, str(terminal.folder))
    assert (result.exit_code, result.stderr) == (
        UNUSABLE,
        f"{terminal.folder} is not empty; name a new folder\n",
    )


def test_a_report_is_one_page(terminal: Terminal, finished: str) -> None:
    file = terminal.folder / "report.html"
    assert terminal.done("report", finished, str(file)) == f"{file}\n"
    assert file.read_text().count("<svg") == 4


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("report", "/nowhere/report.html"), "/nowhere/report.html: No such file or directory"),
        (("export", "/proc/export"), "/proc/export: "),
    ],
)
def test_what_cannot_be_written_is_named(
    terminal: Terminal, finished: str, words: tuple[str, str], says: str
) -> None:
    result = terminal.type(words[0], finished, words[1])
    assert result.exit_code == UNUSABLE
    assert says in result.stderr


@pytest.mark.parametrize("missing", ["matplotlib", "pyarrow"])
def test_what_is_not_installed_is_named(
    terminal: Terminal, finished: str, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    for module in ("report.page", "report.plots", "export.parquet"):
        monkeypatch.delitem(sys.modules, f"skat_server.tournaments.{module}", raising=False)
        monkeypatch.delattr(f"skat_server.tournaments.{module}", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    target = str(terminal.folder / "new")
    options = ("--format", "parquet") if missing == "pyarrow" else ()
    result = terminal.type("export" if options else "report", finished, target, *options)
    assert result.exit_code == UNUSABLE
    assert missing in result.stderr
    assert "install skat-server[" in result.stderr
    assert not Path(target).exists()


def test_an_export_of_what_is_still_played_is_refused(terminal: Terminal) -> None:
    """T10: boards stay secret until the end."""
    result = terminal.type("export", terminal.created(OPEN_CUP), str(terminal.folder / "new"))
    assert result.exit_code == REFUSED
    assert "its boards are secret until then" in result.stderr


@pytest.mark.parametrize("name", ["nothing", "event.toml"])
def test_what_is_no_export_is_named(terminal: Terminal, name: str) -> None:
    terminal.file("mine")
    result = terminal.type("verify", str(terminal.folder / name))
    assert result.exit_code == UNUSABLE
    assert "tournament.json" in result.stderr


# ----------------------------------------------------------------------------------------- refusals

WITH_AN_ID = (
    ("open",),
    ("start",),
    ("pause",),
    ("resume",),
    ("cancel",),
    ("status",),
    ("standings",),
    ("crosstable",),
    ("test",),
    ("pairings",),
    ("export", "/nowhere/export"),
    ("report", "/nowhere/report.html"),
)


@pytest.mark.parametrize("command", WITH_AN_ID, ids=lambda command: command[0])
def test_an_unknown_id_is_said(terminal: Terminal, command: tuple[str, ...]) -> None:
    result = terminal.type(command[0], "tournament-0", *command[1:])
    assert (result.exit_code, result.stderr) == (
        REFUSED,
        "there is no tournament 'tournament-0'\n",
    )


@pytest.mark.parametrize("command", ["open", "start", "pause", "resume", "cancel"])
def test_another_token_changes_nothing(terminal: Terminal, finished: str, command: str) -> None:
    """T3: only who has made a tournament changes it."""
    result = terminal.type(command, finished, token="the-token-of-somebody-else")
    assert (result.exit_code, result.stderr) == (
        REFUSED,
        "only who made a tournament may change it\n",
    )


@pytest.mark.parametrize("command", ["open", "start", "pause", "resume", "cancel"])
def test_what_cannot_happen_now_is_said(terminal: Terminal, finished: str, command: str) -> None:
    result = terminal.type(command, finished)
    assert result.exit_code == REFUSED
    assert result.stderr.startswith("the tournament is finished; this needs ")


def test_a_token_that_is_none_is_said(terminal: Terminal) -> None:
    result = terminal.type("create", terminal.file(CUP), token="short")
    assert result.exit_code == REFUSED
    assert "a token has 16 to 200 characters" in result.stderr


def test_a_token_may_stand_in_a_file(terminal: Terminal, tmp_path: Path) -> None:
    made = terminal.created()
    kept = tmp_path / "organiser.token"
    kept.write_text(f"{TOKEN}\n")
    assert terminal.type("cancel", made, token="").exit_code == REFUSED
    result = terminal.type("cancel", made, token="", token_file=str(kept))
    assert (result.exit_code, "cancelled" in result.stdout) == (0, True)


@pytest.mark.parametrize(
    ("held", "said"), [(None, "write a token into it"), (b" \n", "empty"), (b"\xff", "no text")]
)
def test_a_file_without_a_token_is_named(
    terminal: Terminal, tmp_path: Path, held: bytes | None, said: str
) -> None:
    kept = tmp_path / "organiser.token"
    if held is not None:
        kept.write_bytes(held)
    result = terminal.type("list", token="", token_file=str(kept))
    assert result.exit_code == UNUSABLE
    assert str(kept) in result.stderr
    assert said in result.stderr


def test_an_event_of_nobody_is_said_to_be_one(terminal: Terminal) -> None:
    result = terminal.type("create", terminal.file(CUP), token="")
    assert result.exit_code == 0
    assert "whoever comes without a token" in result.stderr
    assert "without a token" not in terminal.type("create", terminal.file(CUP)).stderr
