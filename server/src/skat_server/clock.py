"""Time and chance as arguments: the only module that asks the machine for either."""

import asyncio
import secrets
import time
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Protocol


class Timer(Protocol):
    """A call that waits for its time."""

    def cancel(self) -> None:
        """Forget the call; nothing happens when it was made already."""


class Clock(Protocol):
    """What the server knows of time."""

    def now(self) -> float:
        """Wall clock: seconds since 1970 in UTC, for stamps that people read."""

    def monotonic(self) -> float:
        """Seconds that never jump, for durations."""

    def call_later(self, seconds: float, call: Callable[[], None]) -> Timer:
        """Make a call after so many seconds."""

    async def sleep(self, seconds: float) -> None:
        """Wait so many seconds."""


class SystemClock:
    """The machine's clock and the running event loop's timers."""

    # Asked ten times for an action, so nothing of ours stands between.
    now = staticmethod(time.time)
    """Seconds since 1970 in UTC."""
    monotonic = staticmethod(time.monotonic)
    """Seconds of the monotonic clock."""

    def call_later(self, seconds: float, call: Callable[[], None]) -> Timer:
        """Ask the event loop."""
        return asyncio.get_running_loop().call_later(seconds, call)

    async def sleep(self, seconds: float) -> None:
        """Sleep in the event loop."""
        await asyncio.sleep(seconds)


class ManualClock:
    """A clock that stands still until a test moves it."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        """Start at a fixed moment."""
        self._start = now
        self._elapsed = 0.0
        self._timers: list[tuple[float, int, _ManualTimer]] = []
        self._numbers = count()

    def now(self) -> float:
        """The start plus what was advanced."""
        return self._start + self._elapsed

    def monotonic(self) -> float:
        """What was advanced."""
        return self._elapsed

    def call_later(self, seconds: float, call: Callable[[], None]) -> Timer:
        """Keep the call until `advance` reaches it."""
        timer = _ManualTimer(call)
        heappush(self._timers, (self._elapsed + seconds, next(self._numbers), timer))
        return timer

    async def sleep(self, seconds: float) -> None:
        """Wait until `advance` reaches the end."""
        over = asyncio.Event()
        self.call_later(seconds, over.set)
        await over.wait()

    def advance(self, seconds: float) -> None:
        """Move time on and make every call that falls due, in order."""
        end = self._elapsed + seconds
        while self._timers and self._timers[0][0] <= end:
            self._elapsed, _, timer = heappop(self._timers)
            timer.fire()
        self._elapsed = end


class _ManualTimer:
    def __init__(self, call: Callable[[], None]) -> None:
        self._call: Callable[[], None] | None = call

    def cancel(self) -> None:
        self._call = None

    def fire(self) -> None:
        if self._call is not None:
            self._call()


def secret_bytes(count: int) -> bytes:
    """Bytes that nobody can predict, from the operating system's source."""
    return secrets.token_bytes(count)


def new_id(prefix: str) -> str:
    """An opaque id that says nothing about what it names."""
    return f"{prefix}-{secrets.token_hex(8)}"
