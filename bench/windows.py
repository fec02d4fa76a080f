"""What clients measure: a window is a time in which they play, between two in which they wait."""

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Window:
    """What was done in one window, all of it answered at its end."""

    count: int
    """Round trips, or actions."""
    seconds: float
    """From its opening to the last answer."""
    cpu: float
    """CPU seconds of the server."""
    p50_us: float
    """Median of the time from a message to what answers it, in microseconds."""
    p99_us: float
    messages: int
    """Messages of the server."""
    deals: float = 0.0
    """Deals that were finished."""
    events: int = 0
    """Events that spectators were sent."""

    @property
    def per_core_second(self) -> float:
        """How many a second of the server's CPU time is enough for."""
        return self.count / self.cpu

    @property
    def cpu_us(self) -> float:
        """Microseconds of the server for each."""
        return self.cpu / self.count * 1e6

    def to_json(self) -> str:
        """One line."""
        return json.dumps(asdict(self))


def window_of(line: str) -> Window:
    """What `Window.to_json` has written."""
    return Window(**json.loads(line))


class Player(Protocol):
    """What a client process drives."""

    async def start(self) -> None:
        """Connect and get ready; then wait."""

    async def window(self, seconds: float, think: float | None = None) -> Window:
        """Play for so long, wait until all is answered, and tell what was done.

        Args:
            seconds: how long.
            think: mean seconds from a question to its answer from now on; as before when not given.
        """

    async def stop(self) -> None:
        """Leave."""


def quantile_us(seconds: Sequence[float], share: float) -> float:
    """What so large a share of some times did not exceed, in microseconds; 0 without any."""
    if not seconds:
        return 0.0
    ordered = sorted(seconds)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1e6, 1)


def median(values: Sequence[float]) -> float:
    """The median, with four digits that count."""
    return float(f"{statistics.median(values):.4g}")
