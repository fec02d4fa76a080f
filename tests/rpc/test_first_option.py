"""A client without rules plays legal deals: whatever a decision offers is accepted."""

import asyncio

import grpc
import pytest

from skat.v1 import rule_set_pb2, table_pb2, table_service_pb2
from tests.rpc.choices import Chance, first_option
from tests.rpc.player import WITH_DECISIONS, Choose, Player

pytestmark = pytest.mark.asyncio


def seeded(seed: int, deals: int, **overrides: str) -> table_service_pb2.CreateTableRequest:
    """A request for a table of so many computed deals."""
    request = table_service_pb2.CreateTableRequest()
    request.rule_set.CopyFrom(
        rule_set_pb2.RuleSet(preset="isko", overrides={"session_deals": str(deals), **overrides})
    )
    request.deal_source.seeded.seed = bytes([seed]) * 32
    return request


async def play_tables(
    channel: grpc.aio.Channel,
    requests: list[table_service_pb2.CreateTableRequest],
    choices: list[Choose],
) -> list[table_pb2.Table]:
    """Play all tables to the end, one player per way to choose; returns the tables."""
    players = [Player(channel, f"number-{i}") for i in range(len(choices))]
    table_ids = [(await players[0].create_table(request)).table_id for request in requests]
    for player in players:
        await player.open(WITH_DECISIONS)
        for table_id in table_ids:
            await player.take_seat(table_id)
    async with asyncio.TaskGroup() as group:
        for player, choose in zip(players, choices, strict=True):
            group.create_task(player.play(choose, table_ids))
    return [await players[0].get_table(table_id) for table_id in table_ids]


async def test_first_options_against_chance_play_120_deals_to_the_end(
    channel: grpc.aio.Channel,
) -> None:
    tables = await play_tables(
        channel, [seeded(i, 40) for i in range(3)], [first_option, Chance(1), Chance(2)]
    )
    assert [table.state for table in tables] == [table_pb2.TABLE_STATE_FINISHED] * 3
    assert [table.deals_done for table in tables] == [40] * 3


async def test_first_options_of_all_after_the_auction_play_180_deals_to_the_end(
    channel: grpc.aio.Channel,
) -> None:
    choices = [Chance(seed, plain_after_auction=True) for seed in range(3)]
    tables = await play_tables(channel, [seeded(10 + i, 45) for i in range(4)], list(choices))
    assert [table.deals_done for table in tables] == [45] * 4
    assert all(any(table.totals) for table in tables)


async def test_first_options_alone_pass_every_deal_in(channel: grpc.aio.Channel) -> None:
    (table,) = await play_tables(channel, [seeded(20, 6)], [first_option] * 3)
    assert table.deals_done == 6
    assert list(table.totals) == [0, 0, 0]


async def test_first_options_play_at_a_table_of_four(channel: grpc.aio.Channel) -> None:
    choices: list[Choose] = [first_option, Chance(3), Chance(4), Chance(5)]
    (table,) = await play_tables(channel, [seeded(21, 12, seats="4")], choices)
    assert table.state == table_pb2.TABLE_STATE_FINISHED
    assert len(table.totals) == 4
