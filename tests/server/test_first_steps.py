"""A server that nobody can play on yet says what to do about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from skat_server.app import App
from skat_server.cli.first_steps import explain_first_steps
from skat_server.config import Auth, Settings
from tests.rpc.members import LOCAL
from tests.server.account_stores import furnish

pytestmark = pytest.mark.asyncio


def settings(folder: Path, auth: Auth = Auth.ACCOUNTS) -> Settings:
    """Settings of a server in a folder."""
    furnish(folder)
    return Settings(port=0, grace=0.0, auth=auth, data=folder)


async def test_commands_name_the_folder_as_a_shell_reads_it(tmp_path: Path) -> None:
    folder, told = tmp_path / "my data", list[str]()
    async with App(settings(folder)) as app:
        await explain_first_steps(app, told.append)
    assert f"skat-server accounts create ann --data '{folder}'" in "".join(told)


async def test_who_has_an_account_is_told_nothing(tmp_path: Path) -> None:
    told: list[str] = []
    async with App(settings(tmp_path)) as app:
        await app.accounts.create_account("ann", LOCAL)
        await explain_first_steps(app, told.append)
    assert told == []


async def test_an_open_server_needs_no_first_step(tmp_path: Path) -> None:
    told: list[str] = []
    async with App(settings(tmp_path, Auth.OPEN)) as app:
        await explain_first_steps(app, told.append)
    assert told == []
