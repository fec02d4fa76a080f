"""A load from its first session to its last word."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from random import Random
from secrets import token_urlsafe
from typing import Any, Final, TextIO, TypeVar

from skat_server.clock import Clock
from skat_server.remote.connection import RemoteError, Target
from skat_server.remote.load.audience import Spectator
from skat_server.remote.load.metrics import Scrape, ServerCounters, compare, read_metrics
from skat_server.remote.load.plan import LoadPlan
from skat_server.remote.load.session import LoadSession
from skat_server.remote.load.shelf import Shelf
from skat_server.remote.load.stopwatch import Stopwatch
from skat_server.remote.load.tables import TableKeeper
from skat_server.remote.load.tally import Books, Tally
from skat_server.remote.load.wire import Wire

TICK: Final = 0.1
"""Seconds between two looks at how far the run is."""
_END_WITHIN: Final = 60.0
"""Seconds in which tables are closed and streams ended, after which they are cut."""

_Result = TypeVar("_Result")


class Stage(Enum):
    """What a run is doing."""

    RAMP_UP = "ramping up"
    """What is counted now will be thrown away."""
    MEASURING = "measuring"
    CLOSING = "closing tables"


@dataclass(frozen=True, slots=True)
class Glance:
    """How a run stands at one moment."""

    stage: Stage
    elapsed: float
    """Seconds since the stage began."""
    most: float
    """How long it takes at most."""
    books: Books
    actions: int
    """Answers so far in this stretch."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to."""

    plan: LoadPlan
    seconds: float
    """Measured, without the ramp-up."""
    cpu_seconds: float
    """What this program took of one core in them."""
    tally: Tally
    books: Books
    sessions: int
    """Open sessions at the end."""
    tables: int
    """Running tables at the end."""
    is_of_ramp_up: bool = False
    """It was stopped in its ramp-up, and this is what was seen of that."""
    waiting: Sequence[float] = ()
    """For how long tables had waited for a question at the end, which no latency tells."""
    sessions_missing: int = 0
    """Sessions that had never been welcome by the end."""
    tables_missing: int = 0
    """Places that had never had a table by the end."""
    failure: RemoteError | OSError | None = None
    """What ended the run early; a part of it was played."""
    left_behind: int = 0
    """Tables that could not be closed."""
    is_server_gone: bool = False
    """The server has answered nothing any more in the end."""
    records: int = 0
    """Records that were put away."""
    server: ServerCounters | None = None
    """Its own counters; None where nobody has asked for them, or it does not answer any more."""


