"""The steps of a scripted stream, and who takes them."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final, NoReturn

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from skat.v1 import error_pb2, table_pb2
from skat.v1 import play_service_pb2 as play
from skat.v1 import spectate_service_pb2 as spectate
from skat_client._actions import Action
from skat_client._convert import action_from_proto
from skat_client._failures import DOMAIN
from skat_client.errors import ErrorReason

Context = grpc.aio.ServicerContext[Any, Any]


class ScriptError(AssertionError):
    """Something did not go as it is written in the script."""


@dataclass(frozen=True, slots=True)
class Failure:
    """How a call fails or a stream ends."""

    code: grpc.StatusCode
    reason: ErrorReason | None = None
    message: str = "as scripted"
    metadata: Mapping[str, str] = field(default_factory=dict)
    violations: Mapping[str, str] = field(default_factory=dict)
    quotas: Mapping[str, str] = field(default_factory=dict)
    retry_delay: timedelta | None = None

    async def abort(self, context: Context) -> NoReturn:
        """End the call this way."""
        status = rpc_status.to_status(self.status())
        await context.abort(self.code, self.message, tuple(status.trailing_metadata))

    def status(self) -> status_pb2.Status:
        """The status with its details, as the trailer carries it."""
        details: list[Any] = []
        if self.reason is not None:
            details.append(
                error_details_pb2.ErrorInfo(
                    reason=self.reason.name, domain=DOMAIN, metadata=self.metadata
                )
            )
        if self.violations:
            violation = error_details_pb2.BadRequest.FieldViolation
            fields = [violation(field=name, description=t) for name, t in self.violations.items()]
            details.append(error_details_pb2.BadRequest(field_violations=fields))
        if self.quotas:
            limit = error_details_pb2.QuotaFailure.Violation
            limits = [limit(subject=name, description=t) for name, t in self.quotas.items()]
            details.append(error_details_pb2.QuotaFailure(violations=limits))
        if self.retry_delay is not None:
            delay = Duration()
            delay.FromTimedelta(self.retry_delay)
            details.append(error_details_pb2.RetryInfo(retry_delay=delay))
        status = status_pb2.Status(code=self.code.value[0], message=self.message)
        for detail in details:
            packed = AnyMessage()
            packed.Pack(detail)
            status.details.append(packed)
        return status


@dataclass(frozen=True, slots=True)
class ExpectHello:
    """Play: the client opens the session, and is welcomed."""

    positions: Mapping[str, int] | None = None
    """The resume positions it has to name, by table; None means any."""
    heartbeat_ms: int = 0
    """What the welcome says of heartbeats; 0 means that there are none."""


@dataclass(frozen=True, slots=True)
class ExpectSubmission:
    """Play: the next submission is this one."""

    table_id: str
    turn_id: str
    action: Action


@dataclass(frozen=True, slots=True)
class SendHeartbeat:
    """Play: a sign of life leaves, and is answered before anything else."""

    seconds: int = 1
    """The server's clock, in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class ExpectWatch:
    """Watch: the client asks for what follows this sequence."""

    after_sequence: int | None = None
    """None means that it names none."""


@dataclass(frozen=True, slots=True, init=False)
class SendFrames:
    """Frames leave, in one message where the stream allows it."""

    frames: tuple[table_pb2.TableFrame, ...]

    def __init__(self, *frames: table_pb2.TableFrame) -> None:
        object.__setattr__(self, "frames", frames)


@dataclass(frozen=True, slots=True)
class Send:
    """Play: this very message leaves."""

    response: play.PlayResponse


@dataclass(frozen=True, slots=True)
class Refuse:
    """Play: a submission is refused, and the decision asked again where there is a frame."""

    table_id: str
    turn_id: str
    reason: ErrorReason
    frame: table_pb2.TableFrame | None = None


@dataclass(frozen=True, slots=True)
class End:
    """The stream ends this way."""

    failure: Failure


@dataclass(frozen=True, slots=True)
class Close:
    """The stream ends with OK."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The test is told that the script has come so far."""

    event: asyncio.Event


@dataclass(frozen=True, slots=True)
class Wait:
    """The script waits until the test sets the event."""

    event: asyncio.Event


@dataclass(frozen=True, slots=True)
class Silence:
    """Nothing is said any more, until the client leaves."""


DROP: Final = End(Failure(grpc.StatusCode.UNAVAILABLE, message="connection lost, as scripted"))
"""The stream breaks, as it does when the network fails."""

Step = (
    ExpectHello
    | ExpectSubmission
    | ExpectWatch
    | SendFrames
    | SendHeartbeat
    | Send
    | Refuse
    | End
    | Close
    | Reached
    | Wait
    | Silence
)
"""One thing that a scripted stream waits for or does."""


