"""Commands that make tournaments and move them on."""

from typing import Annotated, Final

import typer

from skat_server.cli.reading import printable
from skat_server.cli.render import print_table
from skat_server.cli.tournament.calling import (
    DEFAULT_SERVER,
    TOKEN_FILE,
    Ca,
    File,
    Id,
    Server,
    Token,
    organiser_at,
    text_of,
)
from skat_server.cli.tournament.tables import status_line
from skat_server.tournaments.config import parse_config

_NOBODYS: Final = (
    "it belongs to the guest: whoever comes without a token can pause or cancel it.\n"
    f"Give --token, or name a file with one in {TOKEN_FILE}, to make one that is yours."
)


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
    with organiser_at(server, token, ca) as organiser:
        text = text_of(file)
        parse_config(text)
        made = organiser.create(text)
        if opened:
            organiser.open(made.tournament_id)
    typer.echo(made.tournament_id)
    if not organiser.has_token:
        typer.echo(_NOBODYS, err=True)


def list_(server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None) -> None:
    """Show the tournaments of a server."""
    with organiser_at(server, token, ca) as organiser:
        rows = [(t.tournament_id, printable(t.name), status_line(t)) for t in organiser.all()]
    print_table(("id", "name", "state"), rows)


def open_(
    tournament_id: Id, server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None
) -> None:
    """Let entries register."""
    with organiser_at(server, token, ca) as organiser:
        typer.echo(status_line(organiser.open(tournament_id)))


def start(
    tournament_id: Id, server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None
) -> None:
    """Begin play."""
    with organiser_at(server, token, ca) as organiser:
        typer.echo(status_line(organiser.start(tournament_id)))


def pause(
    tournament_id: Id, server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None
) -> None:
    """Begin no new tables; those under way are finished."""
    with organiser_at(server, token, ca) as organiser:
        typer.echo(status_line(organiser.pause(tournament_id)))


def resume(
    tournament_id: Id, server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None
) -> None:
    """Go on after a pause. After a crash nothing is needed: the server goes on by itself."""
    with organiser_at(server, token, ca) as organiser:
        typer.echo(status_line(organiser.resume(tournament_id)))


def cancel(
    tournament_id: Id,
    reason: Annotated[str, typer.Option(help="Why, for people.")] = "",
    server: Server = DEFAULT_SERVER,
    token: Token = "",
    ca: Ca = None,
) -> None:
    """End a tournament here; its tables are closed."""
    with organiser_at(server, token, ca) as organiser:
        typer.echo(status_line(organiser.cancel(tournament_id, reason)))
