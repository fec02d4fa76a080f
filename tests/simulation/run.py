"""One seed: play it, check its history, and say how it went."""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, replace

from skat_engine import Booking
from skat_server.tables.facts import DealBooked, ShownFact
from tests.histories.checker import violations
from tests.histories.fold import replayed
from tests.histories.model import ClientHistory, Frame, History, Violation
from tests.simulation.scenario import scenario
from tests.simulation.world import World


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one run went."""

    seed: int
    violations: tuple[Violation, ...]
    lives: int
    """Servers that ran one after the other."""
    elapsed: float
    """Virtual seconds."""
    trace: tuple[tuple[object, ...], ...]
    """Everything that was noted, in order."""

    @property
    def digest(self) -> str:
        """Equal for equal runs."""
        return hashlib.sha256(repr(self.trace).encode()).hexdigest()

    def without_trace(self) -> Outcome:
        """The same in brief."""
        return replace(self, trace=())


def simulate(seed: int) -> Outcome:
    """Run one seed."""
    world = World(seed, scenario(seed))
    found = tuple(_violations(world))
    timeline = world.timeline
    return Outcome(seed, found, world.lives, timeline.elapsed, tuple(timeline.trace))


def _violations(world: World) -> list[Violation]:
    """Everything that went wrong, the core's own assertions included."""
    try:
        ended = world.run()
    except Exception:  # whatever the core raises is a finding that belongs to its seed
        return [Violation("raised", "the core", traceback.format_exc())]
    history = world.history()
    found = _of_deals(history) if world.forgets_actions else violations(history)
    found += [Violation("H8", table_id, "its log cannot be folded") for table_id in world.parked]
    found += [Violation("clock", table_id, text) for table_id, text in world.overcharged()]
    if not ended:
        found.append(Violation("H8", "all tables", "clients still wait for the end of a table"))
    return found


def _of_deals(history: History) -> list[Violation]:
    """What is promised where only finished deals are: the log is true, and no such deal is lost."""
    found = violations(replace(history, clients=[]))
    booked = {
        booking for table in history.tables for booking in replayed(table, history.reading).bookings
    }
    told = (booking for client in history.clients for booking in _results_told(client))
    lost = [booking for booking in told if booking.counts and booking not in booked]
    return [*found, *(Violation("lost", "a table", f"a deal: {booking}") for booking in lost)]


def _results_told(client: ClientHistory) -> Iterator[Booking]:
    """The results of deals that a client was told."""
    frames = (item for item in client.items if isinstance(item, Frame))
    for _, shown in (event for frame in frames for event in frame.events):
        assert isinstance(shown, ShownFact)
        if isinstance(shown.fact, DealBooked):
            yield shown.fact.booking
