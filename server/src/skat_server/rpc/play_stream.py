"""One open `Play` stream: the handler reads, one writer sends what is ready."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from skat.v1 import play_service_pb2 as pb
from skat_server.clock import Clock, new_id
from skat_server.errors import Reason, RefusedError
from skat_server.players.identity import Player
from skat_server.rpc.callers import Context
from skat_server.rpc.convert.facts import timestamp
from skat_server.rpc.convert.tables import frame_to_proto
from skat_server.rpc.convert.values import action_from_proto
from skat_server.rpc.deadlines import write_in_time
from skat_server.rpc.errors import reason_to_proto
from skat_server.rpc.texts import check_length
from skat_server.tables.outbox import Delivery
from skat_server.tables.sessions import Session, Sessions, Submission

MAX_SUBMISSIONS: Final = 1_024
HELLO_WITHIN: Final = 5.0
"""Seconds a new stream may take to send its first message."""
MOST_WAITING_RESULTS: Final = 1_024
"""Refusals that may wait for a reader; nothing more is read from a stream that has them."""
LARGEST_RESPONSE: Final = 1024 * 1024
"""Bytes after which a response is closed and another one begun: clients of any language read
four times that by default, and a single table's frame is far smaller."""

_LONGEST_ID: Final = 64
_LONGEST_NAME: Final = 80
_LONGEST_VERSION: Final = 40

_DELIVERIES: Final = {
    pb.DELIVERY_UNSPECIFIED: Delivery.WITH_DECISIONS,
    pb.DELIVERY_WITH_DECISIONS: Delivery.WITH_DECISIONS,
    pb.DELIVERY_LIVE: Delivery.LIVE,
}


class PlayStream:
    """Brings submissions to the tables and frames to the bot."""

    def __init__(
        self,
        player: Player,
        sessions: Sessions,
        clock: Clock,
        max_message_bytes: int,
        context: Context,
    ) -> None:
        """Serve one stream of a player."""
        self._player = player
        self._sessions = sessions
        self._clock = clock
        self._max_message_bytes = max_message_bytes
        self._context = context
        self._wake = asyncio.Event()
        self._results: list[pb.SubmissionResult] = []
        self._room = asyncio.Event()
        self._room.set()

    async def run(self, requests: AsyncIterator[pb.PlayRequest]) -> None:
        """Serve the stream until the client closes its side.

        Raises:
            RefusedError: why the stream ends otherwise.
        """
        first = await _first_message(requests)
        session = self._open(first.hello)
        try:
            await self._send(session, self._welcome())
            self._submit_all(session, first)
            await self._exchange(session, requests)
        finally:
            self._sessions.close(session)

    def _open(self, hello: pb.Hello) -> Session:
        check_length("hello.client_name", hello.client_name, _LONGEST_NAME)
        check_length("hello.client_version", hello.client_version, _LONGEST_VERSION)
        delivery = _DELIVERIES.get(hello.delivery)
        if delivery is None:
            raise RefusedError(
                Reason.INVALID_FIELD, f"{hello.delivery} is no delivery", field="hello.delivery"
            )
        positions = {position.table_id: position.sequence for position in hello.positions}
        return self._sessions.open(self._player.player_id, delivery, positions, self._wake.set)

    def _welcome(self) -> pb.PlayResponse:
        return pb.PlayResponse(
            welcome=pb.Welcome(
                session_id=new_id("session"),
                player_id=self._player.player_id,
                server_time=timestamp(self._clock.now()),
                max_message_bytes=self._max_message_bytes,
                max_submissions=MAX_SUBMISSIONS,
            )
        )

    async def _exchange(self, session: Session, requests: AsyncIterator[pb.PlayRequest]) -> None:
        """Read and write side by side until the client closes or the session ends."""
        reader = asyncio.create_task(self._read(session, requests))
        writer = asyncio.create_task(self._write(session))
        try:
            await asyncio.wait({reader, writer}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            both = (reader, writer)
            for task in both:
                task.cancel()
            outcomes = await asyncio.gather(*both, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome
        session.outbox.release()
        await self._send(session, pb.PlayResponse())

    async def _read(self, session: Session, requests: AsyncIterator[pb.PlayRequest]) -> None:
        async for request in requests:
            if request.HasField("hello"):
                raise RefusedError(Reason.HELLO_EXPECTED, "send hello in the first message only")
            self._submit_all(session, request)
            await self._room.wait()

    async def _write(self, session: Session) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            if session.ended is not None:
                raise session.ended
            await self._send(session, pb.PlayResponse())

    async def _send(self, session: Session, response: pb.PlayResponse) -> None:
        """Send everything that is ready, together with what the response holds already."""
        results, self._results = self._results, []
        response.results.extend(results)
        size = response.ByteSize()
        for update in session.outbox.drain():
            frame = frame_to_proto(update, self._sessions.is_connected)
            size += frame.ByteSize()
            if size > LARGEST_RESPONSE and response.tables:
                await write_in_time(self._context, response)
                response, size = pb.PlayResponse(), frame.ByteSize()
            response.tables.append(frame)
        if response.results or response.tables or response.HasField("welcome"):
            await write_in_time(self._context, response)
        self._room.set()

    def _submit_all(self, session: Session, request: pb.PlayRequest) -> None:
        if len(request.submissions) > MAX_SUBMISSIONS:
            raise RefusedError(
                Reason.INVALID_FIELD,
                f"a message holds at most {MAX_SUBMISSIONS} submissions",
                field="submissions",
            )
        for submission in request.submissions:
            check_length("submissions.table_id", submission.table_id, _LONGEST_ID)
            check_length("submissions.turn_id", submission.turn_id, _LONGEST_ID)
            self._submit(session, submission)

    def _submit(self, session: Session, submission: pb.Submission) -> None:
        def done(refusal: RefusedError | None) -> None:
            if refusal is not None:
                self._refuse(session, submission, refusal)

        try:
            action = action_from_proto(submission.action)
        except RefusedError as refusal:
            self._refuse(session, submission, refusal)
            return
        submitted = Submission(
            submission.table_id, submission.turn_id, submission.last_sequence, action
        )
        if self._sessions.submit(session.player_id, submitted, done):
            self._answer(submission, pb.SubmissionResult(repeated=pb.Repeated()))

    def _refuse(self, session: Session, submission: pb.Submission, refusal: RefusedError) -> None:
        """Tell the refusal, and ask again where the question is still open."""
        refused = pb.Refused(reason=reason_to_proto(refusal.reason), message=str(refusal))
        self._answer(submission, pb.SubmissionResult(refused=refused))
        session.outbox.repeat_decision(submission.table_id)

    def _answer(self, submission: pb.Submission, result: pb.SubmissionResult) -> None:
        result.table_id = submission.table_id
        result.turn_id = submission.turn_id
        self._results.append(result)
        if len(self._results) >= MOST_WAITING_RESULTS:
            self._room.clear()
        self._wake.set()


async def _first_message(requests: AsyncIterator[pb.PlayRequest]) -> pb.PlayRequest:
    try:
        async with asyncio.timeout(HELLO_WITHIN):
            first = await anext(requests, None)
    except TimeoutError as error:
        raise RefusedError(
            Reason.HELLO_EXPECTED, f"no message within {HELLO_WITHIN:.0f} s; send hello first"
        ) from error
    if first is None or not first.HasField("hello"):
        raise RefusedError(Reason.HELLO_EXPECTED, "the first message must have hello")
    return first
