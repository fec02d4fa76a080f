"""T12: what nobody asked for is limited, answers to decisions never are (ADR 0015)."""

from __future__ import annotations

import grpc
import pytest
import structlog
from google.rpc import error_details_pb2

from skat.v1 import action_pb2, error_pb2
from skat.v1 import play_service_pb2 as play
from skat_engine import parse_action
from skat_server.config import Limits
from skat_server.rpc.convert.values import action_to_proto
from tests.rpc.deals import MIXED
from tests.rpc.failures import Failure, failure
from tests.rpc.game import new_game
from tests.rpc.manual import house, next_beat
from tests.rpc.player import Player, submission

pytestmark = pytest.mark.asyncio

BURST = 10
LIMITS = Limits(unasked_per_second=5, unasked_burst=BURST)
PASS = action_to_proto(parse_action("pass"))


def stale(count: int) -> list[play.Submission]:
    """Submissions that settle nothing."""
    return [submission("nowhere", str(number), PASS) for number in range(count)]


async def reasons(player: Player, count: int) -> list[str]:
    """The reasons of the next results."""
    results = [await player.result() for _ in range(count)]
    return [
        error_pb2.ErrorReason.Name(result.refused.reason).removeprefix("ERROR_REASON_")
        for result in results
    ]


async def end_of(player: Player) -> Failure:
    """How the stream ends, which must be for sending too much."""
    ended = await player.end()
    assert (ended.code, ended.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
    return ended


async def test_beyond_the_burst_submissions_are_refused_unseen() -> None:
    async with house(LIMITS) as running:
        rude = Player(running.channel, "rude")
        await rude.open()
        await rude.submit(*stale(BURST + 3))
        found = await reasons(rude, BURST + 3)
        assert found == ["NOT_SEATED"] * BURST + ["RATE_LIMITED"] * 3


async def test_going_on_ends_the_stream_and_says_for_how_long() -> None:
    async with house(LIMITS) as running:
        rude = Player(running.channel, "rude")
        await rude.open()
        with structlog.testing.capture_logs() as logged:
            await rude.submit(*stale(2 * BURST + 1))
            ended = await end_of(rude)
        assert {"event": "stream.cut", "cause": "RATE_LIMITED", "log_level": "warning"} in logged
        assert ended.info.metadata["limit"] == "unasked_per_second"
        (quota,) = (d for d in ended.details if isinstance(d, error_details_pb2.QuotaFailure))
        assert quota.violations[0].subject == "player"
        (retry,) = (d for d in ended.details if isinstance(d, error_details_pb2.RetryInfo))
        assert retry.retry_delay.ToMilliseconds() == (BURST + 2) * 1_000 // 5


async def test_time_makes_up_for_it() -> None:
    async with house(LIMITS) as running:
        rude = Player(running.channel, "rude")
        await rude.open()
        await rude.submit(*stale(BURST + 1))
        await reasons(rude, BURST + 1)
        running.clock.advance(1.0)
        await rude.submit(*stale(5))
        found = await reasons(rude, 5)
        assert found == ["NOT_SEATED"] * 4 + ["RATE_LIMITED"]


async def test_a_new_stream_brings_no_new_burst() -> None:
    async with house(LIMITS) as running:
        rude = Player(running.channel, "rude")
        await rude.open()
        await rude.submit(*stale(BURST + 1))
        await reasons(rude, BURST + 1)
        again = Player(running.channel, "rude")
        await again.open()
        await again.submit(*stale(1))
        assert await reasons(again, 1) == ["RATE_LIMITED"]


async def test_others_pay_nothing_for_it() -> None:
    async with house(LIMITS) as running:
        rude, polite = Player(running.channel, "rude"), Player(running.channel, "polite")
        for player in (rude, polite):
            await player.open()
        await rude.submit(*stale(BURST + 1))
        await reasons(rude, BURST + 1)
        await polite.submit(*stale(1))
        assert await reasons(polite, 1) == ["NOT_SEATED"]


async def test_answers_are_free_in_any_number() -> None:
    """A bot may play a thousand tables on one stream."""
    async with house(Limits(unasked_per_second=1, unasked_burst=1)) as running:
        game = await new_game(running.channel, [MIXED] * 2)
        for _ in range(2):
            await game.play("18 hold 20 hold 22 hold pass pass take C.H8.D7")
            await game.play_out()
        await game.players[0].end_of(game.table_id)
        assert not any(player.results for player in game.players)


async def test_whoever_is_limited_may_still_answer() -> None:
    async with house(LIMITS) as running:
        game = await new_game(running.channel, [MIXED])
        bidder = game.next_player
        await bidder.decision(game.table_id)
        await bidder.submit(*stale(BURST + 1))
        await reasons(bidder, BURST + 1)
        await game.play("18 hold 20 hold")
        await game.settle()
        assert not bidder.results


async def test_a_wrong_answer_costs_and_is_judged_all_the_same() -> None:
    """The table's own policy counts illegal actions; no limit hides them from it."""
    async with house(LIMITS) as running:
        game = await new_game(running.channel, [MIXED])
        bidder = game.next_player
        turn_id = (await bidder.decision(game.table_id)).turn_id
        await bidder.submit(*stale(BURST))
        await reasons(bidder, BURST)
        card = action_to_proto(parse_action("C7"))
        await bidder.submit(submission(game.table_id, turn_id, card), *stale(1))
        assert await reasons(bidder, 2) == ["WRONG_PHASE", "RATE_LIMITED"]


async def test_a_repeated_answer_costs() -> None:
    async with house(LIMITS) as running:
        game = await new_game(running.channel, [MIXED])
        bidder = game.next_player
        turn_id = (await bidder.decision(game.table_id)).turn_id
        await game.play("18")
        bid = submission(game.table_id, turn_id, action_to_proto(parse_action("18")))
        await bidder.submit(*[bid] * (BURST + 1))
        outcomes = [(await bidder.result()).WhichOneof("outcome") for _ in range(BURST + 1)]
        assert outcomes == ["repeated"] * BURST + ["refused"]


@pytest.mark.parametrize(
    "request_",
    [
        play.PlayRequest(),
        play.PlayRequest(heartbeat=play.Heartbeat()),
        play.PlayRequest(submissions=[submission("nowhere", "1", action_pb2.Action())]),
    ],
    ids=["empty", "heartbeat", "unreadable"],
)
async def test_a_flood_of_anything_ends_the_stream(request_: play.PlayRequest) -> None:
    async with house(LIMITS) as running:
        rude = Player(running.channel, "rude")
        await rude.open()
        for _ in range(2 * BURST + 1):
            await rude.send(request_)
        await end_of(rude)


async def test_a_heartbeat_for_a_heartbeat_is_free() -> None:
    async with house(Limits(unasked_per_second=1, unasked_burst=1)) as running:
        player = Player(running.channel, "ann")
        await player.open()
        for _ in range(5):
            beat = await next_beat(running, player)
            await player.send(play.PlayRequest(heartbeat=beat))
        await player.submit(*stale(1))
        assert await reasons(player, 1) == ["NOT_SEATED"]


async def test_calls_are_counted_with_the_stream() -> None:
    async with house(LIMITS) as running:
        rude = Player(running.channel, "rude")
        found = [await failure(rude.submit_alone(s)) for s in stale(BURST + 1)]
        assert [f.reason for f in found] == ["NOT_SEATED"] * BURST + ["RATE_LIMITED"]
        await rude.open()
        await rude.submit(*stale(1))
        assert await reasons(rude, 1) == ["RATE_LIMITED"]


async def test_results_that_nobody_reads_are_bounded_over_all_streams() -> None:
    """Section 10.5: the memory that readers can tie up is the server's to give."""
    async with house(Limits(waiting_results=3)) as running:
        rude = Player(running.channel, "rude")
        await rude.open()
        await rude.submit(*stale(4))
        ended = await rude.end()
        assert (ended.code, ended.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "SLOW_CONSUMER")
        polite = Player(running.channel, "polite")
        await polite.open()
        await polite.submit(*stale(3))
        assert await reasons(polite, 3) == ["NOT_SEATED"] * 3
