"""PlayService: one stream per bot carries all its tables."""

from collections.abc import AsyncIterator

from skat.v1 import play_service_pb2 as pb
from skat.v1 import play_service_pb2_grpc
from skat_server.clock import Clock
from skat_server.errors import Reason, RefusedError
from skat_server.rpc.callers import Context, caller
from skat_server.rpc.play_stream import PlayStream
from skat_server.tables.sessions import Sessions


class PlayServicer(play_service_pb2_grpc.PlayServiceServicer):
    """Opens a session per stream."""

    def __init__(self, sessions: Sessions, clock: Clock, max_message_bytes: int) -> None:
        """Serve these sessions."""
        self._sessions = sessions
        self._clock = clock
        self._max_message_bytes = max_message_bytes

    async def Play(  # type: ignore[override]  # the stub knows only generators
        self, request_iterator: AsyncIterator[pb.PlayRequest], context: Context
    ) -> None:
        """Serve one stream; the wire's comments are its contract."""
        player = caller(context)
        stream = PlayStream(player, self._sessions, self._clock, self._max_message_bytes, context)
        await stream.run(request_iterator)

    async def PollDecisions(
        self, request: pb.PollDecisionsRequest, context: Context
    ) -> pb.PollDecisionsResponse:
        """Return what happened since the caller's positions."""
        caller(context)
        raise RefusedError(Reason.NOT_ALLOWED, "use Play")

    async def SubmitAction(
        self, request: pb.SubmitActionRequest, context: Context
    ) -> pb.SubmitActionResponse:
        """Answer a decision, or propose out of turn."""
        caller(context)
        raise RefusedError(Reason.NOT_ALLOWED, "use Play")
