"""T6, for all that an operator sees of play: no cards, no seeds, no tokens."""

from __future__ import annotations

import json
import re

import grpc
import pytest

from skat_server.app import App
from skat_server.config import Settings, WebSettings
from skat_server.observability.logging import LogLevel
from skat_server.observability.vocabulary import EVENTS
from skat_server.tables.sources import FreshDeals
from tests.leaks.eavesdropping import is_in, server_log
from tests.observability.scraping import get
from tests.rpc.series import play_series

CARD = re.compile(r"\b[CSHD][789TJQKA]\b")
TOKENS = re.compile(r"token-of-player")


async def seen() -> tuple[str, str, list[bytes]]:
    """The log and the metrics of a server that was played on, and the seeds of its tables."""
    with server_log(LogLevel.DEBUG) as log:
        async with App(Settings(port=0, grace=0.0, web=WebSettings())) as app:
            async with grpc.aio.insecure_channel(app.address) as channel:
                await play_series(channel, deals=3)
            metrics = (await get(app.web_address, "/metrics")).text
            sources = [one.config.source for one in app.tables.carried]
            seeds = [one.table_seed for one in sources if isinstance(one, FreshDeals)]
    return log.getvalue(), metrics, seeds


@pytest.mark.asyncio
async def test_neither_log_nor_metrics_tell_what_was_played() -> None:
    log, metrics, seeds = await seen()
    events = [json.loads(line)["event"] for line in log.splitlines()]
    assert {"server.started", "table.opened", "deal.ended", "table.ended"} <= set(events)
    assert set(events) <= set(EVENTS)
    assert len(seeds) == 1
    for text in (log, metrics):
        assert CARD.findall(text) == []
        assert TOKENS.findall(text) == []
        assert not is_in(seeds[0], [text.encode()])


def test_the_search_finds_what_is_there() -> None:
    assert CARD.findall("hand: CJ, D7") == ["CJ", "D7"]
    assert CARD.findall("0123CJ99 table-d7 GRAND") == []
