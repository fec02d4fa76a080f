"""What the figures shall be, and whether they are."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from bench.plan import Values


@dataclass(frozen=True, slots=True)
class Target:
    """What one value of a figure must be, and what we aim at."""

    value: str
    """Its name in the figure."""
    means: str
    must: float
    aim: float
    is_most: bool = True
    """Whether smaller is better."""

    def verdict(self, value: float) -> str:
        """Whether a value meets it."""
        for name, bound in (("aim", self.aim), ("must", self.must)):
            if value <= bound if self.is_most else value >= bound:
                return name
        return "missed"


@dataclass(frozen=True, slots=True)
class Row:
    """One target beside what was measured."""

    figure: str
    target: Target
    value: float

    @property
    def measured(self) -> tuple[str, str, str]:
        """The row of a table without targets."""
        return self.figure, self.target.means, f"{self.value:g}"

    @property
    def judged(self) -> tuple[str, ...]:
        """The row of a table with them."""
        sign = "<=" if self.target.is_most else ">="
        bounds = f"{sign} {self.target.must:g}", f"{sign} {self.target.aim:g}"
        return *self.measured, *bounds, self.target.verdict(self.value)


_PLAY: Final = (
    Target("messages_per_decision", "messages out per decision", 1.1, 1.1),
    Target("p99_ratio", "p99 at saturation / raw p99", 2.0, 1.2),
)

TARGETS: Final[Mapping[str, tuple[Target, ...]]] = {
    "engine": (
        Target("deal_us", "us a deal with its legality queries", 250, 100),
        Target("decision_us", "us a decision: engine, projection, log", 25, 15),
    ),
    "single": (Target("p50_ratio", "p50 of a decision / raw p50", 3.0, 2.0),),
    "tables-64": (
        Target("ratio", "actions / raw round trips per core-second", 0.40, 0.60, is_most=False),
        *_PLAY,
    ),
    "tables-1000": (
        Target("ratio_to_64", "per core-second / tables-64", 0.8, 0.9, is_most=False),
        *_PLAY,
    ),
    "batched": (
        Target("ratio", "actions / raw round trips per core-second", 1.0, 2.0, is_most=False),
        Target("actions_per_core_second", "actions per core-second", 20_000, 20_000, is_most=False),
    ),
    "fan-out": (Target("ratio", "cost of a delivered event / raw round trip", 0.3, 0.3),),
    "idle": (
        Target("session_kib", "KiB an idle session", 100, 60),
        Target("table_kib", "KiB an idle table", 40, 40),
    ),
    "closing": (
        Target("closed_bytes", "bytes kept for a stream that was closed", 100, 100),
        Target("cancelled_bytes", "bytes kept for a stream that was cancelled", 400, 400),
    ),
    "admission": (Target("p99_ms", "ms until a new session is let in, p99", 250, 250),),
    "recovery": (Target("seconds", "s until 1,000 open tables go on", 2.0, 2.0),),
    "durability": (
        Target("cost", "CPU time of a durable action / one in memory, less 1", 0.25, 0.25),
    ),
    "observed": (
        Target("cost", "CPU time with metrics and INFO lines / without, less 1", 0.07, 0.07),
    ),
}


def rows(figure: str, values: Values) -> Iterator[Row]:
    """The targets of a figure beside its values."""
    for target in TARGETS.get(figure, ()):
        value = values[target.value]
        assert not isinstance(value, str)
        yield Row(figure, target, value)
