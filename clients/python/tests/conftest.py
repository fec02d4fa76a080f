"""A scripted server for every test that wants one, and waiting that takes no time."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace

import pytest
import pytest_asyncio
from hypothesis import settings

from skat.v1 import table_service_pb2
from skat_client import AsyncClient, Backoff, SessionOptions, Transport
from skat_client.testing import ScriptedServer, new_table

TOKEN = "the-token-of-seat-0"

# How long an example takes says more of the machine than of the code.
settings.register_profile("client", deadline=None)
settings.load_profile("client")


@dataclass
class Waits:
    """Records how long somebody would have waited; its clock moves only then."""

    seconds: list[float] = field(default_factory=list)
    time: float = 0.0

    async def sleep(self, seconds: float) -> None:
        self.seconds.append(seconds)
        self.time += seconds

    def now(self) -> float:
        return self.time


@dataclass
class ManualTime:
    """Time that the test moves. Waits of less than a second are back-off and take none."""

    time: float = 0.0
    sleepers: list[tuple[float, asyncio.Event]] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        if seconds >= 1.0:
            woken = asyncio.Event()
            self.sleepers.append((self.time + seconds, woken))
            await woken.wait()

    def now(self) -> float:
        return self.time

    def advance(self, seconds: float) -> None:
        self.time += seconds
        for due, woken in self.sleepers:
            if due <= self.time:
                woken.set()


@pytest.fixture
def clock() -> ManualTime:
    return ManualTime()


@pytest.fixture
def timed(clock: ManualTime) -> SessionOptions:
    """A session whose time the test moves."""
    return SessionOptions(backoff=Backoff(sleep=clock.sleep, now=clock.now))


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
def backoff(waits: Waits) -> Backoff:
    return Backoff(chance=lambda: 1.0, sleep=waits.sleep, now=waits.now)


@pytest.fixture
def options(backoff: Backoff) -> SessionOptions:
    return SessionOptions(backoff=backoff)


@pytest.fixture(params=Transport, ids=lambda transport: transport.name.lower())
def either(request: pytest.FixtureRequest, options: SessionOptions) -> SessionOptions:
    """A session over every transport, one after the other."""
    return replace(options, transport=request.param)


@pytest_asyncio.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer() as scripted:
        yield scripted


@pytest_asyncio.fixture
async def client(server: ScriptedServer) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(server.address, token=TOKEN) as connected:
        yield connected


@pytest.fixture
def seated(server: ScriptedServer) -> ScriptedServer:
    """The server, prepared for whoever looks at table t and then takes seat 0."""
    table = new_table("t")
    server.reply("GetTable", table_service_pb2.GetTableResponse(table=table))
    server.reply("TakeSeat", table_service_pb2.TakeSeatResponse(table=table, seat=0))
    return server
