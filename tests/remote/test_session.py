"""A load's session on a real server that does not want it."""

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import grpc
import pytest
from google.protobuf.any_pb2 import Any as Packed
from google.rpc import error_details_pb2, status_pb2

from skat.v1 import play_service_pb2 as play
from skat.v1 import play_service_pb2_grpc
from skat_server.app import App
from skat_server.clock import ManualClock
from skat_server.config import Settings
from skat_server.remote.connection import Target
from skat_server.remote.load.plan import AT_ONCE
from skat_server.remote.load.session import LoadSession
from skat_server.remote.load.stopwatch import Stopwatch
from skat_server.remote.load.tally import Books
from skat_server.remote.load.wire import Wire

pytestmark = pytest.mark.asyncio

LONG_ENOUGH = 2.0
"""Seconds; no pause is longer."""
MOST_SECONDS = 30.0
"""Of real time, which no test takes."""


class NotingClock(ManualClock):
    """Says when somebody waits by it."""

    def __init__(self) -> None:
        super().__init__()
        self.is_waited_for = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self.is_waited_for.set()
        await super().sleep(seconds)


async def test_a_session_that_was_cut_after_its_welcome_waits_before_the_next_stream() -> None:
    """Two with one token would throw each other out without end."""
    clock, books = NotingClock(), Books()
    async with App(Settings(port=0, grace=0)) as app, asyncio.TaskGroup() as tasks:
        wire = Wire(Target(app.address), books, clock)
        first, second = (
            LoadSession(wire, "a-token-of-two-players", AT_ONCE, Stopwatch()) for _ in range(2)
        )
        tasks.create_task(first.run())
        await first.ready.wait()
        tasks.create_task(second.run())
        await clock.is_waited_for.wait()
        await second.ready.wait()
        assert not first.ready.is_set()
        assert books.tally.faults == {"stream: SESSION_SUPERSEDED": 1}
        await first.stop()
        await second.stop()
        clock.advance(LONG_ENOUGH)


async def test_a_session_that_nobody_has_answered_can_be_stopped() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        target = Target(f"127.0.0.1:{mute.getsockname()[1]}")
        wire = Wire(target, Books(), ManualClock())
        session = LoadSession(wire, "a-token-of-nobody", AT_ONCE, Stopwatch())
        running = asyncio.ensure_future(session.run())
        held, _ = await asyncio.to_thread(mute.accept)
        with held:  # it is connected, and waits for a word
            await asyncio.wait_for(session.stop(), MOST_SECONDS)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


class SkippingClock(ManualClock):
    """Notes every pause, and moves on by it at once."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.advance(seconds)


@dataclass
class Stream:
    """What becomes of one, by a clock that is moved on by it."""

    is_welcome: bool
    seconds: float
    """From its opening or its welcome until it is refused."""


SLOW_REFUSAL = Stream(is_welcome=False, seconds=5.0)


@dataclass
class Unwilling(play_service_pb2_grpc.PlayServiceServicer):
    """Refuses every stream of a list, and says nothing on the next one."""

    clock: ManualClock
    streams: list[Stream]
    has_welcome: asyncio.Event = field(default_factory=asyncio.Event)
    """Set by the session that hears it."""
    is_done: asyncio.Event = field(default_factory=asyncio.Event)

    async def Play(
        self,
        request_iterator: AsyncIterator[play.PlayRequest],
        context: grpc.aio.ServicerContext[play.PlayRequest, play.PlayResponse],
    ) -> AsyncIterator[play.PlayResponse]:
        await anext(request_iterator)
        if not self.streams:
            self.is_done.set()
            await anext(request_iterator, None)
            return
        stream = self.streams.pop(0)
        if stream.is_welcome:
            yield play.PlayResponse(welcome=play.Welcome(max_submissions=1))
            await self.has_welcome.wait()
        self.clock.advance(stream.seconds)
        await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "no", (REFUSED,))


def _refused() -> tuple[str, bytes]:
    info = Packed()
    info.Pack(error_details_pb2.ErrorInfo(reason="RATE_LIMITED"))
    status = status_pb2.Status(
        code=grpc.StatusCode.RESOURCE_EXHAUSTED.value[0], message="no", details=[info]
    )
    return "grpc-status-details-bin", status.SerializeToString()


REFUSED = _refused()


async def pauses_after(streams: Sequence[Stream]) -> Sequence[float]:
    """How long a session waits after each of these."""
    clock = SkippingClock()
    unwilling = Unwilling(clock, list(streams))  # type: ignore[abstract]  # no more is asked of it
    server = grpc.aio.server()
    play_service_pb2_grpc.add_PlayServiceServicer_to_server(unwilling, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    wire = Wire(Target(f"127.0.0.1:{port}"), Books(), clock)
    session = LoadSession(wire, "a-token", AT_ONCE, Stopwatch())
    unwilling.has_welcome = session.ready
    running = asyncio.ensure_future(session.run())
    await asyncio.wait_for(unwilling.is_done.wait(), MOST_SECONDS)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await server.stop(0)
    return clock.pauses


async def test_pauses_grow_however_long_a_refusal_takes() -> None:
    assert await pauses_after([SLOW_REFUSAL] * 6) == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]


@pytest.mark.parametrize(("held", "pause"), [(1.5, 0.4), (2.5, 0.1)])
async def test_the_first_pause_comes_again_after_a_stream_that_held(
    held: float, pause: float
) -> None:
    """For longer than two sessions with one token leave each other."""
    streams = [SLOW_REFUSAL, SLOW_REFUSAL, Stream(is_welcome=True, seconds=held)]
    assert await pauses_after(streams) == [0.1, 0.2, pause]
