"""Whatever a client does, the table beside it is played to its end (F9, F14 to F17, T11 to T17)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

import grpc
import pytest

from skat.v1 import table_service_pb2
from skat_client import AsyncClient
from skat_client import bot as bots
from skat_client.bots import RandomBot
from skat_server.app import App
from skat_server.config import Settings
from tests.rpc.player import Player
from tests.rude.clients import CLIENTS

pytestmark = pytest.mark.asyncio

DEALS: Final = 36

MET: Final[dict[str, set[str]]] = {
    "silent": set(),
    "slow": set(),
    "half_open": set(),
    "illegal": {"WRONG_PHASE", "TOO_MANY_ILLEGAL"},
    "duplicating": {"REPEATED", "STALE_TURN"},
    "flooding": {"RATE_LIMITED"},
    "storming": set(),
    "disorderly": {"HELLO_EXPECTED", "NOT_SEATED"},
    "superseding": {"SESSION_SUPERSEDED"},
}
"""The reasons that each of them is given."""


@asynccontextmanager
async def good_table(app: App) -> AsyncIterator[asyncio.Task[str]]:
    """Three bots at a list of deals, who play the same every time that nobody disturbs them."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(AsyncClient(app.address)) for _ in range(3)]
        channel = await stack.enter_async_context(grpc.aio.insecure_channel(app.address))
        request = table_service_pb2.CreateTableRequest()
        request.deal_source.seeded.seed = b"good".ljust(32, b".")
        table = await Player(channel, "good").create_table(request)

        async def play() -> str:
            async with asyncio.TaskGroup() as group:
                for seat, client in enumerate(clients):
                    group.create_task(
                        bots.run(RandomBot(seat), client, [table.table_id], seat=seat)
                    )
            return table.table_id

        yield asyncio.create_task(play())


async def played(app: App, table_id: str) -> list[dict[str, object]]:
    """What happened at a table: cards, actions, faults and results, without times."""
    records = await app.store.records(table_id, 0, DEALS)
    rows = [json.loads(record.json) for record in records]
    told = ("dealt", "actions", "faults", "stand_ins", "result")
    return [{name: row.get(name) for name in told} for row in rows]


@pytest.fixture(scope="module")
def undisturbed() -> list[dict[str, object]]:
    """What happens at the good table when nobody is rude."""

    async def play() -> list[dict[str, object]]:
        async with App(Settings(port=0, grace=0.0)) as app, good_table(app) as playing:
            return await played(app, await playing)

    return asyncio.run(play())


async def test_every_client_has_its_reasons() -> None:
    assert MET.keys() == CLIENTS.keys()


@pytest.mark.parametrize("name", list(CLIENTS))
async def test_a_table_beside_a_rude_client_is_played_to_its_end(
    name: str, undisturbed: list[dict[str, object]]
) -> None:
    """Deal by deal and card by card as if nobody had been there."""
    async with App(Settings(port=0, grace=0.0)) as app:
        async with good_table(app) as playing:
            met = await CLIENTS[name](app.address)
            table = app.tables.find(await playing)
        assert table.state.series.deals_done == DEALS
        assert await played(app, table.table_id) == undisturbed
        assert not table.viewers
    assert set(met) == MET[name]


@pytest.mark.parametrize("name", list(CLIENTS))
async def test_a_rude_client_leaves_nothing_behind(name: str) -> None:
    """T13, T16: no task and no session outlives the streams."""
    async with App(Settings(port=0, grace=0.0)) as app:
        await CLIENTS[name](app.address)
        before = len(asyncio.all_tasks())
        for _ in range(3):
            await CLIENTS[name](app.address)
        await asyncio.wait_for(_tasks_down_to(before), 20.0)
    assert len(asyncio.all_tasks()) == 1


async def _tasks_down_to(count: int) -> None:
    while len(asyncio.all_tasks()) > count + 1:
        await asyncio.to_thread(lambda: None)
