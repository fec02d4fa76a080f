"""Plays a list of deals among bundled bots and prints the score sheet.

    python play_list.py --start-server

starts a server of its own on a free port; without that option the server is the one named by
--server or SKAT_SERVER. Everything goes over the public interface, as it would for bots on
other machines.
"""

import asyncio
import hashlib
import itertools
import re
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TimeElapsedColumn
from rich.table import Table as Sheet

from skat_client import (
    Action,
    AsyncClient,
    Bot,
    DealEnded,
    Decision,
    Ending,
    FreshDeals,
    RuleSet,
    SeededDeals,
    SessionOptions,
    SkatError,
    Table,
    TableEvent,
    TableSight,
    new_token,
    run,
)
from skat_client.bots import BOTS

START_WITHIN = 30.0
"""Seconds that the server may take to listen."""
STOP_WITHIN = 10.0
"""Seconds that it may take to end."""
ENDED = 128 + signal.SIGTERM
"""Exit status after SIGTERM."""
INTERRUPTED = 128 + signal.SIGINT
"""Exit status after Ctrl-C."""
MAX_DOWNTIME = 15.0
"""Seconds without a connection after which the bots give up."""
PIPED_WIDTH = 200
"""Columns where nobody's terminal sets a limit; sheets take what they need."""
LISTENS = re.compile(rb"listening on (\S+)")


class PlayListError(Exception):
    """Something that the user can mend."""


@dataclass(frozen=True)
class Plan:
    """What is to be played."""

    bots: tuple[str, ...]
    deals: int
    seed: int | None
    preset: str


@dataclass(frozen=True)
class Row:
    """A line of the score sheet."""

    number: int
    dealer: int
    ended: DealEnded


@dataclass
class Series:
    """What came of it."""

    table: Table
    names: tuple[str, ...]
    rows: list[Row] = field(default_factory=list)
    totals: tuple[int, ...] = ()
    seconds: float = 0.0
    records: list[str] = field(default_factory=list)
    """One line of JSON a deal."""


# ------------------------------------------------------------------------------------- the server


@asynccontextmanager
async def started_server() -> AsyncIterator[str]:
    """A server of our own on a free port; its address."""
    with tempfile.TemporaryFile() as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "skat_server", "serve", "--port", "0"),
            *("--durability", "memory"),
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
        )
        try:
            yield await _address(process)
        except TimeoutError as error:
            log.seek(0)
            text = log.read().decode(errors="replace").strip()
            raise PlayListError(f"the server did not start\n{text}") from error
        finally:
            await _stop(process)


async def _address(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    async with asyncio.timeout(START_WITHIN):
        async for line in process.stdout:
            found = LISTENS.search(line)
            if found:
                return found[1].decode()
    raise TimeoutError


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        async with asyncio.timeout(STOP_WITHIN):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


# -------------------------------------------------------------------------------------- the series


class Scribe:
    """A bot that writes the score sheet while another one plays."""

    def __init__(self, bot: Bot, series: Series, progress: Progress, bar: TaskID) -> None:
        self._bot = bot
        self._series = series
        self._progress = progress
        self._bar = bar

    def decide(self, decision: Decision, sight: TableSight) -> Action | Awaitable[Action]:
        """The answer of the bot that plays."""
        return self._bot.decide(decision, sight)

    def observe(self, event: TableEvent, sight: TableSight) -> None:
        """Write a line for every deal."""
        observe = getattr(self._bot, "observe", None)
        if observe is not None:
            observe(event, sight)
        if isinstance(event.event, DealEnded):
            deal = sight.deal
            if event.event.result.ending is Ending.REDEALT:
                return
            self._series.rows.append(Row(deal.number, deal.dealer, event.event))
            self._progress.update(self._bar, completed=deal.number)


async def play_series(server: str | None, plan: Plan, progress: Progress) -> Series:
    """Make a table, seat the bots, play to the end, fetch the records."""
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(AsyncClient(server, token=new_token()))
            for _ in plan.bots
        ]
        series = Series(await _new_table(clients[0], plan), _player_names(plan.bots))
        table_id = series.table.table_id
        bar = progress.add_task("deals", total=plan.deals)

        def scribe(bot: Bot) -> Bot:
            return Scribe(bot, series, progress, bar)

        started = time.perf_counter()
        async with asyncio.TaskGroup() as tasks:
            players = [
                tasks.create_task(_play_seat(client, seat, series, plan, scribe))
                for seat, client in enumerate(clients)
            ]
        series.seconds = time.perf_counter() - started
        series.totals = players[0].result().totals
        series.records = [record.json async for record in clients[0].list_deal_records(table_id)]
    return series


