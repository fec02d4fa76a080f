"""Which event loop a server runs in, and what is said where it is not there."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from skat_server.cli.loops import Loop, is_installed, run_in
from skat_server.cli.serve import USAGE_ERROR

WITHOUT_UVLOOP = """
import sys
sys.modules["uvloop"] = None
from skat_server.cli import app
app()
"""
SERVE = ["serve", "--port", "0", "--durability", "memory", "--loop", "uvloop"]


async def running() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


def test_asyncio_is_what_it_says() -> None:
    assert isinstance(run_in(Loop.ASYNCIO, running()), asyncio.SelectorEventLoop)


def test_a_loop_that_is_not_installed_is_no_matter_unless_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert isinstance(run_in(Loop.AUTO, running()), asyncio.SelectorEventLoop)
    assert [is_installed(loop) for loop in Loop] == [True, True, False]


def test_a_server_without_the_loop_that_is_asked_for_says_what_to_install() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_UVLOOP, *SERVE], capture_output=True, text=True, check=False
    )
    assert done.returncode == USAGE_ERROR
    assert done.stdout == ""
    assert "pip install 'skat-server[speed]'" in done.stderr
    assert "Traceback" not in done.stderr
