"""F23: whoever comes back with all the others is served, or told why not."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack
from typing import Final, Self

import pytest
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import Event, PingAckReceived, ResponseReceived, StreamReset, TrailersReceived

from skat.v1 import table_service_pb2 as tables
from skat_server.app import App
from skat_server.config import Limits, Settings
from tests.rpc.raw_http2 import framed, head

pytestmark = pytest.mark.asyncio

CONNECTIONS: Final = 4
CALLS: Final = 900
"""On each of them; a thousand may be under way on one."""


class Crowd:
    """Many callers on one connection, who let nobody else have a turn."""

    def __init__(self, address: str) -> None:
        """Connect."""
        host, _, port = address.rpartition(":")
        self.socket = socket.create_connection((host, int(port)))
        self.events: list[Event] = []
        self._h2 = H2Connection(H2Configuration(client_side=True))
        self._h2.initiate_connection()

    def __enter__(self) -> Self:
        """Use it for a while."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave."""
        self.socket.close()

    def call(self) -> None:
        """Make all calls, and wait until the transport of the server has them."""
        begin = head("TableService/ListTables", "token-of-player-crowd")
        message = framed(tables.ListTablesRequest())
        for number in range(CALLS):
            stream = 2 * number + 1
            self._h2.send_headers(stream, begin)
            self._h2.send_data(stream, message, end_stream=True)
        self._h2.ping(b"all sent")
        while not any(isinstance(event, PingAckReceived) for event in self.events):
            self._exchange()

    def hear(self) -> None:
        """Read until every call is over."""
        while len(self.ends()) < CALLS:
            self._exchange()

    def ends(self) -> list[str]:
        """How calls have ended: their statuses, or that the transport has dropped them."""
        return [end for end in map(_end, self.events) if end is not None]

    def _exchange(self) -> None:
        self.socket.sendall(self._h2.data_to_send())
        self.events += self._h2.receive_data(self.socket.recv(65_536))
        self.socket.sendall(self._h2.data_to_send())


def _end(event: Event) -> str | None:
    """The end of a call, if it is one; what is refused at once has its status in the first head."""
    if isinstance(event, StreamReset):
        return "reset"
    if not isinstance(event, ResponseReceived | TrailersReceived):
        return None
    status = dict(event.headers).get(b"grpc-status")
    return None if status is None else status.decode()


async def test_thousands_of_calls_at_once_are_answered() -> None:
    """They come while the server's loop has no time for any: a start, or a slow moment."""
    settings = Settings(port=0, grace=0.0, limits=Limits(calls_per_second=1_000_000))
    async with App(settings) as app:
        with ExitStack() as stack:
            crowds = [stack.enter_context(Crowd(app.address)) for _ in range(CONNECTIONS)]
            for crowd in crowds:
                crowd.call()  # and the loop, which is this one, stands still
            for crowd in crowds:
                await asyncio.to_thread(crowd.hear)
                assert crowd.ends() == ["0"] * CALLS
