"""Raw clients that play through crashes and write their histories down.

They know the generated stubs and nothing else: what they do on a lost connection is what the
comments of the wire tell every client to do.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from time import perf_counter
from typing import Any, Final, TypeVar

import grpc

from skat.v1 import (
    play_service_pb2 as play,
)
from skat.v1 import (
    play_service_pb2_grpc,
    rule_set_pb2,
    spectate_service_pb2_grpc,
    table_pb2,
    table_service_pb2_grpc,
)
from skat.v1 import (
    spectate_service_pb2 as spectate,
)
from skat.v1 import (
    table_service_pb2 as tables,
)
from skat_client._recovery import require_wanted
from skat_server.errors import Reason
from skat_server.rpc.convert.values import action_from_proto
from skat_server.rpc.errors import reason_to_proto
from tests.crash.wire import frame_as_read, is_end
from tests.histories.model import Acknowledged, ClientHistory, Opened, Refused, Submitted
from tests.rpc.choices import Chance

RETRY: Final = 0.05
"""Seconds between two attempts to reach a server."""

TWICE: Final = 0.05
"""How often an answer is sent twice."""

REASONS: Final = {reason_to_proto(reason): reason for reason in Reason}

ALONE: Final = (("grpc.use_local_subchannel_pool", 1),)
"""A connection of one's own: the library would share it among all clients of a process."""

BROKEN: Final = "Internal error from Core"
"""What the library itself says of a call whose connection breaks while it writes."""

Address = Callable[[], str]
Found = TypeVar("Found")


class Progress:
    """Counts what happens in a run, so that faults can come at moments of play, not of time."""

    def __init__(self) -> None:
        """Nothing has happened."""
        self.count = 0
        self._changed = asyncio.Event()

    def step(self) -> None:
        """Something has happened."""
        self.count += 1
        self._changed.set()

    async def reach(self, count: int) -> None:
        """Wait until so much has happened."""
        while self.count < count:
            self._changed.clear()
            await self._changed.wait()


class Client:
    """Somebody who connects, and connects again, until all his tables are over.

    Attributes:
        name: of the player; his token comes from it.
        history: what he did and was told.
        over: tables that he knows to be over.
    """

    def __init__(self, name: str, address: Address, progress: Progress) -> None:
        """Know how to reach the server."""
        self.name = name
        self.history = ClientHistory("")
        self.over: set[str] = set()
        self.read: dict[str, int] = {}
        self.progress = progress
        self._address = address
        self._wanted: set[str] = set()
        self.metadata = (("authorization", f"Bearer token-of-player-{name}"),)

    async def follow(self, table_ids: set[str]) -> None:
        """Stay until these tables are over."""
        self._wanted = table_ids
        while not self.is_done:
            try:
                async with grpc.aio.insecure_channel(self._address(), options=ALONE) as channel:
                    await self.connected(channel)
            except grpc.aio.AioRpcError as error:
                _require_lost(error)
                await asyncio.sleep(RETRY)
        self.history.at_rest = True

    @property
    def is_done(self) -> bool:
        """Whether all that was to be followed is over."""
        return self.over >= self._wanted

    async def connected(self, channel: grpc.aio.Channel) -> None:
        """Use one connection to its end."""
        raise NotImplementedError

    def take_in(self, frame: table_pb2.TableFrame) -> None:
        """Note a frame down."""
        self.history.items.append(frame_as_read(frame))
        if frame.events:
            self.read[frame.table_id] = frame.events[-1].sequence
        elif frame.HasField("view"):
            self.read[frame.table_id] = frame.view.sequence
        if is_end(frame):
            self.over.add(frame.table_id)

    async def insist(self, call: Callable[[grpc.aio.Channel], Coroutine[Any, Any, Found]]) -> Found:
        """Make a call until it has an answer, whatever happens to the server meanwhile."""
        while True:
            try:
                async with grpc.aio.insecure_channel(self._address(), options=ALONE) as channel:
                    return await call(channel)
            except grpc.aio.AioRpcError as error:
                _require_lost(error)
                await asyncio.sleep(RETRY)

    async def sit(self, table_id: str, seat: int) -> None:
        """Take a seat; to take it again changes nothing."""
        request = tables.TakeSeatRequest(table_id=table_id, seat=seat, player_name=self.name)

        async def call(channel: grpc.aio.Channel) -> None:
            stub = table_service_pb2_grpc.TableServiceStub(channel)
            await stub.TakeSeat(request, metadata=self.metadata)

        await self.insist(call)


def _require_lost(error: grpc.aio.AioRpcError) -> None:
    """A server that is gone is no surprise here; anything else is."""
    require_wanted()
    if error.code() is not grpc.StatusCode.UNAVAILABLE and error.details() != BROKEN:
        raise error


