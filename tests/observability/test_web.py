"""The port for probes and Prometheus, on a real server."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from skat_server.app import App
from skat_server.config import Settings, WebSettings
from skat_server.observability import web
from skat_server.observability.listening import MOST_AT_ONCE
from skat_server.observability.logging import LogLevel
from skat_server.observability.metrics.declarations import METRICS
from skat_server.observability.metrics.room import Room
from skat_server.observability.web import Web, WebAddressError
from tests.leaks.eavesdropping import server_log
from tests.observability.scraping import Answer, fetch, get, scrape
from tests.server.stores import OutageStore

pytestmark = pytest.mark.asyncio

SETTINGS = Settings(port=0, grace=0.0, web=WebSettings())
OK = Answer(200, "ok\n")


@pytest_asyncio.fixture
async def app() -> AsyncIterator[App]:
    async with App(SETTINGS) as app:
        yield app


async def test_every_metric_is_shown_as_it_is_declared(app: App) -> None:
    found = await scrape(app.web_address)
    declared = {one.name.removesuffix("_total"): one.kind.value for one in METRICS}
    assert {name: found.types[name] for name in found.own} == declared
    assert {"process_cpu_seconds", "python_gc_collections"} <= set(found.types)


async def test_a_server_that_serves_is_alive_and_ready(app: App) -> None:
    assert await get(app.web_address, "/healthz") == OK
    assert await get(app.web_address, "/readyz") == OK
    assert (await scrape(app.web_address)).value("skat_node_state", state="serving") == 1


async def test_another_path_is_told_which_there_are(app: App) -> None:
    answer = await get(app.web_address, "/")
    assert answer == Answer(404, "try /metrics, /healthz, /readyz\n")


async def test_a_server_that_drains_lives_and_is_not_ready(app: App) -> None:
    app.drain.start(60)
    assert await get(app.web_address, "/healthz") == OK
    assert await get(app.web_address, "/readyz") == Answer(503, "the server stops\n")
    assert (await scrape(app.web_address)).value("skat_node_state", state="draining") == 1


async def test_a_server_whose_store_is_full_lives_and_is_not_ready() -> None:
    store = OutageStore()
    async with App(SETTINGS, store=store) as app:
        store.set_out(True)
        assert await get(app.web_address, "/healthz") == OK
        answer = await get(app.web_address, "/readyz")
        assert answer == Answer(503, "the store can keep nothing now\n")
        assert (await scrape(app.web_address)).value("skat_node_state", state="unavailable") == 1
        store.set_out(False)
        assert await get(app.web_address, "/readyz") == OK


async def test_a_server_without_a_port_for_it_has_none() -> None:
    async with App(Settings(port=0, grace=0.0)) as app:
        assert app.web_address is None


async def test_a_port_in_use_is_named(app: App) -> None:
    assert app.web_address is not None
    port = int(app.web_address.rpartition(":")[2])
    with pytest.raises(WebAddressError, match=f"127.0.0.1:{port} for metrics"):
        async with App(Settings(port=0, grace=0.0, web=WebSettings(port=port))):
            pass


async def test_the_port_is_free_again_afterwards() -> None:
    async with App(SETTINGS) as app:
        address = app.web_address
    assert address is not None
    host, _, port = address.rpartition(":")
    socket.create_server((host, int(port))).close()


async def test_a_loop_that_does_not_answer_is_not_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    """The probe is asked from the loop itself, which waits for it and so is stuck."""
    monkeypatch.setattr(web, "ANSWERS_WITHIN", 0.05)
    served = Web(Room(), list)
    served.start("127.0.0.1", 0)
    address = f"127.0.0.1:{served.port}"
    try:
        assert fetch(address, "/healthz") == Answer(503, "the event loop does not answer\n")
        assert fetch(address, "/readyz") == Answer(503, "the event loop does not answer\n")
        assert fetch(address, "/metrics").status == 200
        assert await get(address, "/healthz") == OK
    finally:
        await served.stop()


async def test_a_fault_of_ours_is_neither_ready_nor_told() -> None:
    """Its text stays away from whoever asks and from the log (T6)."""

    def reasons() -> list[str]:
        raise RuntimeError("CJ SJ HJ DJ")

    served = Web(Room(), reasons)
    served.start("127.0.0.1", 0)
    try:
        with server_log(LogLevel.ERROR) as log:
            answer = await get(f"127.0.0.1:{served.port}", "/readyz")
    finally:
        await served.stop()
    assert answer == Answer(500, "see the log of the server\n")
    assert json.loads(log.getvalue())["event"] == "web.failed"
    assert "CJ" not in log.getvalue()


async def test_too_many_at_once_are_turned_away(app: App) -> None:
    """Threads are bounded: connections that say nothing hold no more than their places."""
    assert app.web_address is not None
    host, _, port = app.web_address.rpartition(":")
    silent = [await asyncio.open_connection(host, int(port)) for _ in range(MOST_AT_ONCE)]
    extra, writer = await asyncio.open_connection(host, int(port))
    assert await extra.read() == b""
    for _, one in [*silent, (extra, writer)]:
        one.close()
