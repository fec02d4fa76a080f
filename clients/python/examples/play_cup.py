"""Plays a duplicate cup of three bundled bots, from the organiser's file to the verified export.

    python play_cup.py

starts a server of its own on a free port, whose data lie in a temporary folder. The bots play over
the public interface, as they would on other machines; the organiser types commands of
`skat-server tournament`. What stays is the folder that is named at the end: the report, and the
export with every game.
"""

import asyncio
import os
import re
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn
from rich.table import Table as Sheet

from skat_client import (
    AsyncClient,
    Bot,
    BotFactory,
    SessionOptions,
    SkatError,
    Standing,
    StandingsSeen,
    new_token,
    play_tournament,
)
from skat_client.bots import BOTS

ENTRIES = ("random", "first-option", "rules")
EVENT = """\
name = "Demo cup"
tables_at_once = 12

[format]                   # everybody before everybody, every board in three rotations
kind = "round_robin"
rounds = {rounds}
boards = {boards}
"""
MOST_BOARDS = 6
"""Boards of a match: short matches keep all tables busy to the end."""
START_WITHIN = 30.0
"""Seconds that the server may take to listen."""
STOP_WITHIN = 10.0
"""Seconds that it may take to end."""
MAX_DOWNTIME = 15.0
"""Seconds without a connection after which the bots give up."""
ENDED = 128 + signal.SIGTERM
"""Exit status after SIGTERM."""
INTERRUPTED = 128 + signal.SIGINT
"""Exit status after Ctrl-C."""
PIPED_WIDTH = 120
"""Columns where nobody's terminal sets a limit."""
BAR = 31
"""Characters of an interval."""
LISTENS = re.compile(rb"listening on (\S+)")


class CupError(Exception):
    """Something that the user can mend."""


@dataclass(frozen=True)
class Outcome:
    """What came of it."""

    seen: StandingsSeen
    seconds: float
    """Of play."""
    report: Path
    export: Path
    verdict: str
    """What the verifier says."""


# ------------------------------------------------------------------------------------- the server


@asynccontextmanager
async def started_server(data: Path) -> AsyncIterator[str]:
    """A server of our own on a free port; its address."""
    with (data / "log").open("wb+") as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "skat_server", "serve", "--port", "0"),
            *("--data", str(data)),
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
        )
        try:
            yield await _address(process)
        except TimeoutError as error:
            log.seek(0)
            text = log.read().decode(errors="replace").strip()
            raise CupError(f"the server did not start\n{text}") from error
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


@dataclass(frozen=True)
class Organiser:
    """Somebody who types commands."""

    server: str
    token: str

    async def type(self, *words: str | Path) -> str:
        """Run `skat-server tournament` with these words; what it prints."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "skat_server", "tournament", *map(str, words)),
            env={**os.environ, "SKAT_SERVER": self.server, "SKAT_TOKEN": self.token},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        output, errors = await process.communicate()
        if process.returncode:
            raise CupError((errors or output).decode().strip())
        return output.decode().strip()


# ---------------------------------------------------------------------------------------- the cup


async def play_cup(boards: int, seed: str | None, results: Path, progress: Progress) -> Outcome:
    """Everything, from an empty folder to the verified export."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        async with started_server(data) as server:
            progress.console.print(f"playing on a server of its own, {server}", highlight=False)
            organiser = Organiser(server, new_token())
            file = data / "cup.toml"
            file.write_text(event_file(boards, seed), encoding="utf-8")
            cup = await organiser.type("create", file, "--open")
            started = time.perf_counter()
            seen = await _play(organiser, cup, progress)
            seconds = time.perf_counter() - started
            target = results / cup
            report, export = target / "report.html", target / "export"
            target.mkdir(parents=True)
            await organiser.type("report", cup, report)
            await organiser.type("export", cup, export, "--format", "sgf")
            verdict = await organiser.type("verify", export)
    return Outcome(seen, seconds, report, export, verdict)


