"""PlayService: one stream per bot carries all its tables, or single calls do."""

from collections.abc import AsyncIterator

from skat.v1 import play_service_pb2 as pb
from skat.v1 import play_service_pb2_grpc
from skat_server.errors import Reason, RefusedError
from skat_server.rpc.callers import Context, caller
from skat_server.rpc.play.parts import PlayParts
from skat_server.rpc.play.poll import Poll
from skat_server.rpc.play.requests import check_ids, submission_from_proto
from skat_server.rpc.play.stream import PlayStream
from skat_server.tables.sessions import Submission
from skat_server.tables.settling import settled
from skat_server.tables.writer import Done


class PlayServicer(play_service_pb2_grpc.PlayServiceServicer):
    """Opens a session per stream or poll."""

    def __init__(self, parts: PlayParts) -> None:
        """Serve sessions."""
        self._parts = parts

    async def Play(  # type: ignore[override]  # the stub knows only generators
        self, request_iterator: AsyncIterator[pb.PlayRequest], context: Context
    ) -> None:
        """Serve one stream; the wire's comments are its contract."""
        await PlayStream(caller(context), self._parts, context).run(request_iterator)

    async def PollDecisions(
        self, request: pb.PollDecisionsRequest, context: Context
    ) -> pb.PollDecisionsResponse:
        """Return what has happened since the caller's positions, as soon as there is anything."""
        return await Poll(caller(context), self._parts).run(request)

    async def SubmitAction(
        self, request: pb.SubmitActionRequest, context: Context
    ) -> pb.SubmitActionResponse:
        """Answer a decision, or propose out of turn."""
        player = caller(context)
        self._parts.sessions.heard(player.player_id)
        try:
            is_repeated = await self._submit(player.player_id, _submission(request))
        except RefusedError:
            self._parts.unasked.charge(player.player_id)
            raise
        if is_repeated:
            self._parts.unasked.charge(player.player_id)
        return pb.SubmitActionResponse(repeated_action=is_repeated)

    async def _submit(self, player_id: str, submission: Submission) -> bool:
        """Whether the action had settled its turn before; refusals are raised."""
        unasked, sessions = self._parts.unasked, self._parts.sessions
        if unasked.is_limited(player_id) and not sessions.is_asked(player_id, submission):
            raise unasked.refusal(player_id)
        repeated = False

        def start(done: Done) -> None:
            nonlocal repeated
            repeated = sessions.submit(player_id, submission, done)
            if repeated:
                done(None)

        await settled(start)
        return repeated


def _submission(request: pb.SubmitActionRequest) -> Submission:
    """The submission of a call, where what cannot be read is a field at fault."""
    if not request.HasField("submission"):
        raise RefusedError(Reason.INVALID_FIELD, "submission is missing", field="submission")
    check_ids("submission", request.submission)
    try:
        return submission_from_proto(request.submission)
    except RefusedError as refusal:
        if refusal.reason is not Reason.UNREADABLE_ACTION:
            raise
        raise RefusedError(
            Reason.INVALID_FIELD, str(refusal), field="submission.action"
        ) from refusal
