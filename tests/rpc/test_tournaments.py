"""Tournaments over the wire: made, played, paused, watched, survived."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import grpc
import pytest

from skat.v1 import (
    record_service_pb2,
    record_service_pb2_grpc,
    spectate_service_pb2,
    spectate_service_pb2_grpc,
    tournament_pb2,
    tournament_service_pb2_grpc,
)
from skat.v1 import tournament_service_pb2 as pb
from skat_client import AsyncClient
from skat_client import bot as bots
from skat_client.bots import FirstOptionBot
from skat_server.app import App
from skat_server.clock import ManualClock
from skat_server.config import Settings
from skat_server.tables.facts import DealBooked
from skat_server.tournaments.boards import tournament_commitment
from tests.rpc.failures import failure

pytestmark = pytest.mark.asyncio

CUP = """
name = "Cup"
rated = false
tables_at_once = 4
[format]
kind = "round_robin"
boards = 3
[seeds]
seed = "1111111111111111111111111111111111111111111111111111111111111111"
"""

ENTRIES = ("ann", "ben", "cem")


class Organiser:
    """Calls TournamentService as whoever made the tournament."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.service = tournament_service_pb2_grpc.TournamentServiceStub(channel)
        self.spectate = spectate_service_pb2_grpc.SpectateServiceStub(channel)
        self.metadata = (("authorization", "Bearer organiser-organiser"),)
        self.id = ""

    async def create(self, text: str = CUP, request_id: str = "") -> tournament_pb2.Tournament:
        request = pb.CreateTournamentRequest(config=text, request_id=request_id)
        made = await self.service.CreateTournament(request, metadata=self.metadata)
        self.id = made.tournament.tournament_id
        return made.tournament

    async def open(self) -> None:
        request = pb.OpenTournamentRequest(tournament_id=self.id)
        await self.service.OpenTournament(request, metadata=self.metadata)

    async def register(self, name: str) -> tournament_pb2.Entry:
        request = pb.RegisterRequest(tournament_id=self.id, name=name, client_nonce=name.encode())
        entered = await self.service.Register(request, metadata=as_player(name))
        return entered.entry

    async def start(self) -> None:
        request = pb.StartTournamentRequest(tournament_id=self.id)
        await self.service.StartTournament(request, metadata=self.metadata)

    async def get(self) -> tournament_pb2.Tournament:
        found = await self.service.GetTournament(pb.GetTournamentRequest(tournament_id=self.id))
        return found.tournament

    async def pairings(self) -> list[tournament_pb2.Pairing]:
        request = pb.ListPairingsRequest(tournament_id=self.id, page_size=200)
        return list((await self.service.ListPairings(request)).pairings)

    async def standings(self) -> pb.GetStandingsResponse:
        return await self.service.GetStandings(pb.GetStandingsRequest(tournament_id=self.id))

    async def until_over(self) -> list[spectate_service_pb2.WatchStandingsResponse]:
        """Watch to the end."""
        request = spectate_service_pb2.WatchStandingsRequest(tournament_id=self.id)
        return [seen async for seen in self.spectate.WatchStandings(request)]


def token(name: str) -> str:
    return f"token-of-{name}-0123456789"


def as_player(name: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token(name)}"),)


@asynccontextmanager
async def players(address: str) -> AsyncIterator[None]:
    """Three bots that play whatever comes, until they are sent home."""
    async with AsyncExitStack() as stack:
        tasks = []
        for name in ENTRIES:
            client = await stack.enter_async_context(AsyncClient(address, token=token(name)))
            tasks.append(asyncio.create_task(bots.run(FirstOptionBot(), client)))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome


async def ready(channel: grpc.aio.Channel, text: str = CUP) -> Organiser:
    """A tournament that three have entered."""
    organiser = Organiser(channel)
    await organiser.create(text)
    await organiser.open()
    for name in ENTRIES:
        await organiser.register(name)
    return organiser