async def _play_seat(
    client: AsyncClient, seat: int, series: Series, plan: Plan, scribe: Callable[[Bot], Bot]
) -> TableSight:
    """Play one seat to the end; what it knows of the table then."""
    bot = BOTS[plan.bots[seat]](_bot_seed(plan, seat))
    table_id = series.table.table_id
    sights = await run(
        scribe(bot) if seat == 0 else bot,
        client,
        [table_id],
        player_name=series.names[seat],
        seat=seat,
        options=SessionOptions(max_downtime=MAX_DOWNTIME),
    )
    return sights[table_id]


async def _new_table(client: AsyncClient, plan: Plan) -> Table:
    overrides = {
        "seats": str(len(plan.bots)),
        "session_end": "fixed_deals",
        "session_deals": str(plan.deals),
        "scoring": "seeger_fabian",
    }
    seeded = plan.seed is not None
    digest = hashlib.sha256(f"play_list {plan.seed}".encode()).digest()
    return await client.create_table(
        RuleSet(plan.preset, overrides),
        display_name="play list",
        deal_source=SeededDeals(digest) if seeded else FreshDeals(),
    )


def _bot_seed(plan: Plan, seat: int) -> int:
    return secrets.randbits(32) if plan.seed is None else plan.seed + seat


def _player_names(bots: tuple[str, ...]) -> tuple[str, ...]:
    """The bots' names, numbered where one plays on several seats."""
    return tuple(
        bot if bots.count(bot) == 1 else f"{bot} {bots[: seat + 1].count(bot)}"
        for seat, bot in enumerate(bots)
    )


def write_records(series: Series, folder: Path) -> Path:
    """Write one line of JSON a deal; where."""
    path = folder / f"{series.table.table_id}.jsonl"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(line + "\n" for line in series.records), encoding="utf-8")
    except OSError as error:
        raise PlayListError(f"cannot write {path}: {error.strerror}; see --records") from error
    return path


# --------------------------------------------------------------------------------- the score sheet


def _new_sheet(title: str) -> Sheet:
    return Sheet(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))


def score_sheet(series: Series) -> Sheet:
    """Every deal with the running totals."""
    sheet = _new_sheet("Score sheet (Seeger-Fabian; won or lost with so many card points)")
    for heading in ("", "dealer", "declarer", "bid", "contract", "result", "change"):
        right = heading in ("", "bid", "change")
        sheet.add_column(
            heading, justify="right" if right else "left", no_wrap=heading != "contract"
        )
    for name in series.names:
        sheet.add_column(name, justify="right")
    for row in series.rows:
        totals = (str(total) for total in row.ended.totals)
        sheet.add_row(str(row.number), series.names[row.dealer], *_deal_cells(row, series), *totals)
    return sheet


def _deal_cells(row: Row, series: Series) -> tuple[str, ...]:
    result = row.ended.result
    game, ramsch = result.game, result.ramsch
    if ramsch is not None:
        points = " ".join(str(points) for points in ramsch.points)
        return ("-", "-", "ramsch", points, " ".join(f"{change:+d}" for change in result.scores))
    if game is None:
        return ("-", "-", "passed in", "-", "0")
    value = game.value
    outcome = f"{'won' if value.won else 'lost'} {game.declarer_points}"
    if value.overbid:
        outcome += " overbid"
    doublings = {"kontra": game.kontra, "re": game.re, "bock": game.bock}
    outcome += "".join(f" {word}" for word, holds in doublings.items() if holds)
    if value.matadors:
        side = "with" if value.matadors > 0 else "without"
        contract = f"{game.contract}, {side} {abs(value.matadors)}"
    else:
        contract = str(game.contract)
    change = f"{row.ended.changes[game.seat]:+d}"
    return (series.names[game.seat], str(game.bid), contract, outcome, change)


