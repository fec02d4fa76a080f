"""What one viewer has still to be sent: a cursor per table, never a queue.

A slow reader costs nothing here: its cursors stay behind, and a cursor that falls out of a
table's log gets a fresh view instead of what it missed.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from typing import Final

from skat_engine.seats import Seat
from skat_server.clock import Clock, Timer
from skat_server.tables.facts import ShownFact
from skat_server.tables.state import OpenDecision
from skat_server.tables.table import Table
from skat_server.values import value

LONGEST_WAIT: Final = 5.0
"""Seconds that an event may wait for its viewer's next decision (ADR 0047)."""
TOGETHER: Final = 1.0
"""Seconds by which an event may wait less, to leave with one that has waited as long as it may."""


class Delivery(Enum):
    """When events leave."""

    LIVE = "live"
    """At once."""
    WITH_DECISIONS = "with_decisions"
    """With the viewer's next decision or the deal's end, at most `LONGEST_WAIT` later."""


@value
class TableUpdate:
    """All that is ready for one viewer at one table."""

    table: Table
    viewer: Seat | None
    """The viewer's seat, None for a spectator."""
    is_view: bool
    """The facts tell the current deal from its start; forget everything before."""
    facts: Sequence[ShownFact]
    sequence: int
    """Of the last fact sent."""
    decision: OpenDecision | None
    """The viewer's open decision, when it was not sent before."""


class _Cursor:
    """How far a viewer has been sent one table."""

    __slots__ = ("decided", "seat", "sent", "table")

    def __init__(self, table: Table, seat: Seat | None, sent: int | None, decided: str) -> None:
        self.table = table
        self.seat = seat
        self.sent = sent
        """Sequence of the last fact sent; None when a view is due."""
        self.decided = decided
        """The turn of the decision sent last, empty before the first.

        The same one opens again after something of which the viewer may not know.
        """

    def take(self) -> TableUpdate | None:
        """What is new, marked as sent; None when nothing is."""
        table, seat = self.table, self.seat
        log = table.log
        new = None if self.sent is None else log.after(seat, self.sent)
        decision = table.decision_for(seat)
        if decision is not None and decision.turn_id != self.decided:
            self.decided = decision.turn_id
        elif new is not None and not new:
            return None
        else:
            decision = None
        facts = log.current_deal(seat) if new is None else new
        self.sent = sent = log.last(seat)
        return TableUpdate(table, seat, new is None, facts, sent, decision)


class Outbox:
    """The tables of one viewer, and which of them have something new.

    `wake` is called when something should leave now; the writer then takes it all with
    `drain`.
    """

    def __init__(self, delivery: Delivery, clock: Clock, wake: Callable[[], None]) -> None:
        """Start without tables."""
        self._is_live = delivery is Delivery.LIVE
        self._clock = clock
        self._wake = wake
        self._cursors: dict[str, _Cursor] = {}
        self._due: dict[str, None] = {}
        """Tables whose news leave now."""
        self._held: dict[str, float] = {}
        """Tables whose news wait for more, and since when, the oldest first."""
        self._timer: Timer | None = None

    def attach(self, table: Table, seat: Seat | None, sent: int | None, decided: str = "") -> None:
        """Follow a table.

        Args:
            table: the table.
            seat: the viewer's seat, None for a spectator.
            sent: sequence of the last fact that the viewer has; None begins with a view.
            decided: turn of the decision that the viewer has, which is not sent again.
        """
        self._cursors[table.table_id] = _Cursor(table, seat, sent, decided)
        table.viewers[self] = None
        if sent is None or table.is_over or self._is_live:
            self._make_due(table.table_id)
        else:
            self.table_changed(table)

    def detach(self, table_id: str) -> None:
        """Follow a table no longer."""
        cursor = self._cursors.pop(table_id, None)
        self._due.pop(table_id, None)
        self._held.pop(table_id, None)
        if cursor is not None:
            cursor.table.viewers.pop(self, None)

    def close(self) -> None:
        """Follow nothing any more."""
        for table_id in tuple(self._cursors):
            self.detach(table_id)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def table_changed(self, table: Table) -> None:
        """Note that a table has something new; wake the writer, now or a little later."""
        table_id = table.config.table_id
        cursor = self._cursors[table_id]
        seat, sent = cursor.seat, cursor.sent
        decision = table.decision_for(seat)
        is_held = table_id in self._held
        if decision is not None and decision.turn_id != cursor.decided:
            self._make_due(table_id)
        elif not is_held and sent == table.log.last(seat):
            return  # nothing that the viewer may know
        elif self._is_live or sent is None or table.log.is_urgent_after(seat, sent):
            self._make_due(table_id)
        elif not is_held:
            self._held[table_id] = self._clock.monotonic()
            if self._timer is None:
                self._wait_for(self._held[table_id])

    def repeat_decision(self, table_id: str) -> None:
        """Send the open decision of a table once more."""
        cursor = self._cursors.get(table_id)
        if cursor is not None:
            cursor.decided = ""
            self._make_due(table_id)

    def drain(self) -> list[TableUpdate]:
        """The news of all tables that are due; they count as sent."""
        due, self._due = self._due, {}
        updates = []
        for table_id in due:
            self._held.pop(table_id, None)
            cursor = self._cursors[table_id]
            update = cursor.take()
            if update is not None:
                updates.append(update)
            if cursor.table.is_over:
                self.detach(table_id)
        return updates

    def release(self) -> None:
        """Let everything that waits leave now."""
        self._due.update(dict.fromkeys(self._held))
        self._held.clear()
        self._wake()

    @property
    def waiting(self) -> int:
        """How many tables have news that were not taken yet."""
        return len(self._due) + len(self._held)

    @property
    def is_idle(self) -> bool:
        """Whether it follows no table."""
        return not self._cursors

    def _make_due(self, table_id: str) -> None:
        self._due[table_id] = None
        self._held.pop(table_id, None)
        self._wake()

    def _wait_for(self, since: float) -> None:
        """Wait until what is held since that moment may wait no longer."""
        left = max(0.0, since + LONGEST_WAIT - self._clock.monotonic())
        self._timer = self._clock.call_later(left, partial(self._wait_is_over, since))

    def _wait_is_over(self, since: float) -> None:
        """Release what is held since that moment or soon after it, and wait for the rest.

        Mostly nothing is: it has left with a decision, and one timer serves all that came later.
        """
        self._timer = None
        over = [table_id for table_id, held in self._held.items() if held <= since + TOGETHER]
        for table_id in over:
            self._make_due(table_id)
        oldest = next(iter(self._held.values()), None)
        if oldest is not None:
            self._wait_for(oldest)
