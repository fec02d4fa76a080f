"""The loop of a server is woken once for all that gRPC has to tell it."""

import socket
from collections.abc import Iterator

import grpc
import pytest

from skat_server.cli import loops
from skat_server.cli.loops import Loop, run_in
from skat_server.cli.wakes import Reader, gathering

DONE = 25
"""Things that gRPC's thread has done, a byte for each."""


class Queue:
    """Reads as gRPC does: one byte, whatever waits."""

    def __init__(self, source: socket.socket) -> None:
        self.source = source
        self.told: list[bytes] = []

    def handle(self) -> None:
        self.told.append(self.source.recv(1))


class QueueOfGrpc(Queue):
    """As if it came from the library."""

    __module__ = "grpc._cython.cygrpc"


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    read, write = socket.socketpair()
    read.setblocking(False)
    with read, write:
        yield read, write


def is_empty(source: socket.socket) -> bool:
    try:
        source.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return True
    return False


@pytest.mark.parametrize("done", [1, 2, DONE, 5_000])
def test_grpc_is_told_once_for_many_bytes(
    ends: tuple[socket.socket, socket.socket], done: int
) -> None:
    read, write = ends
    queue = QueueOfGrpc(read)
    tell = gathering(read, queue.handle)
    write.sendall(b"1" * done)
    while not is_empty(read):
        tell()
    assert queue.told == [b"1"] * (1 if done <= DONE else 2)


def test_what_others_read_is_left_to_them(ends: tuple[socket.socket, socket.socket]) -> None:
    queue = Queue(ends[0])
    handle = queue.handle
    assert gathering(ends[0], handle) is handle


def test_grpc_itself_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    gathered: list[bool] = []

    def noting(source: object, reader: Reader) -> Reader:
        instead = gathering(source, reader)
        gathered.append(instead is not reader)
        return instead

    async def serving() -> None:
        server = grpc.aio.server()
        server.add_insecure_port("127.0.0.1:0")
        await server.start()
        await server.stop(None)

    monkeypatch.setattr(loops, "gathering", noting)
    run_in(Loop.ASYNCIO, serving())
    assert gathered.count(True) == 1
