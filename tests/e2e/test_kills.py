"""A server is killed at random moments of an event, and the standings are the same (R1, R3, R4).

The server is a process that keeps its tables in a file; the bots resume by themselves. What they
answer depends on the question alone, so an undisturbed run has to come to the same games, and its
standings to the same bytes. `make kills` does it with thirty kills and a hundred deals.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from typer.testing import CliRunner

from skat_client import (
    Action,
    AsyncClient,
    Backoff,
    Decision,
    SessionOptions,
    TableSight,
    play_tournament,
)
from skat_client.bots import RandomBot
from skat_server.app import App
from skat_server.cli import app as command_line
from skat_server.config import Settings
from tests.crash.supervising import Supervisor, supervised
from tests.e2e.fuses import Fuse
from tests.rpc.test_tournaments import Organiser

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(900)]

KILLS = int(os.environ.get("SKAT_KILLS", "6"))
SEED = int(os.environ.get("SKAT_KILLS_SEED", "1"))
BOARDS = 17 if KILLS > 10 else 6
"""Boards of a match; there are two matches, and every board is played three times."""
DECISIONS_A_DEAL = 15
"""Fewer than a deal has on average; half of them are passed in."""
NAMES = ("ann", "ben", "cem")
EVENT = f"""
name = "Cup"
rated = false
tables_at_once = 3
[clock]
decision_ms = 3600000
grace_ms = 3600000
[format]
kind = "round_robin"
boards = {BOARDS}
[seeds]
seed = "{"2b" * 32}"
"""
QUICK = SessionOptions(backoff=Backoff(first=0.02, longest=0.5))


class Reckoner:
    """Answers by nothing but the question, so that it answers alike in every run."""

    def __init__(self, tick: Callable[[], None] = lambda: None) -> None:
        self._tick = tick

    def decide(self, decision: Decision, sight: TableSight) -> Action:
        self._tick()
        question = f"{decision.turn_id} {sight.deal.hand}"
        seed = int.from_bytes(hashlib.sha256(question.encode()).digest()[:8], "big")
        return RandomBot(seed).decide(decision, sight)


def new_fuse(chance: random.Random) -> Fuse:
    """One for every kill."""
    return Fuse(chance.sample(range(1, 6 * BOARDS * DECISIONS_A_DEAL), KILLS))


async def kill_at(fuse: Fuse, server: Supervisor, chance: random.Random) -> None:
    """Kill at the moments of a fuse, a little later each, and sometimes twice in a row."""
    while True:
        await fuse.burnt.wait()
        fuse.burnt.clear()
        await asyncio.sleep(chance.random() * 0.05)
        await server.replace()
        if chance.random() < 0.25:
            await asyncio.sleep(chance.random() * 0.2)
            await server.replace()


@asynccontextmanager
async def entries(address: str) -> AsyncIterator[list[AsyncClient]]:
    """The clients of those who take part."""
    clients = [AsyncClient(address, token=f"the-token-of-{name}") for name in NAMES]
    try:
        yield clients
    finally:
        for client in clients:
            await client.aclose()


async def played(address: str, tick: Callable[[], None] = lambda: None) -> str:
    """Make the event, enter it, play it to its end; its id."""
    async with entries(address) as clients, grpc.aio.insecure_channel(address) as channel:
        organiser = Organiser(channel)
        tournament_id = (await organiser.create(EVENT)).tournament_id
        await organiser.open()
        for name, client in zip(NAMES, clients, strict=True):
            await client.register(tournament_id, name, client_nonce=name.encode())
        await organiser.start()
        async with asyncio.TaskGroup() as tasks:
            for client in clients:
                bot = Reckoner(tick)
                tasks.create_task(play_tournament(bot, client, tournament_id, options=QUICK))
    return tournament_id


async def exported(address: str, tournament_id: str, folder: Path) -> Path:
    """What the organiser exports."""
    words = ("export", tournament_id, str(folder), "--server", address)
    token = {"SKAT_TOKEN": "organiser-organiser"}
    result = await asyncio.to_thread(
        CliRunner().invoke, command_line, ["tournament", *words], env=token
    )
    assert result.exit_code == 0, result.stderr
    return folder


def games(folder: Path) -> list[dict[str, Any]]:
    """What was played, without what names the run: ids, times and seals."""
    found = []
    for line in (folder / "games.jsonl").read_text().splitlines():
        game = json.loads(line)
        record = json.loads(game.pop("record"))
        del game["table_id"], game["sha256"]
        kept = {name: record[name] for name in ("dealt", "dealer", "actions", "result")}
        found.append({**game, **kept, "faults": record.get("faults")})
    return found


async def test_kills_do_not_change_the_standings(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    fuse = new_fuse(chance)
    async with supervised(tmp_path / "data", keeps_port=True) as server:
        killing = asyncio.create_task(kill_at(fuse, server, chance))
        try:
            killed = await played(server.address, fuse.tick)
        finally:
            killing.cancel()
            await asyncio.gather(killing, return_exceptions=True)
        await server.replace()  # results of what is over are found as well
        disturbed = await exported(server.address, killed, tmp_path / "disturbed")
    async with App(Settings(port=0, grace=0.0)) as app:
        calm = await exported(app.address, await played(app.address), tmp_path / "calm")
    assert server.starts > KILLS
    assert games(disturbed) == games(calm)
    assert (disturbed / "standings.json").read_bytes() == (calm / "standings.json").read_bytes()
    verified = CliRunner().invoke(command_line, ["tournament", "verify", str(disturbed)])
    assert verified.exit_code == 0, verified.stdout
