"""``skat-server doctor``: look at everything that a server needs, and say what to do."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Annotated, Final

import typer

from skat_server.cli import options
from skat_server.cli.listening import (
    OptionError,
    admin_settings,
    folder_of,
    limits_of,
    player_tls,
    require_loop,
    require_ports_of_their_own,
    who_may_play,
)
from skat_server.cli.loops import Loop
from skat_server.cli.render import print_table
from skat_server.clock import SystemClock
from skat_server.config import (
    DEFAULT_DATA,
    Settings,
    WebSettings,
    is_loopback,
)
from skat_server.doctor.examine import examine
from skat_server.doctor.finding import Finding, Verdict, bad, good
from skat_server.observability.logging import LogFormat, LogLevel
from skat_server.storage.protocols import Durability

EXIT_BAD: Final = 1
DEFAULTS: Final = Settings()


def doctor(  # noqa: PLR0917  # every option of `serve`, so that its command line can be tried
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
    log_format: options.LogLook = LogFormat.AUTO,  # a wrong one is refused, no more
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
    as_json: Annotated[
        bool,
        typer.Option("--json", envvar="SKAT_DOCTOR_JSON", help="Print one JSON list instead."),
    ] = False,
) -> None:
    """Look at everything that a server needs: disk, database, certificates, clock, ports, files.

    Give it the options, or the variables, that `serve` gets. It changes nothing, and may be used
    beside a server that runs.

    Exit code: 0 a server can run, though something may be doubtful; 1 something is bad.
    """
    settings = Settings(
        host=host,
        port=port,
        web=None if metrics_port is None else WebSettings(metrics_host, metrics_port),
        reflection=is_loopback(host) if reflection is None else reflection,
        grace=grace,
        max_tables=max_tables,
        limits=replace(DEFAULTS.limits, connections=max_connections),
        data=None if durability is Durability.MEMORY else data or DEFAULT_DATA,
        durability=durability,
        migrates=data is None,
    )
    try:
        settings = replace(
            settings,
            tls=player_tls(host, tls_cert, tls_key, insecure=insecure),
            admin=admin_settings(admin_host, admin_port, admin_cert, admin_key, admin_ca),
            auth=who_may_play(host, auth, durability),
            limits=limits_of(
                calls_per_second, unasked_per_second, max_connections, trusted_networks
            ),
        )
        require_ports_of_their_own(host, port, settings.admin, settings.web)
        require_loop(loop)
        folder_of(data, durability)
        configuration = good("configuration", f"auth {settings.auth.value}")
    except OptionError as error:
        what, _, advice = str(error).partition("\n")
        configuration = bad("configuration", what, advice or "Mend what it says.")
    findings = [configuration, *examine(settings, SystemClock())]
    _show(findings, as_json=as_json)
    if any(finding.verdict is Verdict.BAD for finding in findings):
        raise typer.Exit(EXIT_BAD)


def _show(findings: Sequence[Finding], *, as_json: bool) -> None:
    if as_json:
        rows = [asdict(one) | {"verdict": one.verdict.value} for one in findings]
        typer.echo(json.dumps(rows))
        return
    marked = frozenset(n for n, one in enumerate(findings) if one.verdict is not Verdict.GOOD)
    print_table(
        ("what", "is", "found"), [(f.what, f.verdict.value, f.text) for f in findings], marked
    )
    for one in findings:
        if one.advice:
            typer.echo(f"\n{one.what}: {one.advice}")
