"""What the log says, and what it must not say (T6)."""

import errno
import io
import json
from collections.abc import Iterator

import pytest
import structlog

from skat_server.observability.logging import LogFormat, configure_logging
from skat_server.observability.vocabulary import Level

SECRET = "hand of seat 2: CJ SJ HJ DJ"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    configure_logging(stream)
    yield stream
    structlog.reset_defaults()


def logged_failure(log: io.StringIO) -> str:
    cards = SECRET
    try:
        raise ValueError(cards)
    except ValueError as error:
        structlog.get_logger().error("rpc.failed", rpc="/skat.v1.Some/Call", exc_info=error)
    return log.getvalue()


def test_a_line_is_one_json_object(log: io.StringIO) -> None:
    structlog.get_logger().info("server.started", port=1)
    event = json.loads(log.getvalue())
    assert {**event, "ts": ""} == {
        "event": "server.started",
        "level": "info",
        "port": 1,
        "ts": "",
    }


def test_an_exception_is_named_and_placed(log: io.StringIO) -> None:
    event = json.loads(logged_failure(log))
    assert event["err_type"] == "ValueError"
    assert event["err_places"][-1].endswith("logged_failure")


def test_neither_text_nor_variables_of_an_exception_are_logged(log: io.StringIO) -> None:
    assert SECRET not in logged_failure(log)


class FullDisk(io.StringIO):
    """A file for which there is no room."""

    def write(self, text: str, /) -> int:
        """Refuse it."""
        raise OSError(errno.ENOSPC, text)


@pytest.mark.parametrize("is_closed", [False, True], ids=["full", "closed"])
def test_a_line_that_cannot_be_written_is_lost_and_counted(is_closed: bool) -> None:
    noted: list[Level] = []
    stream = io.StringIO() if is_closed else FullDisk()
    configure_logging(stream, note=lambda level, _: noted.append(level))
    if is_closed:
        stream.close()
    try:
        structlog.get_logger().error("table.parked", table_id="t", reason="r")
    finally:
        structlog.reset_defaults()
    assert noted == [Level.ERROR]


def test_a_process_without_standard_error_logs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    configure_logging(form=LogFormat.AUTO)
    try:
        structlog.get_logger().error("table.parked", table_id="t", reason="r")
    finally:
        structlog.reset_defaults()
