"""The instruments of one server, made from the declarations."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from skat_server.observability.metrics.declarations import METRICS
from skat_server.observability.metrics.declaring import Kind, Label, Metric
from skat_server.observability.metrics.instruments import Counter, Gauge, Histogram, Instrument

MOST_VALUES: Final = 100
"""Values of a label that is known at run time only; later ones count as `other`."""
OTHER: Final = "other"

Series = tuple[tuple[str, ...], Instrument]
"""The label values of a series, and its numbers."""


class Room:
    """Finds the instrument of a series; whoever counts often keeps what was found.

    Series of closed label sets are there from the start, at zero: what has never happened can be
    asked for, and a first time is seen as a change.
    """

    def __init__(self, metrics: Sequence[Metric] = METRICS) -> None:
        """Make the instruments of these metrics."""
        self._series: dict[Metric, dict[tuple[str, ...], Instrument]] = {}
        self._seen: dict[tuple[Metric, str], set[str]] = {}
        self._refreshers: list[Callable[[], None]] = []
        for metric in metrics:
            labels = metric.label_sets if metric.is_closed else ()
            self._series[metric] = {values: _new(metric) for values in labels}

    def counter(self, metric: Metric, **labels: str) -> Counter:
        """The counter of a series."""
        found = self._find(metric, labels)
        assert isinstance(found, Counter), f"{metric.name} is no counter"
        return found

    def gauge(self, metric: Metric, **labels: str) -> Gauge:
        """The gauge of a series."""
        found = self._find(metric, labels)
        assert isinstance(found, Gauge), f"{metric.name} is no gauge"
        return found

    def histogram(self, metric: Metric, **labels: str) -> Histogram:
        """The histogram of a series."""
        found = self._find(metric, labels)
        assert isinstance(found, Histogram), f"{metric.name} is no histogram"
        return found

    def before_reading(self, call: Callable[[], None]) -> None:
        """Call back before the numbers are shown, for what is counted only then."""
        self._refreshers.append(call)

    def refresh(self) -> None:
        """Bring up to date what is counted only when somebody looks; in the event loop."""
        for call in self._refreshers:
            call()

    def read(self) -> Iterator[tuple[Metric, list[Series]]]:
        """Every metric with its series, as they are now."""
        for metric, series in self._series.items():
            yield metric, list(series.items())

    def _find(self, metric: Metric, labels: dict[str, str]) -> Instrument:
        if set(labels) != {label.name for label in metric.labels}:
            raise ValueError(f"{metric.name} has other labels than {sorted(labels)}")
        values = tuple(self._value(metric, label, labels[label.name]) for label in metric.labels)
        series = self._series[metric]
        found = series.get(values)
        if found is None:
            found = series[values] = _new(metric)
        return found

    def _value(self, metric: Metric, label: Label, value: str) -> str:
        """A value as it is counted; what was never declared is a mistake of ours."""
        if label.values:
            if value not in label.values:
                raise ValueError(f"{metric.name} has no {label.name} {value!r}")
            return value
        seen = self._seen.setdefault((metric, label.name), set())
        if value not in seen and len(seen) >= MOST_VALUES:
            return OTHER
        seen.add(value)
        return value


def _new(metric: Metric) -> Instrument:
    match metric.kind:
        case Kind.COUNTER:
            return Counter()
        case Kind.GAUGE:
            return Gauge()
        case Kind.HISTOGRAM:
            return Histogram(metric.bounds)
