"""Clients that behave badly, each as a program of its own.

Every one takes the address of a server, does its worst for a bounded time, and returns how the
server has met it: the names of the reasons it was given, in order. To try one by hand against
``make serve``::

    python -m tests.rude flooding --server 127.0.0.1:7654
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import grpc

from skat.v1 import (
    action_pb2,
    error_pb2,
    play_service_pb2,
    play_service_pb2_grpc,
    rule_set_pb2,
    table_pb2,
    table_service_pb2,
    table_service_pb2_grpc,
)
from skat_engine import parse_action
from skat_server.rpc.convert.values import action_to_proto
from tests.rpc.failures import failure_of

if TYPE_CHECKING:
    Call = grpc.aio.StreamStreamCall[play_service_pb2.PlayRequest, play_service_pb2.PlayResponse]

Rude = Callable[[str], Coroutine[None, None, list[str]]]

MANY: Final = 400
"""Submissions of a flood: more than what is allowed at once, and then as many again."""
SOME: Final = 50
"""Messages that are not too many yet."""
HELLO: Final = play_service_pb2.PlayRequest(hello=play_service_pb2.Hello(client_name="rude"))
PASS: Final = action_to_proto(parse_action("pass"))
NO_CARD_YET: Final = action_to_proto(parse_action("CJ"))
"""Illegal in the auction."""


def metadata(name: str) -> tuple[tuple[str, str], ...]:
    """What tells the server who comes."""
    return (("authorization", f"Bearer rude-player-{name}-0123456789"),)


@asynccontextmanager
async def stream(address: str, name: str) -> AsyncIterator[Call]:
    """An open play stream; it is broken off in the end."""
    async with grpc.aio.insecure_channel(address) as channel:
        call = play_service_pb2_grpc.PlayServiceStub(channel).Play(metadata=metadata(name))
        try:
            yield call
        finally:
            call.cancel()


async def seated(address: str, name: str) -> str:
    """A table with two house bots at which this player sits; its id."""
    async with grpc.aio.insecure_channel(address) as channel:
        stub = table_service_pb2_grpc.TableServiceStub(channel)
        created = await stub.CreateTable(
            table_service_pb2.CreateTableRequest(
                rule_set=rule_set_pb2.RuleSet(preset="isko"),
                house_bots=[table_pb2.HOUSE_BOT_FIRST_OPTION] * 2,
            ),
            metadata=metadata(name),
        )
        table_id = created.table.table_id
        sitting = table_service_pb2.TakeSeatRequest(table_id=table_id, player_name=name)
        await stub.TakeSeat(sitting, metadata=metadata(name))
        return table_id


async def ending(call: Call) -> list[str]:
    """Read to the end and say with which reason it came; nothing where it was no failure."""
    try:
        while await call.read() is not grpc.aio.EOF:
            pass
    except grpc.aio.AioRpcError as error:
        return [failure_of(error).reason]
    return []


async def decision_in(call: Call) -> table_pb2.TableFrame:
    """Read until a decision comes."""
    while True:
        response = await call.read()
        assert isinstance(response, play_service_pb2.PlayResponse)
        for frame in response.tables:
            if frame.HasField("decision"):
                return frame


async def results_in(call: Call, count: int) -> list[str]:
    """Read until so many results have come; the reasons of those that were refused."""
    reasons: list[str] = []
    while len(reasons) < count:
        response = await call.read()
        if not isinstance(response, play_service_pb2.PlayResponse):
            return reasons
        for result in response.results:
            is_refused = result.HasField("refused")
            reasons.append(_name(result.refused.reason) if is_refused else "REPEATED")
    return reasons


def _name(reason: error_pb2.ErrorReason.ValueType) -> str:
    return error_pb2.ErrorReason.Name(reason).removeprefix("ERROR_REASON_")


def answer(frame: table_pb2.TableFrame, action: action_pb2.Action) -> play_service_pb2.PlayRequest:
    """An answer to the decision in a frame."""
    submission = play_service_pb2.Submission(
        table_id=frame.table_id, turn_id=frame.decision.turn_id, action=action
    )
    return play_service_pb2.PlayRequest(submissions=[submission])


async def silent(address: str) -> list[str]:
    """Sits down, reads its decision, and goes away without an answer."""
    await seated(address, "silent")
    async with stream(address, "silent") as call:
        await call.write(HELLO)
        await decision_in(call)
    return []


async def slow(address: str) -> list[str]:
    """Asks for all events at once and reads none of them."""
    await seated(address, "slow")
    async with stream(address, "slow") as call:
        await call.write(HELLO)
        for _ in range(SOME):
            await call.write(play_service_pb2.PlayRequest())
    return []


async def half_open(address: str) -> list[str]:
    """Breaks the connection off in the middle of a message, without a word."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00")
    await writer.drain()
    await reader.read(9)
    writer.write(b"\x00\x40\x00\x01\x04")
    await writer.drain()
    writer.transport.abort()
    return []


