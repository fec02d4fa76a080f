"""`skat-server admin`: what an operator does, as processes against a server that runs."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path

import pytest
import pytest_asyncio

from skat.v1 import fault_pb2, table_pb2
from skat_server.app import App
from skat_server.config import AdminSettings, Settings, TlsFiles
from tests.certificates import Authority
from tests.e2e.server_process import run
from tests.rpc.members import Club, club

pytestmark = pytest.mark.asyncio

REFUSED, UNUSABLE = 1, 2


@pytest_asyncio.fixture
async def house() -> AsyncIterator[Club]:
    """A server with accounts and an operator's port on the loopback."""
    async with club(admin=AdminSettings()) as opened:
        yield opened


async def admin(house: Club, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command at the operator's port."""
    server = house.app.admin_address or ""
    return await asyncio.to_thread(run, "admin", "--server", server, *words)


async def done(house: Club, *words: str) -> str:
    """What a command prints that has to succeed."""
    result = await admin(house, *words)
    assert result.returncode == 0, result.stderr
    return result.stdout


async def test_a_server_drains_and_says_until_when(house: Club) -> None:
    until = datetime.fromisoformat((await done(house, "drain", "--grace", "60")).strip())
    assert house.app.drain.is_draining
    assert until.timestamp() == house.clock.now() + 60


async def test_a_deal_is_dropped_and_dealt_anew(house: Club) -> None:
    _, bots, table_id = await house.playing()
    await bots[2].decision(table_id)
    assert await done(house, "void", table_id, "--reason", "wrong cards") == ""
    story = bots[0].story(table_id)
    await bots[0].until(lambda: "deal_voided" in story.cases)


async def test_a_seat_forfeits(house: Club) -> None:
    _, bots, table_id = await house.playing()
    await done(house, "forfeit", table_id, "1", "--reason", "plays by phone")
    await bots[0].end_of(table_id)
    closed = bots[0].story(table_id).events[-1].table_closed
    assert (closed.cause, closed.seat) == (fault_pb2.FAULT_CAUSE_ADMIN, 1)
    assert (await bots[0].get_table(table_id)).state == table_pb2.TABLE_STATE_CLOSED


async def test_who_is_banned_is_let_in_again_and_all_of_it_is_kept(house: Club) -> None:
    _, bots, _ = await house.playing()
    banned = bots[0].account.account_id
    await done(house, "ban", banned, "--reason", "floods the lobby")
    assert (await bots[0].end()).reason == "BANNED"
    await done(house, "unban", banned)
    await bots[0].get_caller()
    lines = (await done(house, "audit", "--last", "2", "--json")).splitlines()
    events = [json.loads(line) for line in lines]
    assert [(one["actor"], one["action"], one["target"]) for one in events] == [
        ("local", "Unban", banned),
        ("local", "Ban", banned),
    ]
    shown = await done(house, "audit")
    assert "Unban" in shown
    assert len(shown.splitlines()) > 3


async def test_what_the_server_refuses_is_said(house: Club) -> None:
    result = await admin(house, "void", "table-x", "--reason", "boredom")
    assert (result.returncode, result.stdout) == (REFUSED, "")
    assert "table-x" in result.stderr


async def test_without_a_port_it_is_said_how_to_open_one() -> None:
    result = await asyncio.to_thread(run, "admin", "--server", "127.0.0.1:1", "audit")
    assert result.returncode == REFUSED
    assert "serve --admin-port" in result.stderr


async def test_elsewhere_an_operator_shows_a_certificate(tmp_path: Path) -> None:
    authority = Authority.new("house")
    files = TlsFiles(*authority.server().write(tmp_path, "server"), tmp_path / "ca.pem")
    (tmp_path / "ca.pem").write_bytes(authority.pair.chain)
    certificate, key = map(str, authority.client("ann").write(tmp_path, "ann"))
    async with App(Settings(port=0, grace=0.0, admin=AdminSettings(tls=files))) as app:
        at = ["--server", app.admin_address or "", "--ca", str(tmp_path / "ca.pem")]
        shown = ["--cert", certificate, "--key", key]
        drained = await asyncio.to_thread(run, "admin", *at, *shown, "drain")
        refused = await asyncio.to_thread(run, "admin", *at, "audit")
        missing = await asyncio.to_thread(run, "admin", *at, "--cert", "no.pem", "audit")
    assert drained.returncode == 0, drained.stderr
    assert (refused.returncode, missing.returncode) == (REFUSED, UNUSABLE)
    assert "certificate" in refused.stderr
    assert missing.stderr == "no.pem: No such file or directory\n"
