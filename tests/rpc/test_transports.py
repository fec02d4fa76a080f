"""One contract over two transports: what holds for the stream holds for single calls."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from skat.v1 import error_pb2
from skat.v1 import play_service_pb2 as play
from skat_engine import parse_action
from skat_server.rpc.convert.values import action_to_proto
from tests.rpc.choices import Chance
from tests.rpc.deals import CLUBS_BY_FOREHAND, MIXED
from tests.rpc.game import NAMES, Game, new_game, seated_game
from tests.rpc.player import LIVE, WITH_DECISIONS, Player, proposal, submission, untimed
from tests.rpc.poller import Poller

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.parametrize("kind", [Player, Poller], ids=["stream", "calls"]),
]

PASS = action_to_proto(parse_action("pass"))


def reason_of(result: play.SubmissionResult) -> str:
    """Why a submission was refused."""
    assert result.WhichOneof("outcome") == "refused"
    return error_pb2.ErrorReason.Name(result.refused.reason).removeprefix("ERROR_REASON_")


async def game_of(
    kind: type[Player],
    channel: grpc.aio.Channel,
    deals: int = 1,
    delivery: play.Delivery.ValueType = LIVE,
) -> Game:
    """A game of players of a kind."""
    players = [kind(channel, name) for name in NAMES[:3]]
    return await seated_game(channel, players, [MIXED] * deals, delivery=delivery)


async def back_again(
    game: Game, kind: type[Player], position: int, seen: int | None = None
) -> Player:
    """The player of a position, who knows nothing any more but his token and what he has seen."""
    player = kind(game.channel, game.at(position).name)
    await player.open(positions={} if seen is None else {game.table_id: seen})
    game.players[game.active[position]] = player
    return player


async def test_a_series_is_played_to_its_end(channel: grpc.aio.Channel, kind: type[Player]) -> None:
    game = await game_of(kind, channel, 2, WITH_DECISIONS)
    await game.play(CLUBS_BY_FOREHAND)
    await game.play_out()
    await game.play("pass pass pass")
    for player in game.players:
        await player.end_of(game.table_id)
        assert not player.results


async def test_everybody_is_told_one_history(channel: grpc.aio.Channel, kind: type[Player]) -> None:
    """H2: without gaps, whatever the transport; `Story.absorb` holds every frame to it."""
    game = await game_of(kind, channel)
    await game.play(CLUBS_BY_FOREHAND)
    await game.play_out()
    for player in game.players:
        await player.end_of(game.table_id)
        sequences = [event.sequence for event in player.story(game.table_id).events]
        assert sequences == list(range(sequences[0], sequences[0] + len(sequences)))


async def test_a_wrong_answer_changes_nothing_and_is_asked_again(
    channel: grpc.aio.Channel, kind: type[Player]
) -> None:
    """R20."""
    game = await game_of(kind, channel)
    bidder = game.next_player
    asked = await bidder.decision(game.table_id)
    refused = await bidder.refusal(game.table_id, action_to_proto(parse_action("hold")))
    assert refused.reason == error_pb2.ERROR_REASON_ILLEGAL_BID
    assert (await bidder.decision(game.table_id)).turn_id == asked.turn_id
    await game.play("18 hold")


async def test_a_repeated_answer_counts_once(channel: grpc.aio.Channel, kind: type[Player]) -> None:
    """F14."""
    game = await game_of(kind, channel)
    bidder = game.next_player
    turn_id = (await bidder.decision(game.table_id)).turn_id
    await game.play("18")
    bid = action_to_proto(parse_action("18"))
    await bidder.submit(submission(game.table_id, turn_id, bid))
    assert (await bidder.result()).WhichOneof("outcome") == "repeated"
    await game.play("hold")
    await bidder.decision(game.table_id)
    assert bidder.story(game.table_id).cases.count("bid_made") == 1


async def test_a_turn_that_was_settled_otherwise_is_stale(
    channel: grpc.aio.Channel, kind: type[Player]
) -> None:
    """F14."""
    game = await game_of(kind, channel)
    bidder = game.next_player
    turn_id = (await bidder.decision(game.table_id)).turn_id
    await game.play("18")
    await bidder.submit(submission(game.table_id, turn_id, PASS))
    assert reason_of(await bidder.result()) == "STALE_TURN"


async def test_nobody_answers_for_another(channel: grpc.aio.Channel, kind: type[Player]) -> None:
    """T3, F14."""
    game = await game_of(kind, channel)
    turn_id = (await game.next_player.decision(game.table_id)).turn_id
    other, stranger = game.at(2), kind(channel, "stranger")
    await stranger.open()
    for player, reason in ((other, "NOT_YOUR_TURN"), (stranger, "NOT_SEATED")):
        await player.submit(submission(game.table_id, turn_id, PASS))
        assert reason_of(await player.result()) == reason


async def test_a_proposal_of_old_is_refused(channel: grpc.aio.Channel, kind: type[Player]) -> None:
    game = await game_of(kind, channel)
    await game.play(CLUBS_BY_FOREHAND)
    await game.settle()
    give_up = action_to_proto(parse_action("give-up"))
    await game.at(0).submit(proposal(game.table_id, 1, give_up))
    assert reason_of(await game.at(0).result()) == "STALE_SEQUENCE"


async def test_whoever_comes_without_position_is_told_the_deal(
    channel: grpc.aio.Channel, kind: type[Player]
) -> None:
    game = await game_of(kind, channel)
    await game.play(f"{CLUBS_BY_FOREHAND} S7 S9")
    asked = await game.at(2).decision(game.table_id)
    back = await back_again(game, kind, 2)
    assert untimed(await back.decision(game.table_id)) == untimed(asked)
    story = back.story(game.table_id)
    assert story.views[0].seat == game.active[2]
    assert len(story.events[0].deal_started.hand) == 10
    await game.play_out()


async def test_whoever_comes_with_his_position_is_told_what_followed(
    channel: grpc.aio.Channel, kind: type[Player]
) -> None:
    """H2, R18: exactly that, and the open decision."""
    game = await game_of(kind, channel)
    await game.play("18 hold")
    await game.settle()
    absent = game.at(2)
    await absent.until(lambda: absent.story(game.table_id).latest == "bid_held")
    seen = game.story(2).last
    await game.play("pass")
    back = await back_again(game, kind, 2, seen=seen)
    await back.decision(game.table_id)
    story = back.story(game.table_id)
    assert not story.views
    assert [(e.sequence, e.WhichOneof("event")) for e in story.events] == [(seen + 1, "bid_passed")]


async def test_bots_play_several_tables(channel: grpc.aio.Channel, kind: type[Player]) -> None:
    """R33: one session carries all of them."""
    games = [await new_game(channel, [MIXED]) for _ in range(2)]
    table_ids = [game.table_id for game in games]
    bots = [kind(channel, player.name) for player in games[0].players]
    for bot in bots:
        await bot.open(WITH_DECISIONS)
    async with asyncio.TaskGroup() as group:
        for seed, bot in enumerate(bots):
            group.create_task(bot.play(Chance(seed), table_ids))
    assert all(bot.story(table_id).is_over for bot in bots for table_id in table_ids)
