"""F12: an answer is durable, and the reply that says so never arrives."""

from __future__ import annotations

import asyncio
from pathlib import Path

import grpc
import pytest

from skat.v1 import play_service_pb2 as play
from skat.v1 import play_service_pb2_grpc
from skat_server.players.identity import player_of
from skat_server.rpc.convert.values import action_from_proto
from tests.crash.database import histories_in
from tests.crash.recording import Address, Client, Player, Progress, table_request
from tests.crash.relay import Relay, relaying
from tests.crash.supervising import supervised
from tests.crash.wire import ON_THE_WIRE
from tests.histories.checker import violations
from tests.histories.model import Acknowledged, History, Opened, Submitted

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(120)]

LOSSES = 3
"""Replies that are lost in the test."""


class UnaryPlayer(Client):
    """Polls for decisions, and answers some of them over a relay that swallows the reply.

    Attributes:
        losses: replies that were lost.
    """

    def __init__(self, name: str, address: Address, progress: Progress, relay: Relay) -> None:
        """Know the straight way to the server and the other one."""
        super().__init__(name, address, progress)
        self.history.player_id = player_of(self.metadata[0][1]).player_id
        self.losses = 0
        self._relay = relay

    async def connected(self, channel: grpc.aio.Channel) -> None:
        """Poll, answer, poll again."""
        stub = play_service_pb2_grpc.PlayServiceStub(channel)
        while not self.is_done:
            for submission in await self._poll(stub):
                if self.losses < LOSSES:
                    await self._lose_the_reply(stub, submission)
                else:
                    await self._submit(stub, submission)

    async def _poll(
        self, stub: play_service_pb2_grpc.PlayServiceAsyncStub
    ) -> list[play.Submission]:
        """What happened, and the answers that are due."""
        positions = [
            play.ResumePosition(table_id=table_id, sequence=sequence)
            for table_id, sequence in self.read.items()
        ]
        request = play.PollDecisionsRequest(
            positions=positions, wait_ms=5_000, delivery=play.DELIVERY_LIVE
        )
        self.history.items.append(Opened(dict(self.read)))
        response = await stub.PollDecisions(request, metadata=self.metadata)
        answers = []
        for frame in response.tables:
            self.take_in(frame)
            if frame.HasField("decision"):
                decision = frame.decision
                answers.append(
                    play.Submission(
                        table_id=frame.table_id,
                        turn_id=decision.turn_id,
                        action=decision.first_option,
                    )
                )
        return answers

    async def _submit(
        self, stub: play_service_pb2_grpc.PlayServiceAsyncStub, submission: play.Submission
    ) -> bool:
        """Answer; whether the answer had counted before."""
        action = str(action_from_proto(submission.action))
        ids = submission.table_id, submission.turn_id
        self.history.items.append(Submitted(*ids, 0, action))
        request = play.SubmitActionRequest(submission=submission)
        response = await stub.SubmitAction(request, metadata=self.metadata)
        self.history.items.append(Acknowledged(*ids, action))
        return response.repeated_action

    async def _lose_the_reply(
        self, stub: play_service_pb2_grpc.PlayServiceAsyncStub, submission: play.Submission
    ) -> None:
        """Send it, lose the reply once it is durable, and send it again."""
        async with grpc.aio.insecure_channel(self._relay.address) as channel:
            await channel.channel_ready()
            far = play_service_pb2_grpc.PlayServiceStub(channel)
            self._relay.swallow()
            lost = asyncio.create_task(self._submit(far, submission))
            while not (await self._saw(stub, submission)):
                pass
            self._relay.cut()
            with pytest.raises(grpc.aio.AioRpcError) as error:
                await lost
            assert error.value.code() is grpc.StatusCode.UNAVAILABLE
            assert await self._submit(far, submission)
        self.losses += 1

    async def _saw(
        self, stub: play_service_pb2_grpc.PlayServiceAsyncStub, submission: play.Submission
    ) -> bool:
        """Whether news say that the answer counts: the question is not open any more."""
        answers = await self._poll(stub)
        return submission not in answers


async def test_a_reply_that_is_lost_after_the_commit_is_a_success(tmp_path: Path) -> None:
    """F12, H1: the answer counts once, and its repetition is acknowledged."""
    data = tmp_path / "data"
    async with supervised(data) as supervisor, relaying(lambda: supervisor.address) as relay:
        progress = Progress()
        unlucky = UnaryPlayer("ann", lambda: supervisor.address, progress, relay)
        others = [
            Player(name, lambda: supervisor.address, progress, seed)
            for seed, name in enumerate(("ben", "cem"))
        ]
        table_id = await others[0].create(table_request(1, deals=2))
        for seat, player in enumerate((unlucky, *others)):
            await player.sit(table_id, seat)
        async with asyncio.TaskGroup() as group:
            for player in (unlucky, *others):
                group.create_task(player.follow({table_id}))
        assert await supervisor.stop() == 0
    assert unlucky.losses == LOSSES
    histories = [player.history for player in (unlucky, *others)]
    kept = histories_in(data)
    assert violations(History(kept, histories, ON_THE_WIRE)) == []
