"""A session's connection as single calls, for where no stream both ways goes through."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

import grpc

from skat.v1 import error_pb2, play_service_pb2_grpc
from skat.v1 import play_service_pb2 as play
from skat_client._failures import error_from_rpc
from skat_client._links import SilentError
from skat_client._session_options import SessionOptions
from skat_client.errors import ErrorReason, ProtocolError, ServerError, UnavailableError

WAIT_MS: Final = 20_000
"""How long a server may keep a poll that has nothing to tell."""

_MARGIN: Final = 10.0
"""Seconds beyond that, after which a call counts as lost."""
_PAUSE: Final = 1.0
"""Seconds between polls of a server that goes away: it has every one of them say so at once."""
_LIMITS: Final = play.Welcome(max_message_bytes=128 * 1024, max_submissions=64)
"""Single calls get no welcome; this is well below what a server takes."""

_OF_THE_CALLER: Final = frozenset(
    {
        ErrorReason.BANNED,
        ErrorReason.DRAINING,
        ErrorReason.GOING_AWAY,
        ErrorReason.INTERNAL,
        ErrorReason.NO_ACCOUNTS,
        ErrorReason.SCOPE_MISSING,
        ErrorReason.SESSION_SUPERSEDED,
        ErrorReason.SLOW_CONSUMER,
        ErrorReason.TOKEN_REVOKED,
        ErrorReason.UNAUTHENTICATED,
    }
)
"""Reasons that a stream would end with; every other one is about the one submission."""

Positions = Callable[[], list[play.ResumePosition]]
"""How far the session has read, and the decisions it has, at this moment."""


class PollLink:
    """`PollDecisions` and `SubmitAction`, as if they were one connection."""

    def __init__(
        self,
        stub: "play_service_pb2_grpc.PlayServiceAsyncStub",
        call_metadata: tuple[tuple[str, str], ...],
        options: SessionOptions,
        positions: Positions,
    ) -> None:
        self.limits: play.Welcome = _LIMITS
        self.has_lasted: bool = False
        self._stub = stub
        self._metadata = call_metadata
        self._options = options
        self._positions = positions
        self._results: list[play.SubmissionResult] = []
        self._failure: ServerError | None = None
        self._woken = asyncio.Event()
        self._is_told_at_once = False

    @property
    def has_more(self) -> bool:
        """Whether there is news of a submission; what a poll brings is not known before."""
        return self._woken.is_set()

    async def open(self, hello: play.Hello) -> play.PlayResponse:
        """Ask without waiting; the answer is the welcome."""
        response = await self._poll(hello.positions, 0)
        response.welcome.SetInParent()
        return response

    async def send(self, request: play.PlayRequest) -> None:
        """Make one call for each submission, side by side."""
        try:
            async with asyncio.TaskGroup() as tasks:
                for submission in request.submissions:
                    tasks.create_task(self._submit(submission))
        except asyncio.CancelledError:
            # Nobody knows what has arrived: only a new connection asks again.
            self._fail(UnavailableError("a submission was cut off here"))
            raise

    async def receive(self) -> play.PlayResponse:
        """What became of submissions, or what a poll brings."""
        if self._woken.is_set():
            return self._news()
        if self._is_told_at_once:
            await self._options.backoff.sleep(_PAUSE)
        poll = asyncio.create_task(self._poll(self._positions(), WAIT_MS))
        woken = asyncio.create_task(self._woken.wait())
        try:
            await asyncio.wait({poll, woken}, return_when=asyncio.FIRST_COMPLETED)
            if self._woken.is_set():
                return self._news()
            response = poll.result()
            self.has_lasted = True
            return response
        finally:
            poll.cancel()
            woken.cancel()
            # An error of a poll that nobody waits for any more is nobody's.
            await asyncio.gather(poll, woken, return_exceptions=True)

    async def finish(self) -> None:
        """Nothing is open between calls."""

    def drop(self) -> None:
        """Nothing is open between calls."""

    def _news(self) -> play.PlayResponse:
        self._woken.clear()
        results, self._results = self._results, []
        if results:
            if self._failure is not None:
                self._woken.set()
            return play.PlayResponse(results=results)
        assert self._failure is not None
        raise self._failure

    async def _poll(
        self, positions: Iterable[play.ResumePosition], wait_ms: int
    ) -> play.PlayResponse:
        margin = _MARGIN if wait_ms else self._options.welcome_timeout
        request = play.PollDecisionsRequest(
            positions=positions,
            wait_ms=wait_ms,
            delivery=play.Delivery.ValueType(self._options.delivery.value),
        )
        try:
            response = await self._stub.PollDecisions(
                request, metadata=self._metadata, timeout=wait_ms / 1000 + margin
            )
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
                raise SilentError("a poll was not answered in time") from error
            raise error_from_rpc(error) from error
        if not isinstance(response, play.PollDecisionsResponse):
            # So the library says that the bytes are no message.
            raise ProtocolError("the server sent what cannot be read")
        going_away = response.going_away if response.HasField("going_away") else None
        self._is_told_at_once = going_away is not None and not response.tables
        return play.PlayResponse(tables=response.tables, going_away=going_away)

    async def _submit(self, submission: play.Submission) -> None:
        request = play.SubmitActionRequest(submission=submission)
        try:
            await self._stub.SubmitAction(request, metadata=self._metadata, timeout=_MARGIN)
        except grpc.aio.AioRpcError as error:
            self._note(submission, error_from_rpc(error))

    def _note(self, submission: play.Submission, failure: ServerError) -> None:
        if failure.reason is None or failure.reason in _OF_THE_CALLER:
            self._fail(failure)
            return
        refused = play.Refused(
            reason=error_pb2.ErrorReason.ValueType(failure.reason.value), message=failure.message
        )
        self._results.append(
            play.SubmissionResult(
                table_id=submission.table_id, turn_id=submission.turn_id, refused=refused
            )
        )
        self._woken.set()

    def _fail(self, failure: ServerError) -> None:
        self._failure = self._failure or failure
        self._woken.set()
