"""The pages for probes and Prometheus, answered in threads beside the event loop.

Behind `/metrics` is the library of Prometheus. Threads, because a scrape takes milliseconds that
play shall not wait for, and because whoever asks whether the event loop is alive must not be
answered by it alone (ADR 0040).
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Final, TypeVar

import structlog

from skat_server.observability.listening import new_server
from skat_server.observability.metrics.exposition import wsgi_app
from skat_server.observability.metrics.room import Room
from skat_server.ports import ListenError

if TYPE_CHECKING:
    from wsgiref.simple_server import WSGIServer
    from wsgiref.types import StartResponse, WSGIEnvironment

PATHS: Final = ("/metrics", "/healthz", "/readyz")
ANSWERS_WITHIN: Final = 2.0
"""Seconds within which a loop that lives has to answer a probe."""
_METHODS: Final = ("GET", "HEAD", "OPTIONS")

_Answer = TypeVar("_Answer")
Reasons = Callable[[], Sequence[str]]
"""Why the server takes no new work; nothing when it does. Asked in the event loop."""


_log = structlog.get_logger()


class WebAddressError(ListenError):
    """The port for probes and Prometheus cannot be had."""


class Web:
    """Serves `/metrics`, `/healthz` and `/readyz` until it is stopped."""

    def __init__(self, room: Room, reasons: Reasons, monotonic: Callable[[], float]) -> None:
        """Know what to show; nothing listens yet.

        Args:
            room: the numbers of the server.
            reasons: why the server takes no new work, as short sentences.
            monotonic: says how long connections last, in seconds.
        """
        self._monotonic = monotonic
        self._room = room
        self._reasons = reasons
        self._metrics = wsgi_app(room)
        self._server: WSGIServer | None = None
        self._thread: Thread | None = None

    @property
    def port(self) -> int:
        """The bound port, once started."""
        assert self._server is not None
        return self._server.server_port

    def start(self, host: str, port: int) -> None:
        """Listen; to be called in the event loop that the questions are asked in.

        Args:
            host: the address.
            port: 0 takes a free one.

        Raises:
            WebAddressError: the address cannot be bound.
        """
        self._loop = asyncio.get_running_loop()
        try:
            self._server = new_server(host, port, self._serve, self._monotonic)
        except OSError as error:
            raise WebAddressError(f"cannot listen on {host}:{port} for metrics", error) from error
        self._thread = Thread(
            target=self._server.serve_forever, args=(0.1,), name="skat-web", daemon=True
        )
        self._thread.start()

    async def stop(self) -> None:
        """Listen no more."""
        if self._server is not None and self._thread is not None:
            await asyncio.to_thread(self._server.shutdown)
            self._thread.join()
            self._server.server_close()
            self._server = self._thread = None

    def _serve(self, environ: "WSGIEnvironment", respond: "StartResponse") -> Iterable[bytes]:
        try:
            return self._answered(environ, respond)
        except Exception:
            _log.exception("web.failed")
            return _answer(
                respond, "500 Internal Server Error", "a fault of the server: see its log"
            )

    def _answered(self, environ: "WSGIEnvironment", respond: "StartResponse") -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path in PATHS and environ["REQUEST_METHOD"] not in _METHODS:
            return _answer(respond, "405 Method Not Allowed", "try GET")
        match path:
            case "/metrics":
                return self._shown(environ, respond)
            case "/healthz":
                return _told(respond, self._ask(tuple))
            case "/readyz":
                return _told(respond, self._ask(self._reasons))
            case _:
                return _answer(respond, "404 Not Found", f"try {', '.join(PATHS)}")

    def _shown(self, environ: "WSGIEnvironment", respond: "StartResponse") -> Iterable[bytes]:
        """The numbers; those of the last time when the loop is stuck or one cannot be had."""
        try:
            self._ask(self._room.refresh)
        except Exception:
            _log.exception("web.failed")
        try:
            return self._metrics(environ, respond)
        except Exception:  # the library stumbles over versions of formats that are no numbers
            return self._metrics({**environ, "HTTP_ACCEPT": ""}, respond)

    def _ask(self, question: Callable[[], _Answer]) -> _Answer | None:
        """Ask in the event loop; None when it does not answer in time."""
        answer: Future[_Answer] = Future()

        def ask() -> None:
            if answer.set_running_or_notify_cancel():
                try:
                    answer.set_result(question())
                except Exception as error:
                    answer.set_exception(error)

        with suppress(RuntimeError):  # it is closed
            self._loop.call_soon_threadsafe(ask)
            wait((answer,), ANSWERS_WITHIN)
        # What cannot be called off has its answer, or gets it right now.
        return None if answer.cancel() else answer.result()


def _told(respond: "StartResponse", reasons: Sequence[str] | None) -> Iterable[bytes]:
    """200 when there are no reasons against it, else 503 with them; None when nobody answers."""
    if reasons is None:
        reasons = ("the event loop does not answer",)
    if reasons:
        return _answer(respond, "503 Service Unavailable", "\n".join(reasons))
    return _answer(respond, "200 OK", "ok")


def _answer(respond: "StartResponse", status: str, text: str) -> Iterable[bytes]:
    respond(
        status,
        [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")],
    )
    return [f"{text}\n".encode()]
