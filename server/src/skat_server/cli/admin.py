"""``skat-server admin``: what an operator does at a server that runs."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Annotated, Final

import typer

from skat_server.cli.endings import ended, ended_by_file
from skat_server.cli.reading import printable
from skat_server.cli.render import print_table
from skat_server.remote.connection import RemoteError, Target, connected
from skat_server.remote.operator import Operator

EXIT_REFUSED: Final = 1
"""The server says no, or does not answer."""
EXIT_UNUSABLE: Final = 2
"""A certificate cannot be used."""
DEFAULT_SERVER: Final = "127.0.0.1:7655"

_NO_ANSWER: Final = (
    "Is the port open (`serve --admin-port`), and do you show the certificate that it asks for?"
)

app = typer.Typer(no_args_is_help=True)

_Reason = Annotated[str, typer.Option("--reason", help="Why, for people and for the audit log.")]
_TableId = Annotated[str, typer.Argument(metavar="TABLE", help="Id of the table.")]
_Holder = Annotated[str, typer.Argument(metavar="ID", help="Id of a bot or an account.")]


@app.callback()
def admin(
    context: typer.Context,
    server: Annotated[
        str,
        typer.Option(
            envvar="SKAT_ADMIN_SERVER", help="The operator's port, host:port: `serve --admin-port`."
        ),
    ] = DEFAULT_SERVER,
    ca: Annotated[
        Path | None,
        typer.Option(
            envvar="SKAT_OPERATOR_CA", help="PEM file to check the server's certificate with."
        ),
    ] = None,
    cert: Annotated[
        Path | None,
        typer.Option(envvar="SKAT_OPERATOR_CERT", help="Your certificate in PEM."),
    ] = None,
    key: Annotated[
        Path | None, typer.Option(envvar="SKAT_OPERATOR_KEY", help="Its private key.")
    ] = None,
) -> None:
    """What an operator does at a server that runs; everything but `audit` is kept in the audit log.

    In plain text on this machine; elsewhere with a certificate that the server knows. Options
    stand before the command: `skat-server admin --server HOST:PORT drain`.

    Exit code of each: 0 it is done, 1 the server says no or does not answer, 2 a file cannot be
    used.
    """
    context.obj = Target(server, ca=ca, certificate=cert, key=key)


@contextmanager
def _operator_at(context: typer.Context) -> Iterator[Operator]:
    """An operator at the server, and what goes wrong there explained.

    Raises:
        typer.Exit: with what to do on standard error.
    """
    target: Target = context.obj
    try:
        with connected(target) as channel:
            yield Operator(channel)
    except RemoteError as error:
        hint = "" if error.reason else f"\n{_NO_ANSWER}"
        raise ended(f"{error}{hint}", EXIT_REFUSED) from error
    except OSError as error:
        raise ended_by_file(error, EXIT_UNUSABLE) from error


@app.command()
def drain(
    context: typer.Context,
    grace: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=86_400.0,
            help="Seconds that deals under way may take.  [default: those of `serve --grace`]",
        ),
    ] = None,
) -> None:
    """Stop the server in good order, and print when it has stopped at the latest.

    No table is opened any more and every session is told. The next start goes on with all tables.
    """
    with _operator_at(context) as operator:
        typer.echo(_moment(operator.drain(grace)))


@app.command("void")
def void_deal(context: typer.Context, table_id: _TableId, reason: _Reason) -> None:
    """Drop the deal under way at a table, and deal its number anew."""
    with _operator_at(context) as operator:
        operator.void_deal(table_id, reason)


@app.command()
def forfeit(
    context: typer.Context,
    table_id: _TableId,
    seat: Annotated[int, typer.Argument(metavar="SEAT", min=0, help="Seat at fault, from 0.")],
    reason: _Reason,
) -> None:
    """Close a table because of one of its seats."""
    with _operator_at(context) as operator:
        operator.forfeit(table_id, seat, reason)


@app.command()
def ban(context: typer.Context, holder_id: _Holder, reason: _Reason) -> None:
    """Refuse a bot or an account from now on, and end its sessions."""
    with _operator_at(context) as operator:
        operator.ban(holder_id, reason)


@app.command()
def unban(context: typer.Context, holder_id: _Holder) -> None:
    """Let a bot or an account in again."""
    with _operator_at(context) as operator:
        operator.unban(holder_id)


@app.command()
def audit(
    context: typer.Context,
    last: Annotated[int, typer.Option(min=1, help="How many, from the newest on.")] = 50,
    as_json: Annotated[
        bool, typer.Option("--json", help="A JSON object a line, for programs.")
    ] = False,
) -> None:
    """Show what operators and owners have done, the newest first."""
    with _operator_at(context) as operator:
        events = [
            (
                _moment(event.at.ToNanoseconds() / 1e9),
                *map(printable, (event.actor, event.action, event.target, event.detail)),
            )
            for event in islice(operator.audit(), last)
        ]
    columns = ("at", "actor", "action", "target", "detail")
    if not as_json:
        print_table(columns, events)
        return
    for event in events:
        typer.echo(json.dumps(dict(zip(columns, event, strict=True))))


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
