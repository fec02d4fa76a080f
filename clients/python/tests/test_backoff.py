"""Waiting between tries: how long, and when to give up. Nothing here takes time."""

import pytest

from skat_client import Backoff
from skat_client._backoff import Retrying


class Clock:
    """Time that somebody else moves."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


def retrying(clock: Clock, chance: float = 1.0, max_downtime: float | None = None) -> Retrying:
    return Retrying(Backoff(chance=lambda: chance, now=clock.now), max_downtime)


def test_the_bound_doubles_up_to_the_longest(clock: Clock) -> None:
    waiting = retrying(clock)
    delays = [waiting.next_delay() for _ in range(7)]
    assert delays == pytest.approx([0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0])


def test_chance_shortens_every_wait(clock: Clock) -> None:
    waiting = retrying(clock, chance=0.25)
    assert [waiting.next_delay() for _ in range(3)] == pytest.approx([0.05, 0.1, 0.2])


def test_the_bound_stays_finite() -> None:
    assert Backoff(chance=lambda: 1.0).delay(100_000) == 5.0


def test_its_own_chance_is_between_nothing_and_one() -> None:
    assert 0.0 <= Backoff(first=1.0, longest=1.0).delay(0) < 1.0


def test_a_hint_of_the_server_is_respected(clock: Clock) -> None:
    assert retrying(clock).next_delay(at_least=3.0) == 3.0


def test_progress_starts_over(clock: Clock) -> None:
    waiting = retrying(clock)
    waiting.next_delay()
    waiting.next_delay()
    waiting.progressed()
    assert waiting.next_delay() == pytest.approx(0.2)


def test_a_connection_that_was_of_no_use_does_not(clock: Clock) -> None:
    waiting = retrying(clock)
    waiting.next_delay()
    waiting.connected()
    assert waiting.next_delay() == pytest.approx(0.4)


def test_it_gives_up_when_the_next_try_would_be_too_late(clock: Clock) -> None:
    waiting = retrying(clock, max_downtime=1.0)
    assert waiting.next_delay() == pytest.approx(0.2)
    clock.time = 0.7
    assert waiting.next_delay() is None


def test_time_with_a_connection_does_not_count(clock: Clock) -> None:
    waiting = retrying(clock, max_downtime=1.0)
    waiting.next_delay()
    waiting.connected()
    clock.time = 100.0
    assert waiting.next_delay() is not None


def test_time_before_a_connection_of_no_use_does(clock: Clock) -> None:
    waiting = retrying(clock, max_downtime=1.0)
    waiting.next_delay()
    clock.time = 0.7
    waiting.connected()
    clock.time = 100.0
    assert waiting.next_delay() is None


def test_a_connection_of_use_gives_new_time(clock: Clock) -> None:
    waiting = retrying(clock, max_downtime=1.0)
    waiting.next_delay()
    clock.time = 0.7
    waiting.connected()
    waiting.progressed()
    assert waiting.next_delay() == pytest.approx(0.2)
