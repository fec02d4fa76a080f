"""What a soak is made of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final


class Habit(Enum):
    """How the three players of a table behave."""

    GOOD = "good"
    SLOW = "slow"
    """Every answer takes them long."""
    DYING = "dying"
    """Their connections are cut again and again; one of them uses the Python client."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How long, how much, and what goes wrong."""

    seconds: float
    tables: int
    """Under way at once; whenever one ends, the next is made."""
    kill_every: float | None = None
    """Seconds between two kills of the server; None lets it live."""
    think: float = 0.5
    """Seconds that a good player takes for an answer."""
    cut_every: float = 2.0
    """Seconds after which the connections of one relay are cut."""
    rude_every: float = 3.0
    """Seconds from one rude client to the next."""
    sample_every: float = 2.0
    """Seconds from one look at the server to the next."""
    seed: int = 1


DEALS: Final = 1
"""Of a table."""
SLOWNESS: Final = 4.0
"""How much longer a slow player takes."""
RELAYS: Final = 4
_HABITS: Final = (
    *(Habit.GOOD, Habit.DYING, Habit.GOOD, Habit.SLOW, Habit.GOOD),
    *(Habit.DYING, Habit.GOOD, Habit.SLOW, Habit.GOOD, Habit.DYING),
)


def habit_of(slot: int) -> Habit:
    """Of ten tables five are good, three are dying, two are slow."""
    return _HABITS[slot % len(_HABITS)]
