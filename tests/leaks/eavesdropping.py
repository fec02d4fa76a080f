"""Everything that leaves a server, caught in one place and searched for what must not be there."""

from __future__ import annotations

import base64
import io
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import grpc
import structlog
from google.protobuf.message import Message

from skat_server.observability.logging import LogLevel, configure_logging
from skat_server.observability.strays import StrayHandler

Metadata = tuple[tuple[str, str], ...]

LONGEST_CALL = 1.0
"""Seconds after which a call is given up whose answer a failure has swallowed."""


@contextmanager
def server_log(level: LogLevel = LogLevel.DEBUG) -> Iterator[io.StringIO]:
    """What the server and its libraries log meanwhile, as an operator reads it."""
    stream = io.StringIO()
    handler, root = StrayHandler(), logging.getLogger()
    configure_logging(stream, level=level)
    root.addHandler(handler)
    try:
        yield stream
    finally:
        root.removeHandler(handler)
        structlog.reset_defaults()


def disguises(secret: bytes) -> list[bytes]:
    """A secret as it is, and as programs write it."""
    plain = [secret, secret.hex().encode(), secret.hex().upper().encode()]
    return [
        *plain,
        base64.b64encode(secret),
        base64.urlsafe_b64encode(secret),
        repr(secret)[2:-1].encode(),
    ]


def is_in(secret: bytes, heard: Sequence[bytes]) -> bool:
    """Whether a secret was heard in any of its disguises."""
    return any(disguise in said for disguise in disguises(secret) for said in heard)


async def said_by(
    channel: grpc.aio.Channel,
    method: str,
    requests: Sequence[Message],
    metadata: Metadata = (),
    *,
    at_most: int = 1_000,
) -> list[bytes]:
    """Everything that a call says: its messages, its status, its trailing metadata.

    Args:
        channel: to the server.
        method: full name with dots, as in the descriptor.
        requests: what is sent before the own side is closed.
        metadata: of the caller.
        at_most: messages to read; then the call is left.
    """
    service, _, name = method.rpartition(".")
    open_call: Any = channel.stream_stream(
        f"/{service}/{name}", request_serializer=lambda message: message.SerializeToString()
    )
    call = open_call(metadata=metadata, timeout=LONGEST_CALL)
    heard: list[bytes] = []
    try:
        for request in requests:
            await call.write(request)
        await call.done_writing()
        while len(heard) < at_most and (data := await call.read()) is not grpc.aio.EOF:
            heard.append(data)
        if len(heard) == at_most:
            call.cancel()
    except grpc.aio.AioRpcError:
        pass
    heard += [repr(await call.code()).encode(), repr(await call.details()).encode()]
    heard.append(repr(await call.trailing_metadata()).encode())
    return heard
