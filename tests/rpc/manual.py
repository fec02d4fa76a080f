"""A server on a clock that stands still until the test moves it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import grpc

from skat.v1 import play_service_pb2, table_service_pb2
from skat_server.app import App
from skat_server.clock import ManualClock
from skat_server.config import Limits, Settings
from tests.rpc.player import Player


@dataclass(frozen=True)
class House:
    """A running server, its clock, and a connection to it."""

    app: App
    clock: ManualClock
    channel: grpc.aio.Channel


@asynccontextmanager
async def house(limits: Limits | None = None, grace: float = 0.0) -> AsyncIterator[House]:
    """Run a server; without a grace, what is left is cut when it is done."""
    clock = ManualClock()
    settings = Settings(port=0, grace=grace, limits=limits or Limits())
    async with (
        App(settings, clock=clock) as app,
        grpc.aio.insecure_channel(app.address) as channel,
    ):
        yield House(app, clock, channel)


async def next_beat(running: House, player: Player) -> play_service_pb2.Heartbeat:
    """Let time pass until a heartbeat comes."""
    reading = asyncio.create_task(player.read())
    while not reading.done():
        running.clock.advance(1.0)
        await player.tables.ListTables(table_service_pb2.ListTablesRequest())
    response = reading.result()
    assert response == play_service_pb2.PlayResponse(heartbeat=response.heartbeat)
    return response.heartbeat
