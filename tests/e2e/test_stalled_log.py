"""A server whose log nobody reads plays on, and stops as it should."""

from __future__ import annotations

import fcntl

import pytest

from skat.v1 import table_pb2
from tests.e2e.series import state_after
from tests.e2e.server_process import serving

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
        state = await state_after(server, deals=48)
        code, log = server.stop()
    assert state == table_pb2.TABLE_STATE_FINISHED
    assert code == 0
    assert len(log) > 2 * SMALLEST_PIPE
    assert log.splitlines()[-1].count("server.stopped") == 1
