"""How a metric is declared: its name, what it means, and every value that its labels can have."""

import re
from dataclasses import dataclass
from enum import Enum
from itertools import product
from math import prod
from typing import Final

PREFIX: Final = "skat_"
SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Bounds of what the server does itself."""
THINKING: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0)
"""Bounds of what bots do."""
COUNTS: Final = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0)
"""Bounds of numbers of things."""

_NAME: Final = re.compile(r"skat(_[a-z0-9]+)+")


class Kind(Enum):
    """What a metric does."""

    COUNTER = "counter"
    """It only grows, until the server starts anew."""
    GAUGE = "gauge"
    """It goes up and down."""
    HISTOGRAM = "histogram"
    """It counts values by size."""


@dataclass(frozen=True, slots=True)
class Label:
    """One way to tell the series of a metric apart.

    Nothing that callers can make up is ever a label: no table, player, token or address.
    """

    name: str
    values: tuple[str, ...] = ()
    """All that there are; empty where the server knows them when it starts only."""
    source: str = ""
    """Where they come from then."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric, as it is declared."""

    name: str
    kind: Kind
    meaning: str
    labels: tuple[Label, ...] = ()
    bounds: tuple[float, ...] = ()
    """Upper bounds of the buckets of a histogram, the infinite one left out."""

    def __post_init__(self) -> None:
        """Refuse a declaration that would not be good Prometheus.

        Raises:
            ValueError: the name does not fit the kind, or a histogram has no buckets.
        """
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"{self.name} is no name of a metric")
        if self.name.endswith("_total") != (self.kind is Kind.COUNTER):
            raise ValueError(f"{self.name}: counters, and only they, end with _total")
        if bool(self.bounds) != (self.kind is Kind.HISTOGRAM):
            raise ValueError(f"{self.name}: histograms, and only they, have bounds")

    @property
    def is_closed(self) -> bool:
        """Whether all series are known beforehand."""
        return all(label.values for label in self.labels)

    @property
    def label_sets(self) -> list[tuple[str, ...]]:
        """The label values of all series of a closed metric."""
        return list(product(*(label.values for label in self.labels)))

    @property
    def most_series(self) -> int:
        """How many series a closed metric has at Prometheus."""
        each = len(self.bounds) + 3 if self.kind is Kind.HISTOGRAM else 1
        return each * prod(len(label.values) for label in self.labels)


def counter(name: str, meaning: str, *labels: Label) -> Metric:
    """Declare a counter; its name ends with `_total`."""
    return Metric(name, Kind.COUNTER, meaning, labels)


def gauge(name: str, meaning: str, *labels: Label) -> Metric:
    """Declare a gauge."""
    return Metric(name, Kind.GAUGE, meaning, labels)


def histogram(name: str, meaning: str, bounds: tuple[float, ...], *labels: Label) -> Metric:
    """Declare a histogram with the bounds of its buckets."""
    return Metric(name, Kind.HISTOGRAM, meaning, labels, bounds)
