"""One seed: play it, check its history, and say how it went."""

from __future__ import annotations

import hashlib
import traceback
from dataclasses import dataclass, replace

from tests.histories.checker import violations
from tests.histories.model import Violation
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
    found = violations(world.history())
    found += [Violation("H8", table_id, "its log cannot be folded") for table_id in world.parked]
    found += [Violation("clock", table_id, text) for table_id, text in world.overcharged()]
    if not ended:
        found.append(Violation("H8", "all tables", "clients still wait for the end of a table"))
    return found
