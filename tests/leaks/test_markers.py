"""T1, T6, T8, T26: secrets with known texts are looked for in everything that leaves the server.

Every secret that the server draws is written down: those of tokens, and the seeds of tables. A
small list is played by accounts on a database; then everybody's streams, all that may be asked,
the log, and the representation of every object inside are searched for them.
"""

from __future__ import annotations

import gc
import hashlib
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import pytest
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from skat.v1 import account_service_pb2, record_service_pb2, table_service_pb2
from skat_engine import cards_in, cards_text
from skat_engine.shuffling import table_deal_seed
from skat_server.app import App
from skat_server.config import DATABASE, Auth, Settings
from skat_server.tables.sources import FreshDeals
from skat_server.tables.table import Table
from tests.leaks.eavesdropping import is_in, said_by, server_log
from tests.rpc.choices import Chance
from tests.rpc.members import LOCAL, Member
from tests.rpc.spectator import Spectator

pytestmark = pytest.mark.asyncio

SECRET_BYTES = 32
NAMES = ("ann", "ben", "cem")
NONCES = [f"share of {name}".encode().ljust(SECRET_BYTES, b".") for name in NAMES]
DEAL = 3
"""The deal under way when everything is searched; those before it are public."""


class Drawn:
    """Chance that can be searched for: long draws are secrets, short ones are ids."""

    def __init__(self) -> None:
        self.secrets: list[bytes] = []
        self._count = 0

    def __call__(self, size: int) -> bytes:
        """So many bytes that look like any others."""
        self._count += 1
        drawn = hashlib.shake_256(str(self._count).encode()).digest(size)
        if size >= SECRET_BYTES:
            self.secrets.append(drawn)
        return drawn


@dataclass
class House:
    """A server with accounts on a database, and a table with three players and a spectator."""

    app: App
    channel: grpc.aio.Channel
    drawn: Drawn
    members: list[Member] = field(default_factory=list)
    watched: list[Message] = field(default_factory=list)

    @property
    def table(self) -> Table:
        """The only table."""
        (table,) = self.app.tables.public(None)
        return table

    @property
    def seeds(self) -> list[bytes]:
        """What must not be known: the seed of the table, and that of the deal under way."""
        source = self.table.config.source
        assert isinstance(source, FreshDeals)
        return [source.table_seed, table_deal_seed(source.table_seed, DEAL, NONCES)]

    async def play(self) -> None:
        """Two whole deals and the beginning of a third one."""
        for name in NAMES:
            issued = await self.app.accounts.create_account(name, LOCAL)
            self.members.append(Member(self.channel, *issued))
        table = await self.members[0].create_table(seats="3")
        for member, nonce in zip(self.members, NONCES, strict=True):
            await member.open()
            request = table_service_pb2.TakeSeatRequest(
                table_id=table.table_id, player_name=member.name, client_nonce=nonce
            )
            await member.tables.TakeSeat(request, metadata=member.metadata)
        choose, seat = Chance(1), 0
        while self.table.state.deal_number < DEAL or len(self.table.state.actions) < 2:
            decision = self.table.decision
            seat = seat if decision is None else decision.seat
            member = self.members[seat]
            asked = await member.decision(table.table_id)
            await member.answer(table.table_id, choose(asked))
            await self._settled(member, asked.turn_id)

    async def _settled(self, member: Member, turn_id: str) -> None:
        """Wait until somebody else is asked, or the same one anew."""
        before = turn_id
        while (now := self.table.decision) is None or (
            now.turn_id == before and self.members[now.seat] is member
        ):
            await member.get_table(self.table.table_id)

    async def watch(self) -> None:
        """Look at the table as a stranger does."""
        async with Spectator(self.channel, self.table.table_id) as spectator:
            await spectator.read()
            self.watched += [*spectator.story.views, *spectator.story.events]

    async def heard(self) -> list[bytes]:
        """Everything that anybody was told, and what everybody may ask."""
        await self.watch()
        told = [message.SerializeToString() for m in self.members for message in m.responses]
        told += [message.SerializeToString() for message in self.watched]
        for metadata in ((), *(member.metadata for member in self.members)):
            for method, request in self._questions():
                told += await said_by(self.channel, method, [request], metadata, at_most=1)
        return told

    def _questions(self) -> Sequence[tuple[str, Message]]:
        table_id = self.table.table_id
        records = "skat.v1.RecordService"
        reflect = reflection_pb2.ServerReflectionRequest
        return (
            (
                "skat.v1.TableService.GetTable",
                table_service_pb2.GetTableRequest(table_id=table_id),
            ),
            ("skat.v1.TableService.ListTables", table_service_pb2.ListTablesRequest()),
            (
                f"{records}.ListDealRecords",
                record_service_pb2.ListDealRecordsRequest(table_id=table_id),
            ),
            (
                f"{records}.GetDealRecord",
                record_service_pb2.GetDealRecordRequest(table_id=table_id, deal_number=DEAL),
            ),
            ("skat.v1.AccountService.GetCaller", account_service_pb2.GetCallerRequest()),
            ("skat.v1.AccountService.ListTokens", account_service_pb2.ListTokensRequest()),
            ("grpc.health.v1.Health.Watch", health_pb2.HealthCheckRequest()),
            (
                "grpc.reflection.v1alpha.ServerReflection.ServerReflectionInfo",
                reflect(file_containing_symbol="skat.v1.TableService"),
            ),
        )


