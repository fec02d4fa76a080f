"""Callers that mean harm get a refusal, and nobody else notices (operations, section 10)."""

import grpc
import pytest

from skat.v1 import rule_set_pb2, spectate_service_pb2, table_service_pb2
from skat_engine import deal_from_seed
from skat_server.app import App
from skat_server.config import Limits, Settings
from skat_server.rpc.play import frames, results
from tests.rpc.choices import card
from tests.rpc.failures import failure
from tests.rpc.game import listed, new_game
from tests.rpc.player import Player, submission

DEALS = [deal_from_seed(bytes(32)), deal_from_seed(b"\1" * 32)]
NOISE = "x\x1b[31m" * 2_000


@pytest.mark.asyncio
async def test_a_bonus_that_would_overflow_is_refused(channel: grpc.aio.Channel) -> None:
    rules = {"seeger_own_bonus": "999999999"}
    request = table_service_pb2.CreateTableRequest(
        rule_set=rule_set_pb2.RuleSet(preset="isko", overrides=rules)
    )
    refused = await failure(Player(channel, "ann").create_table(request))
    assert (refused.reason, refused.info.metadata["option"]) == ("BAD_RULE_SET", "seeger_own_bonus")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "rule_set",
    [
        rule_set_pb2.RuleSet(preset=NOISE),
        rule_set_pb2.RuleSet(preset="isko", overrides={NOISE: "on"}),
        rule_set_pb2.RuleSet(preset="isko", overrides={"kontra": NOISE}),
    ],
    ids=["preset", "option", "value"],
)
async def test_noise_in_a_rule_set_is_not_repeated(
    channel: grpc.aio.Channel, rule_set: rule_set_pb2.RuleSet
) -> None:
    request = table_service_pb2.CreateTableRequest(rule_set=rule_set)
    refused = await failure(Player(channel, "ann").create_table(request))
    assert refused.reason == "INVALID_FIELD"
    assert "\x1b" not in refused.text


@pytest.mark.asyncio
async def test_a_long_table_id_is_cut_in_the_message(channel: grpc.aio.Channel) -> None:
    refused = await failure(Player(channel, "ann").get_table(NOISE))
    assert refused.reason == "TABLE_NOT_FOUND"
    assert len(refused.text) < 400
    assert "\x1b" not in refused.text


@pytest.mark.asyncio
async def test_a_long_turn_id_ends_the_stream(channel: grpc.aio.Channel) -> None:
    player = Player(channel, "ann")
    await player.open()
    await player.submit(submission("table", "t" * 65, card(1)))
    assert (await player.end()).reason == "INVALID_FIELD"


@pytest.mark.asyncio
async def test_refusals_that_nobody_reads_do_not_pile_up(
    channel: grpc.aio.Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "MOST_WAITING", 2)
    player = Player(channel, "ann")
    await player.open()
    await player.submit(*[submission("table", "1.0", card(1)) for _ in range(5)])
    await player.submit(submission("table", "1.1", card(1)))
    await player.until(lambda: len(player.results) == 6)
    assert player.results[-1].turn_id == "1.1"


@pytest.mark.asyncio
async def test_a_view_of_many_tables_comes_in_parts(
    channel: grpc.aio.Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "LARGEST_RESPONSE", 100)
    player = Player(channel, "ann")
    ids = [(await player.create_table(listed(DEALS))).table_id for _ in range(3)]
    for table_id in ids:
        await player.take_seat(table_id)
    await player.open()
    await player.until(lambda: len(player.stories) == len(ids))
    told = [[frame.table_id for frame in response.tables] for response in player.responses]
    assert [tables for tables in told if tables] == [[table_id] for table_id in ids]


@pytest.mark.asyncio
async def test_who_changes_seats_gets_a_view(channel: grpc.aio.Channel) -> None:
    player = Player(channel, "ann")
    table_id = (await player.create_table(listed(DEALS))).table_id
    await player.take_seat(table_id, 0)
    await player.leave_seat(table_id)
    await player.take_seat(table_id, 1)
    await player.open(positions={table_id: 1})
    assert [view.seat for view in player.story(table_id).views] == [1]


@pytest.mark.asyncio
async def test_nobody_sees_two_hands_of_a_deal(channel: grpc.aio.Channel) -> None:
    game = await new_game(channel, DEALS)
    ann, ben, _ = game.players
    await ann.leave_seat(game.table_id)
    await ben.leave_seat(game.table_id)
    refused = await failure(ann.take_seat(game.table_id, 1))
    assert refused.reason == "NOT_ALLOWED"
    assert await ann.take_seat(game.table_id, 0) == 0


@pytest.mark.asyncio
@pytest.mark.parametrize("preset", ["isko", "xskat_extras", "terse_english"])
async def test_listed_deals_are_the_whole_series(channel: grpc.aio.Channel, preset: str) -> None:
    request = listed(DEALS)
    request.rule_set.preset = preset
    table = await Player(channel, "ann").create_table(request)
    assert table.deals == len(DEALS)


@pytest.mark.asyncio
async def test_too_many_spectators_are_refused() -> None:
    settings = Settings(port=0, grace=0.0, limits=Limits(spectators=0))
    async with App(settings) as app, grpc.aio.insecure_channel(app.address) as channel:
        player = Player(channel, "ann")
        table = await player.create_table(listed(DEALS))
        watching = player.spectate.WatchTable(
            spectate_service_pb2.WatchTableRequest(table_id=table.table_id)
        )
        refused = await failure(watching.read())
    assert (refused.reason, refused.info.metadata["limit"]) == ("QUOTA_EXCEEDED", "spectators")
