"""What libraries and the interpreter report by themselves, in the server's own log.

Event loop, threads and finalizers report an exception that nobody has caught with its text and the
values beside it, and both may hold cards, seeds or tokens (operations: T6). Here all that goes
the way of the server's own lines: who reports, the type and the places of the exception, no text.
"""

import logging
import sys
import threading
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_log = structlog.get_logger()


class StrayHandler(logging.Handler):
    """Writes what libraries log, without what they say."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write who has logged something, and which exception it was about."""
        error = record.exc_info[1] if record.exc_info else None
        place = f"{record.name} {record.module}:{record.lineno}"
        if record.levelno >= logging.ERROR:
            _log.error("library.message", place=place, exc_info=error)
        else:
            _log.warning("library.message", place=place, exc_info=error)


def catch_strays() -> None:
    """Send warnings and errors of libraries, threads and finalizers to the server's log."""
    logging.basicConfig(level=logging.WARNING, handlers=[StrayHandler()], force=True)
    threading.excepthook = _thread_failed
    sys.unraisablehook = _finalizer_failed


def _thread_failed(failure: threading.ExceptHookArgs) -> None:
    name = failure.thread.name if failure.thread is not None else ""
    _log.error("thread.failed", thread=name, exc_info=failure.exc_value)


def _finalizer_failed(failure: "UnraisableHookArgs") -> None:
    _log.error("finalizer.failed", exc_info=failure.exc_value)
