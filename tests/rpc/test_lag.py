"""A server that hardly keeps up opens no more tables."""

from __future__ import annotations

import pytest

from skat_server.clock import ManualClock
from skat_server.errors import Reason, RefusedError
from skat_server.rpc.lag import BUSY, EVERY, LOOKS, LoopLag


class LateClock(ManualClock):
    """A clock whose calls come late."""

    late = 0.0

    def monotonic(self) -> float:
        """Later than it should be."""
        return super().monotonic() + self.late


def looked(late: float, times: int, clock: LateClock) -> LoopLag:
    """After so many looks, each as late."""
    lag = LoopLag(clock)
    for _ in range(times):
        clock.late = 0.0
        lag.start()
        clock.late = late
        clock.advance(EVERY)
        lag.stop()
    return lag


def test_a_loop_that_is_late_all_the_time_is_busy() -> None:
    lag = looked(2 * BUSY, LOOKS, LateClock())
    assert lag.seconds == pytest.approx(2 * BUSY)
    with pytest.raises(RefusedError) as caught:
        lag.require_calm()
    assert caught.value.reason is Reason.OVERLOADED


@pytest.mark.parametrize(("late", "times"), [(2 * BUSY, LOOKS - 1), (BUSY / 2, LOOKS)])
def test_a_long_task_or_a_little_lateness_is_no_overload(late: float, times: int) -> None:
    looked(late, times, LateClock()).require_calm()


def test_one_look_in_time_is_enough() -> None:
    clock = LateClock()
    lag = looked(2 * BUSY, LOOKS, clock)
    clock.late = 0.0
    lag.start()
    clock.advance(EVERY)
    lag.require_calm()
