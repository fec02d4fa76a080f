"""Log lines on standard error: what happened, never what was said.

For programs one JSON object a line, on a terminal one readable line each. Only events and fields
of the vocabulary are written. An exception is logged by its type and the places it passed,
without its text and without local variables: both may hold cards, seeds or tokens (operations:
T6).
"""

import logging
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from threading import Lock
from typing import Final, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from skat_server.observability.line_queue import LineQueue
from skat_server.observability.vocabulary import ALWAYS, CONTEXT, EVENTS, Event, Level


class LogFormat(Enum):
    """How lines look."""

    AUTO = "auto"
    """For people on a terminal, JSON elsewhere."""
    JSON = "json"
    CONSOLE = "console"


class LogLevel(Enum):
    """What is written: this and whatever weighs more."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


Note = Callable[[Level, Event | None], None]
"""Is told the level and the event of every line that is written."""

_LEVELS: Final = {level: getattr(logging, level.name) for level in LogLevel}


def configure_logging(
    stream: TextIO | None = None,
    *,
    form: LogFormat = LogFormat.JSON,
    level: LogLevel = LogLevel.DEBUG,
    note: Note | None = None,
    lines: LineQueue | None = None,
) -> None:
    """Write every event of the vocabulary as one line.

    Args:
        stream: where to; standard error when not given, as it is at the time of the call.
        form: how lines look.
        level: what weighs less is not written.
        note: told of every line.
        lines: takes them instead, to bring them to the stream by itself.
    """
    target = stream or sys.stderr  # none where the process was started without
    writer = lines or LineWriter(target)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="ts"),
            name_exception,
            declared_only,
            *([_noting(note)] if note is not None else []),
            _renderer(form, target),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        logger_factory=lambda *_: writer,
        cache_logger_on_first_use=False,
    )


class LineWriter:
    """Writes lines, and lets the server go on when they cannot be written.

    Lines are logged in the middle of play. Where they go to a full disk, or to a pipe that nobody
    reads any more, they are lost; `skat_log_lines_total` counts them all the same.
    """

    def __init__(self, target: TextIO | None) -> None:
        """Write to this; nothing at all when there is none."""
        self._target = target
        self._lock = Lock()

    def write(self, line: str) -> None:
        """Write a line, whole and at once."""
        if self._target is None:
            return
        with self._lock, suppress(OSError, ValueError):  # the latter from a closed file
            self._put(self._target, f"{line}\n")

    def _put(self, target: TextIO, text: str) -> None:
        """Past the buffer of the file where it has one: a reader that stalls would hold it."""
        try:
            number = target.fileno()
        except OSError:  # it is none of the machine's
            target.write(text)
            return
        rest = text.encode(errors="replace")
        while rest:
            rest = rest[os.write(number, rest) :]

    debug = info = warning = error = critical = write


def name_exception(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replace an exception by its type and the places it passed."""
    error = event.pop("exc_info", None)
    if error is True:  # the one that is being handled
        error = sys.exc_info()[1]
    if isinstance(error, BaseException):
        event["err_type"] = type(error).__name__
        event["err_places"] = [
            f"{frame.filename}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)
        ]
    return event


def declared_only(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Leave out every field that the vocabulary does not have for this event."""
    known = EVENTS.get(event["event"])
    allowed = {*ALWAYS, *CONTEXT, *(known.fields if known is not None else ())}
    return {name: value for name, value in event.items() if name in allowed}


def _noting(note: Note) -> Processor:
    def tell(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        note(Level(event["level"]), EVENTS.get(event["event"]))
        return event

    return tell


def _renderer(form: LogFormat, target: TextIO | None) -> Processor:
    is_terminal = target is not None and target.isatty()
    is_for_people = form is LogFormat.CONSOLE or (form is LogFormat.AUTO and is_terminal)
    if not is_for_people:
        return structlog.processors.JSONRenderer(sort_keys=True)
    return structlog.dev.ConsoleRenderer(colors=is_terminal, timestamp_key="ts")
