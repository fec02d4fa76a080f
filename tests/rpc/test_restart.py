"""F1: a server that starts over the log of another goes on at the very decision it was at."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest

from skat.v1 import table_pb2
from skat_engine import commitment, parse_action, preset, table_commitment, table_deal_seed
from skat_server.app import App
from skat_server.config import Settings
from skat_server.rpc.convert.values import action_to_proto
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import Store
from skat_server.storage.sqlite.store import SqliteStore
from tests.rpc.deals import MIXED
from tests.rpc.failures import failure
from tests.rpc.game import NAMES, Game, listed, new_game
from tests.rpc.player import Player, submission
from tests.rpc.spectator import Spectator
from tests.rpc.test_first_option import seeded
from tests.rpc.test_records import records_of

Reopened = Callable[[], Store]

pytestmark = pytest.mark.asyncio


@pytest.fixture(params=["memory", "sqlite"])
def reopened(request: pytest.FixtureRequest, tmp_path: Path) -> Reopened:
    """A store that every server opens anew."""
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "skat.db")
    kept = MemoryStore()
    return lambda: kept


@asynccontextmanager
async def server(store: Store, kept_tables: int = 10) -> AsyncIterator[grpc.aio.Channel]:
    """A server over a store, and a connection to it."""
    settings = Settings(port=0, grace=0.0, kept_tables=kept_tables)
    async with (
        App(settings, store=store) as app,
        grpc.aio.insecure_channel(app.address) as channel,
    ):
        yield channel


async def come_back(game: Game, channel: grpc.aio.Channel) -> None:
    """The same players at the next server, each from where he had read to."""
    players = [Player(channel, player.name) for player in game.players]
    for player, before in zip(players, game.players, strict=True):
        player.stories = before.stories
        player.story(game.table_id).decision = None
        await player.open(positions={game.table_id: player.story(game.table_id).last})
    game.players = players


async def test_everybody_goes_on_where_he_was(reopened: Reopened) -> None:
    """The question is open under the same id; nobody misses anything or is told it twice."""
    async with server(reopened()) as channel:
        game = await new_game(channel, [MIXED] * 3)
        await game.play("pass pass pass 18 hold pass pass take C.H8.D7")
        await game.play("CJ SJ")
        decision = await game.next_player.decision(game.table_id)
        table = await game.players[0].get_table(game.table_id)
    async with server(reopened()) as channel:
        after = await Player(channel, "x").get_table(game.table_id)
        for info in table.seats:
            info.connected = False
        assert after == table
        await come_back(game, channel)
        again = await game.next_player.decision(game.table_id)
        assert again.turn_id == decision.turn_id
        assert again.first_option == decision.first_option
        assert again.cards == decision.cards
        await game.play_out()
        await game.play("pass pass pass")
        for player in game.players:
            await player.end_of(game.table_id)
            story = player.story(game.table_id)
            assert len(story.views) == 1
            first, last = story.events[0].sequence, story.events[-1].sequence
            assert last - first + 1 == len(story.events)


async def test_an_answer_that_was_taken_before_the_crash_is_acknowledged(
    reopened: Reopened,
) -> None:
    """F14: its acknowledgement may have been lost; the action counts once."""
    async with server(reopened()) as channel:
        game = await new_game(channel, [MIXED])
        asked, decision = game.next_player, await game.next_player.decision(game.table_id)
        await game.play("18")
        await game.settle()
        name = asked.name
    async with server(reopened()) as channel:
        player = Player(channel, name)
        await player.open()
        for value, outcome in ((18, "repeated"), (20, "refused")):
            action = action_to_proto(parse_action(str(value)))
            await player.submit(submission(game.table_id, decision.turn_id, action))
            result = await player.result()
            assert result.WhichOneof("outcome") == outcome


async def test_a_table_is_made_once_across_a_restart(reopened: Reopened) -> None:
    made = []
    for _ in range(2):
        async with server(reopened()) as channel:
            request = seeded(1, 1)
            request.request_id = "mine"
            made.append(await Player(channel, "ann").create_table(request))
    assert made[0] == made[1]


async def test_what_was_bound_stays_bound(reopened: Reopened) -> None:
    """T9: a restart gives the operator no second choice of a seed."""
    nonces = (b"of ann", b"", b"of cem")
    async with server(reopened()) as channel:
        table = await Player(channel, "ann").create_table()
        await Player(channel, "ann").take_seat(table.table_id, 0, nonces[0])
    async with server(reopened()) as channel:
        await Player(channel, "ben").take_seat(table.table_id, 1)
        await Player(channel, "cem").take_seat(table.table_id, 2, nonces[2])
        async with Spectator(channel, table.table_id) as spectator:
            await spectator.until(lambda: bool(spectator.story.events))
            started = spectator.story.events[0].deal_started
        over = (await Player(channel, "ann").close_table(table.table_id)).chance
    assert over.commitment == table.chance.commitment
    assert over.commitment == table_commitment(over.seed, table.table_id)
    seed = table_deal_seed(over.seed, 1, nonces)
    assert started.commitment == commitment(seed, f"{table.table_id}/1")


@pytest.mark.parametrize("is_private", [False, True], ids=["public", "private"])
async def test_records_outlive_their_table(tmp_path: Path, is_private: bool) -> None:
    """A table that is over is forgotten by and by; its records are not, nor who may read them."""
    store = SqliteStore(tmp_path / "skat.db")
    async with server(store, kept_tables=0) as channel:
        request = listed([MIXED])
        if is_private:
            request.visibility = table_pb2.VISIBILITY_PRIVATE
        ann = Player(channel, "ann")
        table_id = (await ann.create_table(request)).table_id
        for name in NAMES[:3]:
            await Player(channel, name).take_seat(table_id)
        game = Game(
            channel, [Player(channel, name) for name in NAMES[:3]], table_id, preset("isko")
        )
        game.start([MIXED])
        for player in game.players:
            await player.open()
        await game.play("pass pass pass")
        await game.players[0].end_of(table_id)
        assert (await failure(ann.get_table(table_id))).reason == "TABLE_NOT_FOUND"
        records = await records_of(ann, table_id)
        assert len(records) == 1
        stranger = Player(channel, "stranger")
        if is_private:
            refused = await failure(records_of(stranger, table_id))
            assert refused.reason == "TABLE_NOT_FOUND"
        else:
            assert await records_of(stranger, table_id) == records
