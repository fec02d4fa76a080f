"""Counts log lines, and those that tell of what must never happen."""

from skat_server.observability.metrics import declarations as declared
from skat_server.observability.metrics.room import Room
from skat_server.observability.vocabulary import Event, Level


class LogWatch:
    """Is told of every line that is written."""

    def __init__(self, room: Room) -> None:
        """Count in this room."""
        self._room = room

    def note(self, level: Level, event: Event | None) -> None:
        """Count a line."""
        self._room.counter(declared.LOG_LINES, level=level.value).add()
        if event is not None and event.violation is not None:
            self._room.counter(declared.VIOLATIONS, cause=event.violation.value).add()
