"""``skat-server serve``: run a server until it is told to stop."""

import sys

import structlog
import typer

from skat_server.certificates import CertificateError
from skat_server.cli import options
from skat_server.cli.endings import ended
from skat_server.cli.files import FewFilesError
from skat_server.cli.loops import Loop, run_in
from skat_server.cli.running import EXIT_STORE_DEAD, LAST_LINES_WITHIN, ends_because, run
from skat_server.cli.serving import ServeOptions, settings_of
from skat_server.config import Settings
from skat_server.observability.line_queue import LineQueue
from skat_server.observability.logging import (
    LineWriter,
    LogFormat,
    LogLevel,
    configure_logging,
)
from skat_server.observability.metrics.lines import LogWatch
from skat_server.observability.metrics.room import Room
from skat_server.observability.strays import catch_strays
from skat_server.observability.web import WebAddressError
from skat_server.ports import AdminAddressError, ListenError, is_about_the_host
from skat_server.storage.protocols import StoreError, UnusableStoreError

USAGE_ERROR = 2
DEFAULTS = Settings()

_log = structlog.get_logger()


def serve(  # noqa: PLR0917  # every setting is an option
    host: options.Host = DEFAULTS.host,
    port: options.Port = DEFAULTS.port,
    insecure: options.Insecure = False,
    auth: options.WhoPlays = None,
    tls_cert: options.TlsCert = None,
    tls_key: options.TlsKey = None,
    admin_port: options.AdminPort = None,
    admin_host: options.AdminHost = options.ADMIN_HOST,
    admin_cert: options.AdminCert = None,
    admin_key: options.AdminKey = None,
    admin_ca: options.AdminCa = None,
    metrics_port: options.MetricsPort = None,
    metrics_host: options.MetricsHost = options.METRICS_HOST,
    log_format: options.LogLook = LogFormat.AUTO,
    log_level: options.LogFrom = LogLevel.INFO,
    reflection: options.Reflection = None,
    grace: options.Grace = DEFAULTS.grace,
    max_tables: options.MaxTables = DEFAULTS.max_tables,
    calls_per_second: options.CallsPerSecond = DEFAULTS.limits.calls_per_second,
    unasked_per_second: options.UnaskedPerSecond = DEFAULTS.limits.unasked_per_second,
    max_connections: options.MaxConnections = DEFAULTS.limits.connections,
    trusted_networks: options.TrustedNetworks = None,
    data: options.Data = None,
    durability: options.Durable = DEFAULTS.durability,
    loop: options.WhichLoop = Loop.AUTO,
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
    settings, wrong = settings_of(
        ServeOptions(
            host=host,
            port=port,
            insecure=insecure,
            auth=auth,
            tls_cert=tls_cert,
            tls_key=tls_key,
            admin_port=admin_port,
            admin_host=admin_host,
            admin_cert=admin_cert,
            admin_key=admin_key,
            admin_ca=admin_ca,
            metrics_port=metrics_port,
            metrics_host=metrics_host,
            reflection=reflection,
            grace=grace,
            max_tables=max_tables,
            calls_per_second=calls_per_second,
            unasked_per_second=unasked_per_second,
            max_connections=max_connections,
            trusted_networks=trusted_networks,
            data=data,
            durability=durability,
            loop=loop,
        )
    )
    if wrong is not None:
        raise ended(wrong, USAGE_ERROR) from wrong
    room = Room()
    try:
        lines = LineQueue(LineWriter(sys.stderr).write, _say_lost)
    except RuntimeError as error:
        raise ended(_why_no_thread(error), USAGE_ERROR) from error
    configure_logging(form=log_format, level=log_level, note=LogWatch(room).note, lines=lines)
    catch_strays()
    try:
        code = _run_to_the_end(loop, settings, room, lines)
    finally:
        lines.close(LAST_LINES_WITHIN)
    raise typer.Exit(code)


def _say_lost(lines: int) -> None:
    _log.warning("log.lost", lines=lines)


def _run_to_the_end(loop: Loop, settings: Settings, room: Room, lines: LineQueue) -> int:
    """Run a server, and say why it cannot go on; the exit code."""
    try:
        run_in(loop, run(settings, room, lines))
    except (CertificateError, FewFilesError, UnusableStoreError) as error:
        lines.write(str(error))
        return USAGE_ERROR
    except StoreError as error:
        lines.write(ends_because(error))
        return EXIT_STORE_DEAD
    except ListenError as error:
        lines.write(f"{error}\n{_advice(error)}")
        return USAGE_ERROR
    except RuntimeError as error:
        lines.write(_why_no_thread(error))
        return USAGE_ERROR
    return 0


def _why_no_thread(error: RuntimeError) -> str:
    """What is said when the machine gives no further thread; Python has no type for that.

    Raises:
        RuntimeError: something else was wrong.
    """
    if str(error) != "can't start new thread":
        raise error
    return (
        "The machine lets the server start no further thread: allow it more memory (`ulimit -v`, "
        "MemoryMax) or more tasks (`ulimit -u`, TasksMax in the unit of systemd, `--pids-limit` "
        "for a container)."
    )


def _advice(error: ListenError) -> str:
    """What to do about an address that cannot be had."""
    names = {WebAddressError: "--metrics-", AdminAddressError: "--admin-"}
    option = names.get(type(error), "--")
    if is_about_the_host(error.reason):
        return f"Name an address of this machine with {option}host."
    return f"Choose another port with {option}port, or 0 for a free one."
