"""``skat-server tournament``: preview, run, watch, export and verify tournaments."""

import typer

from skat_server.cli.tournament.exporting import export, report, verify
from skat_server.cli.tournament.lifecycle import cancel, create, list_, open_, pause, resume, start
from skat_server.cli.tournament.planning import example, preview
from skat_server.cli.tournament.results import (
    crosstable,
    pairings,
    sequential_test,
    standings,
    status,
)

app = typer.Typer(no_args_is_help=True, help="Tournaments: preview, run, watch, export, verify.")


@app.callback()
def tournament() -> None:
    """Tournaments: preview, run, watch, export, verify.

    Begin with `skat-server tournament example > cup.toml`.
    """


app.command()(example)
app.command()(preview)
app.command()(create)
app.command("list")(list_)
app.command("open")(open_)
app.command()(start)
app.command()(pause)
app.command()(resume)
app.command()(cancel)
app.command()(status)
app.command()(standings)
app.command()(crosstable)
app.command("test")(sequential_test)
app.command()(pairings)
app.command()(export)
app.command()(report)
app.command()(verify)
