"""``skat-server records``: what can be done with recorded deals."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, BinaryIO, assert_never

import typer

from skat_engine.errors import NotationError
from skat_engine.records import (
    Converted,
    Differs,
    FileForm,
    Identical,
    ReplayOutcome,
    Unreadable,
    convert_lines,
    form_of,
    replay_lines,
)
from skat_server.cli.reading import check_is_file, printable, read_lines

app = typer.Typer(no_args_is_help=True, help="Recorded deals: replay, compare and convert.")

EXIT_DIFFERENT = 1
EXIT_NOT_CONVERTED = 1


@app.callback()
def records() -> None:
    """Recorded deals: replay, compare and convert."""


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


@app.command()
def convert(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="IN",
            envvar="SKAT_RECORDS_IN",
            help="File of records, .jsonl or .sgf.",
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            envvar="SKAT_RECORDS_OUT",
            help="File to write, replaced if it is there: .sgf for the notation of the "
            "International Skat Server, .jsonl for our own records.",
        ),
    ],
) -> None:
    """Write every record of a file in another form, in the same order.

    The endings of the names say what the forms are. Not every deal can be said in both: a record
    that cannot is named on standard error, as one of

    - ID not convertible: WHAT: WHY

    - ID unreadable: WHY

    and the next one is written. The last line, on standard output, is the summary.

    Example: skat-server records convert games.jsonl games.sgf

    Exit code: 0 all were converted, 1 some were not, 2 a file cannot be read or written.
    """
    _check(source)
    wanted = _form(target)
    if target.exists() and target.samefile(source):
        raise typer.BadParameter(f"{target} is what is read; name another file to write")
    converted = failed = 0
    with _written(target) as output:
        for result in convert_lines(read_lines(source), form_of(source.name), wanted):
            if isinstance(result, Converted):
                output.write(f"{result.line}\n".encode())
                converted += 1
            else:
                typer.echo(printable(str(result)), err=True)
                failed += 1
    typer.echo(f"{converted + failed} read, {converted} converted, {failed} not")
    if failed:
        raise typer.Exit(EXIT_NOT_CONVERTED)


@contextmanager
def _written(path: Path) -> Iterator[BinaryIO]:
    """A file to write to; what goes wrong with it is an error that names it."""
    try:
        with path.open("wb") as stream:
            yield stream
    except OSError as error:
        raise typer.BadParameter(f"{path} cannot be written: {error.strerror}") from None


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
    """Refuse what cannot be read before anything is printed."""
    _form(path)
    check_is_file(path)


def _form(path: Path) -> FileForm:
    """The form that the ending of a name asks for.

    Raises:
        typer.BadParameter: the ending is unknown.
    """
    try:
        return form_of(path.name)
    except NotationError as error:
        raise typer.BadParameter(str(error)) from None