async def illegal(address: str) -> list[str]:
    """Plays a card in the auction until its decision is answered for it."""
    await seated(address, "illegal")
    async with stream(address, "illegal") as call:
        await call.write(HELLO)
        frame = await decision_in(call)
        for _ in range(4):
            await call.write(answer(frame, NO_CARD_YET))
        return await results_in(call, 4)


async def duplicating(address: str) -> list[str]:
    """Sends one answer many times."""
    await seated(address, "duplicating")
    async with stream(address, "duplicating") as call:
        await call.write(HELLO)
        frame = await decision_in(call)
        for _ in range(10):
            await call.write(answer(frame, frame.decision.first_option))
        # Those that come while the first is being kept are accepted with it, without a word.
        frame.decision.turn_id = "0.0"
        await call.write(answer(frame, PASS))
        reasons: list[str] = []
        while not reasons or reasons[-1] == "REPEATED":
            reasons += await results_in(call, 1) or ["NOTHING"]
        return reasons


async def flooding(address: str) -> list[str]:
    """Sends what nobody asked for, as fast as it can."""
    table_id = await seated(address, "flooding")
    nonsense = play_service_pb2.Submission(table_id=table_id, turn_id="0.0", action=PASS)
    async with stream(address, "flooding") as call:
        await call.write(HELLO)
        await call.write(play_service_pb2.PlayRequest(submissions=[nonsense] * MANY))
        return await ending(call)


async def storming(address: str) -> list[str]:
    """Opens many connections that say nothing."""
    host, _, port = address.rpartition(":")
    opened = await asyncio.gather(*(asyncio.open_connection(host, int(port)) for _ in range(200)))
    for _, writer in opened:
        writer.transport.abort()
    return []


async def disorderly(address: str) -> list[str]:
    """Does everything in the wrong order and at the wrong place."""
    reasons: list[str] = []
    table_id = await seated(address, "disorderly")
    submission = play_service_pb2.Submission(table_id=table_id, turn_id="1.0", action=PASS)
    async with stream(address, "disorderly") as call:
        await call.write(play_service_pb2.PlayRequest(submissions=[submission]))
        reasons += await ending(call)
    async with stream(address, "disorderly") as call:
        await call.write(HELLO)
        await call.write(HELLO)
        reasons += await ending(call)
    async with stream(address, "stranger") as call:
        await call.write(HELLO)
        await call.write(play_service_pb2.PlayRequest(submissions=[submission]))
        reasons += await results_in(call, 1)
    return reasons


async def superseding(address: str) -> list[str]:
    """Opens one session after the other for the same player."""
    await seated(address, "superseding")
    reasons: list[str] = []
    async with contextlib.AsyncExitStack() as stack:
        before: Call | None = None
        for _ in range(10):
            call = await stack.enter_async_context(stream(address, "superseding"))
            await call.write(HELLO)
            await decision_in(call)
            reasons += [] if before is None else await ending(before)
            before = call
    return reasons


CLIENTS: Final[dict[str, Rude]] = {
    client.__name__: client
    for client in (
        silent,
        slow,
        half_open,
        illegal,
        duplicating,
        flooding,
        storming,
        disorderly,
        superseding,
    )
}
"""All of them by name."""
