"""The facts of a table that can still be sent: the deal under way and the one before."""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final

from skat_engine.seats import Seating
from skat_server.tables.facts import DealStarted, Fact, LoggedFact

KEPT_DEALS: Final = 2


class FactLog:
    """Numbers the facts of one table and keeps the recent ones.

    Attributes:
        last: sequence of the latest fact, 0 before the first.
    """

    def __init__(self) -> None:
        """Start before the first fact."""
        self.last = 0
        self._kept: list[LoggedFact] = []
        self._deal_starts: deque[int] = deque(maxlen=KEPT_DEALS)

    def append(self, at: float, facts: Iterable[Fact], seating: Seating) -> None:
        """Number these facts; older deals are dropped when a new one begins."""
        for fact in facts:
            self.last += 1
            if isinstance(fact, DealStarted):
                self._begin_deal()
            self._kept.append(LoggedFact(self.last, at, fact, seating))

    def after(self, sequence: int) -> Sequence[LoggedFact] | None:
        """What followed a sequence, or None when that can no longer or not yet be told."""
        first_kept = self._kept[0].sequence if self._kept else 1
        if not first_kept - 1 <= sequence <= self.last:
            return None
        return self._kept[sequence - first_kept + 1 :]

    def current_deal(self) -> Sequence[LoggedFact]:
        """The facts from the start of the current deal; before the first deal all of them."""
        start = self._deal_starts[-1] if self._deal_starts else 1
        facts = self.after(start - 1)
        assert facts is not None
        return facts

    def _begin_deal(self) -> None:
        full = len(self._deal_starts) == KEPT_DEALS
        self._deal_starts.append(self.last)
        if full:
            oldest = self._deal_starts[0]
            self._kept = [logged for logged in self._kept if logged.sequence >= oldest]
