"""How the server stops: everybody is told, deals come to their end, and nothing is lost (D14).

A deal that does not end in time is no loss: the log has it, and the next server goes on with it.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from skat_server.clock import Clock, Timer
from skat_server.tables.registry import Tables
from skat_server.tables.sessions import Sessions
from skat_server.tables.table import Table

RESERVE: Final = 0.2
"""Part of the grace that deals must leave for the end of streams and calls."""
LONGEST_RESERVE: Final = 5.0
"""Seconds of it at most."""
LONGEST_GRACE: Final = 24 * 60 * 60
"""Seconds: every session is told when the server stops, and nobody plans beyond a day."""


class Drain:
    """Whether the server stops, and when it may."""

    def __init__(self, tables: Tables, sessions: Sessions, clock: Clock, grace: float) -> None:
        """Stay, until `start` is called.

        Args:
            tables: which open no more, and whose deals are waited for.
            sessions: which are told.
            clock: for the end of the grace.
            grace: seconds from the beginning to the end of the server, unless `start` says less.
        """
        self._tables = tables
        self._sessions = sessions
        self._clock = clock
        self._grace = grace
        self._watchers: list[Callable[[], None]] = []
        self._stops_at: float | None = None
        """On the monotonic clock; None while the server stays."""
        self._timer: Timer | None = None
        self._begun = asyncio.Event()
        self._over = asyncio.Event()

    @property
    def is_draining(self) -> bool:
        """Whether the server stops."""
        return self._stops_at is not None

    @property
    def left(self) -> float:
        """Seconds of the grace that are left; all of it before the beginning."""
        if self._stops_at is None:
            return self._grace
        return max(0.0, self._stops_at - self._clock.monotonic())

    def watch(self, call: Callable[[], None]) -> None:
        """Call back when the server begins to stop."""
        self._watchers.append(call)

    def start(self, grace: float | None = None) -> float:
        """Open no more tables, tell every session, and wait for the deals under way.

        Starting again can only make the end come earlier.

        Args:
            grace: seconds until the server stops at the latest; its own setting when not given.

        Returns:
            When it stops at the latest, in seconds since 1970.
        """
        wanted = self._clock.monotonic() + (self._grace if grace is None else grace)
        is_first = self._stops_at is None
        if self._stops_at is None or wanted < self._stops_at:
            self._stops_at = wanted
            self._sessions.announce_going_away(self._clock.now() + self.left)
            self._limit_deals()
        if is_first:
            self._tables.stop_opening()
            for call in self._watchers:
                call()
            _Quiet(self._tables.playing(), self._over.set)
            self._begun.set()
        return self._clock.now() + self.left

    def hurry(self) -> None:
        """Wait for no deal any more."""
        self.start()
        self._over.set()

    async def wait_over(self) -> None:
        """Wait until somebody has begun, and then until no deal is under way or time is over."""
        await self._begun.wait()
        await self._over.wait()

    def _limit_deals(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        seconds = self.left - min(RESERVE * self.left, LONGEST_RESERVE)
        if seconds > 0:
            self._timer = self._clock.call_later(seconds, self._over.set)
        else:
            self._over.set()


class _Quiet:
    """Watches tables until the deal that each of them plays is over."""

    def __init__(self, tables: Sequence[Table], reached: Callable[[], None]) -> None:
        self._dealt = {table.table_id: table.state.dealt for table in tables}
        self._reached = reached
        for table in tables:
            table.viewers[self] = None
        if not tables:
            reached()

    def table_changed(self, table: Table) -> None:
        if table.state.dealt == self._dealt[table.table_id] and not table.is_over:
            return
        del self._dealt[table.table_id], table.viewers[self]
        if not self._dealt:
            self._reached()
