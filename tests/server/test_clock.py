"""Time and chance as arguments."""

import asyncio

import pytest

from skat_server.clock import Clock, ManualClock, SystemClock, new_id, secret_bytes


def test_a_manual_clock_stands_still() -> None:
    clock = ManualClock(100.0)
    assert (clock.now(), clock.monotonic()) == (100.0, 0.0)


def test_advancing_moves_both_times() -> None:
    clock = ManualClock(100.0)
    clock.advance(2.5)
    assert (clock.now(), clock.monotonic()) == (102.5, 2.5)


def test_a_call_is_made_when_its_time_has_come() -> None:
    clock, calls = ManualClock(), list[float]()
    clock.call_later(2.0, lambda: calls.append(clock.monotonic()))
    clock.advance(1.9)
    assert calls == []
    clock.advance(0.2)
    assert calls == [2.0]


def test_calls_are_made_in_the_order_of_their_times() -> None:
    clock, calls = ManualClock(), list[str]()
    for seconds, name in ((3.0, "c"), (1.0, "a"), (2.0, "b")):
        clock.call_later(seconds, lambda name=name: calls.append(name))  # type: ignore[misc]
    clock.advance(3.0)
    assert calls == ["a", "b", "c"]


def test_calls_of_one_time_are_made_in_the_order_asked() -> None:
    clock, calls = ManualClock(), list[int]()
    for number in range(50):
        clock.call_later(1.0, lambda number=number: calls.append(number))  # type: ignore[misc]
    clock.advance(1.0)
    assert calls == list(range(50))


def test_a_cancelled_call_is_not_made() -> None:
    clock, calls = ManualClock(), list[int]()
    clock.call_later(1.0, lambda: calls.append(1)).cancel()
    clock.advance(1.0)
    assert calls == []


def test_a_call_may_ask_for_another() -> None:
    clock, calls = ManualClock(), list[float]()

    def again() -> None:
        calls.append(clock.monotonic())
        if len(calls) < 3:
            clock.call_later(1.0, again)

    clock.call_later(1.0, again)
    clock.advance(10.0)
    assert calls == [1.0, 2.0, 3.0]


@pytest.mark.asyncio
async def test_a_sleeper_wakes_when_time_is_moved() -> None:
    clock = ManualClock()
    async with asyncio.TaskGroup() as group:
        sleeper = group.create_task(clock.sleep(60.0))
        await asyncio.wait({group.create_task(clock.sleep(0.0))}, timeout=0)
        assert not sleeper.done()
        clock.advance(60.0)


@pytest.mark.asyncio
async def test_the_systems_clock_calls_and_sleeps() -> None:
    clock: Clock = SystemClock()
    called = asyncio.Event()
    clock.call_later(0.0, called.set)
    await clock.sleep(0.0)
    await called.wait()
    assert clock.now() > 1_700_000_000
    assert clock.monotonic() <= clock.monotonic()


def test_secrets_are_of_the_length_asked_and_not_repeated() -> None:
    """R38: seeds have 256 bits and are not used twice."""
    seeds = {secret_bytes(32) for _ in range(1_000)}
    assert len(seeds) == 1_000
    assert {len(seed) for seed in seeds} == {32}


def test_ids_say_nothing_but_what_they_name() -> None:
    assert new_id("table").startswith("table-")
    assert len({new_id("table") for _ in range(1_000)}) == 1_000
