"""Bots play on while the server is stopped and started again at random points (F1, R18).

The server keeps its tables in a file. Nobody is asked a turn twice, nothing is played but what
was answered, and every deal has its record.
"""

import asyncio
import json
import random
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from skat_client import (
    Action,
    AsyncClient,
    Backoff,
    Bot,
    ClockPolicy,
    DealRecord,
    Decision,
    RuleSet,
    SessionOptions,
    TableSight,
    Transport,
    new_token,
    run,
)
from skat_client._convert import action_to_proto
from skat_client._record_checks import FIRST, chain_fault
from skat_client.bots import BOTS
from skat_engine.records import own
from skat_engine.records.outcomes import Identical
from skat_engine.records.replay import replay
from skat_server.app import App
from skat_server.config import Settings
from skat_server.rpc.convert.values import action_from_proto
from tests.e2e.fuses import Fuse

pytestmark = pytest.mark.asyncio

DEALS = 4
RESTARTS = 3
QUICK = Backoff(first=0.01, longest=0.05)
PATIENT = ClockPolicy(decision_ms=600_000, grace_ms=600_000)


class Restarting:
    """A server that can be stopped and started again on the same port and folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._app: App | None = None
        self.port = 0
        self.starts = 0

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def start(self) -> None:
        settings = Settings(port=self.port, grace=0.0, data=self._folder)
        self._app = await App(settings).__aenter__()
        self.port = int(self._app.address.rpartition(":")[2])
        self.starts += 1

    async def stop(self) -> None:
        assert self._app is not None
        await self._app.__aexit__(None, None, None)


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[Restarting]:
    server = Restarting(folder)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


class Noting:
    """A bot that notes what it was asked and what it answered, deal by deal."""

    def __init__(self, bot: Bot, tick: Callable[[], None]) -> None:
        self._bot = bot
        self._tick = tick
        self.turns: list[str] = []
        self.answers: dict[int, list[Action]] = defaultdict(list)

    def decide(self, decision: Decision, sight: TableSight) -> Action:
        self._tick()
        answer = self._bot.decide(decision, sight)
        assert isinstance(answer, Action)
        self.turns.append(decision.turn_id)
        self.answers[sight.deal.number].append(answer)
        return answer


def new_fuse(seed: int) -> Fuse:
    """One for every restart; a deal has at least three decisions, and most more than thirty."""
    return Fuse(random.Random(seed).sample(range(3, 20 * DEALS), RESTARTS))


async def restart_at(fuse: Fuse, server: Restarting) -> None:
    while True:
        await fuse.burnt.wait()
        fuse.burnt.clear()
        await server.stop()
        await server.start()


async def play(
    server: Restarting, bots: list[Noting], options: SessionOptions
) -> tuple[str, list[DealRecord]]:
    """All bots at one table to its end; its id and its records."""
    rules = RuleSet("isko", {"session_end": "fixed_deals", "session_deals": str(DEALS)})
    async with AsyncClient(server.address, token=new_token()) as owner:
        table = await owner.create_table(rules, clock=PATIENT)
        async with asyncio.TaskGroup() as tasks:
            for seat, bot in enumerate(bots):
                tasks.create_task(play_alone(server.address, bot, table.table_id, seat, options))
        records = [record async for record in owner.list_deal_records(table.table_id)]
    return table.table_id, records


async def play_alone(
    address: str, bot: Bot, table_id: str, seat: int, options: SessionOptions
) -> None:
    async with AsyncClient(address, token=new_token()) as client:
        await run(bot, client, [table_id], seat=seat, options=options)


def played(record: DealRecord, seat: int) -> list[str]:
    """What a seat did in a deal, as its record has it."""
    row = json.loads(record.json)
    position = (seat - row["dealer"] - 1) % 3
    return [text[2:] for text in row["actions"] if text.startswith(f"{position} ")]


def in_notation(action: Action) -> str:
    return str(action_from_proto(action_to_proto(action)))


@pytest.mark.parametrize(
    ("transport", "seed"),
    [(Transport.STREAM, 1), (Transport.STREAM, 2), (Transport.POLLING, 3)],
    ids=["stream", "another stream", "polling"],
)
async def test_bots_play_a_list_across_restarts(
    transport: Transport, seed: int, tmp_path: Path
) -> None:
    options = SessionOptions(backoff=QUICK, transport=transport)
    fuse = new_fuse(seed)
    names = ("rules", "rules", "random")
    async with serving(tmp_path) as server:
        bots = [Noting(BOTS[name](seed), fuse.tick) for name in names]
        restarting = asyncio.create_task(restart_at(fuse, server))
        try:
            _, records = await play(server, bots, options)
        finally:
            restarting.cancel()
            await asyncio.gather(restarting, return_exceptions=True)
    assert server.starts > 1
    assert [record.deal_number for record in records] == list(range(1, DEALS + 1))
    for seat, bot in enumerate(bots):
        assert len(bot.turns) == len(set(bot.turns))
        for record in records:
            said = [in_notation(action) for action in bot.answers[record.deal_number]]
            assert said == played(record, seat)
    previous = FIRST
    for record in records:
        assert chain_fault(record, previous) == ""
        assert isinstance(replay(own.from_json_line(record.json)), Identical)
        previous = record.sha256
