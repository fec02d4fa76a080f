"""T6: what nobody has caught is logged like everything else: by type and place, without text."""

from __future__ import annotations

import asyncio
import gc
import io
import json
import logging
import sys
import threading
from collections.abc import Iterator

import pytest
import structlog

from skat_server.observability.logging import configure_logging
from skat_server.observability.strays import catch_strays

SECRET = "hand of seat 2: CJ SJ HJ DJ"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    root = logging.getLogger()
    before = (root.handlers[:], root.level, threading.excepthook, sys.unraisablehook)
    configure_logging(stream)
    catch_strays()
    yield stream
    root.handlers[:], root.level, threading.excepthook, sys.unraisablehook = before
    structlog.reset_defaults()


def fail(*_: object) -> None:
    raise ValueError(SECRET)


def only_line(log: io.StringIO) -> dict[str, object]:
    """The line that was logged, which holds no secret."""
    assert SECRET not in log.getvalue()
    (line,) = log.getvalue().splitlines()
    event: dict[str, object] = json.loads(line)
    assert event["err_type"] == "ValueError"
    assert str(event["err_places"]).endswith("fail']")
    return event


def test_a_callback_that_fails_is_named(log: io.StringIO) -> None:
    async def call_back() -> None:
        over = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.call_soon(fail, SECRET)
        loop.call_soon(over.set)
        await over.wait()

    asyncio.run(call_back())
    event = only_line(log)
    assert event["event"] == "library.message"
    assert str(event["place"]).startswith("asyncio ")


def test_a_task_that_nobody_waits_for_is_named(log: io.StringIO) -> None:
    async def run_away() -> None:
        fail(SECRET)

    async def start() -> None:
        await asyncio.wait([asyncio.ensure_future(run_away())])

    asyncio.run(start())
    gc.collect()
    assert SECRET not in log.getvalue()
    assert json.loads(log.getvalue())["err_type"] == "ValueError"


def test_a_thread_that_fails_is_named(log: io.StringIO) -> None:
    thread = threading.Thread(target=fail, args=(SECRET,), name="writer")
    thread.start()
    thread.join()
    event = only_line(log)
    assert (event["event"], event["thread"]) == ("thread.failed", "writer")


def test_a_finalizer_that_fails_is_named(log: io.StringIO) -> None:
    class Failing:
        def __del__(self) -> None:
            fail(SECRET)

    Failing()
    gc.collect()
    assert only_line(log)["event"] == "finalizer.failed"


def test_what_a_library_says_is_not_repeated(log: io.StringIO) -> None:
    logging.getLogger("library").warning("token %s is wrong", SECRET)
    logging.getLogger("library").info("not even that")
    assert SECRET not in log.getvalue()
    (line,) = log.getvalue().splitlines()
    assert json.loads(line)["level"] == "warning"
