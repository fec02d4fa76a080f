"""The options of ``load``."""

from pathlib import Path
from typing import Annotated

import typer

from skat_server.remote.load.plan import SLOW_SECONDS, STORM_SHARE, LoadBot

Address = Annotated[
    str, typer.Option(envvar="SKAT_SERVER", metavar="HOST:PORT", help="The server.")
]

Sessions = Annotated[
    int, typer.Option(min=1, max=20_000, help="Players, each on a connection of its own.")
]

Tables = Annotated[int, typer.Option(min=1, max=20_000, help="Tables that are played at any time.")]

Bots = Annotated[
    str,
    typer.Option(
        metavar="NAME[,NAME…]",
        help=f"Who sits at a table, seat by seat: {', '.join(bot.value for bot in LoadBot)}.",
    ),
]

Seconds = Annotated[
    float, typer.Option(min=0.1, max=86_400, help="How long to measure, after the ramp-up.")
]

Deals = Annotated[int | None, typer.Option(min=1, help="End sooner, after so many deals in all.")]

RampUp = Annotated[
    float,
    typer.Option(min=0, max=86_400, help="Seconds over which sessions and tables come."),
]

Think = Annotated[
    str,
    typer.Option(
        metavar="TIME",
        help="How long players think, in milliseconds: 0, fixed:50, uniform:20-200, exp:100 "
        "(mean), lognormal:80,0.6 (median, sigma).",
    ),
]

StormEvery = Annotated[
    float | None,
    typer.Option(min=0.1, max=86_400, help="Cut connections all at once, every so many seconds."),
]

StormShare = Annotated[
    float | None,
    typer.Option(
        min=0.001,
        max=1,
        help=f"Which part of the sessions a storm cuts.  [default: {STORM_SHARE}]",
    ),
]

Spectators = Annotated[int, typer.Option(min=0, max=20_000, help="Streams that watch the tables.")]

SlowReaders = Annotated[int, typer.Option(min=0, max=20_000, help="As many more that read slowly.")]

SlowPause = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=86_400,
        help=f"Seconds that these wait after every message.  [default: {SLOW_SECONDS}]",
    ),
]

Rules = Annotated[
    str,
    typer.Option(metavar="PRESET", help="See `skat-server rules list`; for three seats."),
]

Overrides = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="An option of the rules; repeatable."),
]

Cards = Annotated[
    str,
    typer.Option(
        metavar="fresh|seed:TEXT",
        help="Cards that nobody knows, or the same ones in every run with this text.",
    ),
]

Seed = Annotated[int, typer.Option(help="Of the players' choices and think times.")]

Records = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.jsonl",
        help="Put the records of finished tables there, for `skat-server records replay`.  "
        "[default: fetch none]",
    ),
]

JsonFile = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE", help="Write everything as JSON; - prints it."),
]

MetricsUrl = Annotated[
    str | None,
    typer.Option(metavar="URL", help="The server's own counters, http://HOST:PORT/metrics."),
]

Tokens = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="A token a line, one for each session; not needed on an open server.",
    ),
]

Ca = Annotated[
    Path | None,
    typer.Option(envvar="SKAT_CA", help="PEM file to check the server's certificate with."),
]

Plaintext = Annotated[
    bool, typer.Option("--plaintext", help="No TLS, though the server is another machine.")
]
