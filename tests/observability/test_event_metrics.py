"""What is counted of tournaments when somebody looks."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from skat_server.observability.metrics import declarations as declared
from skat_server.observability.metrics.declaring import Metric
from skat_server.observability.metrics.room import Room
from skat_server.tournaments.formats.ab_test import AbTest
from skat_server.tournaments.formats.build import format_of
from skat_server.tournaments.state import Entrant, Opened, Paused, Registered, Started
from skat_server.tournaments.tournament import Tournament
from skat_server.watching.events import EventsWatch
from tests.loop_turns import turns
from tests.server.stores import HeldStore
from tests.tournaments.staging import CUP, PLAYERS, SEED, House

pytestmark = pytest.mark.asyncio

TEST = """
name = "Test"
rated = false
[format]
kind = "ab_test"
[stop]
alpha = {alpha}
"""
MATCHES, TABLES, BOARDS = 2, 6, 4
"""Of a cup of three entries: each match has a table for every rotation, and two boards."""


class Looking:
    """A house, and who looks at its tournaments."""

    def __init__(self) -> None:
        self.store = HeldStore()
        self.house = House(self.store)
        self.room = Room()
        self._watch = EventsWatch(self.room, self.house.tournaments, self.house.clock)

    def value(self, metric: Metric, **labels: str) -> float:
        """What is shown now."""
        self._watch.look()
        return self.room.gauge(metric, **labels).value

    async def begin(self) -> Tournament:
        """A cup, with as many tables under way as it may have."""
        tournament = await self.house.open(CUP, PLAYERS)
        self.house.act()
        await tournament.change(Started())
        return tournament

    async def test(self, number: int, alpha: float) -> AbTest:
        """A sequential test that is played."""
        text = TEST.format(alpha=alpha)
        create = self.house.tournaments.create
        tournament = await create(f"tournament-{number}", "organiser", text, SEED, "")
        await tournament.change(Opened())
        for name in ("old", "new"):
            players = (f"player-{name}-a", f"player-{name}-b")
            await tournament.change(Registered(Entrant(name, players)))
        await tournament.change(Started())
        await turns()
        event = format_of(tournament.fixed.config)
        assert isinstance(event, AbTest)
        return event


@pytest_asyncio.fixture
async def seen() -> AsyncIterator[Looking]:
    looking = Looking()
    yield looking
    await looking.house.tournaments.stop()


async def test_tournaments_are_counted_by_state(seen: Looking) -> None:
    await seen.house.open(CUP, PLAYERS)
    assert seen.value(declared.TOURNAMENTS, state="open") == 1
    tournament = seen.house.tournaments.find("tournament-1", None)
    await tournament.change(Started())
    assert seen.value(declared.TOURNAMENTS, state="open") == 0
    assert seen.value(declared.TOURNAMENTS, state="running") == 1


async def test_tables_that_have_not_begun_are_ready_or_delayed(seen: Looking) -> None:
    tournament = await seen.begin()
    await turns(20)
    tables = seen.value(declared.QUEUE, state="ready")
    assert tables == TABLES - 2
    assert seen.value(declared.QUEUE, state="delayed") == 0
    await tournament.change(Paused())
    assert seen.value(declared.QUEUE, state="ready") == 0
    assert seen.value(declared.QUEUE, state="delayed") == tables


async def test_boards_are_complete_when_all_their_games_are_over(seen: Looking) -> None:
    tournament = await seen.begin()
    await turns(20)
    assert seen.value(declared.BLOCKS, state="open") == BOARDS
    assert seen.value(declared.BLOCKS, state="complete") == 0
    runner = seen.house.runner(tournament)
    await seen.house.play(tournament, until=lambda: bool(runner.standing.event.matches))
    assert seen.value(declared.BLOCKS, state="open") == BOARDS - BOARDS // MATCHES
    assert seen.value(declared.BLOCKS, state="complete") == BOARDS // MATCHES


async def test_tables_that_are_ready_and_not_begun_grow_old(seen: Looking) -> None:
    await seen.begin()
    seen.store.is_held = True
    await turns(20)
    assert seen.value(declared.QUEUE, state="ready") == TABLES
    assert seen.value(declared.QUEUE_OLDEST) == 0
    seen.house.clock.advance(7)
    assert seen.value(declared.QUEUE_OLDEST) == 7
    seen.store.is_held = False
    seen.store.complete()
    await turns(20)
    assert seen.value(declared.QUEUE_OLDEST) == 0


async def test_the_newest_of_two_sequential_tests_is_shown(seen: Looking) -> None:
    old, new = await seen.test(1, alpha=0.05), await seen.test(2, alpha=0.01)
    assert old.hypotheses.upper != new.hypotheses.upper
    for _ in range(2):
        assert seen.value(declared.SPRT_UPPER) == new.hypotheses.upper
        assert seen.value(declared.SPRT_LOWER) == new.hypotheses.lower
    assert seen.value(declared.SPRT_LLR) == 0


async def test_the_interval_of_the_leader_is_shown_once_standings_are_computed(
    seen: Looking,
) -> None:
    tournament = await seen.begin()
    runner = seen.house.runner(tournament)
    await seen.house.play(tournament, until=lambda: bool(runner.standing.event.matches))
    assert seen.value(declared.INTERVAL_WIDTH) == 0
    standings = (await runner.figures()).standings
    assert standings is not None
    leader = standings.rows[0]
    assert seen.value(declared.INTERVAL_WIDTH) == leader.high - leader.low > 0
