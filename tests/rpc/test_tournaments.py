"""Tournaments over the wire: made, played, paused, watched, survived."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import grpc
import pytest

from skat.v1 import (
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
