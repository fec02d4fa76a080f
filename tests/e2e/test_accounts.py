"""A new server with accounts, from its first start to the first bot at a table."""

from __future__ import annotations

import asyncio
import os
import re
import selectors
import shlex
from pathlib import Path

import grpc
import pytest
from typer.testing import CliRunner, Result

from skat_server.cli import app
from tests.e2e.server_process import LONGEST_WAIT, ServerProcess, serving
from tests.rpc.failures import failure
from tests.rpc.members import bearer
from tests.rpc.player import Player

pytestmark = pytest.mark.asyncio


def first_steps(server: ServerProcess) -> list[str]:
    """The commands that a new server prints on standard error."""
    stream = server.process.stderr
    assert stream is not None
    commands: list[str] = []
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while len(commands) < 3 and selector.select(LONGEST_WAIT):
            text = os.read(stream.fileno(), 65_536).decode()
            commands += re.findall(r"^ {4}(skat-server .*)$", text, re.MULTILINE)
    return commands


async def typed(command: str) -> Result:
    """Run a command as it was printed."""
    return await asyncio.to_thread(CliRunner().invoke, app, shlex.split(command)[1:])


async def test_what_a_new_server_prints_leads_to_a_bot_at_a_table(tmp_path: Path) -> None:
    options = ("--port", "0", "--auth", "accounts", "--data", str(tmp_path))
    with serving(*options) as server:
        made = [await typed(command) for command in first_steps(server)]
        assert [one.exit_code for one in made] == [0, 0, 0], made
        account_token = made[0].stdout.splitlines()[1]
        bot_id, bot_token = made[1].stdout.strip(), made[2].stdout.strip()
        async with grpc.aio.insecure_channel(server.address) as channel:
            ann, hal = Player(channel, "ann"), Player(channel, "hal")
            assert (await failure(ann.create_table())).reason == "UNAUTHENTICATED"
            ann.metadata, hal.metadata = bearer(account_token), bearer(bot_token)
            await hal.open()
            assert hal.welcome.player_id == bot_id
            await hal.take_seat((await ann.create_table()).table_id)
            token_id = bot_token.split("_")[1]
            revoked = await typed(f"skat-server tokens revoke {token_id} --data {tmp_path}")
            assert revoked.exit_code == 0
            assert (await hal.end()).reason == "TOKEN_REVOKED"
        code, errors = server.stop()
    assert code == 0
    assert account_token[22:] not in errors
