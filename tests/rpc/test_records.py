"""RecordService: what is kept of a finished deal is enough to play it again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest
import pytest_asyncio

from skat.v1 import record_service_pb2, table_pb2
from skat_engine.records import FileForm, Identical, from_json_line, replay_lines
from tests.rpc.choices import Chance
from tests.rpc.deals import MIXED
from tests.rpc.failures import failure
from tests.rpc.game import Game, listed, new_game
from tests.rpc.player import WITH_DECISIONS, Player
from tests.rpc.test_first_option import seeded

pytestmark = pytest.mark.asyncio


async def records_of(player: Player, table_id: str) -> list[record_service_pb2.DealRecord]:
    """All records of a table, page by page."""
    records: list[record_service_pb2.DealRecord] = []
    request = record_service_pb2.ListDealRecordsRequest(table_id=table_id, page_size=3)
    while True:
        response = await player.records.ListDealRecords(request, metadata=player.metadata)
        records += response.records
        request.page_token = response.next_page_token
        if not request.page_token:
            return records


@pytest_asyncio.fixture
async def finished(channel: grpc.aio.Channel) -> AsyncIterator[Game]:
    """A table of one deal that was passed in."""
    game = await new_game(channel, [MIXED])
    await game.play("pass pass pass")
    await game.at(0).end_of(game.table_id)
    yield game


async def test_records_of_a_played_table_replay_identical(channel: grpc.aio.Channel) -> None:
    """H4: replaying the record gives the recorded result."""
    players = [Player(channel, name) for name in ("ann", "ben", "cem")]
    table = await players[0].create_table(seeded(30, 10))
    for player in players:
        await player.open(WITH_DECISIONS)
        await player.take_seat(table.table_id)
    async with asyncio.TaskGroup() as group:
        for seed, player in enumerate(players):
            group.create_task(player.play(Chance(seed), [table.table_id]))
    records = await records_of(players[0], table.table_id)
    lines = [record.json.encode() for record in records]
    outcomes = list(replay_lines(lines, FileForm.JSON_LINES))
    assert len(outcomes) == 10
    assert all(isinstance(outcome, Identical) for outcome in outcomes), outcomes


async def test_a_record_names_table_deal_and_players(finished: Game) -> None:
    request = record_service_pb2.GetDealRecordRequest(table_id=finished.table_id, deal_number=1)
    response = await finished.players[0].records.GetDealRecord(request)
    record = from_json_line(response.record.json)
    assert response.record.table_id == finished.table_id
    assert response.record.deal_number == 1
    assert record.id == f"{finished.table_id}/1"
    assert record.seats == ("ann", "ben", "cem")
    assert record.dealt == MIXED


async def test_a_record_has_the_totals_of_the_event(channel: grpc.aio.Channel) -> None:
    """R2: record and event agree."""
    game = await new_game(channel, [MIXED])
    await game.play("18 hold pass pass take C.H8.D7 give-up")
    await game.at(0).end_of(game.table_id)
    ended = game.story(0).events[-2].deal_ended
    (record,) = await records_of(game.at(0), game.table_id)
    claims = {claim.field: claim.value for claim in from_json_line(record.json).expected}
    assert claims["score"] == ended.result.game.value.score
    assert list(ended.changes) == list(ended.totals)


@pytest.mark.parametrize("number", [0, 2, 2**32 - 1])
async def test_a_deal_that_was_not_finished_has_no_record(finished: Game, number: int) -> None:
    request = record_service_pb2.GetDealRecordRequest(
        table_id=finished.table_id, deal_number=number
    )
    refused = await failure(finished.players[0].records.GetDealRecord(request))
    assert refused.code is grpc.StatusCode.NOT_FOUND
    assert refused.reason == "RECORD_NOT_FOUND"


async def test_the_deal_under_way_has_no_record(channel: grpc.aio.Channel) -> None:
    """T10: no card of a deal is told before its end."""
    game = await new_game(channel, [MIXED])
    await game.play("18 hold")
    request = record_service_pb2.GetDealRecordRequest(table_id=game.table_id, deal_number=1)
    refused = await failure(game.players[0].records.GetDealRecord(request))
    assert refused.reason == "RECORD_NOT_FOUND"
    assert not await records_of(game.players[0], game.table_id)


async def test_records_of_an_unknown_table_are_not_found(channel: grpc.aio.Channel) -> None:
    refused = await failure(records_of(Player(channel, "ann"), "no-table"))
    assert refused.reason == "TABLE_NOT_FOUND"


async def test_records_of_a_private_table_are_its_players(channel: grpc.aio.Channel) -> None:
    owner, stranger = Player(channel, "ann"), Player(channel, "eve")
    request = listed([MIXED])
    request.visibility = table_pb2.VISIBILITY_PRIVATE
    table = await owner.create_table(request)
    assert await records_of(owner, table.table_id) == []
    assert (await failure(records_of(stranger, table.table_id))).reason == "TABLE_NOT_FOUND"


async def test_records_can_be_asked_for_without_a_token(finished: Game) -> None:
    anybody = Player(finished.channel, "anybody")
    anybody.metadata = ()
    assert len(await records_of(anybody, finished.table_id)) == 1


async def test_a_bad_token_is_refused_also_where_none_is_needed(finished: Game) -> None:
    anybody = Player(finished.channel, "anybody")
    anybody.metadata = (("authorization", "Bearer short"),)
    refused = await failure(records_of(anybody, finished.table_id))
    assert refused.reason == "UNAUTHENTICATED"


async def test_a_wrong_page_token_is_refused(finished: Game) -> None:
    request = record_service_pb2.ListDealRecordsRequest(
        table_id=finished.table_id, page_token="first"
    )
    refused = await failure(finished.players[0].records.ListDealRecords(request))
    assert refused.fields == ["page_token"]
