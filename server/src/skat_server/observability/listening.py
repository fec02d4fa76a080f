"""The standard library's HTTP server in threads, of which there are only so many (ADR 0040)."""

import socket
from socketserver import TCPServer, ThreadingMixIn
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

SPEAKS_WITHIN: Final = 5.0
"""Seconds that a client may take to say what it wants, and to read what it gets."""
MOST_AT_ONCE: Final = 16
"""Requests that are served at once; further connections are closed."""


class _Handler(WSGIRequestHandler):
    """Speaks with one client, and says nothing to anybody else."""

    timeout = SPEAKS_WITHIN

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: scrapes come every few seconds."""


class _Server(ThreadingMixIn, WSGIServer):
    """A thread for each request, a few at most."""

    daemon_threads = True

    def __init__(self, *arguments: Any) -> None:
        self._rooms = BoundedSemaphore(MOST_AT_ONCE)
        super().__init__(*arguments)

    def server_bind(self) -> None:
        """Bind without asking who the host is, which may take seconds."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]
        self.setup_environ()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a request in a thread, unless too many are being served."""
        if self._rooms.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve it and make room."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._rooms.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Leave it: a client has gone, or does not speak HTTP."""


class _Server6(_Server):
    address_family = socket.AF_INET6


def new_server(host: str, port: int, application: "WSGIApplication") -> WSGIServer:
    """A server that is bound and serves nobody yet.

    Args:
        host: the address.
        port: 0 takes a free one.
        application: answers the requests, in threads of their own.

    Raises:
        OSError: the address cannot be bound.
    """
    kind = _Server6 if ":" in host else _Server
    return make_server(host, port, application, kind, _Handler)
