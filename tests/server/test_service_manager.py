"""What systemd is told, over a real socket."""

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from skat_server.cli.service_manager import give_signs_of_life, tell
from skat_server.clock import ManualClock

MANY = 1_000


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """The socket of a service manager."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        yield listening


def asking(manager: socket.socket, **variables: str) -> dict[str, str]:
    return {"NOTIFY_SOCKET": manager.getsockname(), **variables}


def test_the_manager_is_told(manager: socket.socket) -> None:
    tell("READY=1", asking(manager))
    assert manager.recv(100) == b"READY=1"


def test_an_abstract_name_is_understood() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0skat-server-test")
        tell("STOPPING=1", {"NOTIFY_SOCKET": "@skat-server-test"})
        assert listening.recv(100) == b"STOPPING=1"


def test_nothing_is_said_to_nobody(tmp_path: Path) -> None:
    tell("READY=1", {})
    tell("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "gone")})


@pytest.mark.asyncio
async def test_signs_of_life_come_three_times_as_often_as_they_must(
    manager: socket.socket,
) -> None:
    clock = ManualClock()
    signs = asyncio.create_task(
        give_signs_of_life(clock, asking(manager, WATCHDOG_USEC="30000000"))
    )
    for _ in range(3):
        assert await asyncio.get_running_loop().sock_recv(manager, 100) == b"WATCHDOG=1"
        clock.advance(9.9)
        with pytest.raises(BlockingIOError):
            manager.recv(100)
        clock.advance(0.1)
    signs.cancel()


@pytest.mark.asyncio
async def test_nobody_wants_signs_of_life(manager: socket.socket) -> None:
    await give_signs_of_life(ManualClock(), asking(manager))
    with pytest.raises(BlockingIOError):
        manager.recv(100)


def test_a_manager_that_does_not_read_is_not_waited_for(manager: socket.socket) -> None:
    """The socket of a manager has room for some messages; nobody counts how many."""
    for _ in range(MANY):
        tell("WATCHDOG=1", asking(manager))
    assert manager.recv(100) == b"WATCHDOG=1"


@pytest.mark.asyncio
@pytest.mark.parametrize("microseconds", ["0", "-1", "soon", "1e6", "9" * 5_000, "\u0663"])
async def test_a_time_that_is_none_asks_for_no_signs(
    manager: socket.socket, microseconds: str
) -> None:
    await give_signs_of_life(ManualClock(), asking(manager, WATCHDOG_USEC=microseconds))
    with pytest.raises(BlockingIOError):
        manager.recv(100)


@pytest.mark.parametrize("name", ["vsock:2:1234", "relative", "/", "@", "x" * 5_000, "@\udcff"])
def test_an_odd_name_is_no_trouble(name: str) -> None:
    tell("READY=1", {"NOTIFY_SOCKET": name})
