"""Times counted in buckets whose width grows with the time, so that quantiles stay true."""

from collections.abc import Mapping
from math import ceil
from typing import Final

_SUB_BITS: Final = 7
_SUB: Final = 1 << _SUB_BITS
"""Buckets for every doubling: a value is known to a 128th part of itself."""
QUANTILES: Final[Mapping[str, float]] = {
    "p50": 0.5,
    "p90": 0.9,
    "p99": 0.99,
    "p99_9": 0.999,
}
"""What is told of every histogram, by name."""


class Histogram:
    """Counts durations; adding one costs the same however many there are.

    A duration is kept in whole microseconds. Below 256 µs every one has a bucket of its own;
    above, buckets are at most a 128th of the values in them wide, as in an HDR histogram with two
    digits.

    >>> times = Histogram()
    >>> for milliseconds in range(1, 101):
    ...     times.add(milliseconds / 1000)
    >>> times.count, round(1000 * times.quantile(0.5)), round(1000 * times.quantile(0.99))
    (100, 50, 99)
    """

    __slots__ = ("_buckets", "_longest", "_total", "count")

    def __init__(self) -> None:
        """Start empty."""
        self.count = 0
        self._buckets: dict[int, int] = {}
        self._total = 0
        self._longest = 0

    def add(self, seconds: float) -> None:
        """Count one duration; what is below zero counts as zero."""
        micros = max(0, round(seconds * 1_000_000))
        bucket = _bucket(micros)
        self._buckets[bucket] = self._buckets.get(bucket, 0) + 1
        self._total += micros
        self.count += 1
        self._longest = max(self._longest, micros)

    def quantile(self, share: float) -> float:
        """The duration in seconds that this share of all does not exceed; 0 when there is none.

        Args:
            share: above 0, up to 1.
        """
        rank, seen = ceil(share * self.count), 0
        for bucket in sorted(self._buckets):
            seen += self._buckets[bucket]
            if seen >= rank:
                return min(_upper_end(bucket), self._longest) / 1_000_000
        return 0.0

    @property
    def longest(self) -> float:
        """The longest in seconds, exactly; 0 when there is none."""
        return self._longest / 1_000_000

    @property
    def mean(self) -> float:
        """The mean in seconds; 0 when there is none."""
        return self._total / self.count / 1_000_000 if self.count else 0.0

    def in_milliseconds(self) -> dict[str, float | int]:
        """Count, mean, quantiles and the longest, in milliseconds, for a document."""
        told = {name: self.quantile(share) for name, share in QUANTILES.items()}
        times = {"mean": self.mean, **told, "max": self.longest}
        return {"count": self.count, **{name: round(1000 * t, 3) for name, t in times.items()}}


def _bucket(micros: int) -> int:
    """The bucket of a value: the doublings dropped, and the leading bits that are left."""
    dropped = max(0, micros.bit_length() - _SUB_BITS - 1)
    return dropped * _SUB + (micros >> dropped)


def _upper_end(bucket: int) -> int:
    """The largest value of a bucket."""
    dropped = max(0, bucket // _SUB - 1)
    return ((bucket - dropped * _SUB + 1) << dropped) - 1
