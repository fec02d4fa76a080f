"""The numbers of a server as Prometheus reads them; the only module that imports its library."""

from collections.abc import Callable, Iterable
from itertools import accumulate

from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector, make_wsgi_app
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from skat_server.observability.metrics.declaring import Kind, Metric
from skat_server.observability.metrics.instruments import Histogram, Instrument
from skat_server.observability.metrics.room import Room


class RoomCollector(Collector):
    """Shows what is in a room."""

    def __init__(self, room: Room) -> None:
        """Show this room."""
        self._room = room

    def collect(self) -> Iterable[Family]:
        """Every metric with all its series."""
        for metric, series in self._room.read():
            family = _family(metric)
            for values, instrument in series:
                _add(family, values, instrument)
            yield family


def wsgi_app(room: Room) -> Callable[..., Iterable[bytes]]:
    """Answers the scrapes of Prometheus, in the format that it asks for."""
    return make_wsgi_app(registry_of(room))


def registry_of(room: Room) -> CollectorRegistry:
    """A registry of its own with a server's numbers, and those of its process."""
    registry = CollectorRegistry()
    registry.register(RoomCollector(room))
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    return registry


_Family = CounterMetricFamily | GaugeMetricFamily | HistogramMetricFamily


def _family(metric: Metric) -> _Family:
    labels = [label.name for label in metric.labels]
    match metric.kind:
        case Kind.COUNTER:
            return CounterMetricFamily(metric.name, metric.meaning, labels=labels)
        case Kind.GAUGE:
            return GaugeMetricFamily(metric.name, metric.meaning, labels=labels)
        case Kind.HISTOGRAM:
            return HistogramMetricFamily(metric.name, metric.meaning, labels=labels)


def _add(family: _Family, values: tuple[str, ...], instrument: Instrument) -> None:
    if isinstance(family, HistogramMetricFamily):
        assert isinstance(instrument, Histogram)
        counts = tuple(accumulate(instrument.counts))
        bounds = (*map(floatToGoString, instrument.bounds), "+Inf")
        family.add_metric(values, list(zip(bounds, counts, strict=True)), instrument.sum)
    else:
        assert not isinstance(instrument, Histogram)
        family.add_metric(values, instrument.value)
