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
from skat_client._cli import run_command
from skat_client.bots import FirstOptionBot
from skat_server.app import App
from skat_server.clock import ManualClock
from skat_server.config import Settings
from skat_server.storage.protocols import CorruptRecordError
from skat_server.tables.facts import DealBooked
from skat_server.tournaments.boards import tournament_commitment
from tests.rpc.failures import failure
from tests.rpc.members import Club, Member, club
from tests.server.stores import ReadFailing

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

LONG_CUP = """
name = "Long cup"
rated = false
tables_at_once = 4
[format]
kind = "round_robin"
rounds = 400
boards = 2
"""
HOUSE = """
[[entries]]
name = "first"
house = "first_option"
[[entries]]
name = "second"
house = "random"
[[entries]]
name = "third"
house = "random"
"""
"""Three bots of the server's own, as entries."""

ENTRIES = ("ann", "ben", "cem")
RATED = 'name = "Cup"\n[format]\nkind = "round_robin"\n'


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

    async def until_games(self, games: int) -> None:
        """Look until so many games are over."""
        while (await self.get()).games_done < games:
            pass

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
                    assert (await failure(watched(organiser, pairing.table_id))).text == (
                        "boards are shown when their tournament is over"
                    )
    for pairing in await organiser.pairings():
        shown += len(await records(channel, pairing.table_id))
    assert shown == 18


async def watched(organiser: Organiser, table_id: str) -> object:
    """The first frame of a table, as its organiser sees it."""
    request = spectate_service_pb2.WatchTableRequest(table_id=table_id)
    return await organiser.spectate.WatchTable(request, metadata=organiser.metadata).read()


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
    assert (test.delta0, test.delta1) == (0.0, 500.0)
    spread = test.mean / test.normalised
    assert test.normalised_delta1 == pytest.approx(500.0 / spread)


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


async def test_lists_leave_the_files_out(app: App, channel: grpc.aio.Channel) -> None:
    """A page of files would be too large for what clients take."""
    organiser = await ready(channel)
    listed = await organiser.service.ListTournaments(pb.ListTournamentsRequest())
    assert [(row.tournament_id, row.config) for row in listed.tournaments] == [(organiser.id, "")]
    assert (await organiser.get()).config == CUP


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
    refused = await failure(Organiser(channel).create(RATED))
    assert "durability" in refused.text


# ----------------------------------------------------------------------------------------- accounts


def with_players(*bots: Member) -> str:
    """A file that names these players."""
    return CUP + "".join(
        f'[[entries]]\nname = "{bot.name}"\nplayers = ["{bot.account.account_id}"]\n'
        for bot in bots
    )


async def create(house: Club, member: Member, text: str) -> tournament_pb2.Tournament:
    stub = tournament_service_pb2_grpc.TournamentServiceStub(house.channel)
    request = pb.CreateTournamentRequest(config=text)
    return (await stub.CreateTournament(request, metadata=member.metadata)).tournament


async def test_nobody_is_made_to_play() -> None:
    """T3: an organiser can name the players of his own account only."""
    async with club() as house:
        ann, ben = await house.account("ann"), await house.account("ben")
        stranger = await house.bot(ben, "b0")
        refused = await failure(create(house, ann, with_players(stranger)))
        assert refused.reason == "BAD_TOURNAMENT"
        assert "is no player of your account" in refused.text


async def test_bots_of_one_account_meet_only_where_that_is_declared() -> None:
    """T25: the account is the owner, whatever the file says."""
    async with club() as house:
        ann = await house.account("ann")
        bots = [await house.bot(ann, f"a{number}") for number in range(2)]
        text = with_players(*bots)
        refused = await failure(create(house, ann, text))
        assert "entries of one owner would meet" in refused.text
        declared = text.replace("rated = false", "rated = false\nowners_may_meet = true", 1)
        assert len((await create(house, ann, declared)).entries) == 2


async def test_an_account_has_one_entry() -> None:
    """T25: the second bot of an account is refused when it registers."""
    async with club() as house:
        ann, ben = await house.account("ann"), await house.account("ben")
        cup = (await create(house, ann, CUP)).tournament_id
        stub = tournament_service_pb2_grpc.TournamentServiceStub(house.channel)
        request = pb.OpenTournamentRequest(tournament_id=cup)
        await stub.OpenTournament(request, metadata=ann.metadata)
        for number, reason in enumerate(("", "NOT_ALLOWED")):
            bot = await house.bot(ben, f"b{number}")
            entering = stub.Register(
                pb.RegisterRequest(tournament_id=cup, name=bot.name), metadata=bot.metadata
            )
            if reason:
                assert (await failure(entering)).reason == reason
            else:
                assert (await entering).entry.name == "b0"