async def test_a_round_robin_is_played_to_its_end(app: App, channel: grpc.aio.Channel) -> None:
    organiser = await ready(channel)
    async with players(app.address):
        await organiser.start()
        seen = await organiser.until_over()
    last = seen[-1].tournament
    assert last.state == tournament_pb2.TOURNAMENT_STATE_FINISHED
    assert last.end == tournament_pb2.TOURNAMENT_END_SCHEDULE_DONE
    assert (last.games_done, last.games_planned) == (18, 18)
    assert {row.games for row in seen[-1].standings.rows} == {18}
    assert last.seed == bytes.fromhex("11" * 32)


async def test_the_boards_are_those_of_the_seed_and_bound_to_it(
    app: App, channel: grpc.aio.Channel
) -> None:
    """T9: what binds the organiser is shown before anybody has entered."""
    organiser = Organiser(channel)
    made = await organiser.create()
    seed = bytes.fromhex("11" * 32)
    assert made.seed_commitment == tournament_commitment(organiser.id, seed)
    assert made.seed == b""


async def records(channel: grpc.aio.Channel, table_id: str) -> list[str]:
    """The records of a table, as its organiser may read them."""
    stub = record_service_pb2_grpc.RecordServiceStub(channel)
    request = record_service_pb2.ListDealRecordsRequest(table_id=table_id)
    metadata = (("authorization", "Bearer organiser-organiser"),)
    return [row.json for row in (await stub.ListDealRecords(request, metadata=metadata)).records]


async def test_boards_stay_secret_until_the_end(app: App, channel: grpc.aio.Channel) -> None:
    """T10: a finished table does not show its boards while others may still play them."""
    organiser = await ready(channel, CUP.replace("tables_at_once = 4", "tables_at_once = 1"))
    refused, shown = 0, 0
    async with players(app.address):
        await organiser.start()
        request = spectate_service_pb2.WatchStandingsRequest(tournament_id=organiser.id)
        async for seen in organiser.spectate.WatchStandings(request):
            is_over = seen.tournament.state == tournament_pb2.TOURNAMENT_STATE_FINISHED
            for pairing in await organiser.pairings():
                if pairing.table_id and not is_over and await is_running(organiser):
                    assert (await failure(records(channel, pairing.table_id))).code is (
                        grpc.StatusCode.NOT_FOUND
                    )
                    refused += 1
    for pairing in await organiser.pairings():
        shown += len(await records(channel, pairing.table_id))
    assert shown == 18


async def is_running(organiser: Organiser) -> bool:
    return (await organiser.get()).state == tournament_pb2.TOURNAMENT_STATE_RUNNING


async def test_no_seed_of_a_board_is_shown_to_players(app: App, channel: grpc.aio.Channel) -> None:
    organiser = await ready(channel)
    async with players(app.address):
        await organiser.start()
        await organiser.until_over()
    pairing = (await organiser.pairings())[0]
    table = app.tables.find(pairing.table_id)
    booked = [shown.fact for shown in table.log.current_deal(0)]
    assert [fact.seed for fact in booked if isinstance(fact, DealBooked)] == [b""]


async def test_a_paused_tournament_begins_no_tables(app: App, channel: grpc.aio.Channel) -> None:
    organiser = await ready(channel)
    await organiser.start()
    pause = pb.PauseTournamentRequest(tournament_id=organiser.id)
    await organiser.service.PauseTournament(pause, metadata=organiser.metadata)
    async with players(app.address):
        before = (await organiser.get()).games_done
        resume = pb.ResumeTournamentRequest(tournament_id=organiser.id)
        await organiser.service.ResumeTournament(resume, metadata=organiser.metadata)
        seen = await organiser.until_over()
    assert before == 0
    assert seen[-1].tournament.games_done == 18


async def test_a_cancelled_tournament_closes_its_tables(
    app: App, channel: grpc.aio.Channel
) -> None:
    organiser = await ready(channel)
    await organiser.start()
    request = pb.CancelTournamentRequest(tournament_id=organiser.id, reason="rain")
    cancelled = await organiser.service.CancelTournament(request, metadata=organiser.metadata)
    assert cancelled.tournament.state == tournament_pb2.TOURNAMENT_STATE_CANCELLED
    assert app.tables.deals_under_way == 0


