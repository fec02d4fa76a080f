"""Watching a table across lost connections."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

import grpc
import pytest

from skat.v1 import event_pb2
from skat_client import (
    AsyncClient,
    Backoff,
    ErrorReason,
    EventSeen,
    GaveUpError,
    NotFoundError,
    TableShown,
    WatchItem,
)
from skat_client.testing import (
    DROP,
    End,
    ExpectWatch,
    Failure,
    ScriptedServer,
    SendFrames,
    Silence,
    new_events,
    new_frame,
    new_view,
)

pytestmark = pytest.mark.asyncio

PASSED = event_pb2.BidPassed(seat=1)
CLOSED = event_pb2.TableClosed(reason="enough")
FIRST = new_frame("t", new_events(1, PASSED), view=new_view("t", seat=None, sequence=1))
LAST = new_frame("t", new_events(2, PASSED, CLOSED))


@pytest.fixture
def watch(client: AsyncClient, backoff: Backoff) -> AsyncGenerator[WatchItem, None]:
    return client.watch_table("t", max_downtime=1.0, backoff=backoff)


async def test_a_watch_shows_the_table_and_ends_with_it(
    server: ScriptedServer, watch: AsyncGenerator[WatchItem, None]
) -> None:
    server.watch(ExpectWatch(None), SendFrames(FIRST, LAST))
    items = [item async for item in watch]
    assert [type(item) for item in items] == [TableShown, EventSeen, EventSeen, EventSeen]
    assert items[-1].sight.is_over
    assert items[-1].sight.seat is None


async def test_it_continues_after_the_last_event_seen(
    server: ScriptedServer, watch: AsyncGenerator[WatchItem, None]
) -> None:
    server.watch(ExpectWatch(None), SendFrames(FIRST), DROP)
    server.watch(ExpectWatch(after_sequence=1), SendFrames(LAST))
    events = [item.event.sequence async for item in watch if isinstance(item, EventSeen)]
    assert events == [1, 2, 3]


async def test_missing_events_are_asked_for_with_a_view(
    server: ScriptedServer, watch: AsyncGenerator[WatchItem, None]
) -> None:
    server.watch(SendFrames(FIRST, new_frame("t", new_events(9, PASSED))), Silence())
    server.watch(ExpectWatch(None), SendFrames(FIRST, LAST))
    shown = [item async for item in watch if isinstance(item, TableShown)]
    assert len(shown) == 2


async def test_an_unknown_table_is_said_at_once(
    server: ScriptedServer, watch: AsyncGenerator[WatchItem, None]
) -> None:
    server.watch(End(Failure(grpc.StatusCode.NOT_FOUND, ErrorReason.TABLE_NOT_FOUND)))
    with pytest.raises(NotFoundError):
        await anext(watch)


async def test_it_gives_up_after_the_downtime_allowed(
    server: ScriptedServer, watch: AsyncGenerator[WatchItem, None]
) -> None:
    for _ in range(3):
        server.watch(DROP)
    with pytest.raises(GaveUpError, match="watch of table t"):
        await anext(watch)


async def test_a_server_that_dies_of_every_view_is_given_up(
    server: ScriptedServer, watch: AsyncGenerator[WatchItem, None]
) -> None:
    for _ in range(3):
        server.watch(SendFrames(FIRST, new_frame("t", new_events(9, PASSED))), DROP)
    shown = [await anext(watch) for _ in range(6)]
    with pytest.raises(GaveUpError, match="watch of table t"):
        await anext(watch)
    assert [type(item) for item in shown] == [TableShown, EventSeen] * 3


async def test_leaving_early_ends_the_call(
    server: ScriptedServer, watch: AsyncGenerator[WatchItem, None]
) -> None:
    server.watch(SendFrames(FIRST), Silence())
    async with aclosing(watch) as items:
        assert isinstance(await anext(items), TableShown)
