"""The facts of a table that can still be sent: the deal under way and the one before."""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final

from skat_engine.seats import Seating
from skat_server.tables.facts import (
    OPEN,
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
    """Numbers the facts of one table for every viewer and keeps the recent ones."""

    def __init__(self, told: Numbers) -> None:
        """Start without facts.

        Args:
            told: what everybody has been told before; of that nothing can be sent again.
        """
        self._oldest = self._told = self._urgent = told
        """What everybody had been told before the oldest fact that is kept."""
        self._is_even = len(set(told)) <= 1
        """Everybody has been told as much."""
        self._kept: list[LoggedFact] = []
        self._deal_starts: deque[Numbers] = deque(maxlen=KEPT_DEALS)
        """What everybody had been told before each of the kept deals."""

    @property
    def told(self) -> Numbers:
        """What everybody has been told."""
        return self._told

    def last(self, viewer: Viewer) -> int:
        """Number of the latest fact that a viewer has been told, 0 before the first."""
        return self._told[-1 if viewer is None else viewer]

    def append(self, at: float, facts: Iterable[Fact], seating: Seating) -> None:
        """Number these facts; older deals are dropped when a new one begins."""
        for fact in facts:
            kind = type(fact)
            if kind is DealStarted:
                self._begin_deal()
            if kind in PRIVATE:
                self._told = numbers_after(self._told, (fact,), seating)
                self._is_even = len(set(self._told)) == 1
            else:
                self._told = tuple([number + 1 for number in self._told])
            if kind in URGENT:
                self._urgent = self._told
            is_same = self._is_even and kind in OPEN
            shared = ShownFact(self._told[0], at, fact, seating) if is_same else None
            self._kept.append(LoggedFact(self._told, at, fact, seating, shared))

    def after(self, viewer: Viewer, sequence: int) -> Sequence[ShownFact] | None:
        """What a viewer was told after a sequence of his, in order.

        None when that can no longer or not yet be told.
        """
        start = self._place_after(viewer, sequence)
        if start is None:
            return None
        shown = [kept.shared or project(kept, viewer) for kept in self._kept[start:]]
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
        told, kept = self._told[column], self._kept
        if not self._oldest[column] <= sequence <= told:
            return None
        place = len(kept) - (told - sequence)  # or before, for what was not told
        while place and kept[place - 1].numbers[column] > sequence:
            place -= 1
        return place

    def _begin_deal(self) -> None:
        self._deal_starts.append(self._told)
        if len(self._deal_starts) == KEPT_DEALS:
            self._oldest = oldest = self._deal_starts[0]
            self._kept = [logged for logged in self._kept if logged.numbers > oldest]
