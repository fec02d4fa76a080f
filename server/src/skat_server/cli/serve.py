"""``skat-server serve``: run a server until it is told to stop."""

import asyncio
import ipaddress
import os
import signal
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from skat_server.app import App
from skat_server.config import DATABASE, DEFAULT_DATA, Settings
from skat_server.observability.logging import configure_logging
from skat_server.storage.protocols import Durability, StoreError, UnusableStoreError

USAGE_ERROR = 2
EXIT_STORE_DEAD: Final = 74
"""Nothing can be kept any more; a new start reads what is there."""
DEFAULTS = Settings()


def serve(  # noqa: PLR0917  # every setting is an option
    host: Annotated[
        str,
        typer.Option(envvar="SKAT_HOST", help="Address to listen on."),
    ] = DEFAULTS.host,
    port: Annotated[
        int,
        typer.Option(
            envvar="SKAT_PORT",
            min=0,
            max=65_535,
            help="Port to listen on; 0 takes a free one and prints it.",
        ),
    ] = DEFAULTS.port,
    insecure: Annotated[
        bool,
        typer.Option(
            "--insecure",
            envvar="SKAT_INSECURE",
            help="Listen in plain text on an address that other machines can reach.",
        ),
    ] = False,
    reflection: Annotated[
        bool | None,
        typer.Option(
            envvar="SKAT_REFLECTION",
            help="Let tools such as grpcurl list the services.  [default: only on loopback]",
        ),
    ] = None,
    grace: Annotated[
        float,
        typer.Option(
            envvar="SKAT_GRACE",
            min=0,
            help="Seconds that running calls get when the server stops.",
        ),
    ] = DEFAULTS.grace,
    max_tables: Annotated[
        int,
        typer.Option(envvar="SKAT_MAX_TABLES", min=1, help="Tables carried at once."),
    ] = DEFAULTS.max_tables,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            envvar="SKAT_DATA",
            help="Folder of the database, made when it is not there.  [default: ./skat-data]",
        ),
    ] = None,
    durability: Annotated[
        Durability,
        typer.Option(
            envvar="SKAT_DURABILITY",
            help="What survives: every action; finished deals only, after a power cut; nothing.",
        ),
    ] = DEFAULTS.durability,
) -> None:
    """Run a server until Ctrl-C or SIGTERM.

    The first line on standard output says where it listens:

        skat-server listening on 127.0.0.1:7654

    The second says where tables are kept, and how well. A server that is started again goes on
    where it was; with --durability memory tables end with it. Players need no account; any random
    token of their own identifies them.

    Exit code: 0 told to stop, 2 cannot start, 74 the disk failed: start it again.
    """
    on_loopback = _is_loopback(host)
    if not on_loopback and not insecure:
        typer.echo(
            f"{host} can be reached from other machines and this server speaks plain text.\n"
            "Listen on 127.0.0.1, or add --insecure if the network is yours.",
            err=True,
        )
        raise typer.Exit(USAGE_ERROR)
    if data is not None and durability is Durability.MEMORY:
        typer.echo("Memory needs no folder: leave out --data, or --durability memory.", err=True)
        raise typer.Exit(USAGE_ERROR)
    settings = Settings(
        host=host,
        port=port,
        reflection=on_loopback if reflection is None else reflection,
        grace=grace,
        max_tables=max_tables,
        data=None if durability is Durability.MEMORY else data or DEFAULT_DATA,
        durability=durability,
        # A folder that somebody has named is changed only when he says so.
        migrates=data is None,
    )
    configure_logging()
    try:
        asyncio.run(_run(settings))
    except UnusableStoreError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(USAGE_ERROR) from error
    except OSError as error:
        typer.echo(f"{error}\nChoose another port with --port, or 0 for a free one.", err=True)
        raise typer.Exit(USAGE_ERROR) from error


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


async def _run(settings: Settings) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with App(settings) as app:
        app.store.watch(lambda: _leave_if_dead(app.store.fatal))
        typer.echo(f"skat-server listening on {app.address}")
        typer.echo(_keeping(settings))
        await stop.wait()
        typer.echo("skat-server stops", err=True)


def _keeping(settings: Settings) -> str:
    """Where tables are kept, and how well."""
    if settings.data is None:
        return "tables are kept in memory and end with the server"
    path = (settings.data / DATABASE).absolute()
    if settings.durability is Durability.DEAL:
        return f"tables are kept in {path}, finished deals safe from power cuts"
    return f"tables are kept in {path}, every action on the disk before anybody sees it"


def _leave_if_dead(fatal: StoreError | None) -> None:
    """End the process on the spot when nothing can be kept any more.

    An orderly end would write to a file of which nobody knows what it holds, or which is
    another server's by now.
    """
    if fatal is None:
        return
    typer.echo(f"skat-server ends: {fatal}. Start it again to go on from what is kept.", err=True)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(EXIT_STORE_DEAD)
