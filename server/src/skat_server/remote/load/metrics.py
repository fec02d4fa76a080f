"""The server's own counters, read over HTTP in the text form of Prometheus."""

import re
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from urllib.error import URLError

from skat_server.remote.connection import RemoteError

_LINE: Final = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)\s*(?:\{.*\})?\s+([-+.\w]+)(?:\s+-?\d+)?")
_WAIT: Final = 5.0
"""Seconds that the answer may take."""
_LARGEST: Final = 16 * 1024 * 1024
_GROWING: Final = ("_total", "_count", "_sum")
"""Ends of names whose numbers only grow."""

Scrape = Mapping[str, float]
"""Metric to number, summed over all labels."""


@dataclass(frozen=True, slots=True)
class ServerCounters:
    """What the server's counters say of a run."""

    url: str
    grown: Mapping[str, float]
    """By how much each counter has grown."""
    now: Mapping[str, float]
    """What each other number is at the end."""

    def as_document(self) -> dict[str, object]:
        """As a part of the whole document."""
        return {"metrics_url": self.url, "counters": dict(self.grown), "gauges": dict(self.now)}


def read_metrics(url: str) -> Scrape:
    """Ask a server for its numbers; this waits.

    Raises:
        RemoteError: it does not answer, or not with numbers.
    """
    if not url.startswith(("http://", "https://")):
        raise RemoteError(f"--metrics {url}: write a whole address, http://HOST:PORT/metrics")
    try:
        with urllib.request.urlopen(url, timeout=_WAIT) as response:  # noqa: S310  # checked above
            text = response.read(_LARGEST).decode("utf-8", errors="replace")
    except (URLError, OSError, ValueError) as error:
        raise RemoteError(f"--metrics {url} does not answer: {error}") from error
    return parse_metrics(text)


def parse_metrics(text: str) -> Scrape:
    r"""The numbers of a page, summed over labels, without the buckets of histograms.

    >>> parse_metrics('a_total{x="1"} 2\na_total{x="2"} 3\n')
    {'a_total': 5.0}
    """
    found: dict[str, float] = {}
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match is None or match[1].endswith("_bucket"):
            continue
        with suppress(ValueError):
            found[match[1]] = found.get(match[1], 0.0) + float(match[2])
    return found


def compare(url: str, before: Scrape, after: Scrape) -> ServerCounters:
    """What has grown between two looks, and what the other numbers are now."""
    grown = {name: after[name] - before.get(name, 0.0) for name in after if name.endswith(_GROWING)}
    now = {name: number for name, number in after.items() if name not in grown}
    return ServerCounters(url, grown, now)
