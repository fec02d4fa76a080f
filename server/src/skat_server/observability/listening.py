"""The standard library's HTTP server in threads, of which there are only so many (ADR 0040)."""

import socket
from collections.abc import Callable
from contextlib import suppress
from io import StringIO
from socketserver import TCPServer, ThreadingMixIn
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any, Final, TextIO
from urllib.parse import urlsplit
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

SPEAKS_WITHIN: Final = 5.0
"""Seconds that a client may take to say what it wants, and to read what it gets."""
LASTS: Final = 10.0
"""Seconds after which a connection is cut, whatever is said on it: one byte now and then is no
way to keep a place."""
MOST_AT_ONCE: Final = 16
"""Requests that are served at once; a further one takes the place of whoever is there longest."""
MAKES_ROOM_WITHIN: Final = 1.0
"""Seconds that the thread of a connection that was cut may take to end."""


class _Handler(WSGIRequestHandler):
    """Speaks with one client, and says nothing to anybody else."""

    timeout = SPEAKS_WITHIN

    def parse_request(self) -> bool:
        """Read what is asked for, which may be a whole address: so a proxy asks."""
        is_read = super().parse_request()
        if is_read:
            self.path = _path_of(self.path)
        return is_read

    def get_stderr(self) -> TextIO:
        """Where the library writes what has gone wrong while it answers: nowhere."""
        return StringIO()

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: scrapes come every few seconds."""


class _Server(ThreadingMixIn, WSGIServer):
    """A thread for each request, a few at most."""

    daemon_threads = True

    def __init__(self, monotonic: Callable[[], float], *arguments: Any) -> None:
        self._monotonic = monotonic
        self._places = BoundedSemaphore(MOST_AT_ONCE)
        self._since: dict[socket.socket, float] = {}
        """Connections that have a place, and since when; the oldest first."""
        super().__init__(*arguments)

    def server_bind(self) -> None:
        """Bind without asking who the host is, which may take seconds."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]
        self.setup_environ()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a request in a thread, where there is a place or one can be made."""
        if self._has_place():
            self._since[request] = self._monotonic()
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def _has_place(self) -> bool:
        """Whether one was taken; who is there longest goes for it."""
        if self._places.acquire(blocking=False):
            return True
        for oldest in list(self._since)[:1]:
            _cut(oldest)
        return self._places.acquire(timeout=MAKES_ROOM_WITHIN)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection, and free its place."""
        super().shutdown_request(request)
        if self._since.pop(request, None) is not None:
            self._places.release()

    def service_actions(self) -> None:
        """Cut those that have been here for too long; called several times a second."""
        latest = self._monotonic() - LASTS
        for request, since in list(self._since.items()):
            if since < latest:
                _cut(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Leave it: a client has gone, or does not speak HTTP."""


def _path_of(asked: str) -> str:
    """What stands in an address behind the host; anything else as it is.

    >>> _path_of("http://127.0.0.1:9464/metrics?name[]=skat_tables"), _path_of("/healthz")
    ('/metrics?name[]=skat_tables', '/healthz')
    """
    try:
        parts = urlsplit(asked)
    except ValueError:
        return asked
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        return asked
    return parts._replace(scheme="", netloc="", path=parts.path or "/").geturl()


def _cut(request: socket.socket) -> None:
    """Let the thread that reads or writes there find the end."""
    with suppress(OSError):
        request.shutdown(socket.SHUT_RDWR)


class _Server6(_Server):
    address_family = socket.AF_INET6


def new_server(
    host: str, port: int, application: "WSGIApplication", monotonic: Callable[[], float]
) -> WSGIServer:
    """A server that is bound and serves nobody yet.

    Args:
        host: the address.
        port: 0 takes a free one.
        application: answers the requests, in threads of their own.
        monotonic: says how long connections last, in seconds.

    Raises:
        OSError: the address cannot be bound.
    """
    kind = _Server6 if ":" in host else _Server
    server = kind(monotonic, (host.strip("[]"), port), _Handler)
    server.set_app(application)
    return server