@asynccontextmanager
async def house(folder: Path) -> AsyncIterator[House]:
    """Open the house and play."""
    drawn = Drawn()
    settings = Settings(port=0, grace=0.0, auth=Auth.ACCOUNTS, data=folder)
    async with (
        App(settings, entropy=drawn) as app,
        grpc.aio.insecure_channel(app.address) as channel,
    ):
        opened = House(app, channel, drawn)
        await opened.play()
        yield opened


def representations() -> list[bytes]:
    """How every object of the server would look in a message or in a debugger."""
    return [
        repr(found).encode()
        for found in gc.get_objects()
        if str(getattr(type(found), "__module__", "")).startswith("skat_server")
    ]


async def test_no_secret_is_told_or_logged_or_shown(tmp_path: Path) -> None:
    with server_log() as log:
        async with house(tmp_path) as opened:
            everything = [*await opened.heard(), log.getvalue().encode(), *representations()]
            secrets = [*opened.drawn.secrets, *opened.seeds]
            texts = [member.issued.text.secret.encode() for member in opened.members]
    assert len(everything) > 100
    for secret in (*secrets, *texts):
        assert not is_in(secret, everything)


async def test_no_hand_is_logged_or_shown(tmp_path: Path) -> None:
    """T6: neither as a set of cards nor in notation."""
    with server_log() as log:
        async with house(tmp_path) as opened:
            deal = opened.table.state.deal
            assert deal is not None
            hands = [str(hand).encode() for hand in deal.dealt.hands]
            hands += [cards_text(cards_in(hand)).encode() for hand in deal.dealt.hands]
            shown = [log.getvalue().encode(), *representations()]
    assert not any(hand in text for hand in hands for text in shown)


async def test_what_is_public_is_told(tmp_path: Path) -> None:
    """The search can find something: the seeds of deals that are over, and at the end all."""
    async with house(tmp_path) as opened:
        table_seed, running = opened.seeds
        heard = await opened.heard()
        for number in range(1, DEAL):
            assert is_in(table_deal_seed(table_seed, number, NONCES), heard)
        await opened.members[0].close_table(opened.table.table_id)
        heard = await opened.heard()
        assert is_in(table_seed, heard)
        assert not is_in(running, heard), "a deal that was dropped is told by nobody"


def files_of(folder: Path) -> list[bytes]:
    """What a thief of the disk has in his hands."""
    return [path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()]


async def test_a_token_on_the_disk_is_a_hash_and_no_more(tmp_path: Path) -> None:
    """T1."""
    async with house(tmp_path) as opened:
        texts = [member.issued.text for member in opened.members]
    disk = files_of(tmp_path)
    for text in texts:
        assert not is_in(text.secret.encode(), disk)
        assert is_in(hashlib.sha256(text.secret.encode()).digest(), disk)


async def test_a_seed_on_the_disk_stands_where_it_must(tmp_path: Path) -> None:
    """T26: the log needs it to go on after a crash; no other table or column does."""
    async with house(tmp_path) as opened:
        table_seed, running = opened.seeds
    where = {
        (table, column, kind)
        for table, column, kind, value in _cells(tmp_path / DATABASE)
        if is_in(table_seed, [value]) or is_in(running, [value])
    }
    assert where == {
        ("filed_events", "payload", "table_opened"),
        ("filed_events", "payload", "deal_started"),
    }


def _cells(path: Path) -> list[tuple[str, str, str, bytes]]:
    """Every value of a database with the kind of entry that it belongs to."""
    found = []
    with closing(sqlite3.connect(path)) as database:
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (table,) in names.fetchall():
            rows = database.execute(f'SELECT * FROM "{table}"')
            columns = [name for name, *_ in rows.description]
            for row in rows:
                values = dict(zip(columns, row, strict=True))
                kind = str(values.get("kind", ""))
                for column, value in values.items():
                    data = value if isinstance(value, bytes) else str(value).encode()
                    found.append((table, column, kind, data))
    return found
