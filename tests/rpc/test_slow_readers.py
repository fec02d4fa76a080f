"""F15, T16: whoever does not read loses his stream, and nobody else notices."""

from __future__ import annotations

import grpc
import pytest
from h2.events import ResponseReceived

from skat.v1 import play_service_pb2 as play
from skat.v1 import spectate_service_pb2 as spectate
from skat_server.rpc.deadlines import WRITE_WITHIN
from tests.rpc.deals import MIXED
from tests.rpc.game import Game, new_game
from tests.rpc.manual import House, house
from tests.rpc.raw_http2 import RawConnection

pytestmark = pytest.mark.asyncio

HELLO = play.PlayRequest(hello=play.Hello(delivery=play.DELIVERY_LIVE))
NOTHING = 0
"""The window of a client that reads nothing at all."""


def token_of(game: Game, position: int) -> str:
    """The token of who plays a position."""
    return f"token-of-player-{game.at(position).name}"


async def stalled(running: House, game: Game, position: int) -> tuple[RawConnection, int]:
    """Replace a player's session by one that never reads; wait until the server is stuck in it."""
    raw = await RawConnection.open(running.app.address, NOTHING)
    stream = raw.call("PlayService/Play", token_of(game, position), HELLO)
    assert (await game.at(position).end()).reason == "SESSION_SUPERSEDED"
    return raw, stream


async def test_a_reader_that_is_stuck_loses_its_session() -> None:
    async with house() as running:
        game = await new_game(running.channel, [MIXED])
        await game.settle()
        player_id = game.at(0).welcome.player_id
        raw, _ = await stalled(running, game, 0)
        async with raw:
            running.clock.advance(WRITE_WITHIN - 0.1)
            assert running.app.sessions.is_connected(player_id)
            running.clock.advance(0.1)
            assert not running.app.sessions.is_connected(player_id)


async def test_the_table_goes_on_beside_a_reader_that_is_stuck() -> None:
    """The others play, the seat stays, and the clock of the seat runs as ever."""
    async with house() as running:
        game = await new_game(running.channel, [MIXED])
        await game.settle()
        raw, _ = await stalled(running, game, 0)
        async with raw:
            await game.play("18")
            running.clock.advance(WRITE_WITHIN)
            table = await game.at(1).get_table(game.table_id)
            seat = table.seats[game.active[0]]
            assert (seat.taken, seat.connected) == (True, False)
            bidder = game.at(1)
            await bidder.until(lambda: bidder.story(game.table_id).latest == "bid_made")


async def test_what_waits_for_a_reader_that_is_stuck_is_a_number() -> None:
    """Nothing piles up for it, however long the others play."""
    async with house() as running:
        game = await new_game(running.channel, [MIXED])
        await game.settle()
        raw, stream = await stalled(running, game, 2)
        async with raw:
            await game.play("18 hold 20 hold 22 hold 23 hold 24 hold 27 hold")
            await game.settle()
            session = running.app.sessions._live[game.at(2).welcome.player_id]
            (cursor,) = session.outbox._cursors.values()
            assert isinstance(cursor.sent, int)
            assert raw.messages(stream, play.PlayResponse) == []


async def test_a_reader_that_wakes_up_finds_what_was_under_way_and_the_reason() -> None:
    async with house() as running:
        game = await new_game(running.channel, [MIXED])
        await game.settle()
        raw, stream = await stalled(running, game, 0)
        async with raw:
            running.clock.advance(WRITE_WITHIN)
            raw.let_in(stream)
            await raw.until(lambda: raw.is_over(stream))
            (welcome,) = raw.messages(stream, play.PlayResponse)
            assert welcome.HasField("welcome")
            trailers = raw.trailers(stream)
            assert trailers["grpc-status"] == str(grpc.StatusCode.RESOURCE_EXHAUSTED.value[0])
            assert "nothing was read for 10 s" in trailers["grpc-message"]


async def test_the_server_stops_in_spite_of_a_reader_that_is_stuck() -> None:
    """F18: a message under way holds the stop for the time that calls get, and no longer."""
    async with house() as running:
        game = await new_game(running.channel, [MIXED])
        await game.settle()
        raw, _ = await stalled(running, game, 0)
    async with raw:
        await raw.until_closed()


async def test_a_spectator_that_is_stuck_follows_no_longer() -> None:
    async with house() as running:
        game = await new_game(running.channel, [MIXED])
        await game.settle()
        table = running.app.tables.find(game.table_id)
        before = len(table.viewers)
        async with await RawConnection.open(running.app.address, NOTHING) as raw:
            request = spectate.WatchTableRequest(table_id=game.table_id)
            stream = raw.call("SpectateService/WatchTable", "", request)
            raw.h2.end_stream(stream)
            raw.flush()
            await raw.until(lambda: bool(raw.of_kind(ResponseReceived)))
            assert len(table.viewers) == before + 1
            running.clock.advance(WRITE_WITHIN)
            assert len(table.viewers) == before
            raw.let_in(stream)
            await raw.until(lambda: raw.is_over(stream))
            assert "nothing was read for 10 s" in raw.trailers(stream)["grpc-message"]
