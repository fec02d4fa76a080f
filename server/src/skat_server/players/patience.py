"""How many wrong tokens one address may present: a value over time, without a clock (T2)."""

from dataclasses import dataclass
from typing import Final

MOST_ADDRESSES: Final = 10_000
"""Addresses that are remembered; beyond them the one that was wrong longest ago is forgotten."""


@dataclass(frozen=True, slots=True)
class Patience:
    """What an address may do wrong."""

    burst: int
    """Wrong tokens in a row."""
    seconds_each: float
    """After so long one more is allowed again."""


class FailureLimiter:
    """Counts the failures of addresses; every failure is forgotten after a while."""

    def __init__(self, patience: Patience) -> None:
        """Know of no failure."""
        self._patience = patience
        self._failures: dict[str, tuple[float, float]] = {}
        """By address: failures not forgotten yet, and when that was counted."""

    def wait(self, address: str, at: float) -> float:
        """How long an address has to wait before it may try again.

        Args:
            address: who tries.
            at: seconds on a clock that never jumps.

        Returns:
            Seconds; 0 when it may try now.
        """
        excess = self._count(address, at) + 1 - self._patience.burst
        return max(0.0, excess * self._patience.seconds_each)

    def charge(self, address: str, at: float) -> None:
        """Count a try as failed until it is known to be good."""
        count = self._count(address, at) + 1
        self._failures.pop(address, None)
        self._failures[address] = (count, at)
        if len(self._failures) > MOST_ADDRESSES:
            del self._failures[next(iter(self._failures))]

    def refund(self, address: str, at: float) -> None:
        """Take one failure back: the try was good."""
        count = self._count(address, at) - 1
        if count > 0:
            self._failures[address] = (count, at)
        else:
            self._failures.pop(address, None)

    def _count(self, address: str, at: float) -> float:
        count, since = self._failures.get(address, (0.0, at))
        return max(0.0, count - (at - since) / self._patience.seconds_each)
