"""One player's connection: a stream that is followed, lost, and opened again."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import grpc

from skat.v1 import play_service_pb2 as play
from skat.v1 import (
    play_service_pb2_grpc,
    record_service_pb2_grpc,
    table_service_pb2_grpc,
)
from skat_server.remote.connection import reason_of
from skat_server.remote.load.plan import ThinkTime
from skat_server.remote.load.player import Player
from skat_server.remote.load.stopwatch import Stopwatch
from skat_server.remote.load.wire import GONE, Wire, cause_of

_Call = grpc.aio.StreamStreamCall[play.PlayRequest, play.PlayResponse]

_CLIENT: Final = "skat-server load"
_BYTES_OF_AN_ANSWER: Final = 80
"""More than any answer of ours takes, its table's id included."""
_TRIES: Final = 3
"""How often in a row nobody may be there before that ends a load which was never let in. One
connection may be too many while the others are welcome."""
_FIRST_PAUSE: Final = 0.1
"""Seconds before a stream that was refused is opened again; doubled each time."""
_LONGEST_PAUSE: Final = 1.0
_STEADY: Final = 2 * _LONGEST_PAUSE
"""Seconds after its welcome for which a stream must hold before the next pause is the first again.
Two sessions with one token throw each other out after the other one's pause, which is less."""


class Pauses:
    """The pauses of one session: doubled each time, until a stream holds.

    >>> pauses = Pauses()
    >>> [pauses.take() for _ in range(6)]
    [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]
    """

    def __init__(self) -> None:
        """Begin with the shortest."""
        self._next = _FIRST_PAUSE

    def held(self, seconds: float) -> None:
        """A stream that was welcome has ended, so many seconds after its welcome."""
        if seconds > _STEADY:
            self._next = _FIRST_PAUSE

    def take(self) -> float:
        """The next pause in seconds."""
        pause = self._next
        self._next = min(2 * pause, _LONGEST_PAUSE)
        return pause


class LoadSession:
    """A player and its stream.

    Attributes:
        player: answers what comes.
        ready: set while a stream is open.
        has_come: whether it was welcome at least once.
        metadata: tells the server who asks.
        tables: calls about tables, over the same connection.
        records: calls about records, over the same.
    """

    def __init__(self, wire: Wire, token: str, think: ThinkTime, stopwatch: Stopwatch) -> None:
        """Prepare a player who sits nowhere yet."""
        self._wake = asyncio.Event()
        self.player = Player(think, stopwatch, wire.books, wire.clock, self._wake.set)
        self.ready = asyncio.Event()
        self.has_come = False
        self.metadata = wire.metadata(token)
        self._wire = wire
        self._clock = wire.clock
        self._books = wire.books
        self._channel = wire.channel()
        self._stub = play_service_pb2_grpc.PlayServiceStub(self._channel)
        self.tables = table_service_pb2_grpc.TableServiceStub(self._channel)
        self.records = record_service_pb2_grpc.RecordServiceStub(self._channel)
        self._writing = asyncio.Lock()
        self._call: _Call | None = None
        self._most = 1
        """Answers that fit into one message."""
        self._lost_at: float | None = None
        self._welcome_at = 0.0
        """When the stream of now was welcome, or one before it."""
        self._pauses = Pauses()
        self._is_stopping = False
        self._refusals = 0
        self._was_lost = False
        """By more than a storm of ours, so that the server may have forgotten tables."""
        self._when_back: list[Callable[[], None]] = []

    def when_back(self, hear: Callable[[], None]) -> None:
        """Call this whenever a connection that was lost is there again; storms do not count."""
        self._when_back.append(hear)

    async def run(self) -> None:
        """Play until `stop`, across lost connections.

        Raises:
            RemoteError: the server does not want this player, or there is none.
        """
        async with asyncio.TaskGroup() as tasks:
            writer = tasks.create_task(self._write())
            while not self._is_stopping:
                was_refused = await self._stay_connected()
                if was_refused and not self._is_stopping:
                    await self._clock.sleep(self._pauses.take())
            writer.cancel()
        await self._channel.close()

    def drop(self) -> None:
        """Lose the connection as in a storm: at once, and without a word to the server."""
        if self._call is not None and self.ready.is_set() and not self._is_stopping:
            self._lost_at = self._clock.monotonic()
            self._call.cancel()

    async def stop(self) -> None:
        """Close this side of the stream; `run` ends when the server has closed its own.

        Nothing is said on a stream that is not open: gRPC waits there until somebody hears it.
        """
        self._is_stopping = True
        async with self._writing:
            if self._call is not None and self.ready.is_set():
                with suppress(*GONE):
                    await self._call.done_writing()

    async def _stay_connected(self) -> bool:
        """Follow one stream to its end; whether the server has refused it, at once or later."""
        call = self._call = self._stub.Play(metadata=self.metadata)
        reason = ""
        try:
            await self._follow(call)
        except grpc.aio.AioRpcError as error:
            reason = reason_of(error)
            self._note_loss(error)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # A storm has cancelled the call, and nobody this task.
        finally:
            call.cancel()
            self._call = None
            was_welcome = self.ready.is_set()
            self.ready.clear()
            if was_welcome:
                self._books.sessions -= 1
                self._pauses.held(self._clock.monotonic() - self._welcome_at)
        return not was_welcome or reason != ""

    async def _follow(self, call: _Call) -> None:
        opened = self._clock.monotonic()
        positions = self.player.connect(self._most)
        hello = play.Hello(client_name=_CLIENT, positions=positions)
        await call.write(play.PlayRequest(hello=hello))
        response = await call.read()
        if isinstance(response, play.PlayResponse):
            self._welcomed(response.welcome, opened)
        while isinstance(response, play.PlayResponse):
            self.player.take(response)
            await self._send()
            response = await call.read()

    def _welcomed(self, welcome: play.Welcome, opened: float) -> None:
        now, tally = self._clock.monotonic(), self._books.tally
        tally.welcome.add(now - opened)
        self._welcome_at = now
        if self._lost_at is not None:
            tally.reconnect.add(now - self._lost_at)
            self._lost_at = None
        room = welcome.max_message_bytes // _BYTES_OF_AN_ANSWER
        self._most = max(1, min(welcome.max_submissions, room))
        self._books.sessions += 1
        self._books.was_reached = True
        self._refusals = 0
        self.has_come = True
        self.ready.set()
        if self._was_lost:
            self._was_lost = False
            for hear in self._when_back:
                hear()

    def _note_loss(self, error: grpc.aio.AioRpcError) -> None:
        if self._is_stopping:
            return
        self._was_lost = True
        self._books.fault(f"stream: {cause_of(error)}")
        if self._lost_at is None and self.ready.is_set():
            self._lost_at = self._clock.monotonic()
        self._refusals += 1
        is_nobody_there = (
            error.code() is grpc.StatusCode.UNAVAILABLE
            and not self._books.was_reached
            and self._refusals == _TRIES
        )
        if is_nobody_there or error.code() is grpc.StatusCode.UNAUTHENTICATED:
            raise self._wire.explained(error) from error

    async def _write(self) -> None:
        """Send what was thought out or has waited, while the reader waits for the next message."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self._send()

    async def _send(self) -> None:
        """Send everything that waits; a stream that has ended says why to its reader."""
        async with self._writing:
            call = self._call
            if call is None or self._is_stopping:
                return
            with suppress(*GONE):
                for request in self.player.outgoing(self._most):
                    self._books.tally.requests += 1
                    await call.write(request)
