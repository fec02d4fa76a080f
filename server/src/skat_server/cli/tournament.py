"""``skat-server tournament``: preview, run, watch, export and verify tournaments."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from skat_server.cli.reading import printable
from skat_server.cli.render import print_table, step_progress
from skat_server.cli.standings import (
    duration_text,
    print_cross_table,
    print_standings,
    print_test,
    show_standings,
    status_line,
)
from skat_server.clock import SystemClock
from skat_server.remote.connection import RemoteError, Target, connected
from skat_server.remote.events import fetch_event
from skat_server.remote.organiser import Organiser
from skat_server.tournaments.config import EXAMPLE, ConfigError, parse_config
from skat_server.tournaments.event import Event
from skat_server.tournaments.export.files import ExportError, ExportForm, export_event
from skat_server.tournaments.export.reading import UnreadableError
from skat_server.tournaments.export.verify import verify_event
from skat_server.tournaments.preview import preview as look_ahead

app = typer.Typer(no_args_is_help=True, help="Tournaments: preview, run, watch, export, verify.")

EXIT_DIFFERS: Final = 1
EXIT_REFUSED: Final = 1
"""The server says no, or does not answer."""
EXIT_UNUSABLE: Final = 2
"""A file or a folder cannot be used."""
DEFAULT_SERVER: Final = "127.0.0.1:7654"
_MOST_SHOWN: Final = 20

Server = Annotated[
    str, typer.Option("--server", envvar="SKAT_SERVER", help="The server, host:port.")
]
Token = Annotated[
    str,
    typer.Option(
        "--token",
        envvar="SKAT_TOKEN",
        help="The organiser's token; on an open server any of your own with 16 characters or more.",
    ),
]
Ca = Annotated[
    Path | None,
    typer.Option("--ca", envvar="SKAT_CA", help="PEM file to check the server's certificate with."),
]
Id = Annotated[str, typer.Argument(metavar="ID", help="The tournament.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="The organiser's file, TOML.")]


@app.callback()
def tournament() -> None:
    """Tournaments: preview, run, watch, export, verify.

    Begin with `skat-server tournament example > cup.toml`.
    """


@app.command()
def example() -> None:
    """Print a file with everything in it that can be said."""
    typer.echo(EXAMPLE, nl=False)


@app.command()
def preview(
    file: File,
    entries: Annotated[
        int | None,
        typer.Option(min=1, help="How many will take part; those of the file when not given."),
    ] = None,
) -> None:
    """Say what an event costs and what it can find out; needs no server.

    Exit code: 0 it can be played, 2 the file cannot be used.
    """
    with _explained():
        config = parse_config(_text(file))
        if entries is None and not config.entries:
            raise ConfigError("the file names no entries; say how many with --entries")
        found = look_ahead(config, entries)
    smallest = found.smallest_difference
    rows = [
        ("entries", f"{found.entries}"),
        ("house bots that fill up", f"{found.house_bots}"),
        ("matches", f"{found.matches}"),
        ("boards", f"{found.boards}"),
        ("games", f"{found.games}"),
        ("boards that any two entries both play, at least", f"{found.blocks_of_a_pair}"),
        (
            "smallest difference that shows, points a game",
            "none" if smallest is None else f"{smallest:.1f}",
        ),
        ("time with bots that answer at once", duration_text(found.seconds)),
        ("time with bots that use their whole time", duration_text(found.seconds_of_slow_bots)),
    ]
    print_table(("what", "value"), rows)


@app.command()
def create(
    file: File,
    server: Server = DEFAULT_SERVER,
    token: Token = "",
    ca: Ca = None,
    opened: Annotated[bool, typer.Option("--open", help="Let entries register at once.")] = False,
) -> None:
    """Make a tournament from a file and print its id.

    Exit code: 0 it is made, 1 the server says no or does not answer, 2 the file cannot be used.
    """
    with _organiser(server, token, ca) as organiser:
        text = _text(file)
        parse_config(text)
        made = organiser.create(text)
        if opened:
            organiser.open(made.tournament_id)
    typer.echo(made.tournament_id)


@app.command("list")
def list_(server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None) -> None:
    """Show the tournaments of a server."""
    with _organiser(server, token, ca) as organiser:
        rows = [(t.tournament_id, printable(t.name), status_line(t)) for t in organiser.all()]
    print_table(("id", "name", "state"), rows)


@app.command("open")
def open_(
    tournament_id: Id, server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None
) -> None:
    """Let entries register."""
    with _organiser(server, token, ca) as organiser:
        typer.echo(status_line(organiser.open(tournament_id)))


@app.command()
def start(
    tournament_id: Id, server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None
) -> None:
    """Begin play."""
    with _organiser(server, token, ca) as organiser:
        typer.echo(status_line(organiser.start(tournament_id)))


@app.command()
def pause(
    tournament_id: Id, server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None
) -> None:
    """Begin no new tables; those under way are finished."""
    with _organiser(server, token, ca) as organiser:
        typer.echo(status_line(organiser.pause(tournament_id)))


@app.command()
def resume(
    tournament_id: Id, server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None
) -> None:
    """Go on after a pause. After a crash nothing is needed: the server goes on by itself."""
    with _organiser(server, token, ca) as organiser:
        typer.echo(status_line(organiser.resume(tournament_id)))


@app.command()
def cancel(
    tournament_id: Id,
    reason: Annotated[str, typer.Option(help="Why, for people.")] = "",
    server: Server = DEFAULT_SERVER,
    token: Token = "",
    ca: Ca = None,
) -> None:
    """End a tournament here; its tables are closed."""
    with _organiser(server, token, ca) as organiser:
        typer.echo(status_line(organiser.cancel(tournament_id, reason)))


@app.command()
def status(
    tournament_id: Id, server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None
) -> None:
    """Follow a tournament to its end: progress, standings, faults, time left.

    On a terminal the picture changes in place; elsewhere there is a line for every tenth of the
    games. A server that is started again is found again.
    """
    with _organiser(server, token, ca) as organiser:
        lost = partial(typer.echo, "the server has gone away; looking for it", err=True)
        show_standings(organiser.watch(tournament_id, lost), SystemClock())


@app.command()
def standings(
    tournament_id: Id, server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None
) -> None:
    """Show the table, with and without boards at which a fault happened."""
    with _organiser(server, token, ca) as organiser:
        found = organiser.standings(tournament_id)
    print_standings(found.standings)
    if any(row.faults for row in found.standings.rows):
        typer.echo("\nwithout boards at which a fault happened")
        print_standings(found.without_faults)


@app.command()
def crosstable(
    tournament_id: Id, server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None
) -> None:
    """Show who beat whom: points a game on the boards that both have played.

    In brackets how likely the row's entry is the better one, in per cent.
    """
    with _organiser(server, token, ca) as organiser:
        print_cross_table(organiser.cross_table(tournament_id))


@app.command("test")
def sequential_test(
    tournament_id: Id, server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None
) -> None:
    """Show where the sequential test of an `ab_test` stands."""
    with _organiser(server, token, ca) as organiser:
        print_test(organiser.test(tournament_id))


@app.command()
def pairings(
    tournament_id: Id, server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None
) -> None:
    """Show the tables of the schedule."""
    with _organiser(server, token, ca) as organiser:
        names = [entry.name for entry in organiser.get(tournament_id).entries]
        rows = [
            (
                pairing.key,
                f"{pairing.round}",
                ", ".join(printable(names[number]) for number in pairing.lineup),
                f"{pairing.boards_done} of {pairing.boards}",
                pairing.table_id,
            )
            for pairing in organiser.pairings(tournament_id)
        ]
    print_table(("table of the schedule", "round", "seats from 0", "boards", "table"), rows)


@app.command()
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
    with _organiser(server, token, ca) as organiser:
        with step_progress("tables") as progress:
            event, end = fetch_event(organiser, tournament_id, progress)
        written = export_event(event, folder, end, forms or ())
    for path in written.paths:
        typer.echo(str(path))
    for game in written.unsayable:
        typer.echo(f"not in sgf: {printable(game)}", err=True)


@app.command()
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
    with _organiser(server, token, ca) as organiser:
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


@app.command()
def verify(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="An exported event.")],
) -> None:
    """Compute an exported event anew: cards, actions, scores, standings. Needs no server.

    Exit code: 0 everything holds, 1 something differs, 2 the folder cannot be read.
    """
    with _explained(), step_progress("games") as progress:
        found = verify_event(folder, progress)
    if found.is_ok:
        typer.echo(f"OK: {found.games} games, their cards, actions, scores and standings hold")
        return
    for difference in found.differences[:_MOST_SHOWN]:
        typer.echo(difference)
    typer.echo(f"{len(found.differences)} differences in {found.games} games", err=True)
    raise typer.Exit(EXIT_DIFFERS)


@contextmanager
def _organiser(server: str, token: str, ca: Path | None) -> Iterator[Organiser]:
    target = Target(server, token, ca)
    with _explained(), connected(target) as channel:
        yield Organiser(channel, target)


@contextmanager
def _explained() -> Iterator[None]:
    """Say what is wrong, and end with the exit code for it."""
    try:
        yield
    except RemoteError as error:
        _say(error)
        raise typer.Exit(EXIT_REFUSED) from error
    except (ConfigError, ExportError, UnreadableError, ValueError) as error:
        _say(error)
        raise typer.Exit(EXIT_UNUSABLE) from error
    except OSError as error:
        _say(f"{error.filename}: {error.strerror}")
        raise typer.Exit(EXIT_UNUSABLE) from error


def _say(what: object) -> None:
    for line in str(what).splitlines():
        typer.echo(printable(line), err=True)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file} is no text in UTF-8") from error
