"""F9 and F12: the network between clients and a server that goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from skat.v1 import table_service_pb2 as tables
from skat_server.storage.protocols import EntryKind
from tests.crash.database import histories_in
from tests.crash.recording import Player, Progress, table_request
from tests.crash.relay import Relay, relaying
from tests.crash.supervising import Supervisor, supervised
from tests.crash.wire import ON_THE_WIRE
from tests.histories.checker import violations
from tests.histories.model import History, TableHistory

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(120)]

NAMES = ("ann", "ben", "cem")


def short_clocks(number: int) -> tables.CreateTableRequest:
    """A table that soon goes on without whoever does not answer."""
    request = table_request(number, deals=1)
    request.clock.decision_ms = 300
    request.clock.bank_ms = 0
    request.clock.grace_ms = 300
    request.faults.safe_answers = 1
    return request


class Table:
    """Three players at one table, the first of them behind a relay."""

    def __init__(self, supervisor: Supervisor, relay: Relay) -> None:
        """Bring them together."""
        self.progress = Progress()
        ways = (lambda: relay.address, lambda: supervisor.address, lambda: supervisor.address)
        self.players = [
            Player(name, way, self.progress, seed)
            for seed, (name, way) in enumerate(zip(NAMES, ways, strict=True))
        ]
        self.table_id = ""

    async def open(self, request: tables.CreateTableRequest) -> None:
        """Make the table and sit down."""
        self.table_id = await self.players[0].create(request)
        for seat, player in enumerate(self.players):
            await player.sit(self.table_id, seat)

    async def kept(self, data: Path) -> TableHistory:
        """What the server has left; all histories must be true."""
        kept = histories_in(data)
        histories = [player.history for player in self.players]
        assert violations(History(kept, histories, ON_THE_WIRE)) == []
        (table,) = kept
        return table


def safe_answers(table: TableHistory, cause: str) -> int:
    """How many decisions were answered for somebody, and why."""
    return sum(
        line.entry.kind is EntryKind.DECISION_DEFAULTED and f'"{cause}"' in line.entry.payload
        for line in table.lines
    )


@pytest.mark.parametrize(
    ("way", "cause"), [("halt", "stalled"), ("cut", "disconnected")], ids=["halted", "cut"]
)
async def test_a_table_goes_on_without_whoever_is_cut_off(
    tmp_path: Path, way: str, cause: str
) -> None:
    """F9: safe answers after the grace; and who comes back has missed nothing."""
    data = tmp_path / "data"
    async with (
        supervised(data) as supervisor,
        relaying(lambda: supervisor.address if is_open else "127.0.0.1:1") as relay,
    ):
        is_open = True
        table = Table(supervisor, relay)
        await table.open(short_clocks(1))
        wanted = {table.table_id}
        async with asyncio.TaskGroup() as group:
            away = group.create_task(table.players[0].follow(wanted))
            others = [group.create_task(player.follow(wanted)) for player in table.players[1:]]
            await table.progress.reach(6)
            is_open = False
            relay.halt() if way == "halt" else relay.cut()
            await asyncio.wait(others)
            is_open = True
            relay.cut()
            await away
        assert await supervisor.stop() == 0
    assert safe_answers(await table.kept(data), cause) > 0
