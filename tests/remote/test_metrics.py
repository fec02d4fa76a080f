"""The server's own counters, from pages that are as they should be and from others."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import pytest

from skat_server.remote.connection import RemoteError
from skat_server.remote.load import metrics
from skat_server.remote.load.metrics import (
    Scrape,
    ServerCounters,
    compare,
    parse_metrics,
    read_metrics,
)
from skat_server.remote.load.plan import LoadPlan
from skat_server.remote.load.report import document, figure_rows, remarks
from skat_server.remote.load.run import Outcome
from skat_server.remote.load.tally import Books, Tally

MOST_SECONDS = 30.0
"""Of real time, which no test takes."""
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
LINE = b"# a line\n"
STARTED = "process_start_time_seconds"


@contextmanager
def page(answer: bytes, *, ends: bool) -> Iterator[str]:
    """The address of a page that gives this to whoever comes first, and then closes or is mute."""
    is_over = Event()
    if ends:
        is_over.set()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with listening.accept()[0] as caller:
                caller.recv(65_536)
                caller.sendall(answer)
                is_over.wait(MOST_SECONDS)

        server = Thread(target=serve, daemon=True)
        server.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/metrics"
        is_over.set()
        server.join(MOST_SECONDS)


@pytest.mark.asyncio
async def test_a_page_that_does_not_end_is_given_up() -> None:
    given_up = pytest.raises(RemoteError, match=r"is not all there after 0\.2 s")
    with page(HEAD + LINE, ends=False) as url, given_up:
        await read_metrics(url, within=0.2)


@pytest.mark.asyncio
async def test_a_page_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "_LARGEST", 1 << 20)
    refused = pytest.raises(RemoteError, match="has more than 1 MiB")
    with page(HEAD + LINE * 120_000, ends=True) as url, refused:
        await read_metrics(url)


@pytest.mark.asyncio
async def test_what_speaks_no_http_is_said_in_words() -> None:
    refused = pytest.raises(RemoteError, match="does not speak HTTP")
    with page(b"\x00\x00\x12\x04\x00\x00\n", ends=True) as url, refused as error:
        await read_metrics(url)
    assert "\x00" not in str(error.value)


@pytest.mark.asyncio
async def test_nobody_there_is_said_in_the_words_of_the_machine() -> None:
    with pytest.raises(RemoteError, match=r"does not answer: Connection refused$"):
        await read_metrics("http://127.0.0.1:1/metrics")


def test_numbers_that_are_none_are_left_out() -> None:
    text = "# TYPE a gauge\na NaN\n# TYPE b gauge\nb +Inf\n# TYPE c gauge\nc 1\n"
    assert parse_metrics(text).gauges == {"c": 1.0}


def test_quantiles_are_no_counters() -> None:
    text = '# TYPE a summary\na{quantile="0.5"} 3\na_count 2\na_sum 6\n'
    assert parse_metrics(text).counters == {"a_count": 2.0, "a_sum": 6.0}


def test_what_has_grown_is_told() -> None:
    told = compare("", Scrape({"a_total": 2.0}, {}), Scrape({"a_total": 5.0}, {}))
    assert told.counters == {"a_total": 3.0}
    assert not told.was_restarted


@pytest.mark.parametrize(
    "after",
    [
        Scrape({"a_total": 1.0}, {STARTED: 7.0}),
        Scrape({}, {STARTED: 7.0}),
        Scrape({"a_total": 5.0}, {STARTED: 8.0}),
    ],
    ids=["a counter fell", "a counter is gone", "it says so"],
)
def test_counters_that_began_again_are_left_out(after: Scrape) -> None:
    told = compare("", Scrape({"a_total": 2.0}, {STARTED: 7.0}), after)
    assert told.was_restarted
    assert told.counters == {}
    assert told.cpu_seconds is None


def test_a_server_that_began_anew_is_said_and_stands_in_the_document() -> None:
    anew = ServerCounters("here", {}, {}, was_restarted=True)
    outcome = Outcome(LoadPlan(), 5.0, 1.0, Tally(actions=9), Books(), 3, 1, server=anew)
    assert "the server was started anew" in " ".join(remarks(outcome))
    assert not [name for name, _ in figure_rows(outcome) if "of the server" in name]
    server = document(outcome, "here:1")["server"]
    assert isinstance(server, dict)
    assert server["was_restarted"]


def test_a_sum_may_fall() -> None:
    assert not compare("", Scrape({"a_sum": 2.0}, {}), Scrape({"a_sum": 1.0}, {})).was_restarted
