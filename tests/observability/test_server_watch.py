"""What is counted of the server itself: its store, and how late its loop is."""

from __future__ import annotations

from collections.abc import Callable

from skat_server.clock import ManualClock
from skat_server.observability.metrics import declarations as declared
from skat_server.observability.metrics.room import Room
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import StoreError, StoreFailure
from skat_server.watching.server import LOOK_EVERY, ServerWatch
from tests.rpc.test_lag import LateClock


class DyingStore(MemoryStore):
    """Can keep nothing any more from a moment on."""

    def __init__(self) -> None:
        super().__init__()
        self._fatal: StoreError | None = None
        self._call: Callable[[], None] = lambda: None

    @property
    def fatal(self) -> StoreError | None:
        return self._fatal

    def watch(self, call: Callable[[], None]) -> None:
        self._call = call

    def die(self) -> None:
        """From now on."""
        self._fatal = StoreError("the disk is gone", StoreFailure.BROKEN)
        self._call()


def test_a_store_that_fails_for_good_is_counted_by_why() -> None:
    store, room = DyingStore(), Room()
    ServerWatch(room, store, ManualClock())
    store.die()
    failures = {
        cause: room.counter(declared.STORE_ERRORS, cause=cause).value
        for cause in ("broken", "full")
    }
    assert failures == {"broken": 1, "full": 0}


def test_a_loop_that_comes_late_is_measured() -> None:
    clock, room = LateClock(), Room()
    watch = ServerWatch(room, MemoryStore(), clock)
    watch.start()
    clock.late = 0.25
    clock.advance(LOOK_EVERY)
    watch.stop()
    clock.advance(LOOK_EVERY)
    lag = room.histogram(declared.LOOP_LAG)
    assert (lag.sum, sum(lag.counts)) == (0.25, 1)
