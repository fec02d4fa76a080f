"""``skat-server serve``: run a server until it is told to stop."""

import asyncio
import ipaddress
import signal
from typing import Annotated

import typer

from skat_server.app import App
from skat_server.config import Settings
from skat_server.observability.logging import configure_logging

USAGE_ERROR = 2
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
) -> None:
    """Run a server until Ctrl-C or SIGTERM.

    The first line on standard output says where it listens:

        skat-server listening on 127.0.0.1:7654

    Tables live in memory: they end with the server. Players need no account; any random
    token of their own identifies them.
    """
    on_loopback = _is_loopback(host)
    if not on_loopback and not insecure:
        typer.echo(
            f"{host} can be reached from other machines and this server speaks plain text.\n"
            "Listen on 127.0.0.1, or add --insecure if the network is yours.",
            err=True,
        )
        raise typer.Exit(USAGE_ERROR)
    settings = Settings(
        host=host,
        port=port,
        reflection=on_loopback if reflection is None else reflection,
        grace=grace,
        max_tables=max_tables,
    )
    configure_logging()
    try:
        asyncio.run(_run(settings))
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
        typer.echo(f"skat-server listening on {app.address}")
        await stop.wait()
        typer.echo("skat-server stops", err=True)
