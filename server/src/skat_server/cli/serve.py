"""``skat-server serve``: run a server until it is told to stop."""

from pathlib import Path
from typing import Annotated

import typer

from skat_server.certificates import CertificateError
from skat_server.cli.listening import (
    OptionError,
    admin_settings,
    limits_of,
    player_tls,
    who_may_play,
)
from skat_server.cli.loops import Loop, run_in
from skat_server.cli.running import EXIT_STORE_DEAD, ends_because, run
from skat_server.config import (
    DEFAULT_DATA,
    AdminSettings,
    Auth,
    Settings,
    WebSettings,
    is_loopback,
)
from skat_server.draining import LONGEST_GRACE
from skat_server.observability.logging import LogFormat, LogLevel, configure_logging
from skat_server.observability.metrics.lines import LogWatch
from skat_server.observability.metrics.room import Room
from skat_server.observability.strays import catch_strays
from skat_server.observability.web import WebAddressError
from skat_server.storage.protocols import Durability, StoreError, UnusableStoreError

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
    auth: Annotated[
        Auth | None,
        typer.Option(
            envvar="SKAT_AUTH",
            help="Who may play: whoever makes up a token, or whoever has one of this server.  "
            "[default: open on loopback, accounts elsewhere]",
        ),
    ] = None,
    tls_cert: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            envvar="SKAT_TLS_CERT",
            help="Certificate of the server in PEM form, those up to its root behind it.",
        ),
    ] = None,
    tls_key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", envvar="SKAT_TLS_KEY", help="Its private key, without a pass phrase."
        ),
    ] = None,
    admin_port: Annotated[
        int | None,
        typer.Option(
            envvar="SKAT_ADMIN_PORT",
            min=0,
            max=65_535,
            help="Port of the operator; 0 takes a free one and prints it.  [default: none]",
        ),
    ] = None,
    admin_host: Annotated[
        str,
        typer.Option(envvar="SKAT_ADMIN_HOST", help="Address of the operator's port."),
    ] = AdminSettings().host,
    admin_cert: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", envvar="SKAT_ADMIN_CERT", help="Certificate of the operator's port."
        ),
    ] = None,
    admin_key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", envvar="SKAT_ADMIN_KEY", help="Its private key."),
    ] = None,
    admin_ca: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            envvar="SKAT_ADMIN_CA",
            help="Who signs the certificates of those who may use the operator's port.",
        ),
    ] = None,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            envvar="SKAT_METRICS_PORT",
            min=0,
            max=65_535,
            help="Port of /metrics, /healthz and /readyz over HTTP, usually 9464; 0 takes a free "
            "one and prints it.  [default: none]",
        ),
    ] = None,
    metrics_host: Annotated[
        str,
        typer.Option(
            envvar="SKAT_METRICS_HOST",
            help="Address of that port: it tells no secrets, but it is not for players.",
        ),
    ] = WebSettings().host,
    log_format: Annotated[
        LogFormat,
        typer.Option(
            envvar="SKAT_LOG_FORMAT",
            help="How log lines look on standard error; auto: for people on a terminal, else JSON.",
        ),
    ] = LogFormat.AUTO,
    log_level: Annotated[
        LogLevel,
        typer.Option(envvar="SKAT_LOG_LEVEL", help="Write what weighs this much or more."),
    ] = LogLevel.INFO,
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
            max=LONGEST_GRACE,
            help="Seconds from the signal to the end: deals under way get most of them.",
        ),
    ] = DEFAULTS.grace,
    max_tables: Annotated[
        int,
        typer.Option(envvar="SKAT_MAX_TABLES", min=1, help="Tables carried at once."),
    ] = DEFAULTS.max_tables,
    calls_per_second: Annotated[
        int,
        typer.Option(
            envvar="SKAT_CALLS_PER_SECOND",
            min=1,
            help="Calls of one player and of one address; five times as many at once.",
        ),
    ] = DEFAULTS.limits.calls_per_second,
    unasked_per_second: Annotated[
        int,
        typer.Option(
            envvar="SKAT_UNASKED_PER_SECOND",
            min=1,
            help="Messages of one player that settle no decision; twice as many at once.",
        ),
    ] = DEFAULTS.limits.unasked_per_second,
    max_connections: Annotated[
        int,
        typer.Option(envvar="SKAT_MAX_CONNECTIONS", min=1, help="Connections of players at once."),
    ] = DEFAULTS.limits.connections,
    trusted_networks: Annotated[
        list[str] | None,
        typer.Option(
            "--trusted-network",
            metavar="NETWORK",
            envvar="SKAT_TRUSTED_NETWORKS",
            help="Network, such as 10.0.0.0/8, of a proxy whose callers share its address, besides "
            "the loopback; may be given more than once.",
        ),
    ] = None,
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
    loop: Annotated[
        Loop,
        typer.Option(envvar="SKAT_LOOP", help="Event loop: uvloop where it is installed, or one."),
    ] = Loop.AUTO,
) -> None:
    """Run a server until Ctrl-C or SIGTERM.

    The first line on standard output says where it listens:

        skat-server listening on 127.0.0.1:7654

    The second says where tables are kept, and how well. A server that is started again goes on
    where it was; with --durability memory tables end with it.

    With --auth open players need no account: any random token of their own identifies them, and on
    the loopback those without one are the guest. With --auth accounts they need a token that
    `skat-server accounts`, `bots` and `tokens` make, also while the server runs.

    On any address but the loopback it speaks TLS (--tls-cert, --tls-key), unless --insecure says
    otherwise. To stop, it tells every session, waits for the deals under way as long as --grace
    allows, and goes on with what is left when it is started again; a second Ctrl-C does not wait.

    Exit code: 0 told to stop, 2 cannot start, 74 the disk failed: start it again.
    """
    try:
        tls = player_tls(host, tls_cert, tls_key, insecure=insecure)
        admin = admin_settings(admin_host, admin_port, admin_cert, admin_key, admin_ca)
        chosen_auth = who_may_play(host, auth, durability)
        limits = limits_of(calls_per_second, unasked_per_second, max_connections, trusted_networks)
    except OptionError as error:
        raise _refused(str(error)) from error
    if data is not None and durability is Durability.MEMORY:
        raise _refused("Memory needs no folder: leave out --data, or --durability memory.")
    settings = Settings(
        host=host,
        port=port,
        tls=tls,
        admin=admin,
        web=None if metrics_port is None else WebSettings(metrics_host, metrics_port),
        auth=chosen_auth,
        reflection=is_loopback(host) if reflection is None else reflection,
        grace=grace,
        limits=limits,
        max_tables=max_tables,
        data=None if durability is Durability.MEMORY else data or DEFAULT_DATA,
        durability=durability,
        # A folder that somebody has named is changed only when he says so.
        migrates=data is None,
    )
    room = Room()
    configure_logging(form=log_format, level=log_level, note=LogWatch(room).note)
    catch_strays()
    try:
        run_in(loop, run(settings, room))
    except (CertificateError, UnusableStoreError) as error:
        raise _refused(str(error)) from error
    except StoreError as error:
        typer.echo(ends_because(error), err=True)
        raise typer.Exit(EXIT_STORE_DEAD) from error
    except WebAddressError as error:
        raise _refused(f"{error}\nChoose another port with --metrics-port.") from error
    except OSError as error:
        raise _refused(f"{error}\nChoose another port with --port, or 0 for a free one.") from error


def _refused(sentence: str) -> typer.Exit:
    """The end of a command that cannot begin, and why."""
    typer.echo(sentence, err=True)
    return typer.Exit(USAGE_ERROR)
