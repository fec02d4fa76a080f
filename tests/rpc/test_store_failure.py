"""What players see while the store is slow or full: nothing that is not durable (F4, F5, H7)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine

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


@pytest_asyncio.fixture
async def held() -> AsyncIterator[tuple[HeldStore, grpc.aio.Channel]]:
    """A server on a store that can be slow."""
    store = HeldStore()
    async with (
        App(Settings(port=0, grace=0.0), store=store) as app,
        grpc.aio.insecure_channel(app.address) as channel,
    ):
        yield store, channel


async def given_up(store: HeldStore, call: Coroutine[None, None, object]) -> None:
    """Cancel a call while the store is at work for it, then let the store finish."""
    is_at_work = asyncio.Event()
    store.is_held, store.on_held = True, is_at_work.set
    task = asyncio.create_task(call)
    await is_at_work.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    store.is_held = False
    store.complete()


async def test_a_seat_taken_by_a_call_that_was_given_up_is_followed(
    held: tuple[HeldStore, grpc.aio.Channel],
) -> None:
    store, channel = held
    ann = Player(channel, "ann")
    table = await ann.create_table()
    await ann.open()
    await given_up(store, ann.take_seat(table.table_id))
    story = ann.story(table.table_id)
    await ann.until(lambda: bool(story.views))
    assert story.views[0].seat == 0


async def test_a_seat_left_by_a_call_that_was_given_up_is_told_nothing_more(
    held: tuple[HeldStore, grpc.aio.Channel],
) -> None:
    """T4: the next hand at the seat is for whoever sits there then."""
    store, channel = held
    game = await new_game(channel, [MIXED, MIXED])
    await game.settle()
    leaver = game.at(0)
    await given_up(store, leaver.leave_seat(game.table_id))
    heir = Player(channel, "heir")
    await heir.open()
    game.players[await heir.take_seat(game.table_id)] = heir
    await game.play("pass pass pass")
    await game.settle()
    await leaver.finish()
    assert "deal_ended" not in leaver.story(game.table_id).cases


async def test_nobody_is_told_of_an_action_before_it_is_durable(
    held: tuple[HeldStore, grpc.aio.Channel],
) -> None:
    """H7: while the store is at work, a new session is told of nothing and asked nothing."""
    store, channel = held
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
