"""``skat-server load``: put a load on a running server, and say what became of it."""

import asyncio
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import typer

from skat_server.cli import load_options as options
from skat_server.cli.endings import ended, ended_by_file
from skat_server.cli.load_signals import Interruption, interruptible
from skat_server.cli.load_telling import EXIT_REFUSED, EXIT_UNUSABLE, PRINTED, conclude
from skat_server.cli.load_values import (
    parse_bots,
    parse_deal_source,
    parse_override,
    read_tokens,
    slow_pause_of,
    storms_of,
)
from skat_server.cli.loops import Loop, run_in, spare_the_collector
from skat_server.cli.render import live_rows
from skat_server.clock import SystemClock
from skat_server.errors import Reason
from skat_server.open_files import raise_file_limit
from skat_server.remote.connection import AddressError, RemoteError, Target, require_address
from skat_server.remote.load.plan import LoadBot, LoadPlan, PlanError, parse_think_time
from skat_server.remote.load.report import glance_rows
from skat_server.remote.load.run import Glance, LoadRun, Outcome

_OWN_FILES: Final = 32
"""Files that are no connections to the server: the loop, the library, what is written."""
_GLANCES: Final = 10
"""Over how many looks the rate of the panel is taken: a second."""


def load(  # noqa: PLR0917  # every part of a load is an option
    target: options.Address = "127.0.0.1:7654",
    sessions: options.Sessions = 3,
    tables: options.Tables = 1,
    bots: options.Bots = LoadBot.RANDOM.value,
    seconds: options.Seconds = 10.0,
    deals: options.Deals = None,
    ramp_up: options.RampUp = 0.0,
    think: options.Think = "0",
    storm_every: options.StormEvery = None,
    storm_share: options.StormShare = None,
    spectators: options.Spectators = 0,
    slow_readers: options.SlowReaders = 0,
    slow_pause: options.SlowPause = None,
    rules: options.Rules = "isko",
    overrides: options.Overrides = None,
    deal_source: options.Cards = "fresh",
    seed: options.Seed = 1,
    records: options.Records = None,
    json_file: options.JsonFile = None,
    metrics: options.MetricsUrl = None,
    tokens: options.Tokens = None,
    ca: options.Ca = None,
    plaintext: options.Plaintext = False,
) -> None:
    """Put a load on a running server, and say what became of it.

    Players sit down, answer every decision, and go on with new tables until the time is over;
    then their tables are closed. A table is told in the end, and more with `--json`.

    * One session a seat: `skat-server load --sessions 192 --tables 64`
    * Few bots with many tables each: `skat-server load --sessions 3 --tables 256`
    * People: `skat-server load --sessions 300 --tables 100 --think lognormal:1500,0.8`
    * A bad network: `skat-server load --sessions 60 --tables 20 --storm-every 5`

    Load only servers that are yours. What a server carries at most has options, see
    `skat-server serve --help`.

    Exit code: 0 it was played, 1 the server says no, does not answer, or went away and did not
    come back, 2 an option cannot be used, 130 after Ctrl-C, SIGTERM or SIGHUP, with the figures so
    far.
    """
    with interruptible() as interruption:
        try:
            plan = LoadPlan(
                sessions=sessions,
                tables=tables,
                bots=parse_bots(bots),
                seconds=seconds,
                ramp_up=ramp_up,
                deals=deals,
                think=parse_think_time(think),
                storms=storms_of(storm_every, storm_share),
                spectators=spectators,
                slow_readers=slow_readers,
                slow_seconds=slow_pause_of(slow_readers, slow_pause),
                preset=rules,
                overrides=tuple(map(parse_override, overrides or ())),
                deal_source=parse_deal_source(deal_source),
                records=records,
                metrics=metrics,
                tokens=() if tokens is None else read_tokens(tokens),
                seed=seed,
            )
            require_address(target)
            _require_two_files(records, json_file)
            _require_files(plan.connections + _OWN_FILES)
            _require_writable(json_file)  # before anything is done in vain
            interrupted, outcome = _played(
                plan, interruption, Target(target, ca=ca, plaintext=plaintext)
            )
        except (PlanError, AddressError) as error:
            raise ended(error, EXIT_UNUSABLE) from error
        except RemoteError as error:
            if error.reason == Reason.UNAUTHENTICATED.name and tokens is None:
                typer.echo(
                    "this server keeps accounts; --tokens FILE names tokens of its own", err=True
                )
            raise ended(error, EXIT_REFUSED) from error
        except OSError as error:
            raise ended_by_file(error, EXIT_UNUSABLE, records) from error
        conclude(outcome, target, records, json_file, interrupted=interrupted)


def _played(plan: LoadPlan, interruption: Interruption, target: Target) -> tuple[bool, Outcome]:
    """Play, with a panel meanwhile: whether a signal has ended it, and what became of it."""
    if plan.idle_sessions:
        typer.echo(
            f"{plan.idle_sessions:,} of {plan.sessions:,} sessions have no seat; "
            "take more --tables",
            err=True,
        )
    spare_the_collector()  # its looks would be measured as the server's
    with live_rows("skat-server load") as show:
        try:
            return run_in(Loop.AUTO, _run(plan, interruption, target, _panel(show)))
        finally:
            interruption.stop = None


async def _run(
    plan: LoadPlan,
    interruption: Interruption,
    target: Target,
    show: Callable[[Glance], None],
) -> tuple[bool, Outcome]:
    run = LoadRun(plan, target, SystemClock(), show)
    loop = asyncio.get_running_loop()

    def stop() -> None:
        with suppress(RuntimeError):  # it has just ended, and its loop is closed
            loop.call_soon_threadsafe(run.stop)

    interruption.stop = stop
    outcome = await run.run()
    return run.stopped.is_set(), outcome


def _panel(show: Callable[..., None] | None) -> Callable[[Glance], None]:
    glances: deque[Glance] = deque(maxlen=_GLANCES)

    def look(glance: Glance) -> None:
        if glances and glances[-1].stage is not glance.stage:
            glances.clear()
        glances.append(glance)
        if show is not None:
            with suppress(OSError):  # its terminal has closed, and the tables are to be closed yet
                show(glance_rows(glance, glances[0]))

    return look


def _require_files(wanted: int) -> None:
    """Make sure that every connection gets a file: one without looks like the server's fault.

    Raises:
        PlanError: the machine does not allow so many.
    """
    allowed = raise_file_limit(wanted)
    if allowed < wanted:
        raise PlanError(
            f"this load wants {wanted:,} open files and {allowed:,} are allowed here: raise that "
            "(ulimit -Hn), or take fewer --sessions and spectators"
        )


def _require_two_files(records: Path | None, json_file: Path | None) -> None:
    """Refuse one file for both: the document is written last, in place of what is there.

    Raises:
        PlanError: it is one file.
    """
    if records is not None and json_file is not None and records.resolve() == json_file.resolve():
        raise PlanError(f"--records and --json both name {json_file}; take a file for each")


def _require_writable(file: Path | None) -> None:
    """Make sure that the document can be written; what is in the file stays until then.

    Raises:
        PlanError: it is to be printed, and standard output is closed.
        OSError: the file cannot be written.
    """
    if file == PRINTED and sys.stdout is None:
        raise PlanError("--json -: standard output is closed; name a file")
    if file is not None and file != PRINTED:
        file.open("a", encoding="utf-8").close()
