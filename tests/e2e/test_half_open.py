"""A connection that goes silent without an end, as when a router forgets it (R21, F9)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from skat_client import (
    AsyncClient,
    Backoff,
    BidPassed,
    ClockPolicy,
    Connected,
    DecisionAsked,
    EventSeen,
    HouseBot,
    Session,
    SessionOptions,
    new_token,
)
from skat_server.app import App
from skat_server.config import Settings

pytestmark = pytest.mark.asyncio

HOUSE = (HouseBot.FIRST_OPTION, HouseBot.FIRST_OPTION)
PATIENT = ClockPolicy(decision_ms=600_000)


class Time:
    """The client's clock: moved by the test. Back-off takes no time."""

    def __init__(self) -> None:
        self._now = 0.0
        self._moved = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        due = self._now + seconds
        while seconds >= 1.0 and self._now < due:
            await self._moved.wait()

    def now(self) -> float:
        return self._now

    def advance(self, seconds: float) -> None:
        self._now += seconds
        self._moved.set()
        self._moved = asyncio.Event()


class Proxy:
    """Forwards connections. Those that it forgets stay open, and nothing comes through."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._remembered: list[asyncio.Event] = []
        self.connections = 0

    def forget(self) -> None:
        for remembered in self._remembered:
            remembered.clear()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        remembered = asyncio.Event()
        remembered.set()
        self._remembered.append(remembered)
        to_client = writer
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._target)
        try:
            await asyncio.gather(
                pipe(reader, to_server, remembered), pipe(from_server, to_client, remembered)
            )
        except (asyncio.CancelledError, ConnectionError):
            pass
        finally:
            to_client.close()
            to_server.close()


async def pipe(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, remembered: asyncio.Event
) -> None:
    """Forward until the end."""
    while data := await reader.read(65_536):
        await remembered.wait()
        writer.write(data)
    writer.close()


@asynccontextmanager
async def proxied(target: int) -> AsyncIterator[tuple[Proxy, str]]:
    proxy = Proxy(target)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    try:
        yield proxy, f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


async def next_decision(session: Session) -> DecisionAsked:
    async for item in session:
        if isinstance(item, DecisionAsked):
            return item
    raise AssertionError("no decision came")


async def passes_again(session: Session) -> list[Connected]:
    """Go on until the answer has arrived; the connections that were made meanwhile."""
    connected: list[Connected] = []
    async for item in session:
        match item:
            case Connected():
                connected.append(item)
            case EventSeen(event) if isinstance(event.event, BidPassed):
                return connected
            case _:
                pass
    raise AssertionError("the answer never arrived")


async def test_a_half_open_connection_is_left_for_a_new_one() -> None:
    """The answer is on the dead connection; it is sent again, and played once."""
    time = Time()
    options = SessionOptions(backoff=Backoff(sleep=time.sleep, now=time.now))
    async with App(Settings(port=0, grace=0.0)) as app:
        port = int(app.address.rpartition(":")[2])
        async with (
            proxied(port) as (proxy, address),
            AsyncClient(address, token=new_token()) as client,
        ):
            table = await client.create_table("isko", clock=PATIENT, house_bots=HOUSE)
            await client.take_seat(table.table_id, "far away")
            async with client.open_session(options) as session:
                asked = (await next_decision(session)).decision
                assert proxy.connections == 1
                proxy.forget()
                assert session.submit(asked, asked.first_option)
                going_on = asyncio.create_task(passes_again(session))
                await session.flush()
                time.advance(15.0)
                connected = await going_on
                assert [item.is_first for item in connected] == [False]
                assert proxy.connections == 2
                assert (await client.get_table(table.table_id)).seats[0].connected
