"""A client that speaks HTTP/2 by hand, and so can do what no gRPC library would."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from types import TracebackType
from typing import Self, TypeVar

from google.protobuf.message import Message
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    Event,
    PingAckReceived,
    RemoteSettingsChanged,
    StreamEnded,
    StreamReset,
    TrailersReceived,
)
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes, Settings

LARGE_WINDOW = 2**20

_Event = TypeVar("_Event", bound=Event)
_Message = TypeVar("_Message", bound=Message)


def head(method: str, token: str = "") -> list[tuple[str, str]]:
    """How a call such as ``PlayService/Play`` begins."""
    headers = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", f"/skat.v1.{method}"),
        (":authority", "localhost"),
        ("te", "trailers"),
        ("content-type", "application/grpc"),
    ]
    if token:
        headers.append(("authorization", f"Bearer {token}"))
    return headers


def framed(message: Message) -> bytes:
    """A message as it goes over the wire, with its length before it."""
    body = message.SerializeToString()
    return struct.pack(">BI", 0, len(body)) + body


class RawConnection:
    """One connection, and all that has come over it.

    Attributes:
        h2: the state of the connection; what it wants to send leaves with `flush`.
        events: what the server has sent.
        is_closed: the server has closed the connection.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, window: int
    ) -> None:
        """Begin to speak; nothing has been sent yet.

        Args:
            reader: of the socket.
            writer: of the socket.
            window: bytes of data that the server may send on a stream.
        """
        self.h2 = H2Connection(H2Configuration(client_side=True))
        self.h2.local_settings = Settings(
            client=True, initial_values={SettingCodes.INITIAL_WINDOW_SIZE: window}
        )
        self.h2.initiate_connection()
        self.events: list[Event] = []
        self.is_closed = False
        self._reader = reader
        self._writer = writer
        self._next_stream = 1

    @classmethod
    async def open(cls, address: str, window: int = LARGE_WINDOW) -> Self:
        """Connect to a server."""
        host, _, port = address.rpartition(":")
        connection = cls(*await asyncio.open_connection(host, int(port)), window)
        connection.flush()
        return connection

    async def __aenter__(self) -> Self:
        """Use it for a while."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Drop the connection."""
        self._writer.transport.abort()

    def flush(self) -> None:
        """Send what there is to send."""
        self._writer.write(self.h2.data_to_send())

    def send_bytes(self, data: bytes) -> None:
        """Send bytes that no library would."""
        self._writer.write(data)

    def call(self, method: str, token: str = "", *messages: Message) -> int:
        """Begin a call such as ``PlayService/Play`` and send its first messages."""
        stream, self._next_stream = self._next_stream, self._next_stream + 2
        self.h2.send_headers(stream, head(method, token))
        for message in messages:
            self.send(stream, message)
        self.flush()
        return stream

    def send(self, stream: int, message: Message) -> None:
        """Send a message."""
        self.h2.send_data(stream, framed(message))
        self.flush()

    async def agree(self) -> None:
        """Wait for the settings of the server; from then on it holds the client to them."""
        await self.until(lambda: bool(self.of_kind(RemoteSettingsChanged)))

    def let_in(self, stream: int, window: int = LARGE_WINDOW) -> None:
        """Let the server send so many bytes more on a stream."""
        self.h2.increment_flow_control_window(window, stream)
        self.flush()

    async def read(self) -> None:
        """Wait for something to come."""
        data = await self._reader.read(65_536)
        if not data:
            self.is_closed = True
            return
        try:
            self.events += self.h2.receive_data(data)
        except ProtocolError:  # more came after the server's farewell, which the library refuses
            self.is_closed = True
        self.flush()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Read until something is true."""
        while not condition():
            assert not self.is_closed, "the server has closed the connection"
            await self.read()

    async def until_closed(self) -> None:
        """Read until the server closes the connection."""
        while not self.is_closed:
            try:
                await self.read()
            except ConnectionResetError:
                self.is_closed = True

    def of_kind(self, kind: type[_Event]) -> list[_Event]:
        """What has come of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def pings(self) -> list[PingAckReceived]:
        """Answers to pings."""
        return self.of_kind(PingAckReceived)

    def messages(self, stream: int, kind: type[_Message]) -> list[_Message]:
        """The messages that have come on a stream, as far as they are complete."""
        data = b"".join(
            event.data
            for event in self.events
            if isinstance(event, DataReceived) and event.stream_id == stream
        )
        found = []
        while len(data) >= 5:
            length = int.from_bytes(data[1:5], "big")
            if len(data) < 5 + length:
                break
            message = kind()
            message.ParseFromString(data[5 : 5 + length])
            found.append(message)
            data = data[5 + length :]
        return found

    def trailers(self, stream: int) -> dict[str, str]:
        """How a call has ended, empty while it runs."""
        for event in self.events:
            if isinstance(event, TrailersReceived) and event.stream_id == stream:
                return {name.decode(): value.decode() for name, value in event.headers}
        return {}

    def is_over(self, stream: int) -> bool:
        """Whether a call has ended, well or not."""
        return any(
            isinstance(event, StreamEnded | StreamReset) and event.stream_id == stream
            for event in self.events
        ) or bool(self.of_kind(ConnectionTerminated))
