"""A server whose log nobody reads plays on, and stops as it should."""

from __future__ import annotations

import fcntl

import grpc
import pytest

from skat.v1 import table_pb2
from tests.e2e.server_process import serving
from tests.rpc.series import play_series

SMALLEST_PIPE = 4_096
"""Bytes that wait in a pipe before its writer does."""
SET_PIPE_SIZE = getattr(fcntl, "F_SETPIPE_SZ", None)


@pytest.mark.asyncio
@pytest.mark.skipif(SET_PIPE_SIZE is None, reason="this machine has pipes of one size only")
async def test_play_goes_on_while_nobody_reads_the_log() -> None:
    with serving("--port", "0", variables={"SKAT_LOG_LEVEL": "debug"}) as server:
        assert SET_PIPE_SIZE is not None
        assert server.process.stderr is not None
        fcntl.fcntl(server.process.stderr, SET_PIPE_SIZE, SMALLEST_PIPE)
        async with grpc.aio.insecure_channel(server.address) as channel:
            players, (table_id,) = await play_series(channel, deals=48)
            table = await players[0].get_table(table_id)
        code, log = server.stop()
    assert table.state == table_pb2.TABLE_STATE_FINISHED
    assert code == 0
    assert len(log) > 2 * SMALLEST_PIPE
    assert log.splitlines()[-1].count("server.stopped") == 1
