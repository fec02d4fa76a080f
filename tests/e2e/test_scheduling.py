"""The command gives its threads another policy while it is busy."""

from __future__ import annotations

import os
import sys
import time

import pytest

from skat_server.cli.scheduling import can_set_policy
from skat_server.remote.connection import Target, connected
from skat_server.remote.organiser import Organiser
from tests.e2e.server_process import serving
from tests.rpc.test_tournaments import HOUSE, HOUSE_CUP

WITHIN = 30.0
"""Seconds in which the server finds out that it is busy; a third of one is enough for that."""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has these policies")
def test_bots_of_the_house_keep_it_busy() -> None:
    if not can_set_policy():
        pytest.skip("a sandbox forbids it, or the tests run under another policy")
    with serving("--port", "0") as server:
        target = Target(server.address, "the-token-of-the-organiser")
        with connected(target) as channel:
            organiser = Organiser(channel, target)
            cup = organiser.create(HOUSE_CUP + HOUSE).tournament_id
            assert os.sched_getscheduler(server.process.pid) == os.SCHED_OTHER
            organiser.start(cup)
            late = time.monotonic() + WITHIN
            while os.sched_getscheduler(server.process.pid) != os.SCHED_BATCH:
                assert time.monotonic() < late
                organiser.get(cup)
        assert server.stop()[0] == 0
