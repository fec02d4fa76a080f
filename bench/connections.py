"""Connections of clients, as cheap as they can be: messages are bytes on both sides."""

from typing import Any, Final, Protocol

import grpc

from skat.v1 import play_service_pb2 as wire


class ByteStream(Protocol):
    """A stream both ways whose messages nobody has read yet."""

    async def write(self, message: bytes) -> None:
        """Send a message."""

    async def read(self) -> bytes:
        """The next message; something false at the end."""

    async def done_writing(self) -> None:
        """Close the own side."""

    def cancel(self) -> bool:
        """End it."""


_OPTIONS: Final = (
    # A connection for each channel, as real bots have one each.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.enable_retries", 0),
)


def connect(address: str) -> grpc.aio.Channel:
    """A connection of its own."""
    return grpc.aio.insecure_channel(address, options=_OPTIONS)


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """The metadata of a player."""
    return (("authorization", f"Bearer {token}"),)


def open_stream(channel: grpc.aio.Channel, path: str, token: str = "") -> ByteStream:
    """A stream of a method."""
    method: Any = channel.stream_stream(path)
    stream: ByteStream = method(metadata=bearer(token) if token else None)
    return stream


HELLO: Final = wire.PlayRequest(hello=wire.Hello(client_name="bench")).SerializeToString()
"""The first message of a session."""


def open_play(channel: grpc.aio.Channel, token: str) -> ByteStream:
    """A play stream."""
    return open_stream(channel, "/skat.v1.PlayService/Play", token)


async def welcomed(channel: grpc.aio.Channel, token: str) -> ByteStream:
    """A play stream whose first message has come."""
    call = open_play(channel, token)
    await call.write(HELLO)
    await call.read()
    return call


async def leave(call: ByteStream) -> None:
    """Close a stream, and wait until the server has closed it too."""
    await call.done_writing()
    while await call.read():
        pass
