"""The port for probes and Prometheus, on a real server."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from skat_server.app import App
from skat_server.clock import ManualClock
from skat_server.config import Settings, WebSettings
from skat_server.observability import web
from skat_server.observability.listening import LASTS, MOST_AT_ONCE
from skat_server.observability.logging import LogLevel
from skat_server.observability.metrics.declarations import METRICS
from skat_server.observability.metrics.room import Room
from skat_server.observability.web import Web, WebAddressError
from skat_server.storage.protocols import Durability
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
    served = Web(Room(), list, ManualClock().monotonic)
    served.start("127.0.0.1", 0)
    address = f"127.0.0.1:{served.port}"
    try:
        assert fetch(address, "/healthz") == Answer(503, "the event loop does not answer\n")
        assert fetch(address, "/readyz") == Answer(503, "the event loop does not answer\n")
        assert fetch(address, "/metrics").status == 200
        assert await get(address, "/healthz") == OK
    finally:
        await served.stop()


Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def connected(address: str | None, *, number: int = 1, says: bytes = b"") -> list[Stream]:
    """Connections to the port, on which so much was said."""
    assert address is not None
    host, _, port = address.rpartition(":")
    streams = [await asyncio.open_connection(host, int(port)) for _ in range(number)]
    for _, writer in streams:
        writer.write(says)
    return streams


async def test_places_that_nobody_uses_are_for_others(app: App) -> None:
    """Threads are bounded, and connections that say nothing keep no probe out."""
    silent = await connected(app.web_address, number=MOST_AT_ONCE + 4)
    assert await get(app.web_address, "/healthz") == OK
    assert await silent[0][0].read() == b""
    for _, writer in silent:
        writer.close()


async def test_a_connection_lasts_only_so_long_whatever_is_said_on_it() -> None:
    clock = ManualClock()
    served = Web(Room(), list, clock.monotonic)
    served.start("127.0.0.1", 0)
    try:
        ((reader, writer),) = await connected(f"127.0.0.1:{served.port}", says=b"GET /heal")
        assert await get(f"127.0.0.1:{served.port}", "/healthz") == OK  # so the other is served
        clock.advance(LASTS + 1)
        await reader.read()
        writer.close()
    finally:
        await served.stop()


async def said(address: str | None, request: bytes) -> bytes:
    ((reader, writer),) = await connected(address, says=request)
    answer = await reader.read()
    writer.close()
    return answer


@pytest.mark.parametrize("kind", ["application/openmetrics-text", "text/plain"])
async def test_an_odd_wish_for_a_format_gets_the_plain_one(
    app: App, kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    wish = f"GET /metrics HTTP/1.1\r\nAccept: {kind};version=a.b.c\r\n\r\n"
    answer = await said(app.web_address, wish.encode())
    assert answer.startswith(b"HTTP/1.0 200")
    assert b"skat_tables" in answer
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("http://server.example:9464/healthz", 200),
        ("HTTP://server.example/metrics?name[]=skat_tables", 200),
        ("http://server.example", 404),
        ("http://[/healthz", 404),
        ("ftp://server.example/healthz", 404),
        ("http:/healthz", 404),
    ],
)
async def test_an_address_with_a_host_is_what_a_proxy_asks_for(
    app: App, asked: str, status: int
) -> None:
    answer = await said(app.web_address, f"GET {asked} HTTP/1.1\r\nHost: other\r\n\r\n".encode())
    assert answer.startswith(f"HTTP/1.0 {status}".encode())


@pytest.mark.parametrize("path", web.PATHS)
@pytest.mark.parametrize("method", ["POST", "DELETE", "TRACE", "BREW"])
async def test_nothing_can_be_changed_there(app: App, method: str, path: str) -> None:
    answer = await said(app.web_address, f"{method} {path} HTTP/1.1\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.0 405")


def fail() -> None:
    raise RuntimeError("CJ SJ HJ DJ")


async def test_a_number_that_cannot_be_had_costs_a_line_and_no_scrape(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with server_log(LogLevel.WARNING) as log:
        async with App(SETTINGS) as app:
            app.room.before_reading(fail)
            assert (await get(app.web_address, "/metrics")).status == 200
    line = json.loads(log.getvalue())
    assert (line["event"], line["err_type"]) == ("web.failed", "RuntimeError")
    assert "CJ" not in log.getvalue() + capfd.readouterr().err


async def test_a_fault_of_a_probe_is_told_without_its_text(
    capfd: pytest.CaptureFixture[str],
) -> None:
    def reasons() -> list[str]:
        fail()
        return []

    served = Web(Room(), reasons, ManualClock().monotonic)
    with server_log(LogLevel.WARNING) as log:
        served.start("127.0.0.1", 0)
        try:
            answer = await get(f"127.0.0.1:{served.port}", "/readyz")
        finally:
            await served.stop()
    assert answer.status == 500
    assert json.loads(log.getvalue())["event"] == "web.failed"
    assert "CJ" not in answer.text + log.getvalue() + capfd.readouterr().err


async def test_numbers_are_shown_while_there_is_no_folder(tmp_path: Path) -> None:
    """As at the first start, before the store has made it."""
    folder = tmp_path / "data"
    settings = replace(SETTINGS, data=folder, durability=Durability.ACTION)
    with server_log(LogLevel.WARNING) as log:
        async with App(settings) as app:
            shutil.move(folder, tmp_path / "moved")
            before = await scrape(app.web_address)
            shutil.move(tmp_path / "moved", folder)
            assert before.value("skat_data_bytes") == 0
            assert (await scrape(app.web_address)).value("skat_data_free_bytes") > 0
    assert log.getvalue() == ""
