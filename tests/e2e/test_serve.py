"""``skat-server serve`` as people and scripts run it."""

from __future__ import annotations

import asyncio
import signal
import socket
from pathlib import Path

import grpc
import pytest

from skat.v1 import table_pb2, table_service_pb2
from tests.e2e.server_process import COMMAND, run, serving
from tests.rpc.failures import failure
from tests.rpc.player import Player
from tests.rpc.series import play_series

pytestmark = pytest.mark.asyncio


async def play_a_deal(channel: grpc.aio.Channel) -> table_pb2.Table:
    """Three players play one deal; the table afterwards."""
    players, (table_id,) = await play_series(channel, deals=1)
    return await players[0].get_table(table_id)


async def test_a_deal_is_played_and_sigterm_ends_it() -> None:
    """F18: exit code 0 after SIGTERM."""
    with serving("--port", "0") as server:
        async with grpc.aio.insecure_channel(server.address) as channel:
            table = await play_a_deal(channel)
        assert table.state == table_pb2.TABLE_STATE_FINISHED
        code, errors = server.stop()
    assert code == 0
    assert "skat-server stops" in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
async def test_ctrl_c_ends_it_too_and_so_does_a_terminal_that_closes(
    number: signal.Signals,
) -> None:
    with serving("--port", "0") as server:
        code, errors = server.stop(number)
    assert code == 0
    assert "skat-server stops" in errors
    assert "Traceback" not in errors


async def test_under_nohup_it_stays_when_the_terminal_closes() -> None:
    with serving("--port", "0", command=("nohup", COMMAND)) as server:
        server.process.send_signal(signal.SIGHUP)
        async with grpc.aio.insecure_channel(server.address) as channel:
            await Player(channel, "ann").create_table()
        assert server.stop()[0] == 0


async def test_open_streams_hear_of_the_end_and_delay_nothing() -> None:
    """F18: streams end with GOING_AWAY; the grace of a minute is not waited for."""
    with serving("--port", "0", "--grace", "60") as server:
        async with grpc.aio.insecure_channel(server.address) as channel:
            player = Player(channel, "ann")
            await player.open()
            code, _ = await asyncio.to_thread(server.stop)
            ended = await player.end()
    assert code == 0
    assert (ended.code, ended.reason) == (grpc.StatusCode.UNAVAILABLE, "GOING_AWAY")


async def test_a_port_in_use_says_what_to_do_and_nothing_else() -> None:
    with serving("--port", "0") as server:
        port = server.address.rpartition(":")[2]
        result = await asyncio.to_thread(run, "serve", "--port", port)
    assert result.returncode == 2
    assert result.stderr.splitlines() == [
        f"cannot listen on 127.0.0.1:{port}: Address already in use",
        "Choose another port with --port, or 0 for a free one.",
    ]
    assert result.stdout == ""


@pytest.mark.parametrize("which", ["admin", "metrics"])
async def test_a_second_port_in_use_is_named(which: str) -> None:
    with serving("--port", "0") as server:
        port = server.address.rpartition(":")[2]
        result = await asyncio.to_thread(run, "serve", "--port", "0", f"--{which}-port", port)
    assert result.returncode == 2
    first, second = result.stderr.splitlines()
    assert first.startswith(f"cannot listen on 127.0.0.1:{port} for ")
    assert second == f"Choose another port with --{which}-port, or 0 for a free one."


async def test_a_folder_in_use_says_what_to_do_and_nothing_else(tmp_path: Path) -> None:
    with serving("--port", "0", "--data", str(tmp_path)):
        arguments = ("serve", "--port", "0", "--data", str(tmp_path))
        result = await asyncio.to_thread(run, *arguments, SKAT_DURABILITY="action")
    assert result.returncode == 2
    what, advice = result.stderr.splitlines()
    assert "is in use by process" in what
    assert "--data" in advice


async def test_settings_come_from_the_environment() -> None:
    variables = {"SKAT_PORT": "0", "SKAT_HOST": "localhost", "SKAT_MAX_TABLES": "1"}
    with serving(variables=variables) as server:
        assert server.address.startswith("localhost:")
        async with grpc.aio.insecure_channel(server.address) as channel:
            ann = Player(channel, "ann")
            await ann.create_table()
            refused = await failure(ann.create_table())
    assert refused.reason == "QUOTA_EXCEEDED"


async def test_a_bare_ipv6_address_can_be_listened_on() -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
    with serving("--host", "::1", "--port", "0") as server:
        assert server.address.startswith("[::1]:")
        async with grpc.aio.insecure_channel(server.address) as channel:
            await Player(channel, "ann").create_table()


async def test_the_port_of_metrics_takes_an_address_in_brackets() -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
    arguments = ("--metrics-port", "0", "--metrics-host", "[::1]")
    with serving("--port", "0", *arguments) as server:
        assert server.process.stdout is not None
        server.process.stdout.readline()
        assert server.process.stdout.readline().startswith("metrics and health are at http://[::1]")


async def test_an_option_comes_before_the_environment() -> None:
    with serving("--max-tables", "2", variables={"SKAT_PORT": "0", "SKAT_MAX_TABLES": "1"}) as one:
        async with grpc.aio.insecure_channel(one.address) as channel:
            ann = Player(channel, "ann")
            for _ in range(2):
                await ann.create_table()
            listing = await ann.tables.ListTables(table_service_pb2.ListTablesRequest())
    assert len(listing.tables) == 2
