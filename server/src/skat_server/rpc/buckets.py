"""How often somebody may do something: values over time, without a clock of their own."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

MOST_HOLDERS: Final = 10_000
"""Holders of which a table of buckets knows; the one that was idle longest is forgotten."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something may happen."""

    per_second: float
    """In the long run; more than 0."""
    burst: int
    """At once, after a time without any; at least 1."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """What is left of a rate at a moment. It may go below zero, and then has to be filled first."""

    level: float
    at: float
    """Seconds on a clock that never jumps."""

    def level_at(self, rate: Rate, now: float) -> float:
        """What is left now, at most the burst."""
        passed = max(0.0, now - self.at)
        return min(float(rate.burst), self.level + passed * rate.per_second)

    def wait(self, rate: Rate, now: float) -> float:
        """Seconds until one more may happen; 0 when it may now."""
        return max(0.0, 1.0 - self.level_at(rate, now)) / rate.per_second

    def spent(self, rate: Rate, now: float, count: int = 1) -> "Bucket":
        """The bucket after so many have happened, whether they might or not."""
        return Bucket(self.level_at(rate, now) - count, max(now, self.at))


def full(rate: Rate, now: float) -> Bucket:
    """The bucket of somebody who has done nothing yet."""
    return Bucket(float(rate.burst), now)


class Buckets:
    """One bucket for every holder who has done something lately.

    All times are seconds on a clock that never jumps.
    """

    def __init__(self, rate: Rate) -> None:
        """Know of nobody."""
        self._rate = rate
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def wait(self, holder: str, now: float) -> float:
        """Seconds until a holder may do one more; 0 when he may now."""
        bucket = self._buckets.get(holder)
        return 0.0 if bucket is None else bucket.wait(self._rate, now)

    def take(self, holder: str, now: float) -> float:
        """Let a holder do one more, if he may.

        Returns:
            0 when he may; otherwise the seconds after which he may, and nothing is taken.
        """
        wait = self.wait(holder, now)
        if wait <= 0.0:
            self.spend(holder, now)
        return wait

    def spend(self, holder: str, now: float) -> float:
        """Count one more of a holder, whether he may or not.

        Returns:
            What is left of his bucket, below 0 when he might not.
        """
        bucket = self._of(holder, now).spent(self._rate, now)
        self._buckets[holder] = bucket
        self._buckets.move_to_end(holder)
        if len(self._buckets) > MOST_HOLDERS:
            self._buckets.popitem(last=False)
        return bucket.level

    def _of(self, holder: str, now: float) -> Bucket:
        return self._buckets.get(holder) or full(self._rate, now)
