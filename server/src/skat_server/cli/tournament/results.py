"""Commands that show how a tournament goes, and what has come of it."""

from functools import partial
from itertools import islice
from typing import Annotated

import typer

from skat_server.cli.reading import printable
from skat_server.cli.render import print_table
from skat_server.cli.tournament.calling import DEFAULT_SERVER, Ca, Id, Server, Token, organiser_at
from skat_server.cli.tournament.live import show_standings
from skat_server.cli.tournament.tables import (
    print_cross_table,
    print_standings,
    print_test,
)
from skat_server.clock import SystemClock

Once = Annotated[bool, typer.Option("--once", help="Say how it stands now, and no more.")]


def status(
    tournament_id: Id,
    once: Once = False,
    server: Server = DEFAULT_SERVER,
    token: Token = "",
    ca: Ca = None,
) -> None:
    """Follow a tournament to its end, or look once: progress, standings, faults, time left.

    On a terminal the picture changes in place; elsewhere there is a line for every tenth of the
    games. A server that is started again is found again.
    """
    with organiser_at(server, token, ca) as organiser:
        lost = partial(typer.echo, "the server has gone away; looking for it", err=True)
        seen = organiser.watch(tournament_id, lost)
        show_standings(islice(seen, 1) if once else seen, SystemClock())


def standings(
    tournament_id: Id, server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None
) -> None:
    """Show the table, with and without boards at which a fault happened."""
    with organiser_at(server, token, ca) as organiser:
        found = organiser.standings(tournament_id)
    print_standings(found.standings)
    if any(row.faults for row in found.standings.rows):
        typer.echo("\nwithout boards at which a fault happened")
        print_standings(found.without_faults)


def crosstable(
    tournament_id: Id, server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None
) -> None:
    """Show who beat whom: points a game on the boards that both have played.

    In brackets how likely the row's entry is the better one, in per cent.
    """
    with organiser_at(server, token, ca) as organiser:
        print_cross_table(organiser.cross_table(tournament_id))


def sequential_test(
    tournament_id: Id, server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None
) -> None:
    """Show where the sequential test of an `ab_test` stands."""
    with organiser_at(server, token, ca) as organiser:
        print_test(organiser.test(tournament_id))


def pairings(
    tournament_id: Id, server: Server = DEFAULT_SERVER, token: Token = "", ca: Ca = None
) -> None:
    """Show the tables of the schedule."""
    with organiser_at(server, token, ca) as organiser:
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
