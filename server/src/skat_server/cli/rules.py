"""``skat-server rules``: what the rule systems are, and what a deal is worth under them."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from skat_engine.errors import RuleSetError
from skat_engine.options import option_text
from skat_engine.presets import PRESET_MEANINGS, PRESETS, preset, preset_seats
from skat_engine.records import Identical, ScoredRow, score_lines
from skat_engine.ruleset_text import option_table
from skat_server.cli.reading import STANDARD_INPUT, check_is_file, printable, read_lines
from skat_server.cli.render import print_table

app = typer.Typer(no_args_is_help=True, help="Rule systems: look at them, and score deals.")

EXIT_DIFFERENT = 1

AsJson = Annotated[
    bool, typer.Option("--json", envvar="SKAT_RULES_JSON", help="Print one JSON object instead.")
]


@app.callback()
def rules() -> None:
    """Rule systems: look at them, and score deals."""


@app.command()
def score(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE",
            envvar="SKAT_RULES_FILES",
            help="Files of summaries, one JSON object a line; - reads standard input.",
        ),
    ],
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            envvar="SKAT_RULES_CHECK",
            help="Compare with the field expected of each row and print only what differs.",
        ),
    ] = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            envvar="SKAT_RULES_EXPLAIN",
            help="Add base value, matadors, levels, overbid and factors.",
        ),
    ] = False,
) -> None:
    """Score deals from their summaries, without cards being played.

    A row is a declarer game (cards, bid, contract, points, tricks) or a Ramsch (points,
    tricks). Prints a JSON object a row:

    - {"id": ..., "won": ..., "value": ..., "score": ...} for a declarer game

    - {"id": ..., "scores": [F, M, R]} for a Ramsch

    - {"id": ..., "error": WHY} for a row that has no score

    With --check it prints a line for each row that differs, and then a summary:

    - ID differs: FIELD expected X got Y

    - ID unreadable: WHY

    - N rows, I identical, D differ

    Example: skat-server rules score --check scoring.jsonl ramsch.jsonl

    Exit code: 0 nothing differs, 1 something does, 2 no such file.
    """
    for path in files:
        if path != STANDARD_INPUT:
            check_is_file(path)
    rows = (row for path in files for row in score_lines(read_lines(path), explain=explain))
    if not check:
        for row in rows:
            typer.echo(_json_line(row))
    elif not _all_identical(rows):
        raise typer.Exit(EXIT_DIFFERENT)


def _all_identical(rows: Iterable[ScoredRow]) -> bool:
    """Print what differs from the expectation in the rows, and how many do."""
    identical = different = 0
    for row in rows:
        outcome = row.check()
        if isinstance(outcome, Identical):
            identical += 1
        else:
            different += 1
            typer.echo(printable(str(outcome)))
    typer.echo(f"{identical + different} rows, {identical} identical, {different} differ")
    return not different


@app.command()
def show(
    name: Annotated[
        str, typer.Argument(metavar="PRESET", help="One of the presets of `rules list`.")
    ],
    changed: Annotated[
        bool,
        typer.Option(
            "--changed",
            envvar="SKAT_RULES_CHANGED",
            help="Only the options that differ from their default.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show every option of a preset beside its default; what the preset changes stands out.

    Example: skat-server rules show proskat_pub --changed
    """
    values = _values(name)
    rows = [
        (option.name, values[option.name], option.default, option.meaning, option.source)
        for option in option_table()
        if not changed or values[option.name] != option.default
    ]
    if as_json:
        typer.echo(json.dumps({option: value for option, value, *_ in rows}, indent=2))
        return
    marked = frozenset(number for number, row in enumerate(rows) if row[1] != row[2])
    print_table(("option", name, "default", "meaning", "rule"), rows, marked)


@app.command(name="list")
def list_presets(as_json: AsJson = False) -> None:
    """List the presets: for how many seats, how many options they change, and what they are.

    Example: skat-server rules list
    """
    if as_json:
        typer.echo(json.dumps(PRESET_MEANINGS, indent=2))
        return
    rows = [
        (name, _seats(name), str(len(PRESETS[name])), meaning)
        for name, meaning in PRESET_MEANINGS.items()
    ]
    print_table(("preset", "seats", "changes", "what it is"), rows)


def _seats(name: str) -> str:
    return " ".join(map(str, preset_seats(name)))


def _values(name: str) -> Mapping[str, str]:
    """Every option of a preset as text.

    Raises:
        typer.BadParameter: no such preset.
    """
    try:
        wanted = preset(name)
    except RuleSetError as error:
        raise typer.BadParameter(str(error)) from None
    return {option.name: option_text(getattr(wanted, option.name)) for option in option_table()}


def _json_line(row: ScoredRow) -> str:
    return json.dumps({"id": row.row_id, **row.facts})
