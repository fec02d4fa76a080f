"""The fuzzer's doors hold for its own seeds, and a broken door is noticed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skat_server.rpc.table_servicer import TableServicer
from tests.fuzz.inputs import METHODS, BrokenError, Doors, framed, frames_in, seeds
from tests.fuzz.readers import READERS

SEEDS = dict(seeds())


@pytest.fixture(scope="module")
def doors() -> Iterator[Doors]:
    """The doors with a loop of their own."""
    loop = asyncio.new_event_loop()
    yield Doors(loop)
    loop.close()


def test_every_door_has_a_seed() -> None:
    assert {seed[0] for seed in SEEDS.values()} == set(range(len(READERS) + len(METHODS)))


def test_every_seed_passes(doors: Doors) -> None:
    for seed in SEEDS.values():
        doors.take(seed)


@given(st.lists(st.binary(max_size=300), max_size=4))
def test_frames_are_found_again(frames: list[bytes]) -> None:
    assert list(frames_in(framed(frames) + b"\0\0")) == [f for f in frames if f or frames]


def test_a_door_that_breaks_is_noticed(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise ValueError("an accident")

    monkeypatch.setattr(TableServicer, "ListTables", broken)
    with pytest.raises(BrokenError):
        doors.take(SEEDS["skat.v1.TableService.ListTables"])
