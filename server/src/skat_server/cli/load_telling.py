"""What became of a load, told on standard output and in files, and how the command ends."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import typer

from skat_server.cli.endings import EXIT_INTERRUPTED, ended, ended_by_file
from skat_server.cli.render import print_table
from skat_server.cli.saying import drop_output
from skat_server.remote.load.report import (
    LATENCY_COLUMNS,
    document,
    fault_rows,
    figure_rows,
    latency_rows,
    remarks,
)
from skat_server.remote.load.run import Outcome

EXIT_REFUSED: Final = 1
EXIT_UNUSABLE: Final = 2
PRINTED: Final = Path("-")
"""Stands for standard output in place of a file."""
_STANDARD_OUTPUT: Final = Path("standard output")
"""Its name for people."""


def conclude(
    outcome: Outcome,
    target: str,
    records: Path | None,
    json_file: Path | None,
    *,
    interrupted: bool,
) -> None:
    """Tell what became of a load, and why it did not go as asked.

    Raises:
        typer.Exit: it did not.
    """
    ends: list[typer.Exit] = []
    text = json.dumps(document(outcome, target), indent=2, ensure_ascii=False)
    if json_file is not None and json_file != PRINTED:
        with _noting(ends, json_file):
            json_file.write_text(f"{text}\n", encoding="utf-8")
    with _noting(ends, _STANDARD_OUTPUT), _printing():
        if json_file == PRINTED:
            typer.echo(text)
        else:
            _print(outcome)
    if isinstance(outcome.failure, OSError):
        ends.append(ended_by_file(outcome.failure, EXIT_UNUSABLE, records))
    elif outcome.failure is not None:
        ends.append(ended(outcome.failure, EXIT_REFUSED))
    if ends:
        raise ends[0]
    _require_played(outcome, target, interrupted=interrupted)


def _require_played(outcome: Outcome, target: str, *, interrupted: bool) -> None:
    """Say why a load was not played as asked, where it was not.

    Raises:
        typer.Exit: it was not.
    """
    gone = f"the server at {target} went away and did not come back"
    end = ended(gone, EXIT_REFUSED) if outcome.is_server_gone else None
    if interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)
    if end is not None:
        raise end
    if not outcome.tally.actions:
        advice = "the faults say why" if outcome.tally.faults else "take more --seconds"
        raise ended(f"nothing was played; {advice}", EXIT_REFUSED)


@contextmanager
def _noting(ends: list[typer.Exit], file: Path) -> Iterator[None]:
    """Say what is wrong with a file, and go on: nothing else that is to be told is lost with it."""
    try:
        yield
    except OSError as error:
        ends.append(ended_by_file(error, EXIT_UNUSABLE, file))


@contextmanager
def _printing() -> Iterator[None]:
    try:
        yield
    except OSError:
        drop_output()
        raise


def _print(outcome: Outcome) -> None:
    print_table(("what", "figure"), figure_rows(outcome))
    times = latency_rows(outcome.tally)
    if times:
        typer.echo("")
        print_table(LATENCY_COLUMNS, times)
    typer.echo("")
    faults = fault_rows(outcome.tally)
    print_table(("fault", "times"), faults) if faults else typer.echo("no faults")
    for remark in remarks(outcome):
        typer.echo(remark, err=True)
