"""EndSeries over the wire: who may ask, and what everybody is told (R-TAB-4)."""

from __future__ import annotations

import grpc
import pytest

from skat.v1 import table_pb2, table_service_pb2
from tests.rpc.deals import MIXED
from tests.rpc.failures import failure
from tests.rpc.game import new_game
from tests.rpc.player import Player

pytestmark = pytest.mark.asyncio

ASKED = "end_requested"


async def end_series(player: Player, table_id: str) -> table_pb2.Table:
    """Ask for the end."""
    request = table_service_pb2.EndSeriesRequest(table_id=table_id)
    return (await player.tables.EndSeries(request, metadata=player.metadata)).table


async def test_a_player_ends_the_series_after_the_deal_under_way(
    channel: grpc.aio.Channel,
) -> None:
    game = await new_game(channel, [MIXED, MIXED], session_end="open")
    await game.settle()
    shown = await end_series(game.players[1], game.table_id)
    assert shown.state == table_pb2.TABLE_STATE_PLAYING
    await game.play("pass pass pass")
    for player in game.players:
        await player.end_of(game.table_id)
        story = player.story(game.table_id)
        (asked,) = (e.end_requested for e in story.events if e.HasField("end_requested"))
        assert asked.seat == 1
        assert story.latest == "series_ended"


async def test_the_owner_asks_from_no_seat(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED], session_end="open", seats="3")
    owner = game.players[0]
    await game.settle()
    await owner.leave_seat(game.table_id)
    await end_series(owner, game.table_id)
    await game.players[1].until(lambda: game.players[1].story(game.table_id).latest == ASKED)
    event = game.players[1].story(game.table_id).events[-1]
    assert not event.end_requested.HasField("seat")


async def test_before_the_first_deal_it_ends_at_once(channel: grpc.aio.Channel) -> None:
    ann = Player(channel, "ann")
    table = await ann.create_table(session_end="open")
    shown = await end_series(ann, table.table_id)
    assert shown.state == table_pb2.TABLE_STATE_FINISHED


async def test_strangers_and_series_of_a_fixed_length_are_refused(
    channel: grpc.aio.Channel,
) -> None:
    ann, eva = Player(channel, "ann"), Player(channel, "eva")
    without_end = await ann.create_table(session_end="open")
    fixed = await ann.create_table()
    for player, table in ((eva, without_end), (ann, fixed)):
        refused = await failure(end_series(player, table.table_id))
        assert refused.code is grpc.StatusCode.PERMISSION_DENIED
        assert refused.reason == "NOT_ALLOWED"


async def test_no_usable_token_and_no_table(channel: grpc.aio.Channel) -> None:
    ann = Player(channel, "ann")
    assert (await failure(end_series(ann, "no-table"))).reason == "TABLE_NOT_FOUND"
    ann.metadata = (("authorization", "Bearer short"),)
    assert (await failure(end_series(ann, "no-table"))).reason == "UNAUTHENTICATED"
