"""How late the event loop comes to what it has to do: the sign that too much is asked of it."""

from collections import deque
from typing import Final

from skat_server.clock import Clock, Timer
from skat_server.errors import Reason, RefusedError

EVERY: Final = 0.1
"""Seconds between two looks."""
LOOKS: Final = 10
"""Looks in a row that must all be late: a single long task is no overload."""
BUSY: Final = 0.1
"""Seconds of lateness from which on a server has nothing left for another table. Less is the lot of
every process on a machine that others use too."""


class LoopLag:
    """Looks at the clock from time to time, and sees how late that look is."""

    def __init__(self, clock: Clock) -> None:
        """Look at nothing yet."""
        self._clock = clock
        self._late: deque[float] = deque(maxlen=LOOKS)
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

    @property
    def seconds(self) -> float:
        """How late the loop has been all the time lately; 0 while too little is known."""
        return min(self._late) if len(self._late) == LOOKS else 0.0

    def require_calm(self) -> None:
        """Refuse something new while the server hardly keeps up with what it has.

        Raises:
            RefusedError: OVERLOADED.
        """
        if self.seconds > BUSY:
            raise RefusedError(
                Reason.OVERLOADED, "the server is busy with the tables it has; try again later"
            )

    def _look(self) -> None:
        self._late.append(self._clock.monotonic() - self._due)
        self.start()
