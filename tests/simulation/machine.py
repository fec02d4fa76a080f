"""The process that a server runs in: it can be frozen and killed, and its clocks are its own."""

from __future__ import annotations

import random

from tests.simulation.timeline import START, Call, Timeline, Timer


class Machine:
    """One process, with the clock that the server in it is given.

    After its death nothing that it had planned happens. While it is frozen everything waits.

    Attributes:
        is_alive: whether it still runs.
        on_death: told when it dies.
        skew: seconds by which its wall clock is wrong.
    """

    def __init__(self, timeline: Timeline) -> None:
        """Start; its monotonic clock begins anywhere."""
        self._timeline = timeline
        self.on_death: Call = lambda: None
        self._offset = timeline.chance.uniform(0.0, 1_000_000.0)
        self._frozen_until = 0.0
        self.is_alive = True
        self.skew = 0.0

    @property
    def chance(self) -> random.Random:
        """Chance of the run."""
        return self._timeline.chance

    @property
    def elapsed(self) -> float:
        """True seconds since the start of the run, which no server knows."""
        return self._timeline.elapsed

    def now(self) -> float:
        """Wall clock, right or wrong."""
        return START + self._timeline.elapsed + self.skew

    def monotonic(self) -> float:
        """Seconds since anything."""
        return self._offset + self._timeline.elapsed

    def call_later(self, seconds: float, call: Call) -> Timer:
        """A timer of the server."""
        return self.later(seconds, call)

    async def sleep(self, seconds: float) -> None:
        """Nothing in the core of the server waits."""
        raise AssertionError(f"the core slept for {seconds} s")

    def later(self, seconds: float, call: Call) -> Timer:
        """Make a call after so many seconds, if the process still lives then."""
        timer = Timer(call)
        self._timeline.later(seconds, lambda: self._make(timer))
        return timer

    def take(self, call: Call) -> None:
        """Make a call that comes from outside: now, after the frost, or never."""
        if self.is_alive and self._timeline.elapsed >= self._frozen_until:
            call()
        else:
            self.later(0.0, call)

    def soon(self, longest: float, call: Call) -> Timer:
        """Make a call within so many seconds."""
        return self.later(self.chance.random() * longest, call)

    def _make(self, timer: Timer) -> None:
        if not self.is_alive or timer.call is None:
            return
        if self._timeline.elapsed < self._frozen_until:
            self._timeline.later(
                self._frozen_until - self._timeline.elapsed, lambda: self._make(timer)
            )
            return
        timer.call()

    def freeze(self, seconds: float) -> None:
        """Stand still, as after SIGSTOP."""
        self._timeline.note("frozen", seconds)
        self._frozen_until = self._timeline.elapsed + seconds

    def die(self, cause: str) -> None:
        """Stop for ever, as after SIGKILL."""
        if self.is_alive:
            self._timeline.note("dead", cause)
            self.is_alive = False
            self.on_death()
