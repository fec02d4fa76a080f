"""Plays many tables at once and says how many actions a second came through.

    python load_run.py --tables 50 --deals 12 --server 127.0.0.1:7654

Three players hold a seat at every table, each in one session, as one program that plays a
thousand tables would. Everybody runs in this one process, so the figure is what client and
server reach together, not what the server can do.
"""

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table as Sheet

from skat_client import (
    Action,
    AsyncClient,
    Bot,
    DealEnded,
    Decision,
    RuleSet,
    SessionOptions,
    SkatError,
    TableEvent,
    TableSight,
    Visibility,
    new_token,
    run,
)
from skat_client.bots import BOTS

SEATS = 3
FAILED = 1
"""Exit status when the server says no or does not answer."""
INTERRUPTED = 130
"""Exit status after Ctrl-C."""


@dataclass
class Counts:
    """What went by."""

    actions: int = 0
    deals: int = 0


class Counting:
    """A bot that counts its answers; the one at seat 0 counts the deals too."""

    def __init__(self, bot: Bot, counts: Counts) -> None:
        self._bot = bot
        self._counts = counts

    def decide(self, decision: Decision, sight: TableSight) -> Action:
        """The answer of the bot within, which thinks at once."""
        self._counts.actions += 1
        answer = self._bot.decide(decision, sight)
        assert isinstance(answer, Action)
        return answer

    def observe(self, event: TableEvent, sight: TableSight) -> None:
        """Count what ends."""
        if sight.seat == 0 and isinstance(event.event, DealEnded):
            self._counts.deals += 1


async def play(server: str | None, tables: int, deals: int, bot: str) -> Counts:
    """Make the tables and play them all to their end; what went by meanwhile."""
    counts = Counts()
    clients = [AsyncClient(server, token=new_token()) for _ in range(SEATS)]
    rules = RuleSet("isko", {"session_deals": str(deals)})
    try:
        made = [
            await clients[0].create_table(rules, visibility=Visibility.PRIVATE)
            for _ in range(tables)
        ]
        ids = [table.table_id for table in made]
        async with asyncio.TaskGroup() as tasks:
            for number, client in enumerate(clients):
                tasks.create_task(_play_seat(client, number, ids, bot, counts))
            tasks.create_task(_show_progress(counts, tables * deals))
    finally:
        for client in clients:
            await client.aclose()
    return counts


async def _play_seat(
    client: AsyncClient, seat: int, ids: list[str], bot: str, counts: Counts
) -> None:
    await run(
        lambda table_id: Counting(BOTS[bot](hash((table_id, seat))), counts),
        client,
        ids,
        player_name=f"{bot} {seat}",
        seat=seat,
        options=SessionOptions(max_downtime=15.0),
    )


async def _show_progress(counts: Counts, deals: int) -> None:
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("deals", total=deals)
        while counts.deals < deals:
            progress.update(bar, completed=counts.deals)
            await asyncio.sleep(0.1)


def _outcome(playing: Coroutine[Any, Any, Counts]) -> Counts | int:
    """What was counted, or the exit status when it was not to be, which is said here.

    Nothing is raised within ``except*``: Python before 3.11.4 would wrap it in a group.
    """
    status = FAILED
    try:
        return asyncio.run(playing)
    except* SkatError as group:
        typer.echo(f"{group.exceptions[0]}", err=True)
    except* KeyboardInterrupt:
        typer.echo("stopped", err=True)
        status = INTERRUPTED
    return status


def main(
    tables: Annotated[int, typer.Option(min=1, help="Tables played at once.")] = 20,
    deals: Annotated[int, typer.Option(min=1, help="Deals at each table.")] = 12,
    bot: Annotated[str, typer.Option(help="Who plays, a bundled bot.")] = "random",
    server: Annotated[
        str | None, typer.Option(envvar="SKAT_SERVER", help="HOST:PORT.  [default: 127.0.0.1:7654]")
    ] = None,
) -> None:
    """Play many tables at once and say how fast it went."""
    started = time.perf_counter()
    counts = _outcome(play(server, tables, deals, bot))
    if isinstance(counts, int):
        raise typer.Exit(counts)
    seconds = time.perf_counter() - started
    sheet = Sheet("tables", "deals", "actions", "seconds", "actions/s", "deals/s")
    figures = (counts.actions / seconds, counts.deals / seconds)
    sheet.add_row(
        str(tables),
        str(counts.deals),
        str(counts.actions),
        f"{seconds:.2f}",
        *(f"{figure:,.0f}" for figure in figures),
    )
    Console().print(sheet)


if __name__ == "__main__":
    typer.run(main)
