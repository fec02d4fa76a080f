"""How long to wait before the next try. Chance, waiting and time come in."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

_RESOLUTION: Final = 1 << 53


def _fair_chance() -> float:
    return secrets.randbelow(_RESOLUTION) / _RESOLUTION


async def _sleep(seconds: float) -> None:
    # The only place where this package waits for time to pass.
    await asyncio.sleep(seconds)  # noqa: TID251 - everybody else is handed this function


def _now() -> float:
    return asyncio.get_running_loop().time()


@dataclass(frozen=True, slots=True)
class Backoff:
    """Exponential back-off with full jitter.

    The n-th wait, from 0, is anywhere between nothing and `first * 2**n`, but `longest` at
    most, so that many clients which lost their server at once do not come back at once.
    """

    first: float = 0.2
    """Seconds that bound the first wait."""
    longest: float = 5.0
    """Seconds that bound every wait."""
    chance: Callable[[], float] = _fair_chance
    """A number from 0 to 1, new at every call."""
    sleep: Callable[[float], Awaitable[None]] = _sleep
    """Waits for so many seconds; `now` has to move on meanwhile."""
    now: Callable[[], float] = _now
    """Seconds on a clock that never goes back."""

    def delay(self, attempt: int) -> float:
        """Seconds to wait after this many failures in a row before."""
        # The exponent is bounded because 2.0**1024 is no float.
        return min(self.longest, self.first * 2.0 ** min(attempt, 64)) * self.chance()


class Retrying:
    """One stretch of failures: counts them, and knows how long to wait and when to give up.

    The stretch lasts until a connection is of use. One that is opened and breaks at once does
    not end it, so that nobody tries for ever with a server that dies of every greeting.
    """

    def __init__(self, backoff: Backoff, max_downtime: float | None = None) -> None:
        self._backoff = backoff
        self._max_downtime = max_downtime
        self._failures = 0
        self._down_since: float | None = None
        self._down_before = 0.0
        """Seconds without a connection in this stretch, up to the last one that was opened."""

    def connected(self) -> None:
        """There is a connection: from here on no time is lost."""
        if self._down_since is not None:
            self._down_before += self._backoff.now() - self._down_since
            self._down_since = None

    def progressed(self) -> None:
        """The connection has been of use: the next wait is the shortest again."""
        self._down_since = None
        self._down_before = 0.0
        self._failures = 0

    def next_delay(self, at_least: float = 0.0) -> float | None:
        """Count a failure; seconds to wait before the next try, None when it is time to give up."""
        now = self._backoff.now()
        if self._down_since is None:
            self._down_since = now
        delay = max(at_least, self._backoff.delay(self._failures))
        self._failures += 1
        down = self._down_before + now + delay - self._down_since
        return None if self._max_downtime is not None and down > self._max_downtime else delay
