"""The commands about rule systems: score deals, show a preset, list them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from skat_engine.presets import PRESET_MEANINGS, PRESETS
from skat_engine.ruleset_text import option_table
from skat_server.cli import app
from tests.records.test_summaries import GAME, RAMSCH

Write = Callable[..., str]

GOOD = json.dumps(GAME)
OTHER_SCORE = json.dumps({**GAME, "id": "A1-wrong", "expected": {"won": True, "score": 20}})


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes lines into a file and gives its name."""

    def write_lines(*lines: str, name: str = "rows.jsonl") -> str:
        path = tmp_path / name
        path.write_text("\n".join(lines), encoding="utf-8")
        return str(path)

    return write_lines


def run(*arguments: str, standard_input: bytes = b"", **environment: str) -> Result:
    runner = CliRunner(env=environment)
    return runner.invoke(app, ["rules", *arguments], input=standard_input)


def test_a_json_object_a_row(write: Write) -> None:
    refused = json.dumps({**GAME, "id": "refused", "bid": 19})
    result = run("score", write(GOOD, json.dumps(RAMSCH), refused, "{"))
    assert [json.loads(line) for line in result.stdout.splitlines()[:-1]] == [
        {"id": "A1", "won": True, "value": 18, "score": 18},
        {"id": "RAM1", "scores": [-55, 0, 0]},
        {"id": "refused", "error": "illegal_bid"},
    ]
    assert "not JSON" in json.loads(result.stdout.splitlines()[-1])["error"]
    assert result.exit_code == 0


def test_explain_adds_how_a_score_comes_about(write: Write) -> None:
    answer = json.loads(run("score", "--explain", write(GOOD)).stdout)
    assert (answer["levels"], answer["base"]) == ("with=1 game=1", 9)


def test_check_prints_what_differs_and_a_summary(write: Write) -> None:
    result = run("score", "--check", write(GOOD, OTHER_SCORE, "{}"))
    assert result.stdout.splitlines() == [
        "A1-wrong differs: score expected 20 got 18",
        "line 3 unreadable: field contract is missing",
        "3 rows, 1 identical, 2 differ",
    ]
    assert result.exit_code == 1


def test_check_of_several_files(write: Write) -> None:
    result = run("score", "--check", write(GOOD), write(json.dumps(RAMSCH), name="ramsch.jsonl"))
    assert result.stdout == "2 rows, 2 identical, 0 differ\n"
    assert result.exit_code == 0


def test_standard_input() -> None:
    result = run("score", "--check", "-", standard_input=GOOD.encode())
    assert result.stdout == "1 rows, 1 identical, 0 differ\n"


def test_options_from_the_environment(write: Write) -> None:
    result = run("score", SKAT_RULES_FILES=write(GOOD), SKAT_RULES_CHECK="1")
    assert result.stdout == "1 rows, 1 identical, 0 differ\n"


def test_an_id_cannot_steer_the_terminal(write: Write) -> None:
    result = run("score", "--check", write(json.dumps({**GAME, "id": "\x1b[2J", "bid": 20})))
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize(
    ("name", "hint"), [("missing.jsonl", "does not exist"), ("", "is a folder")]
)
def test_what_is_no_file_is_refused(tmp_path: Path, name: str, hint: str) -> None:
    result = run("score", str(tmp_path / name), COLUMNS="300")
    assert result.exit_code == 2
    assert hint in result.stderr


def test_a_preset_beside_the_defaults() -> None:
    lines = run("show", "proskat_pub", COLUMNS="160").stdout.splitlines()
    row = next(line for line in lines if line.startswith("kontra "))
    assert [cell.strip() for cell in row.split("│")] == [
        "kontra",
        "said_18",
        "off",
        "which defender may say Kontra",
        "R-KON-2",
    ]


def test_only_what_a_preset_changes() -> None:
    answer = json.loads(run("show", "isko", "--changed", "--json").stdout)
    assert answer == {"scoring": "seeger_fabian"}


def test_every_option_of_a_preset() -> None:
    answer = json.loads(run("show", "isko", "--json").stdout)
    assert list(answer) == [option.name for option in option_table()]


def test_an_unknown_preset_is_refused_with_the_known_ones() -> None:
    result = run("show", "no_such", COLUMNS="300")
    assert result.exit_code == 2
    assert "use one of isko, proskat_pub" in result.stderr


def test_the_presets() -> None:
    lines = run("list", COLUMNS="160").stdout.splitlines()
    assert [line.split()[0] for line in lines[2:]] == list(PRESETS)


def test_the_presets_as_json() -> None:
    assert json.loads(run("list", "--json").stdout) == PRESET_MEANINGS


@pytest.mark.parametrize("command", ["score", "show", "list"])
def test_help_shows_an_example(command: str) -> None:
    assert f"Example: skat-server rules {command}" in run(command, "--help", COLUMNS="160").stdout


def test_without_a_command_there_is_help() -> None:
    assert "score" in run().output
