"""A series at a server that is a process of its own."""

from __future__ import annotations

import grpc

from skat.v1 import table_pb2
from tests.e2e.server_process import ServerProcess
from tests.rpc.series import play_series


async def state_after(server: ServerProcess, deals: int) -> table_pb2.TableState.ValueType:
    """Play a series to its end; what the server says of the table then."""
    async with grpc.aio.insecure_channel(server.address) as channel:
        players, (table_id,) = await play_series(channel, deals)
        return (await players[0].get_table(table_id)).state
