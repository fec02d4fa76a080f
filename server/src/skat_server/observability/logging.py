"""Log lines as JSON on standard error: what happened, never what was said.

An exception is logged by its type and the places it passed, without its text and without
local variables: both may hold cards, seeds or tokens (operations: T6).
"""

import sys
import traceback
from typing import TextIO

import structlog
from structlog.typing import EventDict, WrappedLogger


def configure_logging(stream: TextIO | None = None) -> None:
    """Write every event as one JSON object a line.

    Args:
        stream: where to; standard error when not given, as it is at the time of the call.
    """
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="ts"),
            name_exception,
            structlog.processors.JSONRenderer(sort_keys=True),
        ],
        logger_factory=structlog.PrintLoggerFactory(stream or sys.stderr),
        cache_logger_on_first_use=False,
    )


def name_exception(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replace an exception by its type and the places it passed."""
    error = event.pop("exc_info", None)
    if isinstance(error, BaseException):
        event["err_type"] = type(error).__name__
        event["err_places"] = [
            f"{frame.filename}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)
        ]
    return event
