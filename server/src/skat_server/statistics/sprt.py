"""The sequential test on block means (competition guide, section 3.6).

Two hypotheses about how many points a game one bot is better than another. Blocks come in the order
of the schedule, whole ones only; after each the test may stop. The log likelihood ratio is the
Gaussian one with the running variance, and no verdict falls before `FEWEST` blocks.
"""

import math
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from skat_server.statistics.sequences import RunningMean

FEWEST: Final = 50
"""Blocks before which nothing is decided: a variance from fewer cannot be trusted."""


class Verdict(Enum):
    """Where a test stands, and why it has stopped."""

    RUNNING = "running"
    """Neither bound is reached."""
    ACCEPT_H1 = "accept_h1"
    """The upper bound is reached: the difference is `delta1` rather than `delta0`."""
    ACCEPT_H0 = "accept_h0"
    """The lower bound is reached."""
    CAPPED = "capped"
    """The largest number of blocks is reached without a decision."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What is tested, in points a game.

    Raises:
        ValueError: the differences are not in order, or an error rate is not between 0 and 1/2.
    """

    delta0: float = 0.0
    delta1: float = 2.0
    alpha: float = 0.05
    """Chance to accept H1 although H0 is true."""
    beta: float = 0.05
    """Chance to accept H0 although H1 is true."""
    most_blocks: int | None = None
    """The test ends there at the latest; None for never."""

    def __post_init__(self) -> None:
        """Refuse what cannot be tested."""
        if not self.delta0 < self.delta1:
            raise ValueError("delta0 has to be below delta1")
        if not (0 < self.alpha < 1 / 2 and 0 < self.beta < 1 / 2):
            raise ValueError("alpha and beta lie between 0 and 1/2")
        if self.most_blocks is not None and self.most_blocks < FEWEST:
            raise ValueError(f"a test takes at least {FEWEST} blocks")

    @property
    def upper(self) -> float:
        """Log likelihood ratio at which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    @property
    def lower(self) -> float:
        """Log likelihood ratio at which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test after some blocks; `with_block` gives the next one."""

    hypotheses: Hypotheses
    seen: RunningMean = field(default_factory=RunningMean)
    verdict: Verdict = Verdict.RUNNING

    @property
    def llr(self) -> float:
        """The log likelihood ratio; 0 while the blocks show no spread."""
        h, seen = self.hypotheses, self.seen
        lead = 2 * seen.mean - h.delta0 - h.delta1
        if seen.variance == 0:
            return math.copysign(math.inf, lead) if seen.count >= FEWEST and lead else 0.0
        return seen.count * (h.delta1 - h.delta0) * lead / (2 * seen.variance)

    def with_block(self, difference: float) -> "Sprt":
        """One block more, in schedule order. A test that has stopped stays as it is."""
        if self.verdict is not Verdict.RUNNING:
            return self
        grown = Sprt(self.hypotheses, self.seen.with_value(difference))
        return replace(grown, verdict=grown._judged())

    def _judged(self) -> Verdict:
        h, count = self.hypotheses, self.seen.count
        if count < FEWEST:
            return Verdict.RUNNING
        if self.llr >= h.upper:
            return Verdict.ACCEPT_H1
        if self.llr <= h.lower:
            return Verdict.ACCEPT_H0
        capped = h.most_blocks is not None and count >= h.most_blocks
        return Verdict.CAPPED if capped else Verdict.RUNNING
