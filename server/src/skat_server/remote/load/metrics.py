"""The server's own counters, read over HTTP in the text form of Prometheus."""

import asyncio
import math
import urllib.request
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from http.client import BadStatusLine, HTTPException
from threading import Thread
from typing import Final
from urllib.error import HTTPError

from prometheus_client.parser import text_string_to_metric_families

from skat_server.remote.connection import RemoteError, why_unanswered

_WAIT: Final = 5.0
"""Seconds that a page may take, all of it."""
_LARGEST: Final = 16 * 1024 * 1024
"""Bytes that a page may have."""
_GROWING: Final = frozenset({"counter", "histogram", "summary"})
"""Kinds of metrics whose numbers only grow."""
_LEFT_OUT: Final = ("_bucket", "_created")
"""Ends of names that say nothing here: shares of a histogram, and when counting began."""
_MAY_FALL: Final = "_sum"
"""End of names that fall without a new start: what is summed may be below zero."""
_STARTED: Final = "process_start_time_seconds"

_THE_PAGE: Final = "the page is http://HOST:PORT/metrics"

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
    """By how much each has grown; empty where the server was started anew meanwhile."""
    gauges: Mapping[str, float]
    """What every other number is at the end."""
    was_restarted: bool = False
    """Whether they began again, so that they say nothing of this run."""

    @property
    def cpu_seconds(self) -> float | None:
        """Processor time of the server; None where it does not say."""
        return self.counters.get(CPU)


async def read_metrics(url: str, within: float = _WAIT) -> Scrape:
    """Ask a server for its numbers.

    Every byte of an answer may take its time, so it is read beside; a thread that waits for the
    rest of a page that was given up ends with the program.

    Args:
        url: of the page.
        within: seconds for all of it.

    Raises:
        RemoteError: it does not answer, or not with numbers, or the page does not end.
    """
    read: Future[Scrape] = Future()
    Thread(target=_read_into, args=(read, url), daemon=True).start()
    try:
        async with asyncio.timeout(within):
            return await asyncio.wrap_future(read)
    except TimeoutError as error:
        raise RemoteError(
            f"--metrics {url} is not all there after {within:g} s; {_THE_PAGE}"
        ) from error


def _read_into(read: "Future[Scrape]", url: str) -> None:
    read.set_running_or_notify_cancel()  # from now on it cannot be cancelled
    try:
        read.set_result(parse_metrics(_page(url)))
    except RemoteError as error:
        read.set_exception(error)
    except (ValueError, KeyError) as error:
        read.set_exception(RemoteError(f"--metrics {url} shows no metrics: {error}"))


def _page(url: str) -> str:
    try:
        with urllib.request.urlopen(url, timeout=_WAIT) as response:  # noqa: S310  # the plan takes no other
            page: bytes = response.read(_LARGEST + 1)
    except HTTPError as error:
        with error:
            raise RemoteError(f"--metrics {url} is not the page: {error}; {_THE_PAGE}") from error
    except BadStatusLine as error:
        raise RemoteError(
            f"--metrics {url}: what answers there does not speak HTTP; {_THE_PAGE}"
        ) from error
    except (HTTPException, OSError) as error:
        raise RemoteError(f"--metrics {url} does not answer: {why_unanswered(error)}") from error
    if len(page) > _LARGEST:
        raise RemoteError(f"--metrics {url} has more than {_LARGEST >> 20} MiB; {_THE_PAGE}")
    return page.decode("utf-8", errors="replace")


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
            is_told = not sample.name.endswith(_LEFT_OUT) and "quantile" not in sample.labels
            # What is not known yet is shown as NaN, which no JSON can have in it.
            if is_told and math.isfinite(sample.value):
                found[sample.name] = found.get(sample.name, 0.0) + sample.value
    return Scrape(counters, gauges)


def compare(url: str, before: Scrape, after: Scrape) -> ServerCounters:
    """What has grown between two looks, and what the other numbers are now."""
    if _has_begun_anew(before, after):
        return ServerCounters(url, {}, after.gauges, was_restarted=True)
    grown = {name: after.counters[name] - before.counters.get(name, 0.0) for name in after.counters}
    return ServerCounters(url, grown, after.gauges)


def _has_begun_anew(before: Scrape, after: Scrape) -> bool:
    """Whether the server was started between two looks: it says when, or its counters fell."""
    if before.gauges.get(_STARTED) != after.gauges.get(_STARTED):
        return True
    return any(
        after.counters.get(name, 0.0) < count
        for name, count in before.counters.items()
        if not name.endswith(_MAY_FALL)
    )
