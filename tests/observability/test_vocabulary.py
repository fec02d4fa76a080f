"""Every log call has an event and fields of the vocabulary, and nothing else is written."""

from __future__ import annotations

import ast
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import structlog

from skat_server.observability.logging import LogFormat, LogLevel, configure_logging
from skat_server.observability.metrics import declarations as declared
from skat_server.observability.metrics.lines import LogWatch
from skat_server.observability.metrics.room import Room
from skat_server.observability.vocabulary import ALWAYS, CONTEXT, EVENTS, FIELDS, Level

SOURCES = Path(__file__).parents[2] / "server" / "src" / "skat_server"
METHODS = {level.value for level in Level} | {"exception"}
SECRET_WORDS = {"card", "cards", "hand", "skat", "seed", "token", "secret", "message", "payload"}


@dataclass(frozen=True, slots=True)
class Call:
    """One line of code that logs."""

    place: str
    event: str
    level: Level
    fields: frozenset[str]


def calls_in(path: Path) -> Iterator[Call]:
    """The calls of a module's logger, which is called `_log`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        holder = node.func.value
        name = holder.func if isinstance(holder, ast.Call) else holder
        if not (isinstance(name, ast.Name) and name.id == "_log" and node.func.attr in METHODS):
            continue
        (event,) = node.args
        assert isinstance(event, ast.Constant), (path, node.lineno)
        assert isinstance(event.value, str)
        level = node.func.attr
        fields = {keyword.arg or "**" for keyword in node.keywords}
        if level == "exception" or "exc_info" in fields:
            fields = (fields - {"exc_info"}) | {"err_type", "err_places"}
        where = f"{path.relative_to(SOURCES)}:{node.lineno}"
        weight = Level.ERROR if level == "exception" else Level(level)
        yield Call(where, event.value, weight, frozenset(fields))


CALLS = [call for path in sorted(SOURCES.rglob("*.py")) for call in calls_in(path)]


def test_loggers_are_found() -> None:
    modules = [path for path in SOURCES.rglob("*.py") if "structlog.get_logger" in path.read_text()]
    assert len({call.place.partition(":")[0] for call in CALLS}) == len(modules)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.place)
def test_a_call_says_what_is_declared(call: Call) -> None:
    event = EVENTS[call.event]
    assert call.level in {event.level, event.worse}
    assert call.fields <= set(event.fields)


def test_every_event_is_logged_somewhere() -> None:
    assert set(EVENTS) == {call.event for call in CALLS}


def test_every_field_is_explained_and_used() -> None:
    used = {field for event in EVENTS.values() for field in event.fields}
    assert used | {*ALWAYS, *CONTEXT} == set(FIELDS)


def test_no_field_is_made_for_secrets() -> None:
    assert not SECRET_WORDS & set(FIELDS)


@pytest.fixture
def stream() -> io.StringIO:
    return io.StringIO()


def test_a_field_that_is_not_declared_is_not_written(stream: io.StringIO) -> None:
    configure_logging(stream)
    structlog.get_logger().info("table.opened", table_id="t", cards="CJ SJ", seed="00ff")
    line = json.loads(stream.getvalue())
    assert set(line) == {"ts", "level", "event", "table_id"}


def test_an_event_that_is_not_declared_has_no_fields(stream: io.StringIO) -> None:
    configure_logging(stream)
    structlog.get_logger().info("hand.seen", table_id="t")
    assert set(json.loads(stream.getvalue())) == {"ts", "level", "event"}


def test_lines_of_a_call_say_whose(stream: io.StringIO) -> None:
    configure_logging(stream)
    with structlog.contextvars.bound_contextvars(rpc="skat.v1.S/M", player_id="p", other="x"):
        structlog.get_logger().info("table.opened", table_id="t")
    line = json.loads(stream.getvalue())
    assert (line["rpc"], line["player_id"], "other" in line) == ("skat.v1.S/M", "p", False)


def test_what_weighs_less_is_not_written(stream: io.StringIO) -> None:
    configure_logging(stream, level=LogLevel.WARNING)
    structlog.get_logger().info("table.opened", table_id="t")
    structlog.get_logger().warning("stream.stuck")
    assert json.loads(stream.getvalue())["event"] == "stream.stuck"


class Terminal(io.StringIO):
    """Somewhere that people read."""

    def isatty(self) -> bool:
        """It is one."""
        return True


@pytest.mark.parametrize(
    ("stream", "form", "is_json"),
    [
        (io.StringIO(), LogFormat.AUTO, True),
        (Terminal(), LogFormat.AUTO, False),
        (Terminal(), LogFormat.JSON, True),
        (io.StringIO(), LogFormat.CONSOLE, False),
    ],
    ids=["pipe", "terminal", "json on a terminal", "console in a pipe"],
)
def test_people_get_lines_that_people_read(
    stream: io.StringIO, form: LogFormat, is_json: bool
) -> None:
    configure_logging(stream, form=form)
    structlog.get_logger().info("table.opened", table_id="t-1")
    assert stream.getvalue().startswith("{") is is_json
    assert "t-1" in stream.getvalue()


def test_an_exception_on_a_terminal_keeps_its_text_to_itself() -> None:
    stream = Terminal()
    configure_logging(stream, form=LogFormat.AUTO)
    try:
        raise ValueError("CJ SJ HJ DJ")
    except ValueError:
        structlog.get_logger().exception("tournament.failed", tournament_id="t")
    assert "ValueError" in stream.getvalue()
    assert "CJ" not in stream.getvalue()


def test_lines_are_counted_and_violations_too(stream: io.StringIO) -> None:
    room = Room()
    configure_logging(stream, note=LogWatch(room).note)
    structlog.get_logger().error("table.parked", table_id="t", reason="r")
    assert room.counter(declared.LOG_LINES, level="error").value == 1
    assert room.counter(declared.VIOLATIONS, cause="table").value == 1
