"""The server's own counters, read over HTTP in the text form of Prometheus."""

import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Final
from urllib.error import HTTPError

from prometheus_client.parser import text_string_to_metric_families

from skat_server.remote.connection import RemoteError

_WAIT: Final = 5.0
"""Seconds that the answer may take."""
_LARGEST: Final = 16 * 1024 * 1024
"""Bytes of a page that are read."""
_GROWING: Final = frozenset({"counter", "histogram", "summary"})
"""Kinds of metrics whose numbers only grow."""
_LEFT_OUT: Final = ("_bucket", "_created")
"""Ends of names that say nothing here: shares of a histogram, and when counting began."""

CPU: Final = "process_cpu_seconds_total"
"""Seconds of processor time of the server's process."""


@dataclass(frozen=True, slots=True)
class Scrape:
    """The numbers of one look, by name, summed over their labels."""

    counters: Mapping[str, float]
    gauges: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ServerCounters:
    """What the server's counters say of a run."""

    url: str
    counters: Mapping[str, float]
    """By how much each has grown."""
    gauges: Mapping[str, float]
    """What every other number is at the end."""

    @property
    def cpu_seconds(self) -> float | None:
        """Processor time of the server; None where it does not say."""
        return self.counters.get(CPU)


def read_metrics(url: str) -> Scrape:
    """Ask a server for its numbers; this waits.

    Raises:
        RemoteError: it does not answer, or not with numbers.
    """
    try:
        with urllib.request.urlopen(url, timeout=_WAIT) as response:  # noqa: S310  # the plan takes no other
            return parse_metrics(response.read(_LARGEST).decode("utf-8", errors="replace"))
    except HTTPError as error:
        raise RemoteError(
            f"--metrics {url} is not the page: {error}; it is http://HOST:PORT/metrics"
        ) from error
    except (HTTPException, OSError) as error:
        raise RemoteError(f"--metrics {url} does not answer: {error}") from error
    except (ValueError, KeyError) as error:
        raise RemoteError(f"--metrics {url} shows no metrics: {error}") from error


def parse_metrics(text: str) -> Scrape:
    r"""The numbers of a page.

    >>> page = '# TYPE a_total counter\na_total{x="1"} 2\na_total{x="2"} 3\n'
    >>> parse_metrics(page).counters
    {'a_total': 5.0}

    Raises:
        ValueError: it is none.
    """
    counters: dict[str, float] = {}
    gauges: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        found = counters if family.type in _GROWING else gauges
        for sample in family.samples:
            if not sample.name.endswith(_LEFT_OUT):
                found[sample.name] = found.get(sample.name, 0.0) + sample.value
    return Scrape(counters, gauges)


def compare(url: str, before: Scrape, after: Scrape) -> ServerCounters:
    """What has grown between two looks, and what the other numbers are now."""
    grown = {name: after.counters[name] - before.counters.get(name, 0.0) for name in after.counters}
    return ServerCounters(url, grown, after.gauges)
