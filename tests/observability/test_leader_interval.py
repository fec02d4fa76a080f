"""The interval of a leader, which stays while an event goes on."""

from __future__ import annotations

import grpc
import pytest

from skat.v1 import tournament_service_pb2 as pb
from skat_server.app import App
from skat_server.config import Settings, WebSettings
from tests.observability.scraping import scrape
from tests.rpc.test_tournaments import HOUSE, LONG_CUP, Organiser


@pytest.mark.asyncio
async def test_the_interval_stays_when_the_event_goes_on() -> None:
    """Standings are asked for now and then, and matches end all the time."""
    async with (
        App(Settings(port=0, grace=0.0, web=WebSettings())) as app,
        grpc.aio.insecure_channel(app.address) as channel,
    ):
        organiser = Organiser(channel)
        await organiser.create(LONG_CUP + HOUSE)
        await organiser.start()
        await organiser.until_games(60)
        paused = pb.PauseTournamentRequest(tournament_id=organiser.id)
        await organiser.service.PauseTournament(paused, metadata=organiser.metadata)
        rows = (await organiser.standings()).standings.rows
        done = (await organiser.get()).games_done
        resumed = pb.ResumeTournamentRequest(tournament_id=organiser.id)
        await organiser.service.ResumeTournament(resumed, metadata=organiser.metadata)
        await organiser.until_games(done + 60)
        found = await scrape(app.web_address)
    assert rows[0].high > rows[0].low
    assert found.value("skat_rating_interval_width") == rows[0].high - rows[0].low
