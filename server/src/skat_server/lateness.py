"""How late the event loop comes to what it has to do: the sign that too much is asked of it."""

from collections.abc import Callable

from skat_server.clock import Clock, Timer


class Lateness:
    """Looks at the clock from time to time, and says how late that look is."""

    def __init__(self, clock: Clock, every: float, told: Callable[[float], None]) -> None:
        """Look at nothing before `start`.

        Args:
            clock: what is looked at.
            every: seconds between two looks.
            told: called after each look with the seconds that it came late.
        """
        self._clock = clock
        self._every = every
        self._told = told
        self._due = 0.0
        self._timer: Timer | None = None

    def start(self) -> None:
        """Begin to look."""
        self._due = self._clock.monotonic() + self._every
        self._timer = self._clock.call_later(self._every, self._look)

    def stop(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        self._told(max(0.0, self._clock.monotonic() - self._due))
        self.start()
