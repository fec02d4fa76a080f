"""The command line of the server."""

import typer

from skat_server.cli import records, rules
from skat_server.cli.serve import serve

app = typer.Typer(
    name="skat-server",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="""A Skat server for bots: tables, bidding and play over gRPC.

    First steps: `skat-server serve` in one terminal, then a bot in another, for instance
    `skat-client play --bot rules`.
    """,
)
app.command()(serve)
app.add_typer(records.app, name="records")
app.add_typer(rules.app, name="rules")
