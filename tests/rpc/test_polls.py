"""What is special about polls: they wait, they are sessions for a moment, they end (R1, R19)."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from skat.v1 import action_pb2, table_service_pb2
from skat.v1 import play_service_pb2 as play
from skat_engine import parse_action
from skat_server.app import App
from skat_server.rpc.convert.values import action_to_proto
from skat_server.rpc.play import frames
from skat_server.tables.outbox import LONGEST_WAIT
from tests.rpc.deals import MIXED
from tests.rpc.failures import failure
from tests.rpc.game import Game, new_game
from tests.rpc.manual import House, house
from tests.rpc.player import WITH_DECISIONS, Player, submission
from tests.rpc.poller import Poller

pytestmark = pytest.mark.asyncio

NO_ID = "t" * 65
PASS = action_to_proto(parse_action("pass"))


async def waiting_poll(
    running: House, player: Player, **how: int
) -> asyncio.Task[play.PollDecisionsResponse]:
    """A poll that the server has begun to serve, and that nothing answers yet."""
    streams = running.app.sessions._live
    before = streams.get(player_id := player.welcome.player_id)
    poll = asyncio.create_task(player.poll(positions_of(player), WITH_DECISIONS, **how))
    while streams.get(player_id) is before:
        await player.tables.ListTables(table_service_pb2.ListTablesRequest())
    return poll


def positions_of(player: Player) -> dict[str, tuple[int, str]]:
    """All that a player has seen and been asked."""
    return {
        table_id: (story.last, story.decisions[-1].turn_id if story.decisions else "")
        for table_id, story in player.stories.items()
    }


async def pollers(running: House) -> Game:
    """A game whose players know all there is to know, and can go on by polls."""
    game = await new_game(running.channel, [MIXED])
    await game.settle()
    for player in game.players:
        while player.story(game.table_id).latest != "deal_started":
            await player.read()
    return game


async def test_a_decision_that_the_client_has_is_not_returned_again() -> None:
    async with house() as running:
        game = await pollers(running)
        bidder = game.next_player
        turn_id = (await bidder.decision(game.table_id)).turn_id
        last = bidder.story(game.table_id).last
        known = {game.table_id: (last, turn_id)}
        assert not (await bidder.poll(known)).tables
        (frame,) = (await bidder.poll({game.table_id: (last, "")})).tables
        assert frame.decision.turn_id == turn_id


async def test_without_a_wait_there_is_what_there_is() -> None:
    """Also what would wait for a decision in a stream."""
    async with house() as running:
        game = await pollers(running)
        witness = game.at(2)
        known = positions_of(witness)
        await game.play("18 hold")
        await game.settle()
        (frame,) = (await witness.poll(known, WITH_DECISIONS)).tables
        assert [event.WhichOneof("event") for event in frame.events] == ["bid_made", "bid_held"]


async def test_a_poll_returns_when_its_player_is_asked() -> None:
    async with house() as running:
        game = await pollers(running)
        witness = game.at(2)
        poll = await waiting_poll(running, witness, wait_ms=60_000)
        await game.play("18 hold pass")
        await poll
        assert witness.story(game.table_id).cases[-3:] == ["bid_made", "bid_held", "bid_passed"]
        assert witness.story(game.table_id).decision is not None


async def test_a_poll_returns_when_its_time_is_over() -> None:
    async with house() as running:
        game = await pollers(running)
        witness = game.at(2)
        poll = await waiting_poll(running, witness, wait_ms=30_000)
        running.clock.advance(29.9)
        assert not poll.done()
        running.clock.advance(0.1)
        assert await poll == play.PollDecisionsResponse()


async def test_events_wait_for_the_decision_but_not_until_the_poll_is_over() -> None:
    async with house() as running:
        game = await pollers(running)
        witness = game.at(2)
        poll = await waiting_poll(running, witness, wait_ms=60_000)
        await game.play("18")
        await game.settle()
        running.clock.advance(LONGEST_WAIT)
        await poll
        assert witness.story(game.table_id).latest == "bid_made"


async def test_whoever_polls_is_connected_for_ten_seconds_more() -> None:
    async with house() as running:
        player = Player(running.channel, "ann")
        await player.poll()
        (player_id,) = running.app.sessions._live
        running.clock.advance(9.9)
        assert running.app.sessions.is_connected(player_id)
        running.clock.advance(0.1)
        assert not running.app.sessions.is_connected(player_id)


async def test_a_poll_replaces_the_stream_of_its_player(channel: grpc.aio.Channel) -> None:
    player = Player(channel, "ann")
    await player.open()
    await Player(channel, "ann").poll()
    ended = await player.end()
    assert (ended.code, ended.reason) == (grpc.StatusCode.ABORTED, "SESSION_SUPERSEDED")


async def test_a_stream_replaces_the_poll_of_its_player() -> None:
    async with house() as running:
        game = await pollers(running)
        poll = await waiting_poll(running, game.at(2), wait_ms=60_000)
        await Player(running.channel, game.at(2).name).open()
        ended = await failure(poll)
        assert (ended.code, ended.reason) == (grpc.StatusCode.ABORTED, "SESSION_SUPERSEDED")


async def test_a_submission_leaves_the_session_alone(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, [MIXED])
    bidder = game.next_player
    turn_id = (await bidder.decision(game.table_id)).turn_id
    assert not await bidder.submit_alone(submission(game.table_id, turn_id, PASS))
    await bidder.until(lambda: bidder.story(game.table_id).latest == "bid_passed")


async def test_a_submission_is_a_sign_of_life() -> None:
    async with house() as running:
        player = Player(running.channel, "ann")
        await player.open()
        running.clock.advance(3.0)
        await failure(player.submit_alone(submission("nowhere", "1", PASS)))
        assert running.app.sessions.heard_at(player.welcome.player_id) == 3.0


async def test_the_notice_of_the_end_comes_at_once_and_then_with_every_answer() -> None:
    """F18."""
    async with house(grace=25.0) as running:
        game = await pollers(running)
        witness = game.at(2)
        poll = await waiting_poll(running, witness, wait_ms=60_000)
        running.app.drain.start()
        assert (await poll).going_away.resume_by.seconds == 1_700_000_025
        late = await waiting_poll(running, witness, wait_ms=60_000)
        await game.play("18 hold pass")
        assert (await late).HasField("going_away")
        running.app.drain.hurry()


async def test_a_poll_that_was_given_up_leaves_no_trace(
    app: App, channel: grpc.aio.Channel
) -> None:
    game = await new_game(channel, [MIXED])
    witness = game.at(2)
    table = app.tables.find(game.table_id)
    before = len(table.viewers)
    call = asyncio.create_task(
        Player(channel, witness.name).poll(positions_of(witness), wait_ms=60_000)
    )
    await witness.end()
    call.cancel()
    while len(table.viewers) != before - 1:
        await witness.get_table(game.table_id)


async def test_what_does_not_fit_comes_with_the_next_poll(
    channel: grpc.aio.Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "LARGEST_RESPONSE", 100)
    player = Poller(channel, "ann")
    table_ids = {(await player.create_table()).table_id for _ in range(3)}
    for table_id in table_ids:
        await player.take_seat(table_id)
    told = [{frame.table_id for frame in (await player.read()).tables} for _ in range(3)]
    assert [len(tables) for tables in told] == [1, 1, 1]
    assert set.union(*told) == table_ids


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (play.PollDecisionsRequest(wait_ms=60_001), "wait_ms"),
        (play.PollDecisionsRequest(delivery=9), "delivery"),  # type: ignore[arg-type]
    ],
    ids=["too long", "unknown delivery"],
)
async def test_a_bad_poll_names_its_field(
    channel: grpc.aio.Channel, request_: play.PollDecisionsRequest, field: str
) -> None:
    player = Player(channel, "ann")
    refused = await failure(player.stub.PollDecisions(request_, metadata=player.metadata))
    assert (refused.code, refused.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
    assert refused.fields == [field]


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (play.SubmitActionRequest(), "submission"),
        (
            play.SubmitActionRequest(submission=submission("t", "1", action_pb2.Action())),
            "submission.action",
        ),
        (
            play.SubmitActionRequest(submission=submission(NO_ID, "1", PASS)),
            "submission.table_id",
        ),
    ],
    ids=["missing", "unreadable", "long id"],
)
async def test_a_bad_submission_names_its_field(
    channel: grpc.aio.Channel, request_: play.SubmitActionRequest, field: str
) -> None:
    player = Player(channel, "ann")
    refused = await failure(player.stub.SubmitAction(request_, metadata=player.metadata))
    assert (refused.code, refused.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
    assert refused.fields == [field]


async def test_calls_need_a_token(channel: grpc.aio.Channel) -> None:
    nobody = Player(channel, "nobody")
    nobody.metadata = (("authorization", "Bearer short"),)
    for call in (nobody.poll(), nobody.submit_alone(submission("t", "1", PASS))):
        assert (await failure(call)).reason == "UNAUTHENTICATED"
