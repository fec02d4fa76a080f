"""The command that containers ask, against a real HTTP server."""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Event, Thread

import pytest
from typer.testing import CliRunner

from skat_server.cli import app

healthcheck = sys.modules["skat_server.cli.healthcheck"]
"""The module; its package has the command under the same name."""


@contextmanager
def answering(status: int, text: str) -> Iterator[str]:
    """Somebody who gives this answer once; where to ask."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = Thread(target=server.handle_request)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/healthz"
        thread.join()


@pytest.mark.parametrize(
    ("status", "text", "code"), [(200, "ok", 0), (503, "draining", 1)], ids=["well", "unwell"]
)
def test_the_answer_is_the_exit_code(status: int, text: str, code: int) -> None:
    with answering(status, text) as url:
        done = CliRunner().invoke(app, ["healthcheck", url])
    assert (done.exit_code, done.output.strip()) == (code, text)


def test_nobody_answers() -> None:
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as gone:
        url = f"http://127.0.0.1:{gone.server_port}/healthz"
    done = CliRunner().invoke(app, ["healthcheck", url])
    assert done.exit_code == 1
    assert done.output.strip() == f"{url} does not answer: Connection refused"


def test_only_http_is_asked() -> None:
    done = CliRunner().invoke(app, ["healthcheck", "file:///etc/hostname"])
    assert done.exit_code == 1


@contextmanager
def saying(*parts: bytes) -> Iterator[str]:
    """Somebody who accepts a connection, says this, and says nothing more; where to ask."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def speak() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(4_096)
                for part in parts:
                    connection.sendall(part)

        thread = Thread(target=speak)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/healthz"
        thread.join()


@pytest.mark.parametrize(
    "answer",
    [b"", b"\x15\x03\x01\x00\x02\x02\x16", b"HTTP/1.0 200 OK\r\nX: " + b"x" * 70_000],
    ids=["nothing", "TLS", "a header without an end"],
)
def test_what_does_not_speak_http_is_not_well(answer: bytes) -> None:
    with saying(answer) as url:
        done = CliRunner().invoke(app, ["healthcheck", url])
    assert done.exit_code == 1
    assert "does not answer" in done.stderr


def test_the_status_counts_when_the_text_breaks_off() -> None:
    with saying(b"HTTP/1.0 503 No\r\nContent-Length: 9\r\n\r\nno") as url:
        done = CliRunner().invoke(app, ["healthcheck", url])
    assert (done.exit_code, done.stderr) == (1, "no\n")


def test_an_answer_that_trickles_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as something comes the library waits on."""
    monkeypatch.setattr(healthcheck, "LONGEST", 0.2)
    asked = Event()
    monkeypatch.setattr(healthcheck, "_ask", lambda _: asked.wait())
    try:
        done = CliRunner().invoke(app, ["healthcheck", "http://127.0.0.1:1/healthz"])
    finally:
        asked.set()
    assert (done.exit_code, "no answer within" in done.stderr) == (1, True)


@pytest.mark.parametrize("url", ["http://:x/", "http://[::1/", "http://a b/", "http://"])
def test_an_odd_address_is_no_crash(url: str) -> None:
    done = CliRunner().invoke(app, ["healthcheck", url])
    assert (done.exit_code, "does not answer" in done.stderr) == (1, True)


def test_what_a_terminal_would_obey_is_not_shown() -> None:
    with answering(503, "full\x1b[2J\nlate") as url:
        done = CliRunner().invoke(app, ["healthcheck", url])
    assert done.stderr == "full?[2J\nlate\n"
