"""``skat-server healthcheck``: asks a server whether it lives, for containers and scripts."""

import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Annotated, Final

import typer

from skat_server.cli.endings import ended
from skat_server.cli.reading import printable
from skat_server.remote.connection import why_unanswered

EXIT_UNWELL: Final = 1
LONGEST: Final = 3.0
"""Seconds that a server may take to answer, all of it."""
MOST_BYTES: Final = 4_096
"""Of an answer that are shown."""
_NO_PROXY: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def healthcheck(
    url: Annotated[
        str,
        typer.Argument(
            metavar="[URL]",
            envvar="SKAT_HEALTH_URL",
            help="What to ask: /healthz says whether it lives, /readyz whether it takes new work.",
        ),
    ] = "http://127.0.0.1:9464/healthz",
) -> None:
    """Ask a server on its port of metrics and health (--metrics-port) whether it is well.

    Exit code: 0 it is, 1 it says no or does not answer.
    """
    if not url.startswith("http://"):
        raise ended(f"{url} is no address that begins with http://", EXIT_UNWELL)
    answer = _within(LONGEST, partial(_ask, url))
    if not answer.is_well:
        raise ended(answer.text, EXIT_UNWELL)
    for line in answer.text.splitlines():
        typer.echo(printable(line))


@dataclass(frozen=True, slots=True)
class _Answer:
    """What came back, or why nothing did."""

    is_well: bool
    text: str


def _ask(url: str) -> _Answer:
    try:
        with _NO_PROXY.open(url, timeout=LONGEST) as answer:
            return _Answer(True, _read(answer))
    except urllib.error.HTTPError as error:
        with error:
            return _Answer(False, _read(error) or f"{url} says {error.code}")
    except (OSError, HTTPException, ValueError) as error:
        return _Answer(False, f"{url} does not answer: {why_unanswered(error)}")


def _read(answer: IO[bytes]) -> str:
    try:
        return answer.read(MOST_BYTES).decode(errors="replace").strip()
    except (OSError, HTTPException):  # the status has come, and is what counts
        return ""


def _within(seconds: float, ask: Callable[[], _Answer]) -> _Answer:
    """Ask beside, because every byte of an answer may take its time."""
    answers: SimpleQueue[_Answer] = SimpleQueue()
    Thread(target=lambda: answers.put(ask()), daemon=True).start()
    try:
        return answers.get(timeout=seconds)
    except Empty:
        return _Answer(False, f"no answer within {seconds:g} s")
