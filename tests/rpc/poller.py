"""A player without a stream: he polls, and submits in single calls."""

from __future__ import annotations

from collections.abc import Mapping

import grpc

from skat.v1 import error_pb2, play_service_pb2
from tests.rpc.failures import failure_of
from tests.rpc.player import LIVE, Player

LONGEST_POLL_MS = 20_000


class Poller(Player):
    """As a player with a stream, for whoever plays a scripted deal with him."""

    def __init__(self, channel: grpc.aio.Channel, name: str) -> None:
        """Know the server; the token comes from the name."""
        super().__init__(channel, name)
        self._delivery: play_service_pb2.Delivery.ValueType = LIVE
        self._since: dict[str, int] = {}

    async def open(
        self,
        delivery: play_service_pb2.Delivery.ValueType = LIVE,
        positions: Mapping[str, int] | None = None,
    ) -> None:
        """Ask for what there is."""
        self._delivery = delivery
        self._since = dict(positions or {})
        await self.poll(self._positions(), delivery)

    async def read(self) -> play_service_pb2.PlayResponse:
        """Ask until there is something."""
        response = await self.poll(self._positions(), self._delivery, LONGEST_POLL_MS)
        return play_service_pb2.PlayResponse(tables=response.tables, going_away=response.going_away)

    def _positions(self) -> dict[str, tuple[int, str]]:
        positions = {table_id: (sequence, "") for table_id, sequence in self._since.items()}
        for table_id, story in self.stories.items():
            if story.views or story.events:
                turn_id = "" if story.decision is None else story.decision.turn_id
                positions[table_id] = (story.last, turn_id)
        return positions

    async def submit(self, *submissions: play_service_pb2.Submission) -> None:
        """Submit one after the other; refusals and repetitions become results as in a stream."""
        for submission in submissions:
            result = play_service_pb2.SubmissionResult(
                table_id=submission.table_id, turn_id=submission.turn_id
            )
            try:
                if not await self.submit_alone(submission):
                    continue
                result.repeated.SetInParent()
            except grpc.aio.AioRpcError as error:
                refused = failure_of(error)
                reason = error_pb2.ErrorReason.Value(f"ERROR_REASON_{refused.reason}")
                result.refused.MergeFrom(
                    play_service_pb2.Refused(reason=reason, message=refused.text)
                )
            self.results.append(result)

    async def result(self) -> play_service_pb2.SubmissionResult:
        """The result of a submission, which is there already."""
        return self.results.pop(0)
