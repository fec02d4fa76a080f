"""Virtual time: a heap of calls, and chance from one seed. Nothing here ever waits."""

from __future__ import annotations

import random
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Final

START: Final = 1_700_000_000.0
"""Wall clock of the first moment, in seconds since 1970."""

Call = Callable[[], None]


class Timer:
    """A call that waits for its moment."""

    __slots__ = ("call",)

    def __init__(self, call: Call) -> None:
        """Keep the call."""
        self.call: Call | None = call

    def cancel(self) -> None:
        """Forget the call."""
        self.call = None


class Timeline:
    """The one order of everything that happens in a run.

    Attributes:
        chance: every choice of the run.
        elapsed: seconds since its start.
        trace: what happened, for comparing runs and for people.
    """

    def __init__(self, seed: int) -> None:
        """Stand at the start."""
        self.chance = random.Random(seed)
        self.elapsed = 0.0
        self.trace: list[tuple[object, ...]] = []
        self._calls: list[tuple[float, int, Timer]] = []
        self._numbers = count()
        self._is_stopped = False

    def later(self, seconds: float, call: Call) -> Timer:
        """Make a call after so many seconds; calls of one moment keep their order."""
        return self.at(self.elapsed + seconds, call)

    def at(self, moment: float, call: Call) -> Timer:
        """Make a call so many seconds after the start."""
        timer = Timer(call)
        heappush(self._calls, (moment, next(self._numbers), timer))
        return timer

    def soon(self, longest: float, call: Call) -> Timer:
        """Make a call at a moment that chance takes from the next so many seconds."""
        return self.later(self.chance.random() * longest, call)

    def note(self, *what: object) -> None:
        """Write down that something happened now."""
        self.trace.append((self.elapsed, *what))

    def stop(self) -> None:
        """Let nothing more happen after this call."""
        self._is_stopped = True

    def run(self, until: float) -> bool:
        """Let things happen until one of them stops it, nothing is left or time is over.

        Returns:
            Whether it was stopped.
        """
        calls = self._calls
        while calls and not self._is_stopped and calls[0][0] <= until:
            self.elapsed, _, timer = heappop(calls)
            if timer.call is not None:
                timer.call()
        return self._is_stopped