async def test_entries_that_never_come_do_not_stop_the_event() -> None:
    """R5, R6, R7, R10: clocks start after the time to get ready, and the house plays on."""
    clock = ManualClock()
    async with (
        App(Settings(port=0, grace=0.0), clock=clock) as app,
        grpc.aio.insecure_channel(app.address) as channel,
    ):
        organiser = await ready(channel, f"{CUP}[clock]\ndecision_ms = 10\nbank_ms = 0\n")
        await organiser.start()
        while (await organiser.get()).state != tournament_pb2.TOURNAMENT_STATE_FINISHED:
            clock.advance(30.0)
        standings = await organiser.standings()
    assert sum(row.faults for row in standings.standings.rows) > 0


async def test_a_test_of_two_says_where_it_stands(app: App, channel: grpc.aio.Channel) -> None:
    text = """
name = "AB"
rated = false
[format]
kind = "ab_test"
boards = 10
[stop]
delta1 = 500.0
most_blocks = 50
[[entries]]
name = "new"
house = "random"
[[entries]]
name = "old"
house = "first_option"
"""
    organiser = Organiser(channel)
    await organiser.create(text)
    await organiser.start()
    await organiser.until_over()
    test = (await organiser.service.GetTest(pb.GetTestRequest(tournament_id=organiser.id))).test
    assert test.blocks == 50
    assert test.end == tournament_pb2.TOURNAMENT_END_ACCEPT_H0


@pytest.mark.parametrize("method", ["OpenTournament", "StartTournament", "PauseTournament"])
async def test_nobody_else_changes_a_tournament(
    app: App, channel: grpc.aio.Channel, method: str
) -> None:
    """T3: rights come from the token."""
    organiser = await ready(channel)
    request = getattr(pb, f"{method}Request")(tournament_id=organiser.id)
    call = getattr(organiser.service, method)(request, metadata=as_player("ann"))
    assert (await failure(call)).reason == "NOT_ALLOWED"


async def test_a_draft_is_shown_to_its_organiser_only(app: App, channel: grpc.aio.Channel) -> None:
    organiser = Organiser(channel)
    await organiser.create()
    assert (await failure(organiser.get())).reason == "TOURNAMENT_NOT_FOUND"


async def test_the_same_request_makes_one_tournament(app: App, channel: grpc.aio.Channel) -> None:
    organiser = Organiser(channel)
    first = await organiser.create(request_id="once")
    again = await organiser.create(request_id="once")
    assert first.tournament_id == again.tournament_id


async def test_a_file_with_mistakes_is_refused_with_their_places(
    app: App, channel: grpc.aio.Channel
) -> None:
    refused = await failure(Organiser(channel).create("name = 1"))
    assert refused.reason == "BAD_TOURNAMENT"
    assert "name" in refused.text


async def test_a_rated_event_needs_a_server_that_keeps_every_action(
    app: App, channel: grpc.aio.Channel
) -> None:
    refused = await failure(Organiser(channel).create(CUP.replace("rated = false", "")))
    assert "durability" in refused.text


async def played(folder: Path, stops: int) -> bytes:
    """The standings of an event on a server that is stopped and started so many times."""
    organiser_id, stopped = "", 0
    while True:
        settings = Settings(port=0, grace=0.0, data=folder)
        async with (
            App(settings) as app,
            grpc.aio.insecure_channel(app.address) as channel,
            players(app.address),
        ):
            organiser = Organiser(channel)
            if organiser_id:
                organiser.id = organiser_id
            else:
                organiser = await ready(channel, CUP.replace("boards = 3", "boards = 8"))
                organiser_id = organiser.id
                await organiser.start()
            if stopped < stops:
                stopped += 1
                await progress(organiser, stopped * 5)
                continue
            await organiser.until_over()
            return (await organiser.standings()).SerializeToString(deterministic=True)


async def progress(organiser: Organiser, games: int) -> None:
    """Wait until so many games are over."""
    while (await organiser.get()).games_done < games:
        pass


async def test_stops_of_the_server_do_not_change_the_standings(tmp_path: Path) -> None:
    """R1, R3, R4: a tournament goes on after every stop, and comes to the same."""
    undisturbed = await played(tmp_path / "a", 0)
    assert await played(tmp_path / "b", 4) == undisturbed
