"""A server to throw things at, what may sensibly be said to it, and how it has to answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from skat_engine import PRESETS, deal_from_seed
from skat_engine.ruleset import OPTION_TYPES
from skat_server.app import App
from skat_server.clock import ManualClock
from skat_server.config import AdminSettings, Auth, Limits, Settings
from skat_server.errors import Reason
from skat_server.storage.accounts_memory import MemoryAccounts
from skat_server.storage.memory import MemoryStore
from skat_server.tables.table import Table
from tests.fuzz.messages import Vocabulary
from tests.rpc.failures import Failure
from tests.rpc.game import listed
from tests.rpc.members import LOCAL, Member

NAMES: Final = ("ann", "ben", "cem")
DEALS: Final = [deal_from_seed(bytes([number]) * 32) for number in range(30)]
SEED: Final = bytes(32)
MUCH: Final = 10**6

TABLE, TURN, BOT, TOKEN, LAST, RECORD = (
    "<table>",
    "<turn>",
    "<bot>",
    "<token>",
    "<last>",
    "<record>",
)
"""Words for what is there when they are said."""

VOCABULARY: Final = Vocabulary(
    words={
        "table_id": (TABLE,) * 4,
        "turn_id": (TURN, TURN, "1.0", "1.1", ""),
        "token_id": (TOKEN,),
        "bot_id": (BOT,),
        "id": (BOT,),
        "json": (RECORD, "{}", "[]", "null"),
        "preset": tuple(PRESETS),
        "overrides": ("true", "off", "36", "unset", "3"),
        "overrides.key": tuple(OPTION_TYPES),
        "seed": (SEED,),
        "commitment": (SEED,),
        "table_seed": (SEED,),
        "page_token": ("", "50", "x"),
        "seat": (0, 1, 2, 3),
        "position": (0, 1, 2, 3),
        "value": (18, 20, 22),
        "name": ("new", "ann"),
        "reason": ("because",),
        "player_name": ("new",),
    },
    only={  # nobody waits for a clock that stands still, or for what the future brings
        "wait_ms": (0, 0, 60_001, 2**32 - 1),
        "after_sequence": (0, 1, 2, 1_000, 2**64 - 1),
    },
)


@dataclass
class World:
    """A running server with accounts and a table with a deal under way."""

    app: App
    players: grpc.aio.Channel
    operator: grpc.aio.Channel
    store: MemoryStore
    accounts: MemoryAccounts
    members: list[Member]
    table: Table

    @property
    def words(self) -> Mapping[str, Any]:
        """What the words in angle brackets stand for now."""
        state, decision = self.table.state, self.table.decision
        records = self.store._records.get(self.table.table_id)
        return {
            TABLE: self.table.table_id,
            TURN: "" if decision is None else decision.turn_id,
            BOT: self.members[1].account.account_id,
            TOKEN: self.members[1].token_id,
            LAST: self.table.log.last(0) if state.deal else 0,
            RECORD: records[-1].json if records else "{}",
        }

    @property
    def kept(self) -> object:
        """All that would outlive the process, but the notes of what the operator has tried."""
        logs = {table_id: len(lines) for table_id, lines in self.store._logs.items()}
        accounts, tokens = dict(self.accounts._accounts), self.accounts._tokens
        revoked = {token_id: token.revoked_ms for token_id, token in tokens.items()}
        return logs, accounts, revoked

    async def is_alive(self) -> bool:
        """Whether the server still answers."""
        untyped: Any = self.players
        stub: Any = health_pb2_grpc.HealthStub(untyped)
        response = await stub.Check(health_pb2.HealthCheckRequest(service="liveness"))
        return bool(response.status == health_pb2.HealthCheckResponse.SERVING)


@asynccontextmanager
async def world() -> AsyncIterator[World]:
    """Make it."""
    limits = Limits(
        unasked_per_second=MUCH, unasked_burst=MUCH, calls_per_second=MUCH, calls_burst=MUCH
    )
    settings = Settings(port=0, grace=0.0, auth=Auth.ACCOUNTS, admin=AdminSettings(), limits=limits)
    store, accounts = MemoryStore(), MemoryAccounts()
    async with App(settings, clock=ManualClock(), store=store, accounts=accounts) as app:
        assert app.admin_address is not None
        async with (
            grpc.aio.insecure_channel(app.address) as players,
            grpc.aio.insecure_channel(app.admin_address) as operator,
        ):
            members = [
                Member(players, *await app.accounts.create_account(name, LOCAL)) for name in NAMES
            ]
            request = listed(DEALS)
            request.faults.illegal_actions = 100
            made = await members[0].create_table(request)
            for member in members:
                await member.take_seat(made.table_id)
            table = app.tables.find(made.table_id)
            yield World(app, players, operator, store, accounts, members, table)


def check_refusal(refused: Failure) -> None:
    """A refusal is one of the catalogue, and no accident of ours.

    What the library refuses itself, before any of our code, has no details.
    """
    if not refused.details:
        assert refused.code in {
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            grpc.StatusCode.UNIMPLEMENTED,
        }, refused
        return
    reason = Reason[refused.reason]
    assert reason is not Reason.INTERNAL, refused
    assert refused.info.domain == "skat.v1"
    # A file may have several mistakes, each in a line of its own.
    lines = refused.text.split("\n") if reason is Reason.BAD_TOURNAMENT else [refused.text]
    assert all(line.isprintable() for line in lines), refused


CHANGES_ALL_THE_SAME: Final = {Reason.TOO_MANY_ILLEGAL.name}
"""Refusals that come with a safe answer."""
