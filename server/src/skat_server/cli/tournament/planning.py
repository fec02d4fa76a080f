"""Commands about the organiser's file, before any server sees it."""

from typing import Annotated

import typer

from skat_server.cli.render import print_table
from skat_server.cli.tournament.calling import File, explained, text_of
from skat_server.cli.tournament.tables import duration_text
from skat_server.tournaments.config import EXAMPLE, ConfigError, parse_config
from skat_server.tournaments.preview import preview as look_ahead


def example() -> None:
    """Print a file with everything in it that can be said."""
    typer.echo(EXAMPLE, nl=False)


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
    with explained():
        config = parse_config(text_of(file))
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
