"""Nothing new is begun while the event loop comes late to everything."""

from collections import deque
from typing import Final

from skat_server.clock import Clock
from skat_server.errors import Reason, RefusedError
from skat_server.lateness import Lateness

EVERY: Final = 0.1
"""Seconds between two looks."""
LOOKS: Final = 10
"""Looks in a row that must all be late: a single long task is no overload."""
BUSY: Final = 0.1
"""Seconds of lateness from which on a server has nothing left for another table. Less is the lot of
every process on a machine that others use too."""


class LoopLag:
    """Remembers how late the last looks at the clock were."""

    def __init__(self, clock: Clock) -> None:
        """Look at nothing yet."""
        self._late: deque[float] = deque(maxlen=LOOKS)
        self._looks = Lateness(clock, EVERY, self._late.append)

    def start(self) -> None:
        """Begin to look."""
        self._looks.start()

    def stop(self) -> None:
        """Look no more."""
        self._looks.stop()

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
