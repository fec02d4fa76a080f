"""Watching a table: what lies open and nothing else, to the end."""

from __future__ import annotations

import grpc
import pytest

from skat.v1 import event_pb2, table_pb2
from skat_server.app import App
from skat_server.config import Settings
from tests.rpc.deals import CLUBS_BY_FOREHAND, MIXED
from tests.rpc.failures import failure
from tests.rpc.game import listed, new_game
from tests.rpc.player import Player
from tests.rpc.spectator import Spectator

pytestmark = pytest.mark.asyncio


def hidden_cards(event: event_pb2.TableEvent) -> list[int]:
    """Cards in the fields that are for one seat only."""
    return [
        *event.deal_started.hand,
        *event.skat_taken.skat,
        *event.contract_announced.discards,
    ]


async def test_a_spectator_follows_a_whole_deal_and_sees_no_hidden_card(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(channel, [MIXED])
    spectator = Spectator(channel, game.table_id)
    await spectator.read()
    await game.play(CLUBS_BY_FOREHAND)
    await game.play_out()
    await spectator.end()
    cases = spectator.story.cases
    assert cases.count("card_played") == 30
    assert cases.count("trick_taken") == 10
    assert cases[-2:] == ["deal_ended", "series_ended"]
    assert not any(hidden_cards(event) for event in spectator.story.events)


async def test_a_watch_begins_with_a_view_and_the_deal_so_far(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    await game.play(f"{CLUBS_BY_FOREHAND} S7")
    await game.settle()
    async with Spectator(channel, game.table_id) as spectator:
        await spectator.read()
    view = spectator.story.views[0]
    assert view.table.state == table_pb2.TABLE_STATE_PLAYING
    assert view.sequence == game.story(1).last
    assert spectator.story.cases[0] == "deal_started"
    assert spectator.story.latest == "card_played"


async def test_a_watch_of_an_open_table_shows_who_sits_there(channel: grpc.aio.Channel) -> None:
    player = Player(channel, "ann")
    table = await player.create_table()
    await player.take_seat(table.table_id)
    async with Spectator(channel, table.table_id) as spectator:
        await spectator.read()
    assert spectator.story.cases == ["seat_taken"]
    assert spectator.story.events[0].seat_taken.player_name == "ann"


async def test_a_watch_is_resumed_after_a_sequence(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    await game.play("18 hold pass")
    await game.settle()
    last = game.story(2).last
    async with Spectator(channel, game.table_id, after=last - 2) as spectator:
        await spectator.read()
    assert not spectator.story.views
    assert spectator.story.cases == ["bid_held", "bid_passed"]


async def test_a_watch_that_cannot_be_resumed_gets_a_view(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    await game.settle()
    async with Spectator(channel, game.table_id, after=1_000) as spectator:
        await spectator.read()
    assert spectator.story.views


async def test_a_watch_of_a_finished_table_shows_its_end_and_ends(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(channel, [MIXED])
    await game.play("pass pass pass")
    await game.at(0).end_of(game.table_id)
    spectator = Spectator(channel, game.table_id)
    await spectator.end()
    assert spectator.story.latest == "series_ended"


async def test_a_watch_after_the_last_event_of_a_finished_table_ends(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(channel, [MIXED])
    await game.play("pass pass pass")
    await game.at(0).end_of(game.table_id)
    spectator = Spectator(channel, game.table_id, after=game.story(0).last)
    await spectator.end()
    assert not spectator.frames


async def test_a_watch_ends_after_the_table_is_closed(channel: grpc.aio.Channel) -> None:
    player = Player(channel, "ann")
    table = await player.create_table()
    spectator = Spectator(channel, table.table_id)
    await spectator.read()
    await player.close_table(table.table_id)
    await spectator.end()
    assert spectator.story.latest == "table_closed"


async def test_an_unknown_table_cannot_be_watched(channel: grpc.aio.Channel) -> None:
    refused = await failure(Spectator(channel, "no-table").read())
    assert refused.code is grpc.StatusCode.NOT_FOUND
    assert refused.reason == "TABLE_NOT_FOUND"


async def test_a_private_table_looks_unknown_to_spectators(channel: grpc.aio.Channel) -> None:
    owner = Player(channel, "ann")
    request = listed([MIXED])
    request.visibility = table_pb2.VISIBILITY_PRIVATE
    table = await owner.create_table(request)
    private = await failure(Spectator(channel, table.table_id).read())
    unknown = await failure(Spectator(channel, "table-0").read())
    assert private.reason == unknown.reason == "TABLE_NOT_FOUND"
    assert private.text.replace(table.table_id, "table-0") == unknown.text


async def test_a_private_table_may_be_watched_by_its_players(channel: grpc.aio.Channel) -> None:
    owner = Player(channel, "ann")
    request = listed([MIXED])
    request.visibility = table_pb2.VISIBILITY_PRIVATE
    table = await owner.create_table(request)
    async with Spectator(channel, table.table_id, metadata=owner.metadata) as spectator:
        assert await spectator.read()


async def test_a_player_who_watches_his_own_table_sees_no_hand(channel: grpc.aio.Channel) -> None:
    """T7: a token opens no cards to a spectator."""
    game = await new_game(channel, [MIXED])
    await game.settle()
    metadata = game.at(0).metadata
    async with Spectator(channel, game.table_id, metadata=metadata) as spectator:
        await spectator.read()
    assert not any(hidden_cards(event) for event in spectator.story.events)


async def test_a_stopping_server_ends_watches_with_going_away() -> None:
    async with App(Settings(port=0, grace=60.0)) as app:
        channel = grpc.aio.insecure_channel(app.address)
        table = await Player(channel, "ann").create_table()
        spectator = Spectator(channel, table.table_id)
        await spectator.read()
    ended = await failure(spectator.read())
    await channel.close()
    assert ended.code is grpc.StatusCode.UNAVAILABLE
    assert ended.reason == "GOING_AWAY"
