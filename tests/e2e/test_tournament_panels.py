"""What the dashboard of tournaments shows while events run, before a real Prometheus."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import grpc
import pytest

from deploy.grafana.panels import DASHBOARDS
from skat_client import AsyncClient, run
from skat_client.bots import BOTS
from skat_server.app import App
from skat_server.config import Settings, WebSettings
from tests.e2e.prometheus import scraping
from tests.rpc.test_tournaments import ENTRIES, LONG_CUP, Organiser, token

LONG_TEST = """
name = "Long test"
rated = false
tables_at_once = 2
[format]
kind = "ab_test"
boards = 2
[stop]
delta1 = 0.1
[[entries]]
name = "new"
house = "random"
[[entries]]
name = "old"
house = "random"
"""
QUERIES = [
    query.expr.replace("$__rate_interval", "1m").replace("$instance", ".*")
    for dashboard in DASHBOARDS
    if dashboard.name == "tournament"
    for panel in dashboard.panels
    for query in panel.queries
]
SHOWN = (
    'skat_tournaments{state="running"} == 2',
    'skat_tables{state="playing"} > 0',
    'skat_blocks{state="complete"} > 0',
    'skat_blocks{state="open"} > 0',
    'skat_queue_tables{state="ready"} > 0',
    "skat_sprt_llr != 0",
    "skat_sprt_llr_lower < 0",
    "skat_sprt_llr_upper > 0",
    "skat_rating_interval_width > 0",
    "rate(skat_deals_completed_total[1m]) > 0",
    'rate(skat_terminations_total{cause="normal"}[1m]) > 0',
    'rate(skat_bot_think_seconds_count{phase="bid"}[1m]) > 0',
    'rate(skat_bot_think_seconds_count{phase="card"}[1m]) > 0',
)
"""What cannot be zero while a cup and a test of two versions run."""


async def begin(channel: grpc.aio.Channel, text: str, names: tuple[str, ...]) -> Organiser:
    organiser = Organiser(channel)
    await organiser.create(text)
    await organiser.open()
    for name in names:
        await organiser.register(name)
    await organiser.start()
    return organiser


@asynccontextmanager
async def players(address: str) -> AsyncIterator[None]:
    """Three bots that differ, so that an interval has a width; until they are sent home."""
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        tasks = []
        for kind, name in zip(("rules", "random", "first-option"), ENTRIES, strict=True):
            client = await stack.enter_async_context(AsyncClient(address, token=token(name)))
            tasks.append(group.create_task(run(BOTS[kind](1), client)))
        yield
        for task in tasks:
            task.cancel()


@pytest.mark.asyncio
async def test_every_panel_of_tournaments_shows_events_that_run(tmp_path: Path) -> None:
    (tmp_path / "prometheus").mkdir()
    settings = Settings(port=0, grace=0.0, web=WebSettings(), data=tmp_path / "data", migrates=True)
    async with App(settings) as app, grpc.aio.insecure_channel(app.address) as channel:
        assert app.web_address is not None
        cup = await begin(channel, LONG_CUP, ENTRIES)
        await begin(channel, LONG_TEST, ())
        async with (
            players(app.address),
            scraping(app.web_address, tmp_path / "prometheus") as prometheus,
        ):
            await prometheus.until('skat_blocks{state="complete"} >= 50')
            await cup.standings()
            for expr in SHOWN:
                await prometheus.until(expr)
            answers = {expr: await prometheus.values(expr) for expr in QUERIES}
            fired = await prometheus.values('ALERTS{alertstate="firing"}')
    assert [expr for expr, values in answers.items() if all(map(math.isnan, values))] == []
    assert fired == []
