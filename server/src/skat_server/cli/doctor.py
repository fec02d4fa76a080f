"""``skat-server doctor``: look at everything that a server needs, and say what to do."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Final

import typer

from skat_server.cli import options
from skat_server.cli.listening import OptionError
from skat_server.cli.loops import Loop
from skat_server.cli.render import print_table
from skat_server.cli.serving import ServeOptions, settings_of
from skat_server.clock import SystemClock
from skat_server.config import Settings
from skat_server.doctor.examine import examine
from skat_server.doctor.finding import Finding, Verdict, bad, good
from skat_server.observability.logging import LogFormat, LogLevel

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
    findings = [_configuration(settings, wrong), *examine(settings, SystemClock())]
    _show(findings, as_json=as_json)
    if any(finding.verdict is Verdict.BAD for finding in findings):
        raise typer.Exit(EXIT_BAD)


def _configuration(settings: Settings, wrong: OptionError | None) -> Finding:
    """Whether the options fit together."""
    if wrong is None:
        return good("configuration", f"auth {settings.auth.value}")
    what, _, advice = str(wrong).partition("\n")
    return bad("configuration", what, advice or "Mend what it says.")


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
