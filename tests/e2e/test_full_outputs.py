"""A server whose output goes nowhere plays on, and stops as it should."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from skat.v1 import table_pb2
from skat_server.cli.saying import say
from tests.e2e.series import state_after
from tests.e2e.server_process import COMMAND, serving

FULL = Path("/dev/full")
"""Where every write fails, as on a full disk."""
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="this machine has no /dev/full")

WITHOUT = ("sh", "-c", 'exec "$0" "$@" 2>&-', COMMAND)
"""Starts the command without standard error."""
INTO_FULL = ("sh", "-c", f'exec "$0" "$@" 2>{FULL}', COMMAND)


@pytest.mark.asyncio
@pytest.mark.parametrize("command", [WITHOUT, INTO_FULL], ids=["closed", "full"])
async def test_play_goes_on_without_standard_error(command: tuple[str, ...]) -> None:
    with serving("--port", "0", command=command, variables={"SKAT_LOG_LEVEL": "debug"}) as server:
        state = await state_after(server, deals=1)
        code, _ = server.stop()
    assert state == table_pb2.TABLE_STATE_FINISHED
    assert code == 0


def test_what_nobody_can_be_told_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    full = FULL.open("w", encoding="utf-8")
    monkeypatch.setattr(sys, "stdout", full)
    say("skat-server stops")
    say("skat-server stops")
    sys.stdout.close()  # as the interpreter does at its end
    with pytest.raises(OSError, match="No space"):
        full.close()
