"""``skat-server records``: what can be done with recorded deals."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, assert_never

import typer

from skat_engine.errors import NotationError
from skat_engine.records import (
    Differs,
    Identical,
    ReplayOutcome,
    Unreadable,
    form_of,
    replay_lines,
)
from skat_server.cli.reading import check_is_file, printable, read_lines

app = typer.Typer(no_args_is_help=True, help="Recorded deals: replay and compare.")

EXIT_DIFFERENT = 1


@app.callback()
def records() -> None:
    """Recorded deals: replay and compare."""


@app.command()
def replay(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE",
            envvar="SKAT_RECORDS_FILES",
            help="Files of records: .jsonl holds our own records and games of XSkat, "
            ".sgf those of the International Skat Server.",
        ),
    ],
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet",
            "-q",
            envvar="SKAT_RECORDS_QUIET",
            help="Print only the lines that are not ok, and the summary.",
        ),
    ] = False,
) -> None:
    """Replay every record and compare what comes out with what it says.

    Prints a line a record and then a summary. A line is one of

    - ID ok

    - ID differs: FIELD expected X got Y

    - ID unreadable: WHY

    A record differs too when it has a move that the rules refuse.

    Example: skat-server records replay --quiet games.jsonl iss.sgf

    Exit code: 0 nothing differs, 1 something does, 2 no such file.
    """
    for path in files:
        _check(path)
    tally = _Tally()
    for path in files:
        for outcome in replay_lines(read_lines(path), form_of(path.name)):
            tally.add(outcome)
            if not quiet or not isinstance(outcome, Identical):
                typer.echo(printable(str(outcome)))
    typer.echo(str(tally))
    if tally.different:
        raise typer.Exit(EXIT_DIFFERENT)


@dataclass(slots=True)
class _Tally:
    """How many records came out how."""

    identical: int = 0
    different: int = 0
    unreadable: int = 0

    def add(self, outcome: ReplayOutcome) -> None:
        """Count one more."""
        match outcome:
            case Identical():
                self.identical += 1
            case Differs():
                self.different += 1
            case Unreadable():
                self.unreadable += 1
            case _:
                assert_never(outcome)

    def __str__(self) -> str:
        """The summary line."""
        total = self.identical + self.different + self.unreadable
        return (
            f"{total} replayed, {self.identical} identical, "
            f"{self.different} differ, {self.unreadable} unreadable"
        )


def _check(path: Path) -> None:
    """Refuse what cannot be replayed before anything is printed."""
    try:
        form_of(path.name)
    except NotationError as error:
        raise typer.BadParameter(str(error)) from None
    check_is_file(path)