class Player(Client):
    """A bot at any number of tables over one stream.

    Attributes:
        twice: how often he sends an answer twice.
    """

    def __init__(
        self, name: str, address: Address, progress: Progress, seed: int, think: float = 0.0
    ) -> None:
        """Draw its answers from a seed; think so many seconds before each."""
        super().__init__(name, address, progress)
        self._think = think
        self.twice = TWICE
        self._chance = random.Random(seed)
        self._choose = Chance(seed)
        self._last: play.Submission | None = None

    async def create(self, request: tables.CreateTableRequest) -> str:
        """Make a table; the request has an id, so it is made once."""

        async def call(channel: grpc.aio.Channel) -> str:
            stub = table_service_pb2_grpc.TableServiceStub(channel)
            return (await stub.CreateTable(request, metadata=self.metadata)).table.table_id

        return await self.insist(call)

    async def connected(self, channel: grpc.aio.Channel) -> None:
        """Say hello with all positions, then answer what is asked."""
        if await self._all_have_ended(channel):
            return
        stream = play_service_pb2_grpc.PlayServiceStub(channel).Play(metadata=self.metadata)
        positions = [
            play.ResumePosition(table_id=table_id, sequence=sequence)
            for table_id, sequence in self.read.items()
        ]
        hello = play.Hello(client_name="crash test", positions=positions)
        await stream.write(play.PlayRequest(hello=hello))
        self.history.items.append(Opened(dict(self.read)))
        if self._last is not None and self._chance.random() < 0.5:
            await self._send(stream, [self._last])
        async for response in stream:
            if response.HasField("welcome"):
                self.history.player_id = response.welcome.player_id
            await self._send(stream, self._answers(response))
            if self.is_done:
                return

    async def _all_have_ended(self, channel: grpc.aio.Channel) -> bool:
        """Ask for tables of which one was told nothing: when they are over, nothing will come."""
        stub = table_service_pb2_grpc.TableServiceStub(channel)
        for table_id in self._wanted - self.over - self.read.keys():
            if not await self._is_running(stub, table_id):
                self.over.add(table_id)
        return self.is_done

    async def _is_running(
        self, stub: table_service_pb2_grpc.TableServiceAsyncStub, table_id: str
    ) -> bool:
        request = tables.GetTableRequest(table_id=table_id)
        table = (await stub.GetTable(request, metadata=self.metadata)).table
        return table.state in (table_pb2.TABLE_STATE_OPEN, table_pb2.TABLE_STATE_PLAYING)

    async def look(self, table_ids: set[str]) -> float:
        """Open a session that knows nothing, and read until all tables that run were shown.

        Returns:
            Seconds from the hello to the last of them.
        """
        async with grpc.aio.insecure_channel(self._address()) as channel:
            stub = table_service_pb2_grpc.TableServiceStub(channel)
            running = {name for name in table_ids if await self._is_running(stub, name)}
            begin = perf_counter()
            stream = play_service_pb2_grpc.PlayServiceStub(channel).Play(metadata=self.metadata)
            await stream.write(play.PlayRequest(hello=play.Hello(client_name="look")))
            shown: set[str] = set()
            async for response in stream:
                shown |= {frame.table_id for frame in response.tables}
                if shown >= running:
                    break
            return perf_counter() - begin

    def _answers(self, response: play.PlayResponse) -> list[play.Submission]:
        for result in response.results:
            self._note_result(result)
        answers = []
        for frame in response.tables:
            self.take_in(frame)
            if frame.HasField("decision"):
                decision = frame.decision
                submission = play.Submission(
                    table_id=frame.table_id,
                    turn_id=decision.turn_id,
                    action=self._choose(decision),
                )
                answers.append(submission)
        return answers

    def _note_result(self, result: play.SubmissionResult) -> None:
        if result.HasField("refused"):
            reason = REASONS[result.refused.reason]
            self.history.items.append(Refused(result.table_id, result.turn_id, reason))
            return
        said = [
            item.action
            for item in self.history.items
            if isinstance(item, Submitted)
            and (item.table_id, item.turn_id) == (result.table_id, result.turn_id)
        ]
        self.history.items.append(Acknowledged(result.table_id, result.turn_id, said[-1]))

    async def _send(self, stream: Any, submissions: list[play.Submission]) -> None:
        """Answer, some of it twice."""
        twice = [one for one in submissions if self._chance.random() < self.twice]
        for submission in (*submissions, *twice):
            self._last = submission
            action = str(action_from_proto(submission.action))
            self.history.items.append(Submitted(submission.table_id, submission.turn_id, 0, action))
            self.progress.step()
        if submissions:
            if self._think:
                await asyncio.sleep(self._think)
            # A call that has ended meanwhile says why when it is read.
            with suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):
                await stream.write(play.PlayRequest(submissions=[*submissions, *twice]))


class Spectator(Client):
    """Somebody who watches one table."""

    def __init__(self, table_id: str, address: Address, progress: Progress) -> None:
        """Choose the table."""
        super().__init__(f"watcher of {table_id}", address, progress)
        self.table_id = table_id

    async def connected(self, channel: grpc.aio.Channel) -> None:
        """Watch from where one was."""
        stub = spectate_service_pb2_grpc.SpectateServiceStub(channel)
        request = spectate.WatchTableRequest(table_id=self.table_id)
        if self.table_id in self.read:
            request.after_sequence = self.read[self.table_id]
        self.history.items.append(Opened(dict(self.read)))
        async for response in stub.WatchTable(request, metadata=self.metadata):
            self.take_in(response.frame)


def table_request(number: int, deals: int) -> tables.CreateTableRequest:
    """A table of so many deals, whose players have all the time they want."""
    request = tables.CreateTableRequest(request_id=f"table {number}")
    overrides = {"session_deals": str(deals)}
    request.rule_set.CopyFrom(rule_set_pb2.RuleSet(preset="isko", overrides=overrides))
    request.clock.decision_ms = 600_000
    return request