class LoadRun:
    """One run.

    Attributes:
        stopped: set when the run was to end early.
    """

    def __init__(
        self, plan: LoadPlan, target: Target, clock: Clock, show: Callable[[Glance], None]
    ) -> None:
        """Prepare a run.

        Args:
            plan: what is wanted.
            target: the server; the tokens of the plan go before its token.
            clock: tells the time.
            show: told every `TICK` seconds how it stands.
        """
        self.stopped = asyncio.Event()
        self._ended = asyncio.Event()
        self._cut = asyncio.Event()
        self._stage = Stage.RAMP_UP
        self._failure: RemoteError | OSError | None = None
        self._plan = plan
        self._clock = clock
        self._show = show
        self._books = Books()
        self._wire = Wire(target, self._books, clock)
        self._stopwatch = Stopwatch()
        self._tokens = plan.tokens or tuple(token_urlsafe() for _ in range(plan.sessions))
        self._sessions: list[LoadSession] = []
        self._keepers: list[TableKeeper] = []
        self._shelf: Shelf | None = None

    def stop(self) -> None:
        """End the run early; it is told all the same.

        While its tables are being closed, those that are left are left behind.
        """
        if self.stopped.is_set() or self._stage is Stage.CLOSING:
            self._cut.set()
        self.stopped.set()
        self._ended.set()

    async def run(self) -> Outcome:
        """Load the server as planned.

        Raises:
            RemoteError: there is no server, or it refuses what the whole run needs, or does not
                show the counters that are asked for.
            OSError: the file for the records cannot be written, or that of the certificates read.
        """
        # Before anything is done in vain, and the records of a run before are lost.
        if self._plan.metrics is not None:
            await _until(self._ended, read_metrics(self._plan.metrics))
        await _until(self._ended, self._wire.require_server())
        if self._ended.is_set():  # and nothing was begun
            outcome = self._outcome(self._clock.monotonic(), time.process_time())
            return replace(outcome, is_of_ramp_up=True)
        with ExitStack() as files:
            if self._plan.records is not None:
                file = self._plan.records.open("w", encoding="utf-8")
                files.callback(self._shut, file)
                self._shelf = Shelf(self._wire, file.write)
            ended: Outcome | RemoteError | OSError
            try:
                async with asyncio.TaskGroup() as tasks:
                    ended = await self._run(tasks)
            except* (RemoteError, OSError) as group:
                ended = _first(group)  # raised here, Python before 3.11.4 would wrap it again
        if isinstance(ended, Exception):
            raise ended
        if self._failure is not None and not ended.tally.actions:
            raise self._failure
        return replace(ended, failure=self._failure)

    def _shut(self, file: TextIO) -> None:
        """Close the file of the records; what still waits for the disk may not fit there."""
        try:
            file.close()
        except OSError as error:
            self._failure = self._failure or error

    async def _run(self, tasks: asyncio.TaskGroup) -> Outcome:
        self._prepare()
        plan = self._plan
        playing = [
            tasks.create_task(self._later(number / plan.sessions / 2, session.run))
            for number, session in enumerate(self._sessions)
        ]
        keeping = [
            tasks.create_task(self._later(0.5 + number / plan.tables / 2, keeper.run))
            for number, keeper in enumerate(self._keepers)
        ]
        others = [tasks.create_task(spectator.run()) for spectator in self._audience()]
        others.append(tasks.create_task(self._watch_lag()))
        if plan.storms is not None:
            others.append(tasks.create_task(self._storm()))
        outcome = await self._measured()
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        answers = self._books.answers
        await self._end(keeping, playing)
        return replace(
            outcome,
            is_server_gone=self._books.is_silent and self._books.answers == answers,
            records=0 if self._shelf is None else self._shelf.count,
            left_behind=sum(keeper.leaves_a_table for keeper in self._keepers),
        )

    def _prepare(self) -> None:
        plan = self._plan
        self._sessions = [
            LoadSession(
                self._wire,
                self._tokens[number],
                plan.think,
                self._stopwatch,
            )
            for number in range(plan.sessions)
        ]
        self._keepers = [
            TableKeeper(
                number,
                plan,
                self._wire,
                [self._sessions[player] for player in plan.players_of(number)],
                self._stopwatch,
                self._shelf,
            )
            for number in range(plan.tables)
        ]

    def _audience(self) -> Sequence[Spectator]:
        plan = self._plan
        pauses = [0.0] * plan.spectators + [plan.slow_seconds] * plan.slow_readers
        return [
            Spectator(
                self._wire,
                self._token_of_watcher(number),
                partial(_table_of, self._keepers[number % plan.tables]),
                pause,
            )
            for number, pause in enumerate(pauses)
        ]

    def _token_of_watcher(self, number: int) -> str:
        if not self._plan.tokens:
            return token_urlsafe()
        spare = self._tokens[self._plan.sessions :] or self._tokens
        return spare[number % len(spare)]

    async def _later(self, share: float, begin: Callable[[], Awaitable[None]]) -> None:
        """Begin after this share of the ramp-up: first the sessions come, then the tables."""
        if self._plan.ramp_up:
            await self._clock.sleep(self._plan.ramp_up * share)
        try:
            await begin()
        except* (RemoteError, OSError) as group:
            # One failure ends everything; what was seen until then is told.
            self._failure = self._failure or _first(group)
            self._ended.set()

    async def _wait(self, stage: Stage, seconds: float) -> None:
        """Show how it goes until so many seconds are over, or enough deals, or it is stopped."""
        self._stage, start = stage, self._clock.monotonic()
        most = None if stage is Stage.RAMP_UP else self._plan.deals
        while (now := self._clock.monotonic()) - start < seconds and not self._ended.is_set():
            self._look(now - start, seconds)
            if most is not None and self._books.tally.deals >= most:
                return
            await self._clock.sleep(min(TICK, seconds))

    def _look(self, elapsed: float, most: float) -> None:
        self._show(Glance(self._stage, elapsed, most, self._books, self._books.tally.actions))

    async def _measured(self) -> Outcome:
        """Ramp up and measure; what was seen of the ramp-up where it is stopped in that."""
        start, cpu = self._clock.monotonic(), time.process_time()
        await self._wait(Stage.RAMP_UP, self._plan.ramp_up)
        if self._ended.is_set():
            return replace(self._outcome(start, cpu), is_of_ramp_up=True)
        url = self._plan.metrics
        before = None if url is None else await _until(self._ended, read_metrics(url))
        self._books.begin()
        start, cpu = self._clock.monotonic(), time.process_time()
        await self._wait(Stage.MEASURING, self._plan.seconds)
        outcome = self._outcome(start, cpu)
        if before is None:
            return outcome
        return replace(outcome, server=await self._compared(before))

    def _outcome(self, start: float, cpu: float) -> Outcome:
        """What was seen since a moment; what comes from now on does not count."""
        tally = self._books.tally
        self._books.begin()
        return Outcome(
            plan=self._plan,
            seconds=self._clock.monotonic() - start,
            cpu_seconds=time.process_time() - cpu,
            tally=tally,
            books=self._books,
            sessions=self._books.sessions,
            tables=self._books.tables,
            sessions_missing=self._plan.sessions - sum(s.has_come for s in self._sessions),
            tables_missing=self._plan.tables - sum(k.has_come for k in self._keepers),
            waiting=self._stopwatch.waiting(self._clock.monotonic()),
        )

    async def _compared(self, before: Scrape) -> ServerCounters | None:
        url = self._plan.metrics
        assert url is not None
        try:
            after = await _until(self._cut, read_metrics(url))
        except RemoteError:
            # It has answered before; what was seen until now is not to be lost.
            self._books.fault("metrics: no answer")
            return None
        return None if after is None else compare(url, before, after)

    async def _watch_lag(self) -> None:
        """Measure how late this program is."""
        while True:
            due = self._clock.monotonic() + TICK
            await self._clock.sleep(TICK)
            self._books.tally.lag.add(self._clock.monotonic() - due)

    async def _storm(self) -> None:
        storms, chance = self._plan.storms, Random(f"{self._plan.seed}/storms")
        assert storms is not None
        while True:
            await self._clock.sleep(storms.every)
            count = max(1, round(storms.share * len(self._sessions)))
            for session in chance.sample(self._sessions, count):
                session.drop()

    async def _end(
        self, keeping: Sequence[asyncio.Task[None]], playing: Sequence[asyncio.Task[None]]
    ) -> None:
        """Close tables and streams; what takes too long is cut."""
        for keeper, task in zip(self._keepers, keeping, strict=True):
            if keeper.is_waiting:
                task.cancel()
        self._stage, start = Stage.CLOSING, self._clock.monotonic()
        closing = asyncio.ensure_future(self._close(keeping, playing))
        while not (closing.done() or self._cut.is_set()):
            elapsed = self._clock.monotonic() - start
            if elapsed > _END_WITHIN:
                break
            self._look(elapsed, _END_WITHIN)
            await asyncio.wait({closing}, timeout=TICK)
        closing.cancel()
        for task in (*keeping, *playing):
            task.cancel()
        with suppress(asyncio.CancelledError):
            await closing

    async def _close(
        self, keeping: Sequence[asyncio.Task[None]], playing: Sequence[asyncio.Task[None]]
    ) -> None:
        await asyncio.gather(*(keeper.close() for keeper in self._keepers))
        await asyncio.wait(keeping)
        for session, task in zip(self._sessions, playing, strict=True):
            if not session.ready.is_set():
                task.cancel()  # there may be nobody to close its stream
        await asyncio.gather(*(session.stop() for session in self._sessions))
        await asyncio.wait(playing)


async def _until(event: asyncio.Event, work: Coroutine[Any, Any, _Result]) -> _Result | None:
    """Wait for work, unless an event comes first; None then, and the work is given up."""
    working, waiting = asyncio.ensure_future(work), asyncio.ensure_future(event.wait())
    try:
        await asyncio.wait({working, waiting}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        working.cancel()
        waiting.cancel()
        await asyncio.gather(working, waiting, return_exceptions=True)


def _table_of(keeper: TableKeeper) -> str | None:
    return keeper.table_id


def _first(group: BaseExceptionGroup[RemoteError | OSError]) -> RemoteError | OSError:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
