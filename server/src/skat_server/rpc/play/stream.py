"""One open `Play` stream: a task reads, another one writes what is ready, the handler waits."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Final

import structlog

from skat.v1 import play_service_pb2 as pb
from skat_server.clock import new_id
from skat_server.errors import Reason, RefusedError
from skat_server.players.identity import Player
from skat_server.rpc import deadlines
from skat_server.rpc.callers import Context
from skat_server.rpc.convert.facts import timestamp
from skat_server.rpc.deadlines import Interruption, slow_consumer
from skat_server.rpc.endings import is_farewell
from skat_server.rpc.listener import MAX_MESSAGE_BYTES
from skat_server.rpc.play.frames import going_away_to_proto, packed
from skat_server.rpc.play.inbox import Inbox
from skat_server.rpc.play.parts import PlayParts
from skat_server.rpc.play.pulse import Pulse
from skat_server.rpc.play.requests import (
    MAX_SUBMISSIONS,
    check_hello,
    delivery_from_proto,
    sequences,
)
from skat_server.rpc.play.results import Results
from skat_server.rpc.play.unasked import Unasked
from skat_server.tables.sessions import GoingAway, Session

HELLO_WITHIN: Final = 5.0
"""Seconds a new stream may take to send its first message."""

_CUT: Final = frozenset({Reason.SLOW_CONSUMER, Reason.RATE_LIMITED})

_log = structlog.get_logger()


class PlayStream:
    """Brings submissions to the tables and frames to the bot.

    A message that is being written is never abandoned: the transport could not end the stream
    then. So a session ends at once when its client reads too slowly, but the stream only when the
    transport has taken the message, or has lost the client.
    """

    def __init__(self, player: Player, parts: PlayParts, context: Context) -> None:
        """Serve one stream of a player."""
        self._player = player
        self._parts = parts
        self._context = context
        self._interrupt = Interruption()
        self._wake = asyncio.Event()
        self._unasked = Unasked(parts.unasked, player.player_id)
        self._results = Results(parts.waiting, self._wake.set)
        self._session: Session | None = None
        self._failure: Exception | None = None
        """Why nothing more can be read."""
        self._is_read = False
        """The client has closed its side, or has failed."""
        self._is_quiet = False
        """A heartbeat is due unless there is something else to send."""
        self._noticed: GoingAway | None = None
        """The notice that was sent last."""

    async def run(self, requests: AsyncIterator[pb.PlayRequest]) -> None:
        """Serve the stream until the client closes its side.

        Raises:
            RefusedError: why the stream ends otherwise.
        """
        with self._parts.endings.telling(self._end):
            first = await self._first_message(requests)
            self._session = session = self._open(first.hello)
            pulse = self._new_pulse(session)
            reader = asyncio.create_task(self._read(session, first, requests))
            try:
                # A task of its own is woken alone, and not through all that stands around the call.
                await asyncio.create_task(self._write(session, pulse))
            finally:
                pulse.stop()
                self._parts.sessions.close(session)
                self._results.close()
                reader.cancel()
                await asyncio.gather(reader, return_exceptions=True)

    def _end(self, refusal: RefusedError) -> None:
        if self._session is None:
            self._interrupt(refusal)
        else:
            self._session.end(refusal)

    async def _first_message(self, requests: AsyncIterator[pb.PlayRequest]) -> pb.PlayRequest:
        late = RefusedError(
            Reason.HELLO_EXPECTED, f"no message within {HELLO_WITHIN:.0f} s; send hello first"
        )
        with self._interrupt as interrupt:
            timer = self._parts.clock.call_later(HELLO_WITHIN, partial(interrupt, late))
            try:
                first = await anext(requests, None)
            finally:
                timer.cancel()
        if first is None or not first.HasField("hello"):
            raise RefusedError(Reason.HELLO_EXPECTED, "the first message must have hello")
        return first

    def _open(self, hello: pb.Hello) -> Session:
        check_hello(hello)
        delivery = delivery_from_proto(hello.delivery, "hello.delivery")
        return self._parts.sessions.open(
            self._player.player_id, delivery, sequences(hello.positions), self._wake.set
        )

    def _new_pulse(self, session: Session) -> Pulse:
        def on_quiet() -> None:
            self._is_quiet = True
            self._wake.set()

        def on_stuck() -> None:
            session.end(slow_consumer())
            self._parts.sessions.close(session)
            _log.warning("stream.stuck")

        return Pulse(
            self._parts.clock,
            heartbeat=self._parts.heartbeat,
            write_within=deadlines.WRITE_WITHIN,
            on_quiet=on_quiet,
            on_stuck=on_stuck,
        )

    async def _read(
        self, session: Session, first: pb.PlayRequest, requests: AsyncIterator[pb.PlayRequest]
    ) -> None:
        """Take requests until the client closes its side; what goes wrong ends the stream."""
        inbox = Inbox(session, self._parts.sessions, self._unasked, self._results)
        try:
            inbox.take(first)
            async for request in requests:
                if request.HasField("hello"):
                    raise RefusedError(
                        Reason.HELLO_EXPECTED, "send hello in the first message only"
                    )
                inbox.take(request)
                if not self._results.has_room:
                    await self._results.wait_for_room()
        except Exception as error:  # raised again by the writer, who ends the stream
            self._failure = error
        self._is_read = True
        self._wake.set()

    async def _write(self, session: Session, pulse: Pulse) -> None:
        # What a client has missed comes with the welcome: it costs no message of its own.
        session.outbox.release()
        await self._send(session, pulse, self._welcome().SerializeToString())
        while True:
            await self._wake.wait()
            self._wake.clear()
            failure = self._failure or session.ended
            if failure is None or is_farewell(failure):
                if failure is not None or self._is_read:
                    session.outbox.release()
                await self._send(session, pulse)
            if failure is not None:
                _note(failure)
                raise failure
            if self._is_read:
                return

    def _welcome(self) -> pb.PlayResponse:
        rate = self._parts.unasked.rate
        return pb.PlayResponse(
            welcome=pb.Welcome(
                session_id=new_id("session"),
                player_id=self._player.player_id,
                server_time=timestamp(self._parts.clock.now()),
                max_message_bytes=MAX_MESSAGE_BYTES,
                max_submissions=MAX_SUBMISSIONS,
                heartbeat_ms=round(self._parts.heartbeat * 1_000),
                unasked_per_second=round(rate.per_second),
                unasked_burst=rate.burst,
            )
        )

    async def _send(self, session: Session, pulse: Pulse, head: bytes = b"") -> None:
        """Send everything that is ready, together with the bytes with which it begins."""
        head += self._notice_part(session) + self._results.take_part()
        for message in packed(head, session.outbox.drain(), self._parts.sessions.is_connected):
            await self._put(message, pulse)
        if self._is_quiet:
            await self._put(self._heartbeat().SerializeToString(), pulse)
            self._unasked.beat()
        self._results.make_room()

    async def _put(self, message: bytes, pulse: Pulse) -> None:
        self._is_quiet = False
        pulse.writing()
        await self._context.write(message)
        pulse.wrote()

    def _notice_part(self, session: Session) -> bytes:
        """The notice that the server stops, when it was not sent before."""
        notice = session.going_away
        if notice is None or notice is self._noticed:
            return b""
        self._noticed = notice
        return pb.PlayResponse(going_away=going_away_to_proto(notice)).SerializeToString()

    def _heartbeat(self) -> pb.PlayResponse:
        now = timestamp(self._parts.clock.now())
        return pb.PlayResponse(heartbeat=pb.Heartbeat(server_time=now))


def _note(failure: Exception) -> None:
    """Log the end of a stream whose client asked for too much or read too little."""
    if isinstance(failure, RefusedError) and failure.reason in _CUT:
        _log.warning("stream.cut", cause=failure.reason.name)
