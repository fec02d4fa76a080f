"""What is held for those who do nothing, and what is kept of those who have left."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import grpc

from bench.connections import allow_connections, connect, open_play
from bench.plan import Plan, Values
from bench.processes import Process, resident_bytes, skat_server
from bench.seating import SEATS, make_tables, tokens_for
from skat.v1 import play_service_pb2 as wire

SESSIONS: Final = 1_000
TABLES: Final = 1_000
STREAMS: Final = 20_000
_WARM_UP: Final = 0.1
"""Share of the streams that come before the first look: what is made once is not kept for each."""
_AT_ONCE: Final = 20
"""Players who come and go at a time."""
_REST: Final = 0.5
"""Seconds until a server has let go of what has just left."""

_HELLO: Final = wire.PlayRequest(hello=wire.Hello(client_name="bench")).SerializeToString()


def idle(plan: Plan) -> Values:
    """What an idle session and an idle table hold."""
    allow_connections()
    with skat_server(plan.machine, "memory") as server:
        session = asyncio.run(_of_sessions(server, plan.sized(SESSIONS)))
    with skat_server(plan.machine, "memory") as server:
        table = asyncio.run(_of_tables(server, plan.sized(TABLES)))
    return {"session_kib": round(session / 1024, 1), "table_kib": round(table / 1024, 1)}


def closing(plan: Plan) -> Values:
    """What is kept for each of 20,000 streams, well closed or cancelled."""
    streams = plan.sized(STREAMS)
    kept = {}
    for name, leave in (("closed_bytes", _close), ("cancelled_bytes", _cancel)):
        with skat_server(plan.machine, "memory") as server:
            kept[name] = asyncio.run(_kept(server, streams, leave))
    return {"streams": streams, **kept}


async def _of_sessions(server: Process, count: int) -> float:
    """Bytes for each session, a connection each."""
    calls = [await _welcomed(connect(server.address), tokens_for(1)[0]) for _ in range(SEATS)]
    before = resident_bytes(server.pid)
    calls += [await _welcomed(connect(server.address), token) for token in tokens_for(count)]
    taken = resident_bytes(server.pid) - before
    for call in calls:
        call.cancel()
    return taken / count


async def _of_tables(server: Process, count: int) -> float:
    """Bytes for each table with three players and an open decision, none of them connected."""
    channel = connect(server.address)
    tokens = tokens_for(SEATS * count)
    await make_tables(channel, SEATS, tokens)
    before = resident_bytes(server.pid)
    await make_tables(channel, count, tokens)
    taken = resident_bytes(server.pid) - before
    await channel.close()
    return taken / count


async def _kept(server: Process, streams: int, leave: Callable[[Any], Awaitable[None]]) -> int:
    """Bytes kept for each stream that has come and gone."""
    tokens = tokens_for(_AT_ONCE)  # the same ones come again: of new players something is known
    await _come_and_go(server, round(_WARM_UP * streams), tokens, leave)
    before = resident_bytes(server.pid)
    await _come_and_go(server, streams, tokens, leave)
    return round((resident_bytes(server.pid) - before) / streams)


async def _come_and_go(
    server: Process, streams: int, tokens: Sequence[str], leave: Callable[[Any], Awaitable[None]]
) -> None:
    async def some(channel: grpc.aio.Channel, count: int, token: str) -> None:
        for _ in range(count):
            call = await _welcomed(channel, token)
            await leave(call)

    channel, count = connect(server.address), -(-streams // _AT_ONCE)
    await asyncio.gather(*(some(channel, count, token) for token in tokens))
    await channel.close()
    await asyncio.sleep(_REST)


async def _welcomed(channel: grpc.aio.Channel, token: str) -> Any:
    """A stream whose first message has come."""
    call = open_play(channel, token)
    await call.write(_HELLO)
    await call.read()
    return call


async def _close(call: Any) -> None:
    await call.done_writing()
    while await call.read():
        pass


async def _cancel(call: Any) -> None:
    call.cancel()
    await asyncio.sleep(0)
