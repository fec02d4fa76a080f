"""Commands that write what came of an event into files, and check such files."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import typer

from skat_server.cli.reading import printable
from skat_server.cli.render import step_progress
from skat_server.cli.tournament.calling import (
    DEFAULT_SERVER,
    Ca,
    Id,
    Server,
    Token,
    explained,
    organiser_at,
)
from skat_server.remote.events import fetch_event
from skat_server.tournaments.event import Event
from skat_server.tournaments.export.files import ExportError, ExportForm, export_event
from skat_server.tournaments.export.verify import verify_event

EXIT_DIFFERS: Final = 1
_MOST_SHOWN: Final = 20


def export(  # noqa: PLR0917  # typer passes them by name
    tournament_id: Id,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder.")],
    forms: Annotated[
        list[ExportForm] | None,
        typer.Option(
            "--format",
            help="A form of the games beside jsonl, which is always there; may be repeated.",
        ),
    ] = None,
    server: Server = DEFAULT_SERVER,
    token: Token = "",
    ca: Ca = None,
) -> None:
    """Write an event that has ended into a folder, with the sums of its files.

    Not every game can be said in sgf; those that cannot are named on standard error.

    Exit code: 0 it is written, 1 the server says no or does not answer, 2 it cannot be written.
    """
    with organiser_at(server, token, ca) as organiser:
        with step_progress("tables") as progress:
            event, end = fetch_event(organiser, tournament_id, progress)
        written = export_event(event, folder, end, forms or ())
    for path in written.paths:
        typer.echo(str(path))
    for game in written.unsayable:
        typer.echo(f"not in sgf: {printable(game)}", err=True)


def report(
    tournament_id: Id,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The HTML file to write.")],
    server: Server = DEFAULT_SERVER,
    token: Token = "",
    ca: Ca = None,
) -> None:
    """Write the report of an event that has ended as one HTML file with its plots inside.

    Exit code: 0 it is written, 1 the server says no or does not answer, 2 it cannot be written.
    """
    with organiser_at(server, token, ca) as organiser:
        write = _report_writer()
        with step_progress("tables") as progress:
            event, end = fetch_event(organiser, tournament_id, progress)
        write(event, end.replace("_", " "), file)
    typer.echo(str(file))


def _report_writer() -> Callable[[Event, str, Path], None]:
    try:
        # It is an extra, and takes a moment to load.
        from skat_server.tournaments.report.page import write_event_report  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise ExportError(
            f"a report needs {error.name}, which is not installed: install skat-server[report]"
        ) from error
    return write_event_report


def verify(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="An exported event.")],
) -> None:
    """Compute an exported event anew: cards, actions, scores, standings. Needs no server.

    Exit code: 0 everything holds, 1 something differs, 2 the folder cannot be read.
    """
    with explained(), step_progress("games") as progress:
        found = verify_event(folder, progress)
    if found.is_ok:
        typer.echo(f"OK: {found.games} games, their cards, actions, scores and standings hold")
        return
    for difference in found.differences[:_MOST_SHOWN]:
        typer.echo(difference)
    typer.echo(f"{len(found.differences)} differences in {found.games} games", err=True)
    raise typer.Exit(EXIT_DIFFERS)
