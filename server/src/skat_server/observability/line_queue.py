"""Log lines on their way to whoever reads them: the server never waits for him.

Lines are logged in the event loop. Where standard error is a pipe and its reader stalls, a write
would stop all tables until he reads on. So a thread writes; what it cannot get rid of is dropped,
and counted.
"""

from collections.abc import Callable
from contextlib import suppress
from queue import Full, Queue
from threading import Thread
from typing import Final

MOST_WAITING: Final = 10_000
"""Lines that may wait for their reader."""

Write = Callable[[str], None]
"""Writes one line, and may take its time over it."""


class LineQueue:
    """Takes lines from any thread and hands them to one that writes them."""

    def __init__(self, write: Write, lost: Callable[[int], None], most: int = MOST_WAITING) -> None:
        """Start the thread.

        Args:
            write: writes one line, in the thread.
            lost: told in the thread how many lines were dropped, when there is room again.
            most: lines that may wait.
        """
        self._write = write
        self._lost = lost
        self._lines: Queue[str | None] = Queue(most)
        self._dropped = 0
        self._thread = Thread(target=self._run, name="skat-log", daemon=True)
        self._thread.start()

    def write(self, line: str) -> None:
        """Let a line wait for its turn; it is dropped when too many do."""
        try:
            self._lines.put_nowait(line)
        except Full:
            self._dropped += 1

    debug = info = warning = error = critical = write

    def close(self, seconds: float) -> None:
        """Write what waits, for at most so many seconds; what is logged later is lost."""
        with suppress(Full):
            self._lines.put(None, timeout=seconds)
            self._thread.join(seconds)

    def _run(self) -> None:
        while (line := self._lines.get()) is not None:
            self._write(line)
            if self._dropped and self._lines.empty():
                dropped, self._dropped = self._dropped, 0
                self._lost(dropped)