def ranking(series: Series) -> Sheet:
    """Who won: totals, and games won and lost as declarer."""
    games = [row.ended.result.game for row in series.rows]
    sheet = _new_sheet("Final ranking")
    for heading in ("place", "player", "total", "games won", "games lost"):
        sheet.add_column(heading, justify="left" if heading == "player" else "right")
    for seat in sorted(range(len(series.names)), key=lambda seat: -series.totals[seat]):
        total = series.totals[seat]
        place = 1 + sum(other > total for other in series.totals)
        mine = [game.value.won for game in games if game is not None and game.seat == seat]
        cells = (place, series.names[seat], total, mine.count(True), mine.count(False))
        sheet.add_row(*(str(cell) for cell in cells))
    return sheet


# ------------------------------------------------------------------------------------- the program


def _chosen_bots(text: str, seats: int) -> tuple[str, ...]:
    """The bots named, the first ones again where there are more seats."""
    names = [name.strip() for name in text.split(",")]
    unknown = [name for name in names if name not in BOTS]
    if unknown:
        raise PlayListError(f"there is no bot {unknown[0]!r}: choose from {', '.join(BOTS)}")
    if len(names) > seats:
        raise PlayListError(f"{len(names)} bots do not fit on {seats} seats; see --seats")
    return tuple(itertools.islice(itertools.cycle(names), seats))


def _end_on_sigterm() -> None:
    """Have SIGTERM cancel this task, so that the server is ended as well."""
    task = asyncio.current_task()
    assert task is not None
    with suppress(NotImplementedError):  # on Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


async def _play(server: str | None, start_server: bool, plan: Plan) -> Series:
    _end_on_sigterm()
    columns = ("[progress.description]{task.description}", BarColumn(), MofNCompleteColumn())
    progress = Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True))
    source = started_server() if start_server else nullcontext(server)
    async with source as address:
        with progress:
            return await play_series(address, plan, progress)


def _first_failure(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def main(  # noqa: PLR0913, PLR0917 - a command has as many parameters as options
    start_server: Annotated[
        bool, typer.Option("--start-server", help="Start a server for this run.")
    ] = False,
    server: Annotated[
        str | None, typer.Option(envvar="SKAT_SERVER", help="HOST:PORT.  [default: 127.0.0.1:7654]")
    ] = None,
    bots: Annotated[
        str, typer.Option(help="Who plays, by seat: random, first-option, chaos, rules.")
    ] = "random,first-option,rules",
    deals: Annotated[int, typer.Option(min=1, help="Deals of the series.")] = 36,
    seats: Annotated[int, typer.Option(min=3, max=4, help="Places at the table.")] = 3,
    preset: Annotated[str, typer.Option(help="The rules.")] = "isko",
    seed: Annotated[
        int | None, typer.Option(help="The same deals and bots every time.  [default: fresh]")
    ] = None,
    records: Annotated[Path, typer.Option(help="Folder for the deal records.")] = Path("records"),
) -> None:
    """Play a list of deals among bundled bots and print the score sheet."""
    console = Console(width=None if sys.stdout.isatty() else PIPED_WIDTH)
    try:
        plan = Plan(_chosen_bots(bots, seats), deals, seed, preset)
        series = asyncio.run(_play(server, start_server, plan))
        path = write_records(series, records)
    except asyncio.CancelledError:
        raise typer.Exit(ENDED) from None
    except KeyboardInterrupt:
        typer.echo("stopped", err=True)
        raise typer.Exit(INTERRUPTED) from None
    except (PlayListError, SkatError, ExceptionGroup) as error:
        failure = _first_failure(error)
        if not isinstance(failure, PlayListError | SkatError):
            raise
        typer.echo(f"{failure}", err=True)
        if not start_server:
            typer.echo("With --start-server this program starts a server of its own.", err=True)
        raise typer.Exit(1) from None
    console.print(score_sheet(series))
    console.print(ranking(series))
    rate = len(series.rows) / series.seconds
    console.print(f"{len(series.rows)} deals in {series.seconds:.2f} s, {rate:.1f} deals/s")
    console.print(f"deal records: {path}", soft_wrap=True)


if __name__ == "__main__":
    typer.run(main)
