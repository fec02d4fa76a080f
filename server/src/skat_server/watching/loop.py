"""How late the event loop is."""

from typing import Final

from skat_server.clock import Clock, Timer
from skat_server.observability.metrics import declarations as declared
from skat_server.observability.metrics.room import Room

EVERY: Final = 0.25
"""Seconds between two looks."""


class LoopWatch:
    """Asks for a call again and again, and sees how late it comes."""

    def __init__(self, room: Room, clock: Clock) -> None:
        """Measure nothing before `start`."""
        self._lag = room.histogram(declared.LOOP_LAG)
        self._clock = clock
        self._due = 0.0
        self._timer: Timer | None = None

    def start(self) -> None:
        """Begin to look."""
        self._due = self._clock.monotonic() + EVERY
        self._timer = self._clock.call_later(EVERY, self._look)

    def stop(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        self._lag.observe(max(0.0, self._clock.monotonic() - self._due))
        self.start()