class PlayActor:
    """Takes the steps of one `Play` stream."""

    def __init__(self, requests: AsyncIterator[play.PlayRequest], context: Context) -> None:
        self.may_be_left: bool = False
        """Whether nothing more is expected of the client, so that it may go."""
        self._requests = requests
        self._context = context
        self._submissions: list[play.Submission] = []

    async def perform(self, steps: Sequence[Step]) -> None:
        """Take all steps; after the last one the client has to close the stream.

        Raises:
            ScriptError: the client did something else.
        """
        for index, step in enumerate(steps):
            self.may_be_left = expects_nothing(steps[index:])
            if isinstance(step, Close):
                return
            await self._take(step)
        self.may_be_left = True
        if self._submissions or await anext(self._requests, None) is not None:
            raise ScriptError("the client goes on after the end of the script")

    async def _take(self, step: Step) -> None:
        match step:
            case ExpectHello():
                await self._expect_hello(step)
            case ExpectSubmission():
                await self._expect_submission(step)
            case SendHeartbeat(seconds):
                await self._expect_life(play.Heartbeat(server_time=Timestamp(seconds=seconds)))
            case Silence():
                async for _ in self._requests:
                    pass
            case Reached(event):
                event.set()
            case Wait(event):
                await event.wait()
            case _:
                await self._send(step)

    async def _send(self, step: Step) -> None:
        match step:
            case SendFrames(frames):
                await self._context.write(play.PlayResponse(tables=frames))
            case Send(response):
                await self._context.write(response)
            case Refuse():
                await self._context.write(_refusal(step))
            case End(failure):
                await failure.abort(self._context)
            case _:
                raise ScriptError(f"{step} is no step of a Play stream")

    async def _expect_life(self, heartbeat: play.Heartbeat) -> None:
        await self._context.write(play.PlayResponse(heartbeat=heartbeat))
        request = await anext(self._requests, None)
        if request is None or request.heartbeat != heartbeat:
            raise ScriptError(f"expected the heartbeat {heartbeat}, got {request}")

    async def _expect_hello(self, step: ExpectHello) -> None:
        request = await anext(self._requests, None)
        if request is None or not request.HasField("hello"):
            raise ScriptError("the first message has no hello")
        check_positions(step, request.hello.positions)
        welcome = play.Welcome(
            session_id="session",
            player_id="player",
            max_message_bytes=16 * 1024,
            max_submissions=1024,
            heartbeat_ms=step.heartbeat_ms,
        )
        await self._context.write(play.PlayResponse(welcome=welcome))

    async def _expect_submission(self, step: ExpectSubmission) -> None:
        while not self._submissions:
            request = await anext(self._requests, None)
            if request is None:
                raise ScriptError(f"expected {step}, but the client closed the stream")
            self._submissions.extend(request.submissions)
        check_submission(step, self._submissions.pop(0))


class WatchActor:
    """Takes the steps of one `WatchTable` stream."""

    def __init__(self, request: spectate.WatchTableRequest, context: Context) -> None:
        self.may_be_left: bool = False
        """Whether nothing more is expected of the client, so that it may go."""
        self._request = request
        self._context = context

    async def perform(self, steps: Sequence[Step]) -> None:
        """Take all steps; after the last one the stream ends with OK.

        Raises:
            ScriptError: the client asked for something else.
        """
        for index, step in enumerate(steps):
            self.may_be_left = expects_nothing(steps[index:])
            await self._take(step)

    async def _take(self, step: Step) -> None:
        match step:
            case ExpectWatch(after_sequence):
                request = self._request
                named = request.after_sequence if request.HasField("after_sequence") else None
                if named != after_sequence:
                    raise ScriptError(f"expected a watch after {after_sequence}, got {named}")
            case SendFrames(frames):
                for frame in frames:
                    await self._context.write(spectate.WatchTableResponse(frame=frame))
            case End(failure):
                await failure.abort(self._context)
            case Silence():
                await asyncio.Event().wait()
            case Close():
                pass
            case _:
                raise ScriptError(f"{step} is no step of a WatchTable stream")


def check_positions(step: ExpectHello, positions: Iterable[play.ResumePosition]) -> None:
    """See that a client continues where the script expects it to.

    Raises:
        ScriptError: it does not.
    """
    named = {position.table_id: position.sequence for position in positions}
    if step.positions is not None and named != dict(step.positions):
        raise ScriptError(f"expected positions {dict(step.positions)}, got {named}")


def check_submission(step: Step | None, sent: play.Submission) -> None:
    """See that a submission is the one that the script expects.

    Raises:
        ScriptError: it is another one, or none is expected.
    """
    got = ExpectSubmission(sent.table_id, sent.turn_id, action_from_proto(sent.action))
    if got != step:
        raise ScriptError(f"expected {step or 'the end'}, got {got}")


def expects_nothing(steps: Sequence[Step]) -> bool:
    """Whether a client may leave before these steps."""
    kinds = ExpectHello | ExpectSubmission | ExpectWatch | SendHeartbeat
    return not any(isinstance(step, kinds) for step in steps)


def _refusal(step: Refuse) -> play.PlayResponse:
    refused = play.Refused(
        reason=error_pb2.ErrorReason.ValueType(step.reason.value), message="as scripted"
    )
    result = play.SubmissionResult(table_id=step.table_id, turn_id=step.turn_id, refused=refused)
    return play.PlayResponse(results=[result], tables=[step.frame] if step.frame else [])
