"""Players at many tables, each session a stream over a connection of its own."""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from typing import Final

from bench.answers import Answers
from bench.connections import HELLO, ByteStream, connect, open_play
from bench.processes import Process, cpu_seconds
from bench.seating import SEATS, make_tables, tokens_for
from bench.windows import Window, quantile_us
from skat.v1 import play_service_pb2 as wire

_COMING: Final = 32
"""Sessions that come at once."""
_LOOK_EVERY: Final = 0.005
"""Seconds between two looks whether everything is answered."""


class Log:
    """What all sessions of a field have done in a window.

    Attributes:
        think: mean seconds from a decision to its answer.
        is_open: whether answers leave; they are held otherwise.
        welcomed: how many sessions were let in.
        waiting: tables whose next decision is under way, and since when.
        heard_at: when the last decision came.
    """

    def __init__(self, think: float) -> None:
        """Begin closed."""
        self.think = think
        self.is_open = False
        self.welcomed = 0
        self.waiting: dict[str, float] = {}
        self.heard_at = 0.0
        self.clear()

    def clear(self) -> None:
        """Begin another window."""
        self.latencies: list[float] = []
        self.actions = self.messages = self.starts = 0

    def heard(self, response: wire.PlayResponse) -> None:
        """Take note of a message."""
        self.welcomed += response.HasField("welcome")
        if not response.tables:
            return
        self.messages += 1
        now = time.perf_counter()
        for frame in response.tables:
            if frame.HasField("decision"):
                self.heard_at = now
                sent = self.waiting.pop(frame.table_id, None)
                if sent is not None:
                    self.latencies.append(now - sent)
            if frame.events and frame.events[-1].HasField("deal_started"):
                self.starts += 1

    def sent(self, table_ids: Sequence[str]) -> None:
        """Take note of answers."""
        self.actions += len(table_ids)
        self.waiting.update(dict.fromkeys(table_ids, time.perf_counter()))


class Session:
    """One stream, whose answers leave while the log is open."""

    def __init__(self, log: Log, token: str, seed: int) -> None:
        """Know the player; nothing is open before `run`."""
        self._log = log
        self._token = token
        self._answers = Answers(seed)
        self._chance = random.Random(seed)
        self._call: ByteStream | None = None
        self.held: dict[str, bytes] = {}
        """Answers by table, for later."""
        self._thoughts: set[asyncio.Task[None]] = set()

    async def run(self, address: str) -> None:
        """Open the stream and answer whatever is asked, until it is cancelled."""
        call = self._call = open_play(connect(address), self._token)
        await call.write(HELLO)
        while data := await call.read():
            response = wire.PlayResponse.FromString(data)
            self._log.heard(response)
            asked = [frame for frame in response.tables if frame.HasField("decision")]
            for frame in asked:
                answer = self._answers.submission(frame.table_id, frame.decision)
                self.held[frame.table_id] = answer
            if asked and self._log.is_open:
                await self._think(0.5)

    async def _think(self, least: float) -> None:
        """Answer after this share of the mean time at least, and read on meanwhile.

        Who does not think answers at once.
        """
        if not self._log.think:
            await self.go_on()
            return
        seconds = self._log.think * self._chance.uniform(least, 1.5)
        thought = asyncio.create_task(self._answer_after(seconds))
        self._thoughts.add(thought)
        thought.add_done_callback(self._thoughts.discard)

    async def _answer_after(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self.go_on()

    async def go_on(self) -> None:
        """Send what is held, in one message."""
        held, self.held = self.held, {}
        if held and self._call is not None:
            self._log.sent(tuple(held))
            await self._call.write(b"".join(held.values()))

    async def resume(self) -> None:
        """Send what was held between windows; whoever thinks is somewhere in the middle of it.

        Else all would answer at once, and most of what is seen then is how they stand in line.
        """
        await self._think(0.0)

    def cancel(self) -> None:
        """Leave."""
        for thought in self._thoughts:
            thought.cancel()
        if self._call is not None:
            self._call.cancel()


class Field:
    """All players of a run.

    Attributes:
        table_ids: the tables, once started.
    """

    def __init__(self, server: Process, tables: int, sessions: int, think: float = 0.0) -> None:
        """Name the server; nothing is connected before `start`.

        Args:
            server: where to play.
            tables: how many.
            sessions: over how many streams, at least three.
            think: mean seconds from a decision to its answer.
        """
        self._server = server
        self._tables = tables
        self._tokens = tokens_for(sessions)
        self._log = Log(think)
        self._sessions = [
            Session(self._log, token, number) for number, token in enumerate(self._tokens)
        ]
        self._runs: list[asyncio.Task[None]] = []
        self.table_ids: Sequence[str] = ()

    async def start(self) -> None:
        """Open the sessions, then the tables, and wait until all have their first decision."""
        address = self._server.address
        for one in self._sessions:
            self._runs.append(asyncio.create_task(one.run(address)))
            await self._until(lambda: len(self._runs) - self._log.welcomed < _COMING)
        await self._until(lambda: self._log.welcomed == len(self._sessions))
        channel = connect(address)
        self.table_ids = await make_tables(channel, self._tables, self._tokens)
        await channel.close()
        await self._until(lambda: sum(len(one.held) for one in self._sessions) == self._tables)

    async def window(self, seconds: float, think: float | None = None) -> Window:
        """Play for so long, thinking as before when nothing is said."""
        log, pid = self._log, self._server.pid
        log.think = log.think if think is None else think
        log.clear()
        cpu, start = cpu_seconds(pid), time.perf_counter()
        log.is_open = True
        await asyncio.gather(*(session.resume() for session in self._sessions))
        await asyncio.sleep(max(0.0, start + seconds - time.perf_counter()))
        log.is_open = False
        await self._until(lambda: not log.waiting)
        return Window(
            count=log.actions,
            seconds=log.heard_at - start,
            cpu=cpu_seconds(pid) - cpu,
            p50_us=quantile_us(log.latencies, 0.50),
            p99_us=quantile_us(log.latencies, 0.99),
            messages=log.messages,
            deals=log.starts / SEATS,
        )

    async def stop(self) -> None:
        """Leave."""
        for session in self._sessions:
            session.cancel()
        for run in self._runs:
            run.cancel()
        await asyncio.gather(*self._runs, return_exceptions=True)

    async def _until(self, is_so: Callable[[], bool]) -> None:
        """Wait; a session that has failed says why instead."""
        await until(lambda: is_so() or any(run.done() for run in self._runs))
        for run in self._runs:
            if run.done():
                run.result()
                raise RuntimeError("the server has closed a stream of a player")


async def until(is_so: Callable[[], bool]) -> None:
    """Wait, with a look from time to time: nothing tells when the last answer is there."""
    while not is_so():  # noqa: ASYNC110
        await asyncio.sleep(_LOOK_EVERY)
