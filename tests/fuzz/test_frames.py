"""F14, F17, T15: the play stream bears every frame, well made, half made or no frame at all.

Whatever comes, the stream goes on or ends with a reason of the catalogue, the server lives, and
the table is what its log says: nothing but legal actions has come through.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import grpc
import pytest
from google.protobuf.message import Message
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from skat.v1 import play_service_pb2
from skat_server.observability.logging import LogLevel
from skat_server.rpc.convert.values import action_to_proto
from skat_server.storage.protocols import TableLog
from tests.fuzz.messages import damaged, nested, spoken
from tests.fuzz.worlds import VOCABULARY, World, check_refusal, world
from tests.leaks.eavesdropping import server_log
from tests.rpc.failures import Failure, failure_of
from tests.server.recovering import again, assert_same

PLAY = "/skat.v1.PlayService/Play"
WITHIN = 5.0
"""Seconds within which a stream whose client has closed its side ends."""
LOST = "Internal error from Core"
"""What the client's library says when it has written after the end: it does not know the end."""

REQUESTS = VOCABULARY.messages(play_service_pb2.PlayRequest.DESCRIPTOR)
SUBMISSIONS = VOCABULARY.messages(play_service_pb2.Submission.DESCRIPTOR)
HELLOS = VOCABULARY.messages(play_service_pb2.Hello.DESCRIPTOR)


@dataclass(frozen=True)
class Answer:
    """A legal answer to whatever is asked when it is sent: so the deal goes on."""

    number: int

    def to(self, there: World) -> play_service_pb2.PlayRequest:
        """The frame that holds it."""
        decision = there.table.decision
        if decision is None:
            return play_service_pb2.PlayRequest()
        options = decision.options
        submission = play_service_pb2.Submission(
            table_id=there.table.table_id,
            turn_id=decision.turn_id,
            action=action_to_proto(options[self.number % len(options)]),
        )
        return play_service_pb2.PlayRequest(submissions=[submission])


Frame = Message | bytes | Answer


def request(parts: tuple[Any, Sequence[Any]]) -> play_service_pb2.PlayRequest:
    """A frame of a well made hello, or none, and submissions that may be anything."""
    hello, submissions = parts
    return play_service_pb2.PlayRequest(hello=hello, submissions=submissions)


GREETINGS = st.one_of(
    st.just(play_service_pb2.PlayRequest(hello=play_service_pb2.Hello())),
    st.tuples(HELLOS, st.lists(SUBMISSIONS, max_size=2)).map(request),
)
LATER: st.SearchStrategy[Frame] = st.one_of(
    st.tuples(st.none(), st.lists(SUBMISSIONS, max_size=4)).map(request),
    st.builds(Answer, st.integers(0, 20)),
    REQUESTS,
    damaged(REQUESTS.map(lambda message: message.SerializeToString())),
    st.sampled_from([nested(200), nested(5_000), b"\xff" * 300_000, b""]),
)
TALKS = st.tuples(st.one_of(GREETINGS, GREETINGS, LATER), st.lists(LATER, max_size=5)).map(
    lambda parts: [parts[0], *parts[1]]
)

SOUND: Final = [play_service_pb2.PlayRequest(hello=play_service_pb2.Hello()), Answer(0)]


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.Runner]:
    """One event loop for all examples."""
    with asyncio.Runner() as runner:
        yield runner


async def talk(there: World, frames: Sequence[Frame]) -> Failure | None:
    """Open a stream for whoever is asked, send all that, and close; how it has ended."""
    decision = there.table.decision
    member = there.members[0 if decision is None else decision.seat]
    channel: Any = there.players
    call = channel.stream_stream(PLAY)(metadata=member.metadata, timeout=WITHIN)
    try:
        for frame in frames:
            await call.write(_bytes_of(frame, there))
            if not await there.is_alive() or call.done():
                break
        await call.done_writing()
        while await call.read() is not grpc.aio.EOF:
            pass
    except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
        pass  # the stream has ended; how, is asked below
    code, details = await call.code(), await call.details()
    if code is grpc.StatusCode.OK or details == LOST:
        return None
    trailing = await call.trailing_metadata()
    return failure_of(grpc.aio.AioRpcError(code, grpc.aio.Metadata(), trailing, details))


def _bytes_of(frame: Frame, there: World) -> bytes:
    if isinstance(frame, bytes):
        return frame
    message = frame.to(there) if isinstance(frame, Answer) else spoken(frame, there.words)
    return message.SerializeToString()


def test_a_stream_bears_every_frame(loop: asyncio.Runner) -> None:
    entered = world()
    there = loop.run(entered.__aenter__())
    accepted = len(there.store._logs[there.table.table_id])

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @example(SOUND)  # chance alone may find no answer that counts
    @given(TALKS)
    def throw(frames: Sequence[Frame]) -> None:
        refused = loop.run(talk(there, frames))
        if refused is not None:
            check_refusal(refused)
        assert loop.run(there.is_alive())
        table_id = there.table.table_id
        log = TableLog(table_id, tuple(there.store._logs[table_id]))
        assert_same(again(log), there.table)

    try:
        with server_log(LogLevel.WARNING) as log:
            throw()
        assert log.getvalue() == ""
    finally:
        loop.run(entered.__aexit__(None, None, None))
    assert len(there.store._logs[there.table.table_id]) > accepted, "nothing has come through"
