"""What players see while the store is slow or full: nothing that is not durable (F4, F5, H7)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
import pytest
import pytest_asyncio

from skat.v1 import error_pb2, table_pb2, table_service_pb2
from skat_engine import parse_action
from skat_server.app import App
from skat_server.config import Settings
from skat_server.rpc.convert.values import action_to_proto
from tests.rpc.deals import MIXED
from tests.rpc.failures import failure
from tests.rpc.game import Game, new_game
from tests.rpc.player import Player
from tests.server.stores import FailingStore, HeldStore

pytestmark = pytest.mark.asyncio

BID = action_to_proto(parse_action("18"))


@pytest_asyncio.fixture
async def failing() -> AsyncIterator[tuple[FailingStore, Game]]:
    """A table on a store that can fail."""
    store = FailingStore()
    async with (
        App(Settings(port=0, grace=0.0), store=store) as app,
        grpc.aio.insecure_channel(app.address) as channel,
    ):
        game = await new_game(channel, [MIXED])
        await game.settle()
        yield store, game


async def test_an_action_that_cannot_be_kept_is_refused_and_asked_again(
    failing: tuple[FailingStore, Game],
) -> None:
    store, game = failing
    player = game.next_player
    turn_id = (await player.decision(game.table_id)).turn_id
    store.is_failing = True
    refused = await player.refusal(game.table_id, BID)
    assert refused.reason == error_pb2.ERROR_REASON_STORE_UNAVAILABLE
    assert "disk" not in refused.message
    assert (await player.decision(game.table_id)).turn_id == turn_id


async def test_play_goes_on_when_the_store_does(failing: tuple[FailingStore, Game]) -> None:
    """F4: goes on when space returns."""
    store, game = failing
    store.is_failing = True
    await game.next_player.refusal(game.table_id, BID)
    store.is_failing = False
    await game.play_out()
    await game.at(0).end_of(game.table_id)


async def test_calls_that_cannot_be_kept_are_unavailable(
    failing: tuple[FailingStore, Game],
) -> None:
    store, game = failing
    store.is_failing = True
    ann = game.players[0]
    for call in (ann.create_table(), ann.leave_seat(game.table_id), ann.close_table(game.table_id)):
        refused = await failure(call)
        assert refused.code is grpc.StatusCode.UNAVAILABLE
        assert refused.reason == "STORE_UNAVAILABLE"
    assert (await ann.get_table(game.table_id)).state == table_pb2.TABLE_STATE_PLAYING


async def test_a_table_that_cannot_be_kept_is_not_listed(
    failing: tuple[FailingStore, Game],
) -> None:
    store, game = failing
    store.is_failing = True
    await failure(game.players[0].create_table())
    listing = await game.players[0].tables.ListTables(table_service_pb2.ListTablesRequest())
    assert [table.table_id for table in listing.tables] == [game.table_id]


async def test_nobody_is_told_of_an_action_before_it_is_durable() -> None:
    """H7: while the store is at work, a new session is told of nothing and asked nothing."""
    store = HeldStore()
    async with (
        App(Settings(port=0, grace=0.0), store=store) as app,
        grpc.aio.insecure_channel(app.address) as channel,
    ):
        game = await new_game(channel, [MIXED])
        bidder = game.next_player
        await bidder.decision(game.table_id)
        store.is_held = True
        await bidder.answer(game.table_id, BID)
        await bidder.finish()
        witness = Player(channel, game.at(0).name)
        await witness.open()
        story = witness.story(game.table_id)
        await witness.until(lambda: bool(story.views))
        assert len(store.held) == 1
        assert story.cases == ["deal_started"]
        assert story.decision is None
        store.complete()
        await witness.decision(game.table_id)
        assert story.cases == ["deal_started", "bid_made"]
