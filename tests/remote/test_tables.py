"""What a load knows of tables that it did not hear of."""

import asyncio

import grpc
import pytest

from skat.v1 import table_service_pb2 as pb
from skat.v1 import table_service_pb2_grpc
from skat_server.clock import ManualClock
from skat_server.remote.connection import Target
from skat_server.remote.load.plan import AT_ONCE, LoadBot, LoadPlan
from skat_server.remote.load.session import LoadSession
from skat_server.remote.load.stopwatch import Stopwatch
from skat_server.remote.load.tables import TableKeeper
from skat_server.remote.load.tally import Books
from skat_server.remote.load.wire import Wire

pytestmark = pytest.mark.asyncio

MOST_SECONDS = 30.0
"""Of real time, which no test takes."""


class Mute(table_service_pb2_grpc.TableServiceServicer):
    """Is asked for a table, and does not say whether there is one."""

    def __init__(self) -> None:
        self.is_asked = asyncio.Event()

    async def CreateTable(
        self,
        request: pb.CreateTableRequest,
        context: grpc.aio.ServicerContext[pb.CreateTableRequest, pb.CreateTableResponse],
    ) -> pb.CreateTableResponse:
        self.is_asked.set()
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_table_that_was_being_made_may_be_left_behind() -> None:
    mute, server = Mute(), grpc.aio.server()  # type: ignore[abstract]  # no more is asked of it
    table_service_pb2_grpc.add_TableServiceServicer_to_server(mute, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    wire, stopwatch = Wire(Target(f"127.0.0.1:{port}"), Books(), ManualClock()), Stopwatch()
    plan = LoadPlan(bots=(LoadBot.RANDOM, LoadBot.HOUSE_RANDOM))
    owner = LoadSession(wire, "a-token", AT_ONCE, stopwatch)
    owner.ready.set()
    keeper = TableKeeper(0, plan, wire, [owner], stopwatch, None)
    keeping = asyncio.ensure_future(keeper.run())
    await asyncio.wait_for(mute.is_asked.wait(), MOST_SECONDS)
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    await server.stop(0)
    assert keeper.leaves_a_table
