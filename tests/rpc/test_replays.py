"""T11: whoever records every message and sends it again changes nothing, then or later."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import grpc
import pytest

from skat.v1 import play_service_pb2 as play
from skat_engine import deal_from_seed
from skat_server.app import App
from skat_server.storage.protocols import LoggedEntry
from tests.rpc.choices import Chance
from tests.rpc.game import listed
from tests.rpc.player import LIVE, Player
from tests.rpc.poller import Poller

pytestmark = pytest.mark.asyncio

DEALS = [deal_from_seed(bytes([number]) * 32) for number in range(2)]
AT_ONCE = 50
"""Messages sent again in a row: fewer than the limit of what nobody asked for."""


class Recorder(Player):
    """A player whose submissions somebody else has recorded, and sends again as he goes on."""

    def __init__(self, channel: grpc.aio.Channel, name: str) -> None:
        """Record nothing yet."""
        super().__init__(channel, name)
        self.recorded: list[play.Submission] = []
        self.again = False
        """Send every submission twice, and an older one with it."""

    async def submit(self, *submissions: play.Submission) -> None:
        """Submit, and record it."""
        self.recorded += submissions
        if self.again:
            await super().submit(*submissions, *submissions, self.recorded[0])
        else:
            await super().submit(*submissions)


async def played(channel: grpc.aio.Channel, *, again: bool) -> tuple[list[Recorder], str]:
    """Three players who have played a table to its end, and the table's id."""
    players = [Recorder(channel, name) for name in ("ann", "ben", "cem")]
    table_id = (await players[0].create_table(listed(DEALS))).table_id
    for player in players:
        player.again = again
        await player.open(LIVE)
        await player.take_seat(table_id)
    async with asyncio.TaskGroup() as group:
        for seed, player in enumerate(players):
            group.create_task(_play(player, Chance(seed), table_id))
    return players, table_id


async def _play(player: Recorder, choose: Chance, table_id: str) -> None:
    """Answer everything; what is refused or repeated is somebody else's doing."""
    story = player.story(table_id)
    while not story.is_over:
        if story.decision is not None:
            decision, story.decision = story.decision, None
            if decision.turn_id not in {sent.turn_id for sent in player.recorded}:
                action = choose(decision)
                sent = play.Submission(table_id=table_id, turn_id=decision.turn_id, action=action)
                await player.submit(sent)
        await player.read()


async def log_of(app: App, table_id: str) -> Sequence[LoggedEntry]:
    """All that was kept of a table, without its times."""
    log = await app.store.log(table_id)
    assert log is not None
    return [LoggedEntry(0.0, line.entry) for line in log.lines]


async def test_messages_sent_again_at_once_change_nothing(
    app: App, channel: grpc.aio.Channel
) -> None:
    """The same players with the same chance play the same deals, with a recorder and without."""
    games = [await played(channel, again=again) for again in (False, True)]
    once, twice = [
        [(sent.turn_id, sent.action) for player in players for sent in player.recorded]
        for players, _ in games
    ]
    assert once == twice
    logs = [await log_of(app, table_id) for _, table_id in games]
    assert len(logs[0]) == len(logs[1])


@pytest.mark.parametrize("kind", [Player, Poller], ids=["stream", "calls"])
async def test_messages_sent_again_later_change_nothing(
    app: App, channel: grpc.aio.Channel, kind: type[Player]
) -> None:
    """By their own player they are repetitions, also of the deal before; by others refused."""
    players, table_id = await played(channel, again=False)
    before = await log_of(app, table_id)
    for player in players:
        thief = kind(channel, player.name)
        await thief.open(LIVE)
        recorded = player.recorded[-AT_ONCE:]
        await thief.submit(*recorded)
        outcomes = {(await thief.result()).WhichOneof("outcome") for _ in recorded}
        assert outcomes == {"repeated"}
    assert await log_of(app, table_id) == before


async def test_the_messages_of_one_player_mean_nothing_from_another(
    app: App, channel: grpc.aio.Channel
) -> None:
    """T3, T11: a message names no seat; the token does."""
    players, table_id = await played(channel, again=False)
    before = await log_of(app, table_id)
    stranger = Player(channel, "stranger")
    await stranger.open(LIVE)
    recorded = players[0].recorded[:AT_ONCE]
    await stranger.submit(*recorded)
    outcomes = [(await stranger.result()).WhichOneof("outcome") for _ in recorded]
    assert set(outcomes) == {"refused"}
    assert await log_of(app, table_id) == before


async def test_the_first_message_of_a_stream_sent_again_opens_a_session_and_no_more(
    app: App, channel: grpc.aio.Channel
) -> None:
    players, table_id = await played(channel, again=False)
    before = await log_of(app, table_id)
    thief = Player(channel, players[0].name)
    await thief.open(LIVE, {table_id: 1})
    await thief.until(lambda: bool(thief.story(table_id).views or thief.story(table_id).events))
    assert await log_of(app, table_id) == before
