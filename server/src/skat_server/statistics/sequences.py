"""Confidence sequences: intervals that may be watched all day (competition guide, 3.6).

An ordinary interval holds at one moment chosen beforehand. Whoever watches and stops when it
pleases needs one that holds at all moments together. Here it is the asymptotic sequence of
Robbins' normal mixture with the running variance (Waudby-Smith and others, 2021).
"""

import math
from dataclasses import dataclass
from typing import Final

BEST_AT: Final = 500
"""Units at which the sequence is narrowest where nothing else is said."""


@dataclass(frozen=True, slots=True)
class RunningMean:
    """Mean and spread of what was seen so far, one unit after the other (Welford)."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0
    """Sum of the squared deviations."""

    def with_value(self, value: float) -> "RunningMean":
        """One unit more."""
        count = self.count + 1
        mean = self.mean + (value - self.mean) / count
        return RunningMean(count, mean, self.squares + (value - self.mean) * (value - mean))

    @property
    def variance(self) -> float:
        """Of one unit; 0 before the second."""
        return self.squares / (self.count - 1) if self.count > 1 else 0.0


def margin(seen: RunningMean, alpha: float = 0.05, best_at: int = BEST_AT) -> float:
    """Half width of the interval around the mean; infinite before the second unit.

    Args:
        seen: the units so far.
        alpha: chance that the true mean is ever outside.
        best_at: number of units at which the sequence shall be narrowest.
    """
    if seen.count < 2:  # noqa: PLR2004
        return math.inf
    rho_squared = _mixture(alpha, best_at)
    n = seen.count
    spread = n * rho_squared + 1
    width = 2 * spread / (n * n * rho_squared) * math.log(math.sqrt(spread) / alpha)
    return math.sqrt(seen.variance * width)


def _mixture(alpha: float, best_at: int) -> float:
    """Variance of the mixture that makes the sequence narrowest at so many units."""
    log = -2 * math.log(alpha)
    return (log + math.log(1 + log)) / best_at
