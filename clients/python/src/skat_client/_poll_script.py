"""The steps of a `Play` script, taken by a client that polls."""

import asyncio
from collections.abc import Sequence

import grpc

from skat.v1 import play_service_pb2 as play
from skat_client._script import (
    Close,
    Context,
    End,
    ExpectHello,
    ExpectSubmission,
    Failure,
    Refuse,
    Send,
    SendFrames,
    Step,
    check_positions,
    check_submission,
    expects_nothing,
)

_LOST = Failure(grpc.StatusCode.UNAVAILABLE, message="connection lost, as scripted")


class PollActor:
    """Takes the steps of one script in `PollDecisions` and `SubmitAction`.

    The first poll is the hello, and later ones bring what the script sends. The end of a stream
    is a failed call: of the submission, where the script ends right after it.
    """

    def __init__(self, steps: Sequence[Step]) -> None:
        self.is_lost: bool = False
        """Whether its connection was lost, so that the next call belongs to the next script."""
        self._steps = list(steps)
        self._moved = asyncio.Condition()

    @property
    def may_be_left(self) -> bool:
        """Whether nothing more is expected of the client."""
        return expects_nothing(self._steps)

    async def poll(
        self, request: play.PollDecisionsRequest, context: Context
    ) -> play.PollDecisionsResponse:
        """What the script sends next; the hello is answered at once.

        Raises:
            ScriptError: the client named other positions.
        """
        held = {position.turn_id for position in request.positions} - {""}
        async with self._moved:
            if self._takes_hello(request) and not isinstance(self._head(), SendFrames | Send):
                return play.PollDecisionsResponse()
            await self._moved.wait_for(lambda: self._may_send(held))
            step = self._steps.pop(0)
            self._moved.notify_all()
        match step:
            case SendFrames(frames):
                return play.PollDecisionsResponse(tables=frames)
            case Send(response):
                notice = response.going_away if response.HasField("going_away") else None
                return play.PollDecisionsResponse(tables=response.tables, going_away=notice)
            case _:
                self._steps, self.is_lost = [], True
                failure = step.failure if isinstance(step, End) else _LOST
                return await failure.abort(context)

    async def submit(
        self, request: play.SubmitActionRequest, context: Context
    ) -> play.SubmitActionResponse:
        """Take a submission, once the script expects one.

        Raises:
            ScriptError: the script expects another one, or none any more.
        """
        refusal: Failure | None = None
        async with self._moved:
            await self._moved.wait_for(
                lambda: isinstance(self._head(), ExpectSubmission | End | None)
            )
            if not isinstance(self._head(), End):
                check_submission(self._head(), request.submission)
                self._steps.pop(0)
            match self._head():
                case Refuse(_, _, reason, frame):
                    self._steps[:1] = [SendFrames(frame)] if frame else []
                    refusal = Failure(grpc.StatusCode.FAILED_PRECONDITION, reason)
                case End(failure):
                    self._steps, self.is_lost, refusal = [], True, failure
                case _:
                    pass
            self._moved.notify_all()
        if refusal is not None:
            await refusal.abort(context)
        return play.SubmitActionResponse()

    def _takes_hello(self, request: play.PollDecisionsRequest) -> bool:
        step = self._head()
        if not isinstance(step, ExpectHello):
            return False
        check_positions(step, request.positions)
        self._steps.pop(0)
        return True

    def _head(self) -> Step | None:
        return self._steps[0] if self._steps else None

    def _may_send(self, held: set[str]) -> bool:
        match self._head():
            case SendFrames(frames):
                return not any(frame.decision.turn_id in held for frame in frames)
            case Send() | End() | Close():
                return True
            case _:
                return False
