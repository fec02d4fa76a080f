"""What is held for those who do nothing, and what is kept of those who have left."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Final

import grpc

from bench.connections import ByteStream, connect, leave, welcomed
from bench.plan import Plan, Values
from bench.processes import Process, resident_bytes, skat_server
from bench.seating import SEATS, make_tables, tokens_for
from skat_server.storage.protocols import Durability

SESSIONS: Final = 1_000
TABLES: Final = 1_000
_STRETCH: Final = 40_000
"""Streams from one of whose peaks of memory to the next is looked. What a call leaves waits for the
collector, up to 33,000 calls and 30 MB (`skat_server.cli.loops`), and then is used again; one peak
lies in every stretch."""
_LOOK_EVERY: Final = 0.05
"""Seconds between two looks at memory."""
_AT_ONCE: Final = 20
"""Players who come and go at a time."""

_End = Callable[[ByteStream], Awaitable[None]]
"""How a stream is left."""


def idle(plan: Plan) -> Values:
    """What an idle session and an idle table hold."""
    with skat_server(plan.machine, Durability.MEMORY) as server:
        session = asyncio.run(_of_sessions(server, plan.sized(SESSIONS)))
    with skat_server(plan.machine, Durability.MEMORY) as server:
        table = asyncio.run(_of_tables(server, plan.sized(TABLES)))
    return {"session_kib": round(session / 1024, 1), "table_kib": round(table / 1024, 1)}


def closing(plan: Plan) -> Values:
    """What is kept for each stream, well closed or cancelled."""
    streams = plan.sized(_STRETCH)
    kept = {}
    for name, end in (("closed_bytes", leave), ("cancelled_bytes", _cancel)):
        with skat_server(plan.machine, Durability.MEMORY) as server:
            kept[name] = asyncio.run(_kept(server, streams, end))
    return {"streams": streams, **kept}


async def _of_sessions(server: Process, count: int) -> float:
    """Bytes for each session, a connection each."""
    calls = [await welcomed(connect(server.address), tokens_for(1)[0]) for _ in range(SEATS)]
    before = resident_bytes(server.pid)
    calls += [await welcomed(connect(server.address), token) for token in tokens_for(count)]
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


async def _kept(server: Process, streams: int, end: _End) -> int:
    """Bytes by which memory peaks higher for each stream that has come and gone."""
    tokens = tokens_for(_AT_ONCE)  # the same ones come again: of new players something is known
    before = await _peak(server, _come_and_go(server, streams, tokens, end))
    after = await _peak(server, _come_and_go(server, streams, tokens, end))
    return round((after - before) / streams)


async def _peak(server: Process, work: Coroutine[None, None, None]) -> int:
    """Bytes that a server holds at most until something is done."""
    highest, done = resident_bytes(server.pid), asyncio.create_task(work)
    while not done.done():
        await asyncio.wait([done], timeout=_LOOK_EVERY)
        highest = max(highest, resident_bytes(server.pid))
    await done
    return highest


async def _come_and_go(server: Process, streams: int, tokens: Sequence[str], end: _End) -> None:
    async def some(channel: grpc.aio.Channel, count: int, token: str) -> None:
        for _ in range(count):
            call = await welcomed(channel, token)
            await end(call)

    channel, count = connect(server.address), -(-streams // _AT_ONCE)
    await asyncio.gather(*(some(channel, count, token) for token in tokens))
    await channel.close()


async def _cancel(call: ByteStream) -> None:
    call.cancel()
    await asyncio.sleep(0)
