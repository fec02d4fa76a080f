"""Tables for players, made over the wire."""

import asyncio
import secrets
from collections.abc import Sequence
from typing import Any, Final

import grpc

from bench.connections import bearer
from skat.v1 import rule_set_pb2
from skat.v1 import table_service_pb2 as tables
from skat.v1 import table_service_pb2_grpc as tables_grpc

SEATS: Final = 3
_TABLES_OF_AN_OWNER: Final = 1_000
_AT_ONCE: Final = 32
_RETRY_AFTER: Final = 1.0
"""Seconds, as the server says it."""
_RULES: Final = rule_set_pb2.RuleSet(preset="isko", overrides={"session_end": "open"})
"""A series without an end: a window does not meet one."""


def tokens_for(sessions: int) -> Sequence[str]:
    """A token for each session; whoever makes one up is a player."""
    return [secrets.token_urlsafe() for _ in range(sessions)]


def seats_of(table: int, sessions: int) -> Sequence[int]:
    """Which sessions sit at a table: three different ones, in turn."""
    return [(SEATS * table + seat) % sessions for seat in range(SEATS)]


async def make_tables(
    channel: grpc.aio.Channel, count: int, tokens: Sequence[str]
) -> Sequence[str]:
    """Make so many tables and take all their seats; play begins at once.

    Returns:
        The ids of the tables.
    """
    service: Any = tables_grpc.TableServiceStub(channel)
    owners = tokens_for(1 + count // _TABLES_OF_AN_OWNER)
    gate = asyncio.Semaphore(_AT_ONCE)

    async def make(number: int) -> str:
        async with gate:
            owner = owners[number // _TABLES_OF_AN_OWNER]
            players = [tokens[session] for session in seats_of(number, len(tokens))]
            return await _make_one(service, owner, players)

    return await asyncio.gather(*map(make, range(count)))


async def _make_one(service: Any, owner: str, players: Sequence[str]) -> str:
    table_id = await _created(service, owner)
    for token in players:
        seat = tables.TakeSeatRequest(table_id=table_id, player_name="bench")
        await service.TakeSeat(seat, metadata=bearer(token))
    return table_id


async def _created(service: Any, owner: str) -> str:
    """A new table; a server that is busy is asked again."""
    request = tables.CreateTableRequest(rule_set=_RULES)
    while True:
        try:
            made = await service.CreateTable(request, metadata=bearer(owner))
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
            await asyncio.sleep(_RETRY_AFTER)
        else:
            table_id: str = made.table.table_id
            return table_id
