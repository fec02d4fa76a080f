"""The play of a tournament: what comes in its way, and what a restart finds (R1, R3-R6)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from skat_server.errors import Reason, RefusedError
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import CorruptRecordError, StoreError
from skat_server.tables.registry import TableLimits
from skat_server.tournaments.formats.plan import EndReason
from skat_server.tournaments.standings_text import standings_text
from skat_server.tournaments.state import Ended, Paused, Resumed, Stage, Started
from skat_server.tournaments.tournament import Tournament
from tests.loop_turns import turns
from tests.server.stores import HeldStore, OutageStore, ReadFailing
from tests.tournaments.staging import CUP, PLAYERS, Conduct, House

pytestmark = pytest.mark.asyncio


@asynccontextmanager
async def opened(store: MemoryStore | None = None, **limits: int) -> AsyncIterator[House]:
    """A house whose tasks end with the test."""
    chosen = {"running": 100, "ended": 1_000, "per_owner": 100, "seats_per_player": 100}
    house = House(store, TableLimits(**{**chosen, **limits}))
    try:
        yield house
    finally:
        await house.tournaments.stop()


def games(house: House, tournament: Tournament) -> int:
    """Games of finished matches."""
    matches = house.runner(tournament).standing.event.matches.values()
    return sum(len(t.points) for match in matches for t in match.result.tables)


async def standings_of(house: House, tournament: Tournament) -> str:
    """The standings as a file."""
    runner = await house.tournaments.loaded(tournament)
    names = [entrant.name for entrant in tournament.state.entrants]
    return standings_text(names, await runner.figures(), "")


# ------------------------------------------------------------------------------------- in the way


async def test_who_cancels_while_a_table_is_begun_finds_it_closed() -> None:
    store = HeldStore()
    async with opened(store) as house:
        tournament = await house.open(CUP, PLAYERS)
        house.act()
        await tournament.change(Started())
        store.is_held = True
        await turns()
        assert len(store.held) == 1  # the first table
        cancelling = asyncio.create_task(house.tournaments.cancel(tournament, "rain"))
        await turns()
        assert len(store.held) == 2
        store.held.reverse()
        store.complete()  # it is over before the table counts
        store.is_held = False
        store.complete()
        await turns()
        await cancelling
        assert tournament.state.stage is Stage.CANCELLED
        assert house.tables.deals_under_way == 0


@pytest.mark.parametrize("after", [0, 1, 40, 200])
async def test_an_outage_of_the_store_stops_nothing_for_good(after: int) -> None:
    """F4: what cannot be kept now is tried again when it can."""
    store = OutageStore()
    async with opened(store) as house:
        tournament = await house.start(CUP, PLAYERS)
        for _ in range(after):
            house.act()
            await turns()
        store.set_out(True)
        for _ in range(50):
            house.act()
            await turns()
            house.clock.advance(1.0)
        store.set_out(False)
        await house.play(tournament)
        assert games(house, tournament) == 12


async def test_records_that_cannot_be_read_now_are_read_later() -> None:
    store = ReadFailing()
    async with opened(store) as house:
        tournament = await house.start(CUP, PLAYERS)
        store.failure = StoreError("it is busy")
        for _ in range(300):
            house.act()
            await turns()
        assert games(house, tournament) == 0
        store.failure = None
        await house.play(tournament)
        assert games(house, tournament) == 12


async def test_a_runner_that_fails_leaves_a_mark_and_can_go_on() -> None:
    """A damaged record stops the event where everybody sees it (F21)."""
    store = ReadFailing()
    async with opened(store) as house:
        tournament = await house.start(CUP, PLAYERS)
        store.failure = CorruptRecordError("table", 1, "a bit has flipped")
        await house.play(tournament, until=lambda: tournament.state.stage is Stage.PAUSED)
        assert tournament.state.reason == "the server has failed; its log has more"
        store.failure = None
        await tournament.change(Resumed())
        await house.play(tournament)
        assert tournament.state.end is EndReason.SCHEDULE_DONE
        assert games(house, tournament) == 12


async def test_a_server_that_stops_begins_no_tables_and_its_successor_does() -> None:
    """D14, R23: a tournament goes on after a drain."""
    async with opened() as house:
        await house.start(CUP, PLAYERS)
        house.tables.stop_opening()
        for _ in range(20):
            await turns()
            house.act()
            house.clock.advance(1.0)
        assert house.tables.deals_under_way == 0
        later = await house.again()
        (again,) = later.tournaments.listed()
        await later.play(again)
        assert again.state.end is EndReason.SCHEDULE_DONE
        await later.tournaments.stop()


async def test_what_was_asked_for_happens_though_the_caller_has_gone() -> None:
    store = HeldStore()
    async with opened(store) as house:
        tournament = await house.open(CUP, PLAYERS)
        store.is_held = True
        starting = asyncio.create_task(tournament.change(Started()))
        await turns()
        starting.cancel()
        await turns()
        store.is_held = False
        store.complete()
        await house.play(tournament)
        assert tournament.state.end is EndReason.SCHEDULE_DONE
        await house.again()  # the log holds


async def test_the_same_request_twice_at_once_makes_one_tournament() -> None:
    store = HeldStore()
    async with opened(store) as house:
        store.is_held = True
        create = house.tournaments.create
        making = [
            asyncio.create_task(create(f"tournament-{n}", "org", CUP, bytes(32), "request"))
            for n in range(2)
        ]
        await turns()
        store.is_held = False
        store.complete()
        first, second = await asyncio.gather(*making)
        assert first is second


# ------------------------------------------------------------------------------------------ limits


async def test_nobody_sits_at_more_tables_than_players_may() -> None:
    text = CUP.replace("tables_at_once = 2", "tables_at_once = 50")
    async with opened(seats_per_player=2) as house:
        tournament = await house.start(text, dict.fromkeys("abcdefg", Conduct.PLAYS))
        await house.play(tournament)
        assert set(house.most_seats.values()) == {2}


async def test_no_more_tables_are_under_way_than_the_file_says() -> None:
    async with opened() as house:
        tournament = await house.start(CUP, dict.fromkeys("abcdefg", Conduct.PLAYS))
        most = 0

        def is_over() -> bool:
            nonlocal most
            most = max(most, house.tables.deals_under_way)
            return tournament.is_over

        await house.play(tournament, until=is_over)
        assert most == 2


async def test_two_events_with_one_seed_have_tables_of_their_own() -> None:
    """R4: the id of a table names its tournament."""
    async with opened() as house:
        first = await house.start(CUP, PLAYERS)
        await house.play(first)
        second = await house.tournaments.create("tournament-2", "organiser", CUP_OF_HOUSE, SEED, "")
        await second.change(Started())
        assert games(house, second) == 0
        await house.play(second)
        assert games(house, second) == 12


SEED = bytes(range(32))
CUP_OF_HOUSE = CUP + "".join(f'[[entries]]\nname = "h{n}"\nhouse = "random"\n' for n in range(3))


async def test_seats_of_a_tournament_are_fixed() -> None:
    """Nobody gets up so that somebody else can sit down in his place."""
    async with opened() as house:
        await house.start(CUP, PLAYERS)
        house.act()
        await turns()
        table = house.tables.playing()[0]
        refusals: list[RefusedError | None] = []
        house.tables.leave(table, "player-ann", refusals.append)
        assert [refusal and refusal.reason for refusal in refusals] == [Reason.NOT_ALLOWED]


async def test_no_board_of_a_tournament_is_dealt_anew() -> None:
    """The cards would be those of the next board, and other tables play this one."""
    async with opened() as house:
        await house.start(CUP, PLAYERS)
        house.act()
        await turns()
        table = house.tables.playing()[0]
        dealt = table.state.deal
        refusals: list[RefusedError | None] = []
        table.void_deal("a mistake", refusals.append)
        assert [refusal and refusal.reason for refusal in refusals] == [Reason.NOT_ALLOWED]
        assert table.state.deal is dealt


async def test_a_finished_table_is_one_before_its_match_is_over() -> None:
    async with opened() as house:
        text = CUP.replace("tables_at_once = 2", "tables_at_once = 1")
        tournament = await house.start(text, PLAYERS)
        runner = house.runner(tournament)
        await house.play(tournament, until=lambda: runner.games_done == 3)
        match = runner.standing.plan.matches[0]
        assert [runner.boards_done(match, number) for number in range(3)] == [2, 1, None]


async def test_what_was_played_ahead_of_a_verdict_is_not_counted() -> None:
    """R3: nobody sees more games done than planned, before or after a restart."""
    async with opened() as house:
        tournament = await house.tournaments.create("tournament-1", "org", AB_TEST, SEED, "")
        await tournament.change(Started())
        await house.play(tournament)
        runner = house.runner(tournament)
        assert len(runner.standing.event.matches) > len(runner.standing.plan.matches)
        assert runner.games_done == sum(match.games for match in runner.standing.plan.matches)
        later = await house.again()
        (again,) = later.tournaments.listed()
        assert (await later.tournaments.loaded(again)).games_done == runner.games_done


AB_TEST = """
name = "AB"
rated = false
tables_at_once = 64
[format]
kind = "ab_test"
boards = 10
[stop]
delta1 = 500.0
[[entries]]
name = "new"
house = "random"
[[entries]]
name = "old"
house = "first_option"
"""


# ---------------------------------------------------------------------------------- who is ready


async def test_play_begins_when_everybody_is_there_or_time_is_over() -> None:
    """R5: a bot that does not come does not hold up the others for ever."""
    async with opened() as house:
        await house.start(CUP, {**PLAYERS, "cem": Conduct.ABSENT})
        house.act()
        await turns()
        house.clock.advance(59.0)
        await turns()
        assert house.tables.deals_under_way == 0
        house.clock.advance(1.0)
        await turns()
        assert house.tables.deals_under_way == 2


async def test_after_a_restart_the_time_to_get_ready_counts_anew() -> None:
    """R5: resume is a health check of every entry."""
    async with opened() as house:
        await house.start(CUP, PLAYERS)
        house.clock.advance(59.0)
        later = await house.again()
        await turns()
        house.clock.advance(59.0)
        await turns()
        assert later.tables.deals_under_way == 0
        house.clock.advance(1.0)
        await turns()
        assert later.tables.deals_under_way == 2
        await later.tournaments.stop()


async def test_a_pause_begins_nothing_and_a_resume_waits_for_everybody() -> None:
    async with opened() as house:
        tournament = await house.start(CUP, PLAYERS)
        house.act()
        await turns()
        await tournament.change(Paused("lunch"))
        await house.play(tournament, until=lambda: not house.tables.deals_under_way)
        done = house.runner(tournament).games_done
        assert done == 4  # two tables of two boards
        house.actors["player-ann"].leave()
        await tournament.change(Resumed())
        await turns()
        assert house.tables.deals_under_way == 0


# ---------------------------------------------------------------------------------------- restarts


async def test_a_finished_event_has_its_results_after_a_restart() -> None:
    """R1, R3: progress comes from the logs."""
    async with opened() as house:
        tournament = await house.start(CUP, PLAYERS)
        await house.play(tournament)
        before = await standings_of(house, tournament)
        later = await house.again()
        (again,) = later.tournaments.listed()
        assert await standings_of(later, again) == before


@pytest.mark.parametrize("after", [3, 30, 80])
async def test_a_cancelled_event_is_the_same_after_a_restart(after: int) -> None:
    """Tables that were under way are closed, also where the server died before it could."""
    async with opened() as house:
        tournament = await house.start(CUP, PLAYERS)
        for _ in range(after):
            house.act()
            await turns()
        await house.tournaments.cancel(tournament, "rain")
        await turns()
        later = await house.again()
        (again,) = later.tournaments.listed()
        runner = await later.tournaments.loaded(again)
        assert later.tables.deals_under_way == 0
        assert runner.standing.event.results == house.runner(tournament).standing.event.results


async def test_tables_left_of_a_dead_server_are_closed_when_their_event_is_over() -> None:
    async with opened() as house:
        tournament = await house.start(CUP, PLAYERS)
        house.act()
        await turns()
        assert house.tables.deals_under_way == 2
        await house.tournaments.stop()
        await tournament.change(Ended(None, "rain"))
        later = await house.again()
        await turns()
        assert later.tables.deals_under_way == 0
        await later.tournaments.stop()


@pytest.mark.parametrize("seed", range(4))
async def test_restarts_change_nothing(seed: int) -> None:
    """R1, R3, R4: a tournament goes on after every crash, and comes to the same."""
    async with opened() as house:
        await house.play(undisturbed := await house.start(CUP, PLAYERS, seed))
        expected = house.runner(undisturbed).standing.event.results
    async with opened() as house:
        await house.start(CUP, PLAYERS, seed)
        last = house
        for crash in range(1, 6):
            for _ in range(13 * crash):
                last.act()
                await turns()
            last = await last.again()
        (tournament,) = last.tournaments.listed()
        await last.play(tournament)
        found = (await last.tournaments.loaded(tournament)).standing.event.results
        await last.tournaments.stop()
    assert found == expected


# ------------------------------------------------------------------------------------------ faults


async def test_standings_come_with_and_without_faulty_boards() -> None:
    """R29: nothing is deleted; a board with a fault is flagged, and its whole block left out."""
    text = CUP.replace("boards = 2", "boards = 4") + "[faults]\nillegal_actions = 12\n"
    async with opened() as house:
        tournament = await house.start(text, {**PLAYERS, "cem": Conduct.CHEATS})
        await house.play(tournament)
        results = house.runner(tournament).standing.event.results
        figures = await house.runner(tournament).figures()
    faulty = {
        (key, place)
        for key, result in results.items()
        for table in result.tables
        for place in table.faulty
    }
    assert 0 < len(faulty) < 8
    assert sum(total.faulty for total in figures.totals) > 0
    assert figures.standings is not None
    assert figures.without_faults is not None
    assert figures.without_faults.rows != figures.standings.rows
