"""The options of ``serve``, for all commands that speak of a server before it runs."""

from pathlib import Path
from typing import Annotated, Final

import typer

from skat_server.cli.loops import Loop
from skat_server.config import AdminSettings, Auth, WebSettings
from skat_server.draining import LONGEST_GRACE
from skat_server.observability.logging import LogFormat, LogLevel
from skat_server.storage.protocols import Durability

ADMIN_HOST: Final = AdminSettings().host
METRICS_HOST: Final = WebSettings().host

Host = Annotated[
    str,
    typer.Option(envvar="SKAT_HOST", help="Address to listen on."),
]

Port = Annotated[
    int,
    typer.Option(
        envvar="SKAT_PORT",
        min=0,
        max=65_535,
        help="Port to listen on; 0 takes a free one and prints it.",
    ),
]

Insecure = Annotated[
    bool,
    typer.Option(
        "--insecure",
        envvar="SKAT_INSECURE",
        help="Listen in plain text on an address that other machines can reach.",
    ),
]

WhoPlays = Annotated[
    Auth | None,
    typer.Option(
        envvar="SKAT_AUTH",
        help="Who may play: whoever makes up a token, or whoever has one of this server.  "
        "[default: open on loopback, accounts elsewhere]",
    ),
]

TlsCert = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        envvar="SKAT_TLS_CERT",
        help="Certificate of the server in PEM form, those up to its root behind it.",
    ),
]

TlsKey = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", envvar="SKAT_TLS_KEY", help="Its private key, without a pass phrase."
    ),
]

AdminPort = Annotated[
    int | None,
    typer.Option(
        envvar="SKAT_ADMIN_PORT",
        min=0,
        max=65_535,
        help="Port of the operator; 0 takes a free one and prints it.  [default: none]",
    ),
]

AdminHost = Annotated[
    str,
    typer.Option(envvar="SKAT_ADMIN_HOST", help="Address of the operator's port."),
]

AdminCert = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", envvar="SKAT_ADMIN_CERT", help="Certificate of the operator's port."
    ),
]

AdminKey = Annotated[
    Path | None,
    typer.Option(metavar="FILE", envvar="SKAT_ADMIN_KEY", help="Its private key."),
]

AdminCa = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        envvar="SKAT_ADMIN_CA",
        help="Who signs the certificates of those who may use the operator's port.",
    ),
]

MetricsPort = Annotated[
    int | None,
    typer.Option(
        envvar="SKAT_METRICS_PORT",
        min=0,
        max=65_535,
        help="Port of /metrics, /healthz and /readyz over HTTP, usually 9464; 0 takes a free "
        "one and prints it.  [default: none]",
    ),
]

MetricsHost = Annotated[
    str,
    typer.Option(
        envvar="SKAT_METRICS_HOST",
        help="Address of that port: it tells no secrets, but it is not for players.",
    ),
]

LogLook = Annotated[
    LogFormat,
    typer.Option(
        envvar="SKAT_LOG_FORMAT",
        help="How log lines look on standard error; auto: for people on a terminal, else JSON.",
    ),
]

LogFrom = Annotated[
    LogLevel,
    typer.Option(envvar="SKAT_LOG_LEVEL", help="Write what weighs this much or more."),
]

Reflection = Annotated[
    bool | None,
    typer.Option(
        envvar="SKAT_REFLECTION",
        help="Let tools such as grpcurl list the services.  [default: only on loopback]",
    ),
]

Grace = Annotated[
    float,
    typer.Option(
        envvar="SKAT_GRACE",
        min=0,
        max=LONGEST_GRACE,
        help="Seconds from the signal to the end: deals under way get most of them.",
    ),
]

MaxTables = Annotated[
    int,
    typer.Option(envvar="SKAT_MAX_TABLES", min=1, help="Tables carried at once."),
]

CallsPerSecond = Annotated[
    int,
    typer.Option(
        envvar="SKAT_CALLS_PER_SECOND",
        min=1,
        help="Calls of one player and of one address; five times as many at once.",
    ),
]

UnaskedPerSecond = Annotated[
    int,
    typer.Option(
        envvar="SKAT_UNASKED_PER_SECOND",
        min=1,
        help="Messages of one player that settle no decision; twice as many at once.",
    ),
]

MaxConnections = Annotated[
    int,
    typer.Option(envvar="SKAT_MAX_CONNECTIONS", min=1, help="Connections of players at once."),
]

TrustedNetworks = Annotated[
    list[str] | None,
    typer.Option(
        "--trusted-network",
        metavar="NETWORK",
        envvar="SKAT_TRUSTED_NETWORKS",
        help="Network, such as 10.0.0.0/8, of a proxy whose callers share its address, besides "
        "the loopback; may be given more than once.",
    ),
]

Data = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        envvar="SKAT_DATA",
        help="Folder of the database, made when it is not there.  [default: ./skat-data]",
    ),
]

Durable = Annotated[
    Durability,
    typer.Option(
        envvar="SKAT_DURABILITY",
        help="What survives: every action; finished deals only, after a power cut; nothing.",
    ),
]

WhichLoop = Annotated[
    Loop,
    typer.Option(envvar="SKAT_LOOP", help="Event loop: uvloop where it is installed, or one."),
]
