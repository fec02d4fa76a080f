"""The facts of a table that can still be sent: the deal under way and the one before."""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final

from skat_engine.seats import Seating
from skat_server.tables.facts import (
    OPEN,
    PLAIN,
    PRIVATE,
    URGENT,
    DealStarted,
    Fact,
    LoggedFact,
    Numbers,
    ShownFact,
    Viewer,
    number_for,
    numbers_after,
    project,
)

KEPT_DEALS: Final = 2


class FactLog:
    """Numbers the facts of one table for every viewer and keeps the recent ones.

    Attributes:
        told: what everybody has been told.
    """

    def __init__(self, told: Numbers) -> None:
        """Start without facts.

        Args:
            told: what everybody has been told before; of that nothing can be sent again.
        """
        self.told = told
        self._oldest = told
        """What everybody had been told before the oldest fact that is kept."""
        self._urgent = told
        """What everybody had been told with the last fact that waits for nothing."""
        self._is_even = len(set(told)) <= 1
        """Everybody has been told as much."""
        self._kept: list[ShownFact | LoggedFact] = []
        """What all viewers are told under the same number as they are told it, and all else."""
        self._numbers: list[Numbers] = []
        """What everybody had been told up to each of them."""
        self._told_apart = -1
        """Place of the last one kept of which viewers are told apart; negative for none."""
        self._deal_starts: deque[Numbers] = deque(maxlen=KEPT_DEALS)
        """What everybody had been told before each of the kept deals."""

    def last(self, viewer: Viewer) -> int:
        """Number of the latest fact that a viewer has been told, 0 before the first."""
        return self.told[-1 if viewer is None else viewer]

    def append(self, at: float, facts: Iterable[Fact], seating: Seating) -> None:
        """Number these facts; older deals are dropped when a new one begins."""
        for fact in facts:
            if not self._is_even or type(fact) not in PLAIN:
                self._append_other(at, fact, seating)
                continue
            number = self.told[0] + 1
            self.told = told = (number,) * len(self.told)
            self._kept.append(ShownFact(number, at, fact, seating))
            self._numbers.append(told)

    def _append_other(self, at: float, fact: Fact, seating: Seating) -> None:
        """The same for one fact that is not plain, or of which viewers keep different counts."""
        kind = type(fact)
        if kind is DealStarted:
            self._begin_deal()
        self.told = told = numbers_after(self.told, (fact,), seating)
        if kind in PRIVATE:
            self._is_even = len(set(told)) == 1
        if kind in URGENT:
            self._urgent = told
        if self._is_even and kind in OPEN:
            self._kept.append(ShownFact(told[0], at, fact, seating))
        else:
            self._told_apart = len(self._kept)
            self._kept.append(LoggedFact(told, at, fact, seating))
        self._numbers.append(told)

    def after(self, viewer: Viewer, sequence: int) -> Sequence[ShownFact] | None:
        """What a viewer was told after a sequence of his, in order.

        None when that can no longer or not yet be told.
        """
        start = self._place_after(viewer, sequence)
        if start is None:
            return None
        kept = self._kept[start:]
        if start > self._told_apart:  # as mostly
            return kept  # type: ignore[return-value]  # all of it is as it is shown
        shown = [one if isinstance(one, ShownFact) else project(one, viewer) for one in kept]
        return [fact for fact in shown if fact is not None]

    def is_urgent_after(self, viewer: Viewer, sequence: int) -> bool:
        """Whether something that waits for nothing came after a sequence.

        So it is as well when what came then can no longer be told.
        """
        column = -1 if viewer is None else viewer
        return self._urgent[column] > sequence or sequence < self._oldest[column]

    def current_deal(self, viewer: Viewer) -> Sequence[ShownFact]:
        """What a viewer was told from the start of the current deal on; before it, everything."""
        start = self._deal_starts[-1] if self._deal_starts else self._oldest
        facts = self.after(viewer, number_for(viewer, start))
        assert facts is not None
        return facts

    def _place_after(self, viewer: Viewer, sequence: int) -> int | None:
        """Where the facts are kept that a viewer was told after a sequence of his.

        Looked for from the end, because hardly anybody is far behind.
        """
        column = -1 if viewer is None else viewer
        told, numbers = self.told[column], self._numbers
        if not self._oldest[column] <= sequence <= told:
            return None
        place = len(numbers) - (told - sequence)  # or before, for what was not told
        while place and numbers[place - 1][column] > sequence:
            place -= 1
        return place

    def _begin_deal(self) -> None:
        self._deal_starts.append(self.told)
        if len(self._deal_starts) == KEPT_DEALS:
            self._oldest = self._deal_starts[0]
            old = bisect_right(self._numbers, self._oldest)
            del self._kept[:old], self._numbers[:old]
            self._told_apart -= old
