"""What probes and the log say of a server process from its start to its end, and of the next."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path

import grpc
import pytest

from tests.e2e.server_process import ServerProcess, run, serving
from tests.observability.scraping import Answer, get, scrape
from tests.rpc.deals import MIXED
from tests.rpc.game import new_game
from tests.rpc.player import Player

pytestmark = pytest.mark.asyncio

OK = Answer(200, "ok\n")
METRICS = "metrics and health are at http://"
WEB = ("--port", "0", "--metrics-port", "0", "--log-level", "info")


def web_address(server: ServerProcess) -> str:
    """Where a server says that its metrics are."""
    assert server.process.stdout is not None
    lines = [server.process.stdout.readline() for _ in range(2)]
    assert lines[1].startswith(METRICS), lines
    return lines[1].removeprefix(METRICS).strip()


async def test_probes_follow_a_server_that_drains_and_the_one_after_it(tmp_path: Path) -> None:
    """F18: alive to the end, ready only while it takes new work, exit code 0, nothing lost."""
    options = (*WEB, "--data", str(tmp_path / "data"))
    with serving(*options, "--grace", "60") as server:
        web = web_address(server)
        assert await get(web, "/readyz") == OK
        async with grpc.aio.insecure_channel(server.address) as channel:
            game = await new_game(channel, [MIXED])
            await game.play("18 hold")
            name = game.next_player.name
            asked = await game.next_player.decision(game.table_id)
            server.process.send_signal(signal.SIGTERM)
            while not game.players[0].responses[-1].HasField("going_away"):
                await game.players[0].read()
            assert await get(web, "/healthz") == OK
            assert await get(web, "/readyz") == Answer(503, "the server stops\n")
            assert (await scrape(web)).value("skat_node_state", state="draining") == 1
            code, errors = await asyncio.to_thread(server.stop)  # the second signal
    assert code == 0
    events = [json.loads(line)["event"] for line in errors.splitlines() if line[:1] == "{"]
    others = {"table.opened", "scheduling.unavailable"}  # the latter where a sandbox says so
    assert [event for event in events if event not in others] == [
        "server.started",
        "drain.started",
        "server.stopped",
    ]
    with serving(*options) as server:
        web = web_address(server)
        assert await get(web, "/readyz") == OK
        found = await scrape(web)
        assert found.value("skat_tables", state="parked") == 0
        assert found.value("skat_tables", state="paused") == 1  # its players are not back
        async with grpc.aio.insecure_channel(server.address) as channel:
            back = Player(channel, name)
            await back.open()
            assert (await back.decision(game.table_id)).turn_id == asked.turn_id


async def test_a_port_for_metrics_that_is_taken_says_what_to_do() -> None:
    with serving(*WEB) as server:
        port = web_address(server).rpartition(":")[2]
        result = await asyncio.to_thread(run, "serve", "--port", "0", "--metrics-port", port)
    assert result.returncode == 2
    assert f"127.0.0.1:{port} for metrics" in result.stderr
    assert "--metrics-port" in result.stderr
    assert "Traceback" not in result.stderr
