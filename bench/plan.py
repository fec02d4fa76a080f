"""How much is measured."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bench.processes import ANYWHERE, Machine

Values = Mapping[str, float | int | str]
"""Everything that is known of a figure, by name."""

SMALLEST: Final = 3
"""Of anything that is made smaller: a table has three seats."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How long, how often, and how large."""

    rounds: int = 5
    """Rounds to take the median of, in which the yardstick and what is measured alternate."""
    seconds: float = 2.0
    """How long each window is."""
    scale: float = 1.0
    """Share of tables, sessions and streams: less than 1 for a look, not for figures."""
    machine: Machine = ANYWHERE

    @property
    def is_look(self) -> bool:
        """Whether it is smaller or shorter than what targets are for."""
        whole = Plan()
        has_all = self.rounds >= whole.rounds and self.seconds >= whole.seconds
        return self.scale != whole.scale or not has_all

    def sized(self, count: int) -> int:
        """So many, made smaller where the plan wants that."""
        return count if self.scale == 1.0 else max(SMALLEST, round(self.scale * count))
