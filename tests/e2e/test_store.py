"""``skat-server serve`` on a disk: what it says, what survives it, and how it ends when it must."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import grpc
import pytest

from tests.e2e.server_process import LONGEST_WAIT, ServerProcess, run, serving
from tests.e2e.test_serve import play_a_deal
from tests.rpc.player import Player
from tests.storage.shim import built

pytestmark = pytest.mark.asyncio


def second_line(server: ServerProcess) -> str:
    """What it says of its data."""
    assert server.process.stdout is not None
    return server.process.stdout.readline().strip()


@pytest.mark.parametrize(
    ("arguments", "promise"),
    [
        ([], "every action on the disk before anybody sees it"),
        (["--durability", "deal"], "finished deals safe from power cuts"),
    ],
)
async def test_it_says_where_its_data_are_and_how_safe(
    tmp_path: Path, arguments: list[str], promise: str
) -> None:
    with serving("--port", "0", "--data", str(tmp_path), *arguments) as server:
        assert second_line(server) == f"tables are kept in {tmp_path / 'skat.db'}, {promise}"


async def test_in_memory_it_says_so_and_leaves_nothing() -> None:
    with serving("--port", "0") as server:
        assert second_line(server) == "tables are kept in memory and end with the server"


async def test_a_deal_is_on_the_disk_when_the_process_is_killed(tmp_path: Path) -> None:
    """F1: what was acknowledged is there after kill -9, sound and with its results."""
    with serving("--port", "0", "--data", str(tmp_path)) as server:
        async with grpc.aio.insecure_channel(server.address) as channel:
            await play_a_deal(channel)
        await asyncio.to_thread(server.stop, signal.SIGKILL)
    checked = await asyncio.to_thread(run, "store", "verify", "--data", str(tmp_path))
    assert checked.stdout == "1 deals, 1 sound\n"
    assert checked.returncode == 0


async def test_a_second_server_on_the_same_folder_does_not_start(tmp_path: Path) -> None:
    with serving("--port", "0", "--data", str(tmp_path)) as first:
        second = await asyncio.to_thread(
            lambda: run("serve", "--port", "0", "--data", str(tmp_path), SKAT_DURABILITY="action")
        )
        assert second.returncode == 2
        assert f"in use by process {first.process.pid}" in second.stderr
        assert "Traceback" not in second.stderr


async def ended(server: ServerProcess) -> tuple[int, str]:
    """Make tables until the server ends by itself: its exit code and what it said."""
    async with grpc.aio.insecure_channel(server.address) as channel:
        with suppress(grpc.aio.AioRpcError):
            while True:
                await Player(channel, "ann").create_table()
    _, errors = await asyncio.to_thread(server.process.communicate, timeout=LONGEST_WAIT)
    return server.process.returncode, errors


async def test_a_server_that_was_replaced_ends_itself(tmp_path: Path) -> None:
    """T24: a fenced process writes nothing more, and says why."""
    with serving("--port", "0", "--data", str(tmp_path)) as server:
        with closing(sqlite3.connect(tmp_path / "skat.db")) as connection, connection:
            connection.execute("UPDATE nodes SET epoch = epoch + 1")
        code, errors = await ended(server)
    assert code == 74
    assert "another process has taken the database over" in errors
    assert "Start it again" in errors
    assert "Traceback" not in errors


async def test_a_server_whose_disk_fails_ends_itself_and_recovers(tmp_path: Path) -> None:
    """F5: EIO from an fsync; the next start reads what is there."""
    failing, data = tmp_path / "eio", tmp_path / "data"
    variables = {"LD_PRELOAD": str(built(tmp_path)), "SKAT_SHIM_EIO": str(failing)}
    arguments = ("--port", "0", "--data", str(data))
    with serving(*arguments, variables=variables) as server:
        async with grpc.aio.insecure_channel(server.address) as channel:
            await Player(channel, "ann").create_table()
        failing.touch()
        code, errors = await ended(server)
    assert code == 74
    assert "SQLITE_IOERR_FSYNC" in errors
    with serving(*arguments) as again:
        async with grpc.aio.insecure_channel(again.address) as channel:
            await Player(channel, "ann").create_table()


async def test_a_server_whose_data_are_removed_ends_itself(tmp_path: Path) -> None:
    """Also while nobody plays; nobody is told any longer that something is kept."""
    data = tmp_path / "data"
    with serving("--port", "0", "--data", str(data)) as server:
        shutil.rmtree(data)
        _, errors = await asyncio.to_thread(server.process.communicate, timeout=LONGEST_WAIT)
    assert server.process.returncode == 74
    assert f"skat-server ends: {data / 'skat.db'} is not there any more" in errors
    assert "Traceback" not in errors


async def test_a_server_that_is_stopped_tells_that_its_data_are_gone(tmp_path: Path) -> None:
    """A stop without it would say that all is kept."""
    data = tmp_path / "data"
    with serving("--port", "0", "--data", str(data)) as server:
        data.rename(tmp_path / "elsewhere")
        code, errors = await asyncio.to_thread(server.stop)
    assert code == 74
    assert "is not there any more" in errors
