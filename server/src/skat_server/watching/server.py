"""Joins all that watches a server, and says how the server is."""

import platform
from collections.abc import Sequence
from enum import Enum
from functools import partial
from importlib import metadata
from typing import Final

from skat_server.clock import Clock
from skat_server.draining import Drain
from skat_server.lateness import Lateness
from skat_server.observability.metrics import declarations as declared
from skat_server.observability.metrics.room import Room
from skat_server.storage.protocols import Store
from skat_server.storage.sqlite.store import SqliteStore
from skat_server.storage.sqlite.writer import Kept
from skat_server.tables.registry import Tables
from skat_server.tables.sessions import Sessions
from skat_server.tournaments.directory import Tournaments
from skat_server.watching.census import count_sessions, count_tables, measure_store, set_all
from skat_server.watching.events import EventsWatch
from skat_server.watching.play import PlayWatch

LOOK_EVERY: Final = 0.25
"""Seconds between two looks at how late the event loop is."""


class NodeState(Enum):
    """How a server is."""

    STARTING = "starting"
    SERVING = "serving"
    UNAVAILABLE = "unavailable"
    """The store can keep nothing now."""
    DRAINING = "draining"


_REASONS: Final = {
    NodeState.STARTING: ("the server is starting",),
    NodeState.SERVING: (),
    NodeState.UNAVAILABLE: ("the store can keep nothing now",),
    NodeState.DRAINING: ("the server stops",),
}
"""Why a server takes no new work."""


class ServerWatch:
    """The numbers of one server.

    Attributes:
        room: where they are.
        play: is told of every step and submission.
    """

    def __init__(self, room: Room, store: Store, clock: Clock) -> None:
        """Watch the store; `follow` names the rest.

        Args:
            room: keeps the numbers.
            store: of the server.
            clock: measures.
        """
        self.room = room
        self.play = PlayWatch(room, clock)
        self._store = store
        self._clock = clock
        self._loop = Lateness(clock, LOOK_EVERY, room.histogram(declared.LOOP_LAG).observe)
        self._drain: Drain | None = None
        self._is_started = False
        room.gauge(
            declared.BUILD,
            version=metadata.version("skat-server"),
            python=platform.python_version(),
            grpcio=metadata.version("grpcio"),
        ).set(1)
        room.before_reading(self._show_state)
        store.watch(self._store_changed)
        self._commit_seconds = room.histogram(declared.COMMIT)
        self._commit_entries = room.histogram(declared.BATCH)
        if isinstance(store, SqliteStore):
            store.watch_commits(self._committed)
            room.before_reading(partial(measure_store, room, store))

    def follow(
        self, tables: Tables, sessions: Sessions, tournaments: Tournaments, drain: Drain
    ) -> None:
        """Look at these whenever somebody wants to see numbers."""
        self._drain = drain
        self.room.before_reading(partial(count_tables, self.room, tables))
        self.room.before_reading(partial(count_sessions, self.room, sessions))
        self.room.before_reading(EventsWatch(self.room, tournaments, self._clock).look)

    def replayed(self, seconds: float) -> None:
        """The tables were read back in so many seconds."""
        self.room.gauge(declared.REPLAY).set(seconds)

    def start(self) -> None:
        """The server listens."""
        self._is_started = True
        self._loop.start()

    def stop(self) -> None:
        """The server has stopped."""
        self._loop.stop()

    def reasons(self) -> Sequence[str]:
        """Why the server takes no new work; nothing when it does."""
        return _REASONS[self._state]

    @property
    def _state(self) -> NodeState:
        if self._drain is not None and self._drain.is_draining:
            return NodeState.DRAINING
        if not self._is_started:
            return NodeState.STARTING
        return NodeState.SERVING if self._store.is_available else NodeState.UNAVAILABLE

    def _show_state(self) -> None:
        set_all(self.room, declared.NODE_STATE, {self._state.value: 1})

    def _committed(self, kept: Kept) -> None:
        self._commit_seconds.observe(kept.seconds)
        self._commit_entries.observe(kept.entries)

    def _store_changed(self) -> None:
        failure = self._store.fatal
        if failure is None and isinstance(self._store, SqliteStore):
            failure = self._store.database.outage
        if failure is not None:
            self.room.counter(declared.STORE_ERRORS, cause=failure.failure.value).add()
