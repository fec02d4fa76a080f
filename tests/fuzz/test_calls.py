"""F17, T15, T20: every method answers whatever it is sent, and a refused call changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skat_server.observability.logging import LogLevel
from skat_server.rpc.services import ADMIN_SERVICES, PLAYER_SERVICES
from tests.fuzz.messages import damaged, spoken
from tests.fuzz.worlds import CHANGES_ALL_THE_SAME, VOCABULARY, World, check_refusal, world
from tests.leaks.eavesdropping import server_log
from tests.rpc.failures import failure_of

SERVICES = (*PLAYER_SERVICES, *ADMIN_SERVICES)
UNARY = [m for service in SERVICES for m in service.methods if not m.client_streaming]
EXAMPLES = 8
WITHIN = 5.0
"""Seconds within which every call has an answer."""


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.Runner]:
    """One event loop for all examples of a method."""
    with asyncio.Runner() as runner:
        yield runner


async def call(
    there: World, method: MethodDescriptor, data: bytes, metadata: tuple[tuple[str, str], ...]
) -> grpc.aio.AioRpcError | None:
    """Send bytes to a method; the error it ends with."""
    is_admin = method.containing_service in ADMIN_SERVICES
    channel: Any = there.operator if is_admin else there.players
    service = method.containing_service.full_name
    calling = channel.unary_stream(f"/{service}/{method.name}")(
        data, metadata=metadata, timeout=WITHIN
    )
    try:
        await calling.read()
        calling.cancel()
    except grpc.aio.AioRpcError as error:
        return error
    return None


async def thrown(
    there: World, method: MethodDescriptor, data: bytes, metadata: tuple[tuple[str, str], ...]
) -> None:
    """Throw bytes at a method and look at what that does."""
    before = there.kept
    error = await call(there, method, data, metadata)
    if error is not None:
        refused = failure_of(error)
        check_refusal(refused)
        if not refused.details or refused.reason not in CHANGES_ALL_THE_SAME:
            assert there.kept == before, "a refused call has changed something"
    assert await there.is_alive()


def callers(there: World, number: int) -> tuple[tuple[str, str], ...]:
    """Somebody with a token, or nobody."""
    return there.members[number].metadata if number < len(there.members) else ()


@pytest.mark.parametrize("method", UNARY, ids=lambda method: method.full_name)
def test_a_method_answers_whatever_it_is_sent(
    method: MethodDescriptor, loop: asyncio.Runner
) -> None:
    kind = method.input_type
    garbage = damaged(VOCABULARY.messages(kind).map(lambda message: message.SerializeToString()))

    entered = world()
    there = loop.run(entered.__aenter__())

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(VOCABULARY.messages(kind), garbage, st.integers(0, 3))
    def throw(message: Any, noise: bytes, caller: int) -> None:
        said = spoken(message, there.words).SerializeToString()
        metadata = callers(there, caller)
        loop.run(thrown(there, method, said, metadata))
        loop.run(thrown(there, method, noise, metadata))

    try:
        with server_log(LogLevel.WARNING) as log:
            throw()
        assert log.getvalue() == ""
    finally:
        loop.run(entered.__aexit__(None, None, None))