def event_file(boards: int, seed: str | None) -> str:
    """The organiser's file: so many boards, half of them in each cyclic order."""
    matches = -(-boards // MOST_BOARDS)
    rounds = -(-matches // 2)
    text = EVENT.format(rounds=rounds, boards=-(-boards // (2 * rounds)))
    if seed is None:
        return text
    return f'rated = false\n{text}\n[seeds]\nseed = "{seed}"\n'


async def _play(organiser: Organiser, cup: str, progress: Progress) -> StandingsSeen:
    """Enter the bots, start, and watch until it is over."""
    async with AsyncExitStack() as stack:
        watcher = await stack.enter_async_context(AsyncClient(organiser.server, token=new_token()))
        clients = []
        for name in ENTRIES:
            client = await stack.enter_async_context(
                AsyncClient(organiser.server, token=new_token())
            )
            await client.register(cup, name)
            clients.append(client)
        await organiser.type("start", cup)
        options = SessionOptions(max_downtime=MAX_DOWNTIME)
        async with asyncio.TaskGroup() as tasks:
            for name, client in zip(ENTRIES, clients, strict=True):
                bot = play_tournament(bot_of_tables(name), client, cup, options=options)
                tasks.create_task(bot)
            return await _watch(watcher, cup, progress)


def bot_of_tables(name: str) -> BotFactory:
    """A bundled bot with memory and chance of its own at every table."""

    def make(table_id: str) -> Bot:
        del table_id
        return BOTS[name](secrets.randbits(32))

    return make


async def _watch(client: AsyncClient, cup: str, progress: Progress) -> StandingsSeen:
    bar = progress.add_task("games", total=None)
    last: StandingsSeen | None = None
    async for last in client.watch_standings(cup, max_downtime=MAX_DOWNTIME):
        tournament = last.tournament
        progress.update(bar, completed=tournament.games_done, total=tournament.games_planned)
    assert last is not None
    return last


# ---------------------------------------------------------------------------------------- the table


def standings_sheet(rows: Sequence[Standing]) -> Sheet:
    """Everybody with the interval that holds together with all others."""
    title = "Standings (points a game against the average of the field, 95 % intervals)"
    sheet = Sheet(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for heading in ("place", "entry", "points", "from", "to", "", "for 36 games", "games"):
        left = heading in ("entry", "")
        sheet.add_column(heading, justify="left" if left else "right", no_wrap=True)
    low, high = min(row.low for row in rows), max(row.high for row in rows)
    for row in rows:
        sheet.add_row(
            _places(row),
            row.name,
            f"{row.strength:+.1f}",
            f"{row.low:+.1f}",
            f"{row.high:+.1f}",
            _interval(row, low, high),
            f"{row.points_per_36:.0f}",
            f"{row.games}",
        )
    return sheet


def _places(row: Standing) -> str:
    """The places that are left open."""
    if row.best_place == row.worst_place:
        return f"{row.place}"
    return f"{row.best_place}-{row.worst_place}"


def _interval(row: Standing, low: float, high: float) -> str:
    span = (high - low) or 1.0

    def place(value: float) -> int:
        return round((value - low) / span * (BAR - 1))

    cells = [" "] * BAR
    cells[place(row.low) : place(row.high) + 1] = "─" * (place(row.high) - place(row.low) + 1)
    cells[place(row.strength)] = "●"
    return "".join(cells)


# -------------------------------------------------------------------------------------- the program


def _end_on_sigterm() -> None:
    """Have SIGTERM cancel this task, so that the server is ended as well."""
    task = asyncio.current_task()
    assert task is not None
    with suppress(NotImplementedError):  # on Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


async def _run(boards: int, seed: str | None, results: Path) -> Outcome:
    _end_on_sigterm()
    columns = ("[progress.description]{task.description}", BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True)) as progress:
        return await play_cup(boards, seed, results, progress)


def _first_failure(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def main(
    boards: Annotated[int, typer.Option(min=2, help="Boards, each played three times.")] = 60,
    seed: Annotated[
        str | None, typer.Option(help="64 hex digits: the same boards every time.")
    ] = None,
    results: Annotated[Path, typer.Option(help="Folder for report and export.")] = Path(
        "demo-results"
    ),
) -> None:
    """Play a duplicate cup of three bundled bots and say who is better, and how sure that is."""
    console = Console(width=None if sys.stdout.isatty() else PIPED_WIDTH)
    try:
        outcome = asyncio.run(_run(boards, seed, results))
    except asyncio.CancelledError:
        raise typer.Exit(ENDED) from None
    except KeyboardInterrupt:
        typer.echo("stopped", err=True)
        raise typer.Exit(INTERRUPTED) from None
    except (CupError, SkatError, OSError, ExceptionGroup) as error:
        failure = _first_failure(error)
        if not isinstance(failure, CupError | SkatError | OSError):
            raise
        typer.echo(f"{failure}", err=True)
        raise typer.Exit(1) from None
    standings, games = outcome.seen.standings, outcome.seen.tournament.games_done
    console.print(standings_sheet(standings.rows))
    rate = games / outcome.seconds
    console.print(
        f"{standings.blocks} boards, {games} games in {outcome.seconds:.1f} s, {rate:.1f} games/s"
    )
    console.print(f"verified: {outcome.verdict}", soft_wrap=True, highlight=False)
    console.print(f"report: {outcome.report}", soft_wrap=True)
    console.print(f"export: {outcome.export}", soft_wrap=True)


if __name__ == "__main__":
    typer.run(main)
