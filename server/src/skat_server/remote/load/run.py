"""A load from its first session to its last word."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from secrets import token_urlsafe
from typing import Final

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


@dataclass(frozen=True, slots=True)
class Glance:
    """How a run stands at one moment."""

    elapsed: float
    """Seconds since the start."""
    ramping_up: bool
    """Whether what is counted now will be thrown away."""
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
    records: int = 0
    """Records that were put away."""
    server: ServerCounters | None = None
    """Its own counters; None where nobody has asked for them, or it does not answer any more."""


class LoadRun:
    """One run.

    Attributes:
        stopped: set it to end the run early; it is told all the same.
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

    async def run(self) -> Outcome:
        """Load the server as planned.

        Raises:
            RemoteError: there is no server, or it refuses what the whole run needs, or does not
                show the counters that are asked for.
            OSError: the file for the records cannot be written.
        """
        if self._plan.metrics is not None:  # before anything is done in vain
            await asyncio.to_thread(read_metrics, self._plan.metrics)
        with ExitStack() as files:
            if self._plan.records is not None:
                file = files.enter_context(self._plan.records.open("w", encoding="utf-8"))
                self._shelf = Shelf(self._wire, file.write)
            try:
                async with asyncio.TaskGroup() as tasks:
                    return await self._run(tasks)
            except* RemoteError as group:
                # One failure ends everything; it is what the caller is to see.
                raise _first(group) from None

    async def _run(self, tasks: asyncio.TaskGroup) -> Outcome:
        self._prepare()
        plan = self._plan
        began = self._clock.monotonic()
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
        await self._wait(began, plan.ramp_up, ramping_up=True)
        outcome = await self._measure(began)
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._end(keeping, playing)
        return replace(outcome, records=0 if self._shelf is None else self._shelf.count)

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
        await begin()

    async def _wait(self, began: float, seconds: float, *, ramping_up: bool = False) -> None:
        """Show how it goes until so many seconds are over, or enough deals, or it is stopped."""
        start, most = self._clock.monotonic(), self._plan.deals
        while (now := self._clock.monotonic()) - start < seconds and not self.stopped.is_set():
            actions = self._books.tally.actions
            self._show(Glance(now - began, ramping_up, self._books, actions))
            if most is not None and not ramping_up and self._books.tally.deals >= most:
                return
            await self._clock.sleep(min(TICK, seconds))

    async def _measure(self, began: float) -> Outcome:
        url = self._plan.metrics
        before = None if url is None else await asyncio.to_thread(read_metrics, url)
        self._books.begin()
        start, cpu = self._clock.monotonic(), time.process_time()
        await self._wait(began, self._plan.seconds)
        tally = self._books.tally
        self._books.begin()  # what comes while tables are closed does not count
        seconds, taken = self._clock.monotonic() - start, time.process_time() - cpu
        return Outcome(
            plan=self._plan,
            seconds=seconds,
            cpu_seconds=taken,
            tally=tally,
            books=self._books,
            sessions=self._books.sessions,
            tables=self._books.tables,
            server=None if before is None else await self._compared(before),
        )

    async def _compared(self, before: Scrape) -> ServerCounters | None:
        url = self._plan.metrics
        assert url is not None
        try:
            return compare(url, before, await asyncio.to_thread(read_metrics, url))
        except RemoteError:
            # It has answered before; what was seen until now is not to be lost.
            self._books.fault("metrics: no answer")
            return None

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
        try:
            async with asyncio.timeout(_END_WITHIN):
                await asyncio.gather(*(keeper.close() for keeper in self._keepers))
                await asyncio.wait(keeping)
                await asyncio.gather(*(session.stop() for session in self._sessions))
                await asyncio.wait(playing)
        except TimeoutError:
            for task in (*keeping, *playing):
                task.cancel()


def _table_of(keeper: TableKeeper) -> str | None:
    return keeper.table_id


def _first(group: BaseExceptionGroup[RemoteError]) -> RemoteError:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
