"""What every viewer is owed, numbered and projected without the server's own code for that."""

from __future__ import annotations

from collections.abc import Sequence

from skat_engine import Seating
from skat_engine.events import CardsDealt, DealEnded, Event, Unseen
from skat_engine.views import project
from skat_server.tables.facts import Fact, HandReceived, ShownFact, Viewer, fact_of
from tests.histories.model import Content, Reading


class Telling:
    """The events of one table, for each of its viewers.

    Attributes:
        viewers: all seats, and last a spectator.
        told: their events; the number of an event is its place, from 1.
        starts: the numbers at which deals begin.
    """

    def __init__(self, seats: int, reading: Reading) -> None:
        """Nobody has been told anything."""
        self.viewers: tuple[Viewer, ...] = (*range(seats), None)
        self.told: dict[Viewer, list[Content]] = {viewer: [] for viewer in self.viewers}
        self.starts: dict[Viewer, list[int]] = {viewer: [] for viewer in self.viewers}
        self._reading = reading

    def number(self, viewer: Viewer) -> int:
        """Of the last event that a viewer was told."""
        return len(self.told[viewer])

    def everybody(self, at: float, fact: Fact, seating: Seating) -> None:
        """Tell everybody the same."""
        for viewer in self.viewers:
            self._tell(viewer, at, fact, seating)

    def some(
        self, at: float, fact: Fact, seating: Seating, positions: Sequence[int] | None
    ) -> None:
        """Tell those who play these positions; everybody for None."""
        for viewer in self.viewers:
            position = None if viewer is None else seating.position_of(viewer)
            if positions is None or position in positions:
                self._tell(viewer, at, fact, seating)

    def dealt(self, at: float, dealt: CardsDealt, hand: HandReceived, seating: Seating) -> None:
        """Give everybody his cards.

        Args:
            at: when.
            dealt: all cards.
            hand: what a spectator is told.
            seating: who plays.
        """
        for viewer in self.viewers:
            self.starts[viewer].append(self.number(viewer) + 1)
            position = None if viewer is None else seating.position_of(viewer)
            cards = None if position is None else dealt.dealt.hands[position]
            own = HandReceived(
                hand.deal_number, cards, hand.occasion, hand.deal_id, hand.commitment
            )
            self._tell(viewer, at, own, seating)

    def happened(self, at: float, events: Sequence[Event], seating: Seating) -> None:
        """Tell everybody of events of the deal what he may know."""
        for event in events:
            for viewer in self.viewers:
                position = None if viewer is None else seating.position_of(viewer)
                shown = project(event, position)
                if not isinstance(shown, Unseen | DealEnded):
                    fact = fact_of(shown)
                    assert fact is not None
                    self._tell(viewer, at, fact, seating)

    def _tell(self, viewer: Viewer, at: float, fact: Fact, seating: Seating) -> None:
        told = self.told[viewer]
        told.append(self._reading.event(ShownFact(len(told) + 1, at, fact, seating)))
