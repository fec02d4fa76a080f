"""The scheduling policy of a server's threads: while it is busy, none interrupts another one.

gRPC has threads for what comes in and for what has left, and wakes them for every message. Linux
lets a thread that wakes interrupt the one that runs, mostly the one that plays: about once an
action at 64 tables, and each time the processor's caches are filled anew (ADR 0048). A thread under
SCHED_BATCH interrupts nobody: it runs when another one pauses or has had its slice, and then finds
more to do at once.

Only while the server is busy: else it would wait, just to begin, behind every bot that computes on
the same processors.
"""

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog

from skat_server.clock import Clock

EVERY: Final = 0.1
"""Seconds between two looks at the processor time that the process has used."""
BUSY: Final = 0.75
"""Share of one processor, taken between two looks, above which a look finds the server busy. At
saturation it takes 0.85 and more: the rest of the time it waits for clients that run beside it."""
BUSY_LOOKS: Final = 3
"""Looks in a row that must find it so: one long task is no busy time."""
CALM: Final = 0.5
"""Share below which a look finds it calm."""
CALM_LOOKS: Final = 50
"""Looks in a row that must find it so: five seconds."""

_THREADS: Final = Path("/proc/self/task")

_log = structlog.get_logger()


class Activity:
    """Whether a process is busy, by the processor time that it takes."""

    def __init__(self, at: float, used: float) -> None:
        """Begin calm.

        Args:
            at: now, in seconds of the monotonic clock.
            used: processor time so far, in seconds.
        """
        self._at, self._used = at, used
        self._busy_looks = self._calm_looks = 0
        self.is_busy = False

    def look(self, at: float, used: float) -> None:
        """Look once more, later than the last time."""
        share = (used - self._used) / (at - self._at)
        self._at, self._used = at, used
        self._busy_looks = self._busy_looks + 1 if share > BUSY else 0
        self._calm_looks = self._calm_looks + 1 if share < CALM else 0
        if self.is_busy:
            self.is_busy = self._calm_looks < CALM_LOOKS
        else:
            self.is_busy = self._busy_looks >= BUSY_LOOKS


def can_set_policy() -> bool:
    """Whether threads of this process may be put under another policy, found out by doing so.

    Not where the system has no such policy, where a sandbox forbids it or shows threads under the
    numbers of others, and where the process was started under another policy than the usual: then
    somebody has chosen it. A sandbox that ends whoever asks does so here, so this is asked at the
    start, and not when there is most to do.
    """
    if sys.platform != "linux":
        return False
    try:
        if os.sched_getscheduler(0) != os.SCHED_OTHER:
            return False
        for policy in (os.SCHED_BATCH, os.SCHED_OTHER):
            os.sched_setscheduler(0, policy, os.sched_param(0))
        (_THREADS / str(threading.get_native_id())).stat()
    except OSError as error:
        _log.info("scheduling.unavailable", why=str(error))
        return False
    return True


async def batch_while_busy(clock: Clock, used: Callable[[], float] = time.process_time) -> None:
    """Put the threads of this process under SCHED_BATCH whenever it is busy, until cancelled.

    Args:
        clock: tells when to look.
        used: processor time of the process so far, in seconds.
    """
    assert sys.platform == "linux", "somebody has not asked whether it can"
    activity = Activity(clock.monotonic(), used())
    policy: int | None = os.SCHED_OTHER
    while True:
        await clock.sleep(EVERY)
        activity.look(clock.monotonic(), used())
        wanted = os.SCHED_BATCH if activity.is_busy else os.SCHED_OTHER
        if wanted != policy:
            policy = None  # until all are under it
            with suppress(OSError):  # no file is free to read the threads from: at the next look
                put_under(wanted)
                policy = wanted


def put_under(policy: int) -> None:
    """Put all threads of this process under a policy, and so all that they start.

    A thread that somebody has put under a third policy stays there.

    Raises:
        OSError: they cannot be looked at, or it is forbidden.
    """
    assert sys.platform == "linux", "somebody has not asked whether it can"
    ours = (os.SCHED_OTHER, os.SCHED_BATCH)
    seen: set[int] = set()
    # Once more until there is no new one: it may have been started by one that was not there yet.
    while new := {int(thread.name) for thread in _THREADS.iterdir()} - seen:
        for thread in new:
            with suppress(ProcessLookupError):  # it has just ended
                if os.sched_getscheduler(thread) in ours:
                    os.sched_setscheduler(thread, policy, os.sched_param(0))
        seen |= new
