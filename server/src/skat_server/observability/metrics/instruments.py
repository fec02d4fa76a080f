"""What a series is while the server runs: plain numbers that one thread changes.

The library's own instruments lock and check at every call, which pays where threads share them.
Here the event loop alone counts, a hundred thousand times a second; whoever shows the numbers
reads them from another thread, and may see one of two that belong together a moment early
(ADR 0040).
"""

from bisect import bisect_left


class Counter:
    """How often something has happened, or how much of it."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        """Start at zero."""
        self.value = 0.0

    def add(self, amount: float = 1.0) -> None:
        """Count once more, or so much more."""
        self.value += amount


class Gauge:
    """How much of something there is."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        """Start at zero."""
        self.value = 0.0

    def add(self, amount: float = 1.0) -> None:
        """There is so much more; less when negative."""
        self.value += amount

    def set(self, value: float) -> None:
        """There is so much now."""
        self.value = value


class Histogram:
    """How often values of each size came.

    Attributes:
        bounds: upper bounds of the buckets, each included.
        counts: values in each bucket, and last of all those beyond.
        sum: of all values.
    """

    __slots__ = ("bounds", "counts", "sum")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        """Start without values."""
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def observe(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value


Instrument = Counter | Gauge | Histogram
