"""The program that the page about bots has one save plays, and says how it is called."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest

from skat_client import AsyncClient, HouseBot, RuleSet, new_token
from skat_server.app import App
from skat_server.config import Settings

PAGE = (Path(__file__).parents[2] / "docs" / "write-a-bot.md").read_text(encoding="utf-8")
(PROGRAM,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.asyncio


async def outcome(*words: str, **settings: str) -> tuple[int | None, str, str]:
    """Exit status, output and errors of the program."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "error", "-c", PROGRAM, *words),
        env={**os.environ, **settings},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    return process.returncode, output.decode(), errors.decode()


async def test_it_plays() -> None:
    house = [HouseBot.RANDOM, HouseBot.FIRST_OPTION]
    async with App(Settings(port=0, grace=0)) as app:
        async with AsyncClient(app.address, token=new_token()) as client:
            table = await client.create_table(
                RuleSet("isko", {"session_deals": 2}), house_bots=house
            )
        status, output, errors = await outcome(table.table_id, SKAT_SERVER=app.address)
    assert (status, errors) == (0, "")
    assert re.fullmatch(r"totals by seat: \(-?\d+, -?\d+, -?\d+\)\n", output)


async def test_without_a_table_it_says_how_it_is_called() -> None:
    assert await outcome() == (1, "", "usage: python careful_bot.py TABLE_ID\n")
