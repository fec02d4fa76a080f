"""How streams end from the server's side: one list of them, whatever their kind."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from skat_server.errors import Reason, RefusedError

End = Callable[[RefusedError], None]
"""Ends a stream with its reason; the stream may take a moment, and the first reason counts."""


def is_farewell(reason: Exception) -> bool:
    """Whether a stream ends because the server stops: then it is told first all that has happened.

    Whoever ends for another reason has another session, or no right to hear more.
    """
    return isinstance(reason, RefusedError) and reason.reason is Reason.GOING_AWAY


class Endings:
    """The open streams that know how to end themselves.

    A stream whose task is cancelled while it writes could not send its status any more, so
    streams that write a lot are told of their end and choose the moment.
    """

    def __init__(self) -> None:
        """Start without streams."""
        self._ends: dict[asyncio.Task[Any], End] = {}
        self._refusal: RefusedError | None = None

    @contextmanager
    def telling(self, end: End) -> Iterator[None]:
        """Tell the stream of the present task of its end as long as it is inside."""
        task = asyncio.current_task()
        assert task is not None
        self._ends[task] = end
        if self._refusal is not None:
            end(self._refusal)
        try:
            yield
        finally:
            del self._ends[task]

    def end(self, task: asyncio.Task[Any], refusal: RefusedError) -> bool:
        """End the stream of a task; False when it is none that knows how to."""
        end = self._ends.get(task)
        if end is not None:
            end(refusal)
        return end is not None

    def end_all(self, refusal: RefusedError) -> None:
        """End all streams, and at once those that open later."""
        self._refusal = refusal
        for end in tuple(self._ends.values()):
            end(refusal)
