"""Signs of life in a stream (R21), under a clock that the test moves."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from skat.v1 import event_pb2
from skat_client import (
    AsyncClient,
    Connected,
    EventSeen,
    GaveUpError,
    Session,
    SessionOptions,
)
from skat_client.testing import (
    DROP,
    ExpectHello,
    Reached,
    ScriptedServer,
    SendFrames,
    SendHeartbeat,
    Silence,
    Wait,
    new_events,
    new_frame,
    new_view,
)

pytestmark = pytest.mark.asyncio

PASSED = event_pb2.BidPassed(seat=1)
SHOWN = SendFrames(new_frame("t", new_events(1, PASSED), view=new_view("t", sequence=1)))
AFTERWARDS = SendFrames(new_frame("t", new_events(2, PASSED)))
HELLO = ExpectHello(heartbeat_ms=1000)


@pytest_asyncio.fixture
async def session(client: AsyncClient, timed: SessionOptions) -> AsyncIterator[Session]:
    async with client.open_session(timed) as opened:
        yield opened


async def next_event(session: Session) -> int:
    """Go on to the next event; its sequence."""
    async for item in session:
        if isinstance(item, EventSeen):
            return item.event.sequence
    raise AssertionError("no event came")


async def test_a_heartbeat_is_answered_though_nobody_asks_for_the_next_item(
    server: ScriptedServer, session: Session
) -> None:
    answered = asyncio.Event()
    server.play(HELLO, SHOWN, SendHeartbeat(7), SendHeartbeat(8), Reached(answered))
    assert await next_event(session) == 1
    await answered.wait()


async def test_three_heartbeats_without_anything_are_a_dead_connection(
    server: ScriptedServer, session: Session, clock: Any
) -> None:
    """R21: a half-open socket says nothing, not even that it is gone."""
    server.play(HELLO, SHOWN, Silence())
    server.play(ExpectHello(positions={"t": 1}), AFTERWARDS)
    assert await next_event(session) == 1
    waiting = asyncio.create_task(next_event(session))
    clock.advance(3.0)
    assert await waiting == 2


async def test_two_are_not(server: ScriptedServer, session: Session, clock: Any) -> None:
    go = asyncio.Event()
    server.play(HELLO, SHOWN, Wait(go), AFTERWARDS)
    assert await next_event(session) == 1
    clock.advance(2.9)
    go.set()
    assert await next_event(session) == 2


async def test_a_heartbeat_keeps_the_connection(
    server: ScriptedServer, session: Session, clock: Any
) -> None:
    steps = [asyncio.Event() for _ in range(3)]
    quiet, alive, go = steps
    server.play(HELLO, SHOWN, Wait(quiet), SendHeartbeat(), Reached(alive), Wait(go), AFTERWARDS)
    assert await next_event(session) == 1
    clock.advance(2.0)
    quiet.set()
    await alive.wait()
    clock.advance(2.0)
    go.set()
    assert await next_event(session) == 2


async def test_without_heartbeats_silence_is_no_death(
    server: ScriptedServer, session: Session, clock: Any
) -> None:
    go = asyncio.Event()
    server.play(ExpectHello(heartbeat_ms=0), SHOWN, Wait(go), AFTERWARDS)
    assert await next_event(session) == 1
    clock.advance(3600.0)
    go.set()
    assert await next_event(session) == 2


async def test_an_absurd_heartbeat_kills_no_connection(
    server: ScriptedServer, session: Session, clock: Any
) -> None:
    go = asyncio.Event()
    server.play(ExpectHello(heartbeat_ms=1), SHOWN, Wait(go), AFTERWARDS)
    assert await next_event(session) == 1
    clock.advance(0.9)
    go.set()
    assert await next_event(session) == 2


async def test_a_connection_that_had_a_heartbeat_was_of_use(
    server: ScriptedServer, client: AsyncClient, options: SessionOptions, waits: Any
) -> None:
    """Who only waits for others makes no progress, and need not give up for that."""
    for _ in range(3):
        server.play(ExpectHello(), SendHeartbeat(), DROP)
    server.play(DROP)
    async with client.open_session(replace(options, max_downtime=0.3)) as session:
        welcomes = [await anext(session) for _ in range(3)]
        with pytest.raises(GaveUpError):
            await anext(session)
    assert [type(item) for item in welcomes] == [Connected] * 3
    assert waits.seconds == pytest.approx([0.2, 0.2, 0.2])
