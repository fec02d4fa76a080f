"""Threads that take turns while a server is busy, instead of interrupting each other.

gRPC has threads for what comes in and for what has left, and wakes them for every message. Linux
lets who wakes interrupt who runs, mostly the thread that plays: three times for an action at 64
tables, and each time the processor's caches are filled anew (ADR 0048). Under SCHED_BATCH who wakes
waits until the other one pauses, and then finds more to do at once.

Only while the server is busy: else it would wait, just to begin, behind every bot that computes on
the same processors.
"""

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from skat_server.clock import Clock

EVERY: Final = 0.1
"""Seconds between two looks at the processor time that the process has used."""
BUSY: Final = 0.75
"""Share of one processor, taken between two looks, from which on a server is busy. At saturation it
takes 0.85 and more: what is left, it waits for its clients, who share the processors with it."""
CALM: Final = 0.5
"""Share below which a look finds it calm."""
CALM_LOOKS: Final = 50
"""Looks in a row that must find it calm: five seconds."""

_THREADS: Final = Path("/proc/self/task")


class Business:
    """Whether a process is busy, by the processor time that it takes."""

    def __init__(self, at: float, used: float) -> None:
        """Begin calm.

        Args:
            at: now, in seconds of the monotonic clock.
            used: processor time so far, in seconds.
        """
        self._at, self._used = at, used
        self._calm_looks = 0
        self.is_busy = False

    def look(self, at: float, used: float) -> bool:
        """Look once more, later than the last time; whether `is_busy` has changed."""
        share = (used - self._used) / (at - self._at)
        self._at, self._used = at, used
        self._calm_looks = self._calm_looks + 1 if share < CALM else 0
        was_busy = self.is_busy
        self.is_busy = share > BUSY or (was_busy and self._calm_looks < CALM_LOOKS)
        return self.is_busy is not was_busy


async def take_turns_while_busy(
    clock: Clock, used: Callable[[], float] = time.process_time
) -> None:
    """Let the threads of this process take turns whenever it is busy, until cancelled.

    Returns at once where that cannot be had, or where the process was started under a policy other
    than the usual one: then somebody has chosen it. It asks for the usual one to begin with, so
    that a sandbox that ends whoever asks does so at the start, and not when there is most to do.

    Args:
        clock: tells when to look.
        used: processor time of the process so far, in seconds.
    """
    if sys.platform != "linux" or os.sched_getscheduler(0) != os.SCHED_OTHER:
        return
    business = Business(clock.monotonic(), used())
    with suppress(PermissionError):  # where it is forbidden, nothing is lost but speed
        schedule(os.SCHED_OTHER)
        while True:
            await clock.sleep(EVERY)
            if business.look(clock.monotonic(), used()):
                schedule(os.SCHED_BATCH if business.is_busy else os.SCHED_OTHER)


def schedule(policy: int) -> None:
    """Put all threads under a policy; those that they start inherit it."""
    for thread in _THREADS.iterdir():
        with suppress(ProcessLookupError):  # it has just ended
            os.sched_setscheduler(int(thread.name), policy, os.sched_param(0))
