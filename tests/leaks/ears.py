"""Viewers that keep every byte they are sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import grpc

from skat.v1 import play_service_pb2, spectate_service_pb2, table_pb2

PLAY: Final = "/skat.v1.PlayService/Play"
WATCH: Final = "/skat.v1.SpectateService/WatchTable"

REFUSED: Final = b"refused: "
"""With this begins what a refused call says."""


class Ear:
    """One open stream: what came, and how far it has told its table.

    Attributes:
        heard: the messages of the stream as they came.
        last: sequence of the last event.
        turn_id: of the last decision.
        results: how many submissions were answered.
    """

    def __init__(
        self, call: Any, frames: Callable[[bytes], Iterable[table_pb2.TableFrame]]
    ) -> None:
        """Listen to a call whose responses are left as bytes."""
        self.heard: list[bytes] = []
        self.last = 0
        self.turn_id = ""
        self.results = 0
        self.call = call
        self._frames = frames

    async def until(self, condition: Callable[[], bool]) -> None:
        """Read until something is true."""
        while not condition():
            data = await self.call.read()
            assert isinstance(data, bytes), "the stream has ended"
            self.heard.append(data)
            self._note(data)

    def _note(self, data: bytes) -> None:
        for frame in self._frames(data):
            if frame.HasField("view"):
                self.last = frame.view.sequence
            if frame.events:
                self.last = frame.events[-1].sequence
            if frame.HasField("decision"):
                self.turn_id = frame.decision.turn_id


class Seated(Ear):
    """A player's session."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        metadata: tuple[tuple[str, str], ...],
        delivery: play_service_pb2.Delivery.ValueType,
    ) -> None:
        """Open the stream; `greet` says hello."""
        self.delivery = delivery
        request = play_service_pb2.PlayRequest.SerializeToString
        call: Any = channel.stream_stream(PLAY, request_serializer=request)(metadata=metadata)
        super().__init__(call, self._read_frames)

    @property
    def is_live(self) -> bool:
        """Whether it is told everything at once."""
        return self.delivery == play_service_pb2.DELIVERY_LIVE

    async def greet(self) -> None:
        """Say hello and wait for the welcome."""
        hello = play_service_pb2.Hello(client_name="ear", delivery=self.delivery)
        await self.send(play_service_pb2.PlayRequest(hello=hello))
        await self.until(lambda: bool(self.heard))

    async def send(self, request: play_service_pb2.PlayRequest) -> None:
        """Send one message."""
        await self.call.write(request)

    async def refused(self, submissions: list[play_service_pb2.Submission]) -> None:
        """Send what must be refused and wait for all the answers."""
        expected = self.results + len(submissions)
        await self.send(play_service_pb2.PlayRequest(submissions=submissions))
        await self.until(lambda: self.results >= expected)

    def _read_frames(self, data: bytes) -> Iterable[table_pb2.TableFrame]:
        response = play_service_pb2.PlayResponse.FromString(data)
        self.results += len(response.results)
        return response.tables


class Watching(Ear):
    """A spectator's stream."""

    def __init__(self, channel: grpc.aio.Channel, table_id: str) -> None:
        """Begin to watch."""
        request = spectate_service_pb2.WatchTableRequest(table_id=table_id)
        serializer = spectate_service_pb2.WatchTableRequest.SerializeToString
        call: Any = channel.unary_stream(WATCH, request_serializer=serializer)(request)
        super().__init__(call, _watched_frames)


def _watched_frames(data: bytes) -> Iterable[table_pb2.TableFrame]:
    return [spectate_service_pb2.WatchTableResponse.FromString(data).frame]


async def answer(
    channel: grpc.aio.Channel,
    method: str,
    request: Any,
    metadata: tuple[tuple[str, str], ...] = (),
) -> bytes:
    """The bytes of an answer, or of everything that a refusal says."""
    serializer = type(request).SerializeToString
    call: Any = channel.unary_unary(method, request_serializer=serializer)
    try:
        answered = await call(request, metadata=metadata)
    except grpc.aio.AioRpcError as error:
        facts = (error.code(), error.details(), tuple(error.trailing_metadata() or ()))
        return REFUSED + repr(facts).encode()
    assert isinstance(answered, bytes)
    return answered