@pytest.mark.parametrize("name", ["", "x" * 41, "a\nb", " padded "])
async def test_a_name_can_be_shown(app: App, channel: grpc.aio.Channel, name: str) -> None:
    """T20: names stand in tables and on pages."""
    organiser = Organiser(channel)
    await organiser.create()
    await organiser.open()
    request = pb.RegisterRequest(tournament_id=organiser.id, name=name)
    call = organiser.service.Register(request, metadata=as_player("ann"))
    assert (await failure(call)).reason == "INVALID_FIELD"


async def test_too_large_an_event_is_refused(app: App, channel: grpc.aio.Channel) -> None:
    """T15: a preview needs no token, so it must not cost the server its breath."""
    organiser = Organiser(channel)
    text = CUP.replace("boards = 3", "boards = 3\nrounds = 1000000")
    preview = organiser.service.PreviewSchedule(pb.PreviewScheduleRequest(config=text, entries=99))
    assert "are the most" in (await failure(preview)).text
    many = organiser.service.PreviewSchedule(pb.PreviewScheduleRequest(config=CUP, entries=1_000))
    assert (await failure(many)).reason == "INVALID_FIELD"


async def test_a_watch_outlives_a_runner_that_fails() -> None:
    """F21: a damaged record stops the event, which says so, and goes on when it is mended."""
    store = ReadFailing()
    async with (
        App(Settings(port=0, grace=0.0), store=store) as app,
        grpc.aio.insecure_channel(app.address) as channel,
        players(app.address),
    ):
        organiser = await ready(channel)
        store.failure = CorruptRecordError("table", 1, "a bit has flipped")
        await organiser.start()
        request = spectate_service_pb2.WatchStandingsRequest(tournament_id=organiser.id)
        async for seen in organiser.spectate.WatchStandings(request):
            is_paused = seen.tournament.state == tournament_pb2.TOURNAMENT_STATE_PAUSED
            if is_paused and store.failure is not None:
                assert (await organiser.get()).reason == "the server has failed; its log has more"
                store.failure = None
                resume = pb.ResumeTournamentRequest(tournament_id=organiser.id)
                await organiser.service.ResumeTournament(resume, metadata=organiser.metadata)
    assert seen.tournament.games_done == 18
    assert {row.games for row in seen.standings.rows} == {18}


async def test_a_reason_is_shown(app: App, channel: grpc.aio.Channel) -> None:
    organiser = await ready(channel)
    request = pb.CancelTournamentRequest(tournament_id=organiser.id, reason="rain")
    await organiser.service.CancelTournament(request, metadata=organiser.metadata)
    assert (await organiser.get()).reason == "rain"


async def test_bots_enter_and_play_from_the_command_line(
    app: App, channel: grpc.aio.Channel, capsys: pytest.CaptureFixture[str]
) -> None:
    """`skat-client tournament register`, `play`: to the end, with the table."""
    organiser = Organiser(channel)
    await organiser.create()
    await organiser.open()
    connection = [["--server", app.address, "--token", token(name)] for name in ENTRIES]
    for name, words in zip(ENTRIES, connection, strict=True):
        command = ["tournament", "register", organiser.id, name, *words]
        assert await run_command(command) == 0
    await organiser.start()
    play = ["tournament", "play", organiser.id, "--bot", "first-option"]
    done = await asyncio.gather(*[run_command([*play, *words]) for words in connection])
    assert done == [0, 0, 0]
    printed = capsys.readouterr().out
    assert printed.count("finished (schedule done), 18 of 18 games") == 3
    assert all(f" {name}: " in printed for name in ENTRIES)


# ----------------------------------------------------------------------------------------- restarts


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
                await organiser.until_games(stopped * 5)
                continue
            await organiser.until_over()
            return (await organiser.standings()).SerializeToString(deterministic=True)


async def test_stops_of_the_server_do_not_change_the_standings(tmp_path: Path) -> None:
    """R1, R3, R4: a tournament goes on after every stop, and comes to the same."""
    undisturbed = await played(tmp_path / "a", 0)
    assert await played(tmp_path / "b", 4) == undisturbed


HOUSE_CUP = """
name = "Cup of the house"
rated = false
[format]
kind = "round_robin"
rounds = 100
boards = 2
"""


async def test_an_event_of_the_house_in_memory_leaves_others_their_turn() -> None:
    """Nothing in it waits for anything, neither for players nor for a disk."""
    async with (
        App(Settings(port=0, grace=0.0)) as app,
        grpc.aio.insecure_channel(app.address) as channel,
    ):
        organiser = Organiser(channel)
        await organiser.create(HOUSE_CUP + HOUSE)
        await organiser.start()
        found = await organiser.get()
        assert found.state == tournament_pb2.TOURNAMENT_STATE_RUNNING
        await organiser.until_over()
        found = await organiser.get()
    assert found.games_done == found.games_planned
