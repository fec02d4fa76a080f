"""A scripted server, to test bots and tools without a real one.

It listens on a free port of the loopback and does what it is told: expect this, say that,
lose the connection, refuse, be silent. What does not go as written fails the test when the
server is left.

    async with ScriptedServer() as server:
        server.reply("TakeSeat", TakeSeatResponse(table=new_table("t"), seat=0))
        server.play(*passed_deal("t"))
        async with AsyncClient(server.address) as client:
            await run(MyBot(), client, ["t"])
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import grpc
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message

from skat.v1 import (
    account_service_pb2,
    play_service_pb2,
    record_service_pb2,
    rules_service_pb2,
    spectate_service_pb2,
    table_service_pb2,
    tournament_service_pb2,
)
from skat.v1 import event_pb2 as events
from skat_client._actions import Pass
from skat_client._cards import parse_cards
from skat_client._poll_script import PollActor
from skat_client._script import (
    DROP,
    Close,
    Context,
    End,
    ExpectHello,
    ExpectSubmission,
    ExpectWatch,
    Failure,
    PlayActor,
    Reached,
    Refuse,
    ScriptError,
    Send,
    SendFrames,
    SendHeartbeat,
    Silence,
    Step,
    Wait,
    WatchActor,
)
from skat_client._test_messages import (
    bidding_decision,
    card_decision,
    deal_start,
    new_events,
    new_frame,
    new_table,
    new_view,
    passed_in,
    series_end,
)

__all__ = [
    "DROP",
    "Close",
    "End",
    "ExpectHello",
    "ExpectSubmission",
    "ExpectWatch",
    "Failure",
    "Reached",
    "Refuse",
    "Reply",
    "ScriptError",
    "ScriptedServer",
    "Send",
    "SendFrames",
    "SendHeartbeat",
    "Silence",
    "Step",
    "Wait",
    "bidding_decision",
    "card_decision",
    "deal_start",
    "new_events",
    "new_frame",
    "new_table",
    "new_view",
    "passed_deal",
    "passed_in",
    "series_end",
]

_SERVICES: Final = (
    account_service_pb2.DESCRIPTOR.services_by_name["AccountService"],
    play_service_pb2.DESCRIPTOR.services_by_name["PlayService"],
    record_service_pb2.DESCRIPTOR.services_by_name["RecordService"],
    rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"],
    spectate_service_pb2.DESCRIPTOR.services_by_name["SpectateService"],
    table_service_pb2.DESCRIPTOR.services_by_name["TableService"],
    tournament_service_pb2.DESCRIPTOR.services_by_name["TournamentService"],
)

_Poll = play_service_pb2.PollDecisionsRequest | play_service_pb2.SubmitActionRequest
_POLLS: Final = (play_service_pb2.PollDecisionsRequest, play_service_pb2.SubmitActionRequest)

_M = TypeVar("_M", bound=Message)

Reply = Message | Failure
"""How a unary call is answered."""


class ScriptedServer:
    """A gRPC server that does as it is told.

    Scripts and replies are used up in the order given. A call without a reply fails with
    UNIMPLEMENTED, a stream without a script with FAILED_PRECONDITION.
    """

    def __init__(self) -> None:
        self.port: int = 0
        """The port it listens on, once entered."""
        self.requests: list[Message] = []
        """Every unary request, in order."""
        self.metadata: list[dict[str, str | bytes]] = []
        """Metadata of every call, in order."""
        self._replies: dict[str, deque[Reply]] = {}
        self._play_scripts: deque[tuple[Step, ...]] = deque()
        self._watch_scripts: deque[tuple[Step, ...]] = deque()
        self._standings: deque[Message | Failure | Wait] = deque()
        self._polled: PollActor | None = None
        self._failures: list[str] = []
        self._server: grpc.aio.Server | None = None

    @property
    def address(self) -> str:
        """Where it listens, for `AsyncClient`."""
        return f"127.0.0.1:{self.port}"

    def reply(self, method: str, *replies: Reply) -> None:
        """Answer the next calls of a unary method, such as `GetTable`, with these."""
        self._replies.setdefault(method, deque()).extend(replies)

    def requests_of(self, kind: type[_M]) -> list[_M]:
        """The unary requests of one type, in order."""
        return [request for request in self.requests if isinstance(request, kind)]

    def play(self, *steps: Step) -> None:
        """The script of the next `Play` stream. After its last step the client has to close.

        A client that polls takes the same steps. Its connection begins with a poll and is lost
        with a failed call.
        """
        self._play_scripts.append(steps)

    def watch(self, *steps: Step) -> None:
        """The script of the next `WatchTable` stream. After its last step it ends with OK."""
        self._watch_scripts.append(steps)

    def show_standings(self, *items: Message | Failure | Wait) -> None:
        """What the next `WatchStandings` streams send.

        A failure ends a stream, and the next one goes on after it; after the last item a stream
        ends with OK.
        """
        self._standings.extend(items)

    async def __aenter__(self) -> Self:
        await self._start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop, and say what did not go as written.

        Raises:
            ScriptError: it did not, and nothing else went wrong before.
        """
        await self._stop()
        if self._polled is not None and not (self._polled.is_lost or self._polled.may_be_left):
            self._failures.append("the client left before the end of the script")
        left = len(self._play_scripts) + len(self._watch_scripts)
        if left:
            self._failures.append(f"{left} scripts were not played")
        if self._failures and error is None:
            raise ScriptError("; ".join(self._failures))
        if self._failures and error is not None:
            error.add_note(f"scripted server: {'; '.join(self._failures)}")

    async def restart(self) -> None:
        """Cut every connection and listen again on the same port."""
        await self._stop()
        await self._start()

    async def _start(self) -> None:
        self._server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
        for service in _SERVICES:
            handlers = {method.name: self._handler(method) for method in service.methods}
            generic = grpc.method_handlers_generic_handler(service.full_name, handlers)
            self._server.add_generic_rpc_handlers((generic,))
        self.port = self._server.add_insecure_port(self.address)
        await self._server.start()

    async def _stop(self) -> None:
        if self._polled is not None and self._polled.may_be_left:
            self._polled.is_lost = True
        server, self._server = self._server, None
        if server is not None:
            await server.stop(None)

    def _handler(self, method: MethodDescriptor) -> "grpc.RpcMethodHandler[Any, Any]":
        request = message_factory.GetMessageClass(method.input_type)
        options: dict[str, Any] = {
            "request_deserializer": request.FromString,
            "response_serializer": lambda message: message.SerializeToString(),
        }
        if method.client_streaming:
            return grpc.stream_stream_rpc_method_handler(self._perform_play, **options)
        if method.name == "WatchStandings":
            return grpc.unary_stream_rpc_method_handler(self._show_standings, **options)
        if method.server_streaming:
            return grpc.unary_stream_rpc_method_handler(self._perform_watch, **options)
        return grpc.unary_unary_rpc_method_handler(self._answer(method.name), **options)

    def _answer(self, name: str) -> Callable[[Message, Context], Coroutine[Any, Any, Message]]:
        async def answer(request: Message, context: Context) -> Message:
            self._note(context)
            self.requests.append(request)
            replies = self._replies.get(name)
            if not replies and isinstance(request, _POLLS):
                return await self._perform_poll(request, context)
            if not replies:
                await context.abort(grpc.StatusCode.UNIMPLEMENTED, f"no reply to {name} scripted")
            reply = replies.popleft()
            if isinstance(reply, Failure):
                await reply.abort(context)
            return reply

        return answer

    async def _perform_poll(self, request: _Poll, context: Context) -> Message:
        try:
            actor = self._poll_actor(request)
            if isinstance(request, play_service_pb2.PollDecisionsRequest):
                return await actor.poll(request, context)
            return await actor.submit(request, context)
        except ScriptError as error:
            self._failures.append(str(error))
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))

    def _poll_actor(self, request: _Poll) -> PollActor:
        actor = self._polled
        # Who asks without waiting begins a new connection.
        is_new = isinstance(request, play_service_pb2.PollDecisionsRequest) and not request.wait_ms
        if actor is not None and not (actor.is_lost or is_new):
            return actor
        if actor is not None and not (actor.is_lost or actor.may_be_left):
            raise ScriptError("the client left before the end of the script")
        if not self._play_scripts:
            raise ScriptError("a poll for which there is no script")
        self._polled = PollActor(self._play_scripts.popleft())
        return self._polled

    async def _perform_play(
        self, requests: AsyncIterator[play_service_pb2.PlayRequest], context: Context
    ) -> None:
        self._note(context)
        actor = PlayActor(requests, context)
        await self._perform(self._play_scripts, actor, context)

    async def _perform_watch(
        self, request: spectate_service_pb2.WatchTableRequest, context: Context
    ) -> None:
        self._note(context)
        actor = WatchActor(request, context)
        await self._perform(self._watch_scripts, actor, context)

    async def _show_standings(
        self, request: spectate_service_pb2.WatchStandingsRequest, context: Context
    ) -> None:
        self._note(context)
        self.requests.append(request)
        while self._standings:
            item = self._standings.popleft()
            if isinstance(item, Failure):
                await item.abort(context)
            elif isinstance(item, Wait):
                await item.event.wait()
            else:
                await context.write(item)

    async def _perform(
        self, scripts: deque[tuple[Step, ...]], actor: PlayActor | WatchActor, context: Context
    ) -> None:
        try:
            if not scripts:
                raise ScriptError("a stream for which there is no script")
            await actor.perform(scripts.popleft())
        except ScriptError as error:
            self._failures.append(str(error))
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))
        except asyncio.CancelledError:
            if not actor.may_be_left:
                self._failures.append("the client left before the end of the script")
            raise

    def _note(self, context: Context) -> None:
        self.metadata.append(dict(context.invocation_metadata() or ()))


def passed_deal(table_id: str) -> tuple[Step, ...]:
    """The script of a whole series: one deal, in which the player is asked once and passes.

    The player sits at seat 0 and is middlehand, with a hand that is worth no bid.
    """
    hand = parse_cards("D8 S9 C9 DQ HQ SK CK DT HT HA")
    start = new_events(1, deal_start(hand, dealer=1))
    end = new_events(
        2,
        events.BidPassed(seat=0),
        events.BidPassed(seat=1),
        events.BidPassed(seat=2),
        passed_in(),
        series_end(),
    )
    question = bidding_decision("turn 1", (18, 20, 22))
    return (
        ExpectHello(),
        SendFrames(
            new_frame(table_id, start, view=new_view(table_id, sequence=1), decision=question)
        ),
        ExpectSubmission(table_id, "turn 1", Pass()),
        SendFrames(new_frame(table_id, end)),
    )
