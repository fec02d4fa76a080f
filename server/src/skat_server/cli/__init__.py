"""The command line of the server."""

from importlib import metadata
from typing import Annotated

import typer

from skat_server.cli import accounts, admin, bots, records, rules, store, tokens, tournament
from skat_server.cli.benchmark import bench
from skat_server.cli.doctor import doctor
from skat_server.cli.healthcheck import healthcheck
from skat_server.cli.load import load
from skat_server.cli.serve import serve
from skat_server.observability.logging import LogLevel, configure_logging

app = typer.Typer(
    name="skat-server",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    # Local variables hold cards and seeds (T6).
    pretty_exceptions_show_locals=False,
)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"skat-server {metadata.version('skat-server')}")
        raise typer.Exit


@app.callback()
def skat_server(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """A Skat server for bots: tables, bidding and play over gRPC.

    First steps: `skat-server serve` in one terminal, then a bot in another, for instance
    `skat-client create --bots random,first-option,rules`.
    """
    configure_logging(level=LogLevel.WARNING)  # `serve` has options for it


app.command()(serve)
app.command()(doctor)
app.command()(load)
# What it does not know is the benchmark's, `-h` too.
app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(bench)
app.command()(healthcheck)
app.add_typer(accounts.app, name="accounts")
app.add_typer(bots.app, name="bots")
app.add_typer(admin.app, name="admin")
app.add_typer(tokens.app, name="tokens")
app.add_typer(records.app, name="records")
app.add_typer(rules.app, name="rules")
app.add_typer(store.app, name="store")
app.add_typer(tournament.app, name="tournament")
