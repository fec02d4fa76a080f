"""Whether a server holds more and more.

What is judged begins when the server is warm: after a third of the run, and not before a thousand
tables are over, since so many are kept to be asked for (`Settings.kept_tables`). From then on a
straight line is laid through the memory. Ten minutes cannot show ten per cent an hour: pools and
the allocator move more than that up and down. So what the line may rise *over what was judged* is
10 % of the median, or 12 MiB if that is more; with some thousand tables in that time, a leak of
a few KiB for each table or connection is found, one of bytes is not.

Descriptors and threads are compared by the medians of the two halves, because reconnects and
storms of connections make peaks that mean nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import linear_regression, median
from typing import Final

from tests.soak.sampling import Sample

KEPT_TABLES: Final = 1_000
RISE: Final = 0.10
RISE_KIB: Final = 12 * 1024
MORE_DESCRIPTORS: Final = 48
"""Reconnects under way move single samples by a hundred, and medians still by a dozen."""
MORE_THREADS: Final = 4
"""The library starts some when it likes."""
FEWEST: Final = 20
"""Samples below which nothing is judged."""


@dataclass(frozen=True, slots=True)
class Flatness:
    """How what a server holds has changed since it was warm."""

    is_judged: bool
    """Whether it was warm for long enough."""
    rss_median_kib: int = 0
    rss_rise_kib: int = 0
    """Of the straight line, over all that was judged."""
    seconds: float = 0.0
    """What was judged."""
    more_descriptors: float = 0.0
    more_threads: float = 0.0

    @property
    def faults(self) -> list[str]:
        """What is not flat, in words."""
        found = []
        if self.rss_rise_kib > max(RISE * self.rss_median_kib, RISE_KIB):
            found.append(f"memory rose by {self.rss_rise_kib} KiB in {self.seconds:.0f} s")
        if self.more_descriptors > MORE_DESCRIPTORS:
            found.append(f"{self.more_descriptors:.0f} more descriptors")
        if self.more_threads > MORE_THREADS:
            found.append(f"{self.more_threads:.0f} more threads")
        return found


def flatness(samples: Sequence[Sample]) -> Flatness:
    """Judge the samples of one process, in the order in which they were taken."""
    warm = warm_part(samples)
    if len(warm) < FEWEST:
        return Flatness(is_judged=False)
    times = [sample.at for sample in warm]
    memory = [sample.usage.rss_kib for sample in warm]
    seconds = times[-1] - times[0]
    slope = linear_regression(times, memory).slope
    return Flatness(
        True,
        round(median(memory)),
        round(slope * seconds),
        seconds,
        _growth(warm, lambda sample: sample.usage.descriptors),
        _growth(warm, lambda sample: sample.usage.threads),
    )


def warm_part(samples: Sequence[Sample]) -> Sequence[Sample]:
    """The samples since the server is warm."""
    if not samples:
        return ()
    third = samples[0].at + (samples[-1].at - samples[0].at) / 3
    return [
        sample for sample in samples if sample.at >= third and sample.ended_tables >= KEPT_TABLES
    ]


def _growth(samples: Sequence[Sample], count: Callable[[Sample], int]) -> float:
    half = len(samples) // 2
    return median(map(count, samples[half:])) - median(map(count, samples[:half]))
