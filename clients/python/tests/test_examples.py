"""The examples run as programs. What needs a real server is tested where there is one."""

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from skat.v1 import event_pb2
from skat_client.testing import (
    ExpectWatch,
    ScriptedServer,
    SendFrames,
    Silence,
    new_events,
    new_frame,
    new_view,
)

pytestmark = pytest.mark.asyncio

FOLDER = Path(__file__).parent.parent / "examples"

WITH_CTRL_C = """
import runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""Runs a program that hears Ctrl-C, even where the tests themselves run in the background."""


async def run_example(name: str, *arguments: str, server: str) -> tuple[int, str, str]:
    """Exit status, output and errors of an example."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "error", str(FOLDER / name), *arguments),
        env={"SKAT_SERVER": server, "PATH": ""},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode(), errors.decode()


async def nobody() -> str:
    """An address where nobody listens."""
    async with ScriptedServer() as server:
        return server.address


async def test_a_table_is_watched(server: ScriptedServer) -> None:
    events = new_events(
        1,
        event_pb2.DealStarted(deal_number=1, dealer=2, active_seats=[0, 1, 2]),
        event_pb2.TableClosed(reason="enough"),
    )
    view = new_view("t", seat=None, sequence=2)
    server.watch(ExpectWatch(), SendFrames(new_frame("t", events, view=view)))
    status, output, _ = await run_example("watch_table.py", "t", server=server.address)
    assert status == 0
    assert output.splitlines() == ["isko, deal 1", "", "deal 1, dealt by player 2"]


@pytest.mark.parametrize("name", ["play_list.py", "load_run.py"])
async def test_without_a_server_it_says_so(name: str) -> None:
    address = await nobody()
    status, _, errors = await run_example(name, server=address)
    assert status == 1
    assert f"no answer from {address}" in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize("name", ["first_option_bot.py", "watch_table.py"])
async def test_without_a_table_it_says_how_it_is_called(name: str) -> None:
    status, _, errors = await run_example(name, server="127.0.0.1:1")
    assert (status, errors) == (1, f"usage: python {name} TABLE_ID\n")


async def test_ctrl_c_ends_it_without_a_traceback(server: ScriptedServer) -> None:
    server.watch(
        ExpectWatch(), SendFrames(new_frame("t", view=new_view("t", seat=None))), Silence()
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-u", "-c", WITH_CTRL_C, str(FOLDER / "watch_table.py"), "t"),
        env={"SKAT_SERVER": server.address, "PATH": ""},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    await process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = await process.communicate()
    assert (process.returncode, errors) == (130, b"stopped\n")


async def test_an_unknown_bot_is_said() -> None:
    status, _, errors = await run_example("play_list.py", "--bots", "nobody", server="127.0.0.1:1")
    assert (status, "there is no bot 'nobody'" in errors) == (1, True)


@pytest.mark.parametrize("name", ["batch_bot.py", "load_run.py"])
@pytest.mark.parametrize("option", ["--tables", "--deals"])
@pytest.mark.parametrize("number", ["0", "-1"])
async def test_nothing_to_play_is_refused(name: str, option: str, number: str) -> None:
    status, _, errors = await run_example(name, option, number, server="127.0.0.1:1")
    assert (status, option in errors) == (2, True)
    assert "Traceback" not in errors
