"""How a server stops: told to all, patient with deals, never longer than it said (F18, D14)."""

from __future__ import annotations

import asyncio

import pytest

from skat_server.app import App
from skat_server.clock import ManualClock
from skat_server.config import Settings
from skat_server.draining import Drain
from skat_server.errors import Reason, RefusedError
from skat_server.storage.memory import MemoryStore
from skat_server.tables.outbox import Delivery
from skat_server.tables.registry import TableLimits, Tables
from skat_server.tables.sessions import Session, Sessions
from skat_server.tables.table import Table
from tests.loop_turns import turns
from tests.server.playing import MIXED, NAMES, Outcomes, config, occupant, play, play_on, succeeded

GRACE = 25.0


class House:
    """Tables, sessions and the way they end."""

    def __init__(self, grace: float = GRACE) -> None:
        """Open the house."""
        self.clock = ManualClock()
        limits = TableLimits(running=10, ended=10, per_owner=10, seats_per_player=10)
        self.tables = Tables(MemoryStore(), self.clock, limits)
        self.sessions = Sessions(self.tables, self.clock)
        self.drain = Drain(self.tables, self.sessions, self.clock, grace)

    def table(self, table_id: str, deals: int = 2) -> Table:
        """A table with a deal under way."""
        made = self.tables.create(config([MIXED] * deals, table_id=table_id), succeeded)
        for seat in range(3):
            self.tables.sit(made, occupant(NAMES[seat]), seat, succeeded)
        return made

    def session(self) -> Session:
        """Somebody who is there."""
        return self.sessions.open("player-ann", Delivery.LIVE, {}, lambda: None)

    async def is_over(self) -> bool:
        """Whether the server may stop now."""
        waiting = asyncio.ensure_future(self.drain.wait_over())
        await turns(3)  # the two events, one turn of the loop for each, and one to look
        is_done = waiting.done()
        waiting.cancel()
        return is_done


@pytest.mark.asyncio
async def test_a_server_stays_until_it_is_told_to_stop() -> None:
    house = House()
    assert not house.drain.is_draining
    assert not await house.is_over()


@pytest.mark.asyncio
async def test_a_server_without_deals_stops_at_once() -> None:
    house = House()
    house.drain.start()
    assert await house.is_over()


@pytest.mark.asyncio
async def test_deals_under_way_are_waited_for() -> None:
    house = House()
    one, two = house.table("table-1"), house.table("table-2")
    house.drain.start()
    play(one, "pass pass pass")
    assert not await house.is_over()
    play(two, "pass pass pass")
    assert await house.is_over()


@pytest.mark.asyncio
async def test_a_table_that_ends_counts_as_well() -> None:
    house = House()
    table = house.table("table-1", deals=1)
    house.drain.start()
    play_on(table)
    assert await house.is_over()


@pytest.mark.asyncio
async def test_a_table_that_is_closed_counts_as_well() -> None:
    house = House()
    table = house.table("table-1")
    house.drain.start()
    table.close("enough", succeeded)
    assert await house.is_over()


@pytest.mark.asyncio
@pytest.mark.parametrize(("grace", "patience"), [(25.0, 20.0), (10.0, 8.0), (100.0, 95.0)])
async def test_deals_leave_some_of_the_grace_for_the_end(grace: float, patience: float) -> None:
    """F18: the process is gone within the grace."""
    house = House(grace)
    house.table("table-1")
    house.drain.start()
    house.clock.advance(patience - 0.1)
    assert not await house.is_over()
    house.clock.advance(0.2)
    assert await house.is_over()
    assert house.drain.left == pytest.approx(grace - patience - 0.1)


@pytest.mark.asyncio
async def test_without_grace_nothing_is_waited_for() -> None:
    house = House(0.0)
    house.table("table-1")
    house.drain.start()
    assert await house.is_over()


@pytest.mark.asyncio
async def test_the_second_signal_waits_for_nothing() -> None:
    house = House()
    house.table("table-1")
    house.drain.start()
    house.drain.hurry()
    assert await house.is_over()


@pytest.mark.asyncio
async def test_starting_again_can_only_make_the_end_come_earlier() -> None:
    house = House()
    house.table("table-1")
    now = house.clock.now()
    assert house.drain.start(60.0) == now + 60.0
    assert house.drain.start(100.0) == now + 60.0
    assert house.drain.start(10.0) == now + 10.0
    house.clock.advance(8.0)
    assert await house.is_over()


def test_no_table_opens_while_the_server_stops() -> None:
    house = House()
    house.drain.start()
    with pytest.raises(RefusedError) as caught:
        house.tables.create(config(table_id="late"), Outcomes())
    assert caught.value.reason is Reason.DRAINING


def test_sessions_are_told_when_and_again_when_it_is_earlier() -> None:
    house = House()
    house.table("table-1")
    session = house.session()
    house.drain.start()
    now = house.clock.now()
    assert session.going_away is not None
    assert session.going_away.resume_by == now + GRACE
    house.drain.start(5.0)
    assert session.going_away.resume_by == now + 5.0


def test_whoever_watches_hears_once() -> None:
    house = House()
    heard: list[bool] = []
    house.drain.watch(lambda: heard.append(house.drain.is_draining))
    house.drain.start()
    house.drain.start()
    assert heard == [True]


def test_a_table_that_was_waited_for_is_watched_no_longer() -> None:
    house = House()
    table = house.table("table-1")
    before = len(table.viewers)
    house.drain.start()
    assert len(table.viewers) == before + 1
    play(table, "pass pass pass")
    assert len(table.viewers) == before


@pytest.mark.asyncio
async def test_a_server_that_is_told_to_stop_while_it_starts_does_not_stay() -> None:
    app = App(Settings(port=0, grace=GRACE))
    app.drain.start()
    async with app:
        await app.wait_stopping()
