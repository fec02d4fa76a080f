"""How bots behave: good ones, and every bad one that a server meets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Habits:
    """Chances per decision, unless something else is said."""

    think: float = 0.2
    """Longest time to think in seconds."""
    slow: float = 0.0
    """To think a hundred times as long."""
    silent: float = 0.0
    """Not to answer, until the question is repeated."""
    illegal: float = 0.0
    """To send something that is likely to be illegal."""
    twice: float = 0.0
    """To send the answer twice."""
    again: float = 0.0
    """To send the answer before once more."""
    foreign: float = 0.0
    """To answer a turn that is not one's own, or never was one."""
    propose: float = 0.0
    """To propose the end of the deal out of turn."""
    hang_up: float = 0.0
    """To drop the connection and come back."""
    vanish: float = 0.0
    """To drop it without the server hearing of it."""
    die: float = 0.0
    """To go away and never come back."""
    restless: float = 0.0
    """To get up, and sit down again."""
    slow_read: float = 0.0
    """Longest time in seconds to take a message from the connection."""
    polls: bool = False
    """To ask for news in one call after the other, and to answer in others."""


GOOD: Final = Habits()

KINDS: Final = {
    "good": GOOD,
    "slow": Habits(slow=0.1),
    "illegal": Habits(illegal=0.2),
    "silent": Habits(silent=0.1),
    "duplicating": Habits(twice=0.3, again=0.2, foreign=0.1),
    "reconnecting": Habits(hang_up=0.1, vanish=0.1, again=0.2),
    "slow reader": Habits(slow_read=2.0),
    "proposing": Habits(propose=0.2),
    "dying": Habits(die=0.1),
    "polling": Habits(polls=True, twice=0.1, illegal=0.1, again=0.1),
    "restless": Habits(restless=0.03),
}
