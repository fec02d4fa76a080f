"""The command that containers ask, against a real HTTP server."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from typer.testing import CliRunner

from skat_server.cli import app


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
