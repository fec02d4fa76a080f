"""A scripted raw player: takes seats, opens `Play`, waits for frames, answers.

It knows the generated stubs and nothing else, and it holds the server to what every frame
promises: events without gaps, and a view that is followed by all it stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import grpc

from skat.v1 import (
    action_pb2,
    decision_pb2,
    event_pb2,
    play_service_pb2,
    play_service_pb2_grpc,
    record_service_pb2_grpc,
    rule_set_pb2,
    spectate_service_pb2_grpc,
    table_pb2,
    table_service_pb2,
    table_service_pb2_grpc,
)
from tests.rpc.failures import Failure, failure_of

if TYPE_CHECKING:
    _Call = grpc.aio.StreamStreamCall[play_service_pb2.PlayRequest, play_service_pb2.PlayResponse]

Choose = Callable[[decision_pb2.Decision], action_pb2.Action]

LIVE = play_service_pb2.DELIVERY_LIVE
WITH_DECISIONS = play_service_pb2.DELIVERY_WITH_DECISIONS

END_OF_TABLE = frozenset({"series_ended", "table_closed"})


class Story:
    """What one viewer has been told of one table."""

    def __init__(self) -> None:
        """Know nothing."""
        self.views: list[table_pb2.TableView] = []
        self.events: list[event_pb2.TableEvent] = []
        """Since the last view."""
        self.decision: decision_pb2.Decision | None = None
        """The open one; None once it was answered."""
        self.decisions: list[decision_pb2.Decision] = []
        """All of them, repeated ones too."""

    @property
    def last(self) -> int:
        """Sequence of the last event, 0 before the first."""
        if self.events:
            return self.events[-1].sequence
        return self.views[-1].sequence if self.views else 0

    @property
    def cases(self) -> list[str]:
        """The kinds of the events."""
        return [_case(event) for event in self.events]

    @property
    def latest(self) -> str:
        """The kind of the last event, empty before the first."""
        return _case(self.events[-1]) if self.events else ""

    @property
    def is_over(self) -> bool:
        """Whether nothing follows."""
        return any(_case(event) in END_OF_TABLE for event in self.events[-2:])

    def absorb(self, frame: table_pb2.TableFrame) -> None:
        """Take a frame in and hold it to its promises."""
        if frame.HasField("view"):
            self.views.append(frame.view)
            self.events = []
        expected = self.last + 1
        if frame.HasField("view") and frame.events:
            expected = frame.events[0].sequence
            assert frame.events[-1].sequence == frame.view.sequence
        sequences = [event.sequence for event in frame.events]
        assert not self.views or sequences == list(range(expected, expected + len(sequences)))
        self.events += frame.events
        if frame.HasField("decision"):
            self.decision = frame.decision
            self.decisions.append(frame.decision)


def _case(event: event_pb2.TableEvent) -> str:
    return event.WhichOneof("event") or ""


class Player:
    """Somebody with a token, and what he has been told."""

    def __init__(self, channel: grpc.aio.Channel, name: str) -> None:
        """Know the server; the token comes from the name."""
        self.name = name
        self.metadata: tuple[tuple[str, str], ...] = (
            ("authorization", f"Bearer token-of-player-{name}"),
        )
        self.tables = table_service_pb2_grpc.TableServiceStub(channel)
        self.records = record_service_pb2_grpc.RecordServiceStub(channel)
        self.spectate = spectate_service_pb2_grpc.SpectateServiceStub(channel)
        self.welcome = play_service_pb2.Welcome()
        self.stories: dict[str, Story] = {}
        self.results: list[play_service_pb2.SubmissionResult] = []
        self.responses: list[play_service_pb2.PlayResponse] = []
        self.stub = play_service_pb2_grpc.PlayServiceStub(channel)
        self._call: _Call | None = None

    async def create_table(
        self,
        request: table_service_pb2.CreateTableRequest | None = None,
        **overrides: str,
    ) -> table_pb2.Table:
        """Make a table, with the preset isko unless the request says otherwise."""
        request = request or table_service_pb2.CreateTableRequest()
        if not request.HasField("rule_set"):
            request.rule_set.CopyFrom(rule_set_pb2.RuleSet(preset="isko", overrides=overrides))
        response = await self.tables.CreateTable(request, metadata=self.metadata)
        return response.table

    async def get_table(self, table_id: str) -> table_pb2.Table:
        """The table as it is now."""
        request = table_service_pb2.GetTableRequest(table_id=table_id)
        return (await self.tables.GetTable(request)).table

    async def take_seat(self, table_id: str, seat: int | None = None, nonce: bytes = b"") -> int:
        """Sit down."""
        request = table_service_pb2.TakeSeatRequest(
            table_id=table_id, seat=seat, player_name=self.name, client_nonce=nonce
        )
        return (await self.tables.TakeSeat(request, metadata=self.metadata)).seat

    async def leave_seat(self, table_id: str) -> table_pb2.Table:
        """Get up."""
        request = table_service_pb2.LeaveSeatRequest(table_id=table_id)
        return (await self.tables.LeaveSeat(request, metadata=self.metadata)).table

    async def close_table(self, table_id: str) -> table_pb2.Table:
        """Close an own table."""
        request = table_service_pb2.CloseTableRequest(table_id=table_id)
        return (await self.tables.CloseTable(request, metadata=self.metadata)).table

    def start(self) -> _Call:
        """Start a stream without saying hello."""
        self._call = self.stub.Play(metadata=self.metadata)
        return self._call

    async def open(
        self,
        delivery: play_service_pb2.Delivery.ValueType = LIVE,
        positions: Mapping[str, int] | None = None,
    ) -> None:
        """Open a session and wait for the welcome."""
        self.start()
        resume = [
            play_service_pb2.ResumePosition(table_id=table_id, sequence=sequence)
            for table_id, sequence in (positions or {}).items()
        ]
        hello = play_service_pb2.Hello(
            client_name="raw", client_version="1", delivery=delivery, positions=resume
        )
        await self.send(play_service_pb2.PlayRequest(hello=hello))
        response = await self.read()
        assert response.HasField("welcome")
        self.welcome = response.welcome

    async def poll(
        self,
        positions: Mapping[str, tuple[int, str]] | None = None,
        delivery: play_service_pb2.Delivery.ValueType = LIVE,
        wait_ms: int = 0,
    ) -> play_service_pb2.PollDecisionsResponse:
        """Ask what has happened since positions of sequence and turn, and take it in."""
        resume = [
            play_service_pb2.ResumePosition(table_id=table_id, sequence=sequence, turn_id=turn_id)
            for table_id, (sequence, turn_id) in (positions or {}).items()
        ]
        request = play_service_pb2.PollDecisionsRequest(
            positions=resume, wait_ms=wait_ms, delivery=delivery
        )
        response = await self.stub.PollDecisions(request, metadata=self.metadata)
        for frame in response.tables:
            self.story(frame.table_id).absorb(frame)
        return response

    async def submit_alone(self, submission: play_service_pb2.Submission) -> bool:
        """Send one submission in a call of its own; whether it was a repetition."""
        request = play_service_pb2.SubmitActionRequest(submission=submission)
        response = await self.stub.SubmitAction(request, metadata=self.metadata)
        return response.repeated_action

    def story(self, table_id: str) -> Story:
        """What was told of a table."""
        return self.stories.setdefault(table_id, Story())

    async def send(self, request: play_service_pb2.PlayRequest) -> None:
        """Send one message."""
        assert self._call is not None
        await self._call.write(request)

    async def read(self) -> play_service_pb2.PlayResponse:
        """Read one message and take it in."""
        assert self._call is not None
        response = await self._call.read()
        assert isinstance(response, play_service_pb2.PlayResponse), "the stream has ended"
        self._absorb(response)
        return response

    def _absorb(self, response: play_service_pb2.PlayResponse) -> None:
        self.responses.append(response)
        self.results += response.results
        table_ids = [frame.table_id for frame in response.tables]
        assert len(set(table_ids)) == len(table_ids)
        for frame in response.tables:
            self.story(frame.table_id).absorb(frame)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Read until something is true."""
        while not condition():
            await self.read()

    async def end_of(self, table_id: str) -> None:
        """Read until a table is over."""
        await self.until(lambda: self.story(table_id).is_over)

    async def decision(self, table_id: str) -> decision_pb2.Decision:
        """The open decision at a table, once it is there."""
        story = self.story(table_id)
        await self.until(lambda: story.decision is not None)
        assert story.decision is not None
        return story.decision

    async def result(self) -> play_service_pb2.SubmissionResult:
        """The next result of a submission."""
        await self.until(lambda: bool(self.results))
        return self.results.pop(0)

    async def submit(self, *submissions: play_service_pb2.Submission) -> None:
        """Send submissions in one message."""
        await self.send(play_service_pb2.PlayRequest(submissions=submissions))

    async def answer(self, table_id: str, action: action_pb2.Action) -> None:
        """Answer the open decision at a table."""
        decision = await self.decision(table_id)
        self.story(table_id).decision = None
        await self.submit(submission(table_id, decision.turn_id, action))

    async def refusal(self, table_id: str, action: action_pb2.Action) -> play_service_pb2.Refused:
        """Answer the open decision with something that must be refused."""
        await self.answer(table_id, action)
        result = await self.result()
        assert result.WhichOneof("outcome") == "refused", result
        return result.refused

    async def play(self, choose: Choose, table_ids: list[str]) -> None:
        """Answer every decision at these tables until all are over; nothing may be refused."""
        stories = {table_id: self.story(table_id) for table_id in table_ids}
        while not all(story.is_over for story in stories.values()):
            answers = []
            for table_id, story in stories.items():
                if story.decision is not None:
                    decision, story.decision = story.decision, None
                    answers.append(submission(table_id, decision.turn_id, choose(decision)))
            if answers:
                await self.submit(*answers)
            await self.read()
            assert not self.results, self.results

    async def finish(self) -> None:
        """Close the own side and read until the server has ended the stream with OK."""
        assert self._call is not None
        await self._call.done_writing()
        while (response := await self._call.read()) is not grpc.aio.EOF:
            assert isinstance(response, play_service_pb2.PlayResponse)
            self._absorb(response)
        assert await self._call.code() is grpc.StatusCode.OK

    async def end(self) -> Failure:
        """Read until the server ends the stream with an error."""
        call = self._call
        assert call is not None
        try:
            while await call.read() is not grpc.aio.EOF:
                pass
            await call.wait_for_connection()
        except grpc.aio.AioRpcError as error:
            return failure_of(error)
        raise AssertionError(f"the stream ended with {await call.code()}")

    def drop(self) -> None:
        """Lose the connection."""
        assert self._call is not None
        self._call.cancel()


def untimed(decision: decision_pb2.Decision) -> decision_pb2.Decision:
    """A decision without its clock, which differs from moment to moment."""
    copied = decision_pb2.Decision()
    copied.CopyFrom(decision)
    copied.ClearField("clock")
    return copied


def submission(
    table_id: str, turn_id: str, action: action_pb2.Action
) -> play_service_pb2.Submission:
    """An answer to a decision."""
    return play_service_pb2.Submission(table_id=table_id, turn_id=turn_id, action=action)


def proposal(
    table_id: str, last_sequence: int, action: action_pb2.Action
) -> play_service_pb2.Submission:
    """A proposal out of turn."""
    return play_service_pb2.Submission(
        table_id=table_id, last_sequence=last_sequence, action=action
    )
