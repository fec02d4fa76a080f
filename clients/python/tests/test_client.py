"""The calls: what is sent, and what comes back as values."""

from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.message import Message

from skat.v1 import (
    account_service_pb2,
    error_pb2,
    play_service_pb2,
    record_service_pb2,
    rules_service_pb2,
    spectate_service_pb2,
    table_pb2,
    table_service_pb2,
)
from skat_client import (
    AsyncClient,
    Bid,
    Card,
    Contract,
    ContractKind,
    DealLine,
    DealStep,
    DealtCards,
    ErrorReason,
    GameSummary,
    Part,
    RamschSummary,
    Reasoning,
    RuleSet,
    SeededDeals,
    ServerError,
    TableState,
    UnavailableError,
    Visibility,
)
from skat_client.testing import ScriptedServer, bidding_decision, new_table

DEALT = DealtCards(tuple(Card)[:10], tuple(Card)[10:20], tuple(Card)[20:30], tuple(Card)[30:])
METHODS = {
    "Play": "open_session",
    "PollDecisions": "open_session",
    "SubmitAction": "open_session",
    "WatchTable": "watch_table",
}


def service_methods() -> list[str]:
    files: list[Any] = [
        account_service_pb2,
        play_service_pb2,
        record_service_pb2,
        rules_service_pb2,
        spectate_service_pb2,
        table_service_pb2,
    ]
    services = [s for file in files for s in file.DESCRIPTOR.services_by_name.values()]
    return [method.name for service in services for method in service.methods]


@pytest.mark.parametrize("name", service_methods())
def test_every_call_of_the_server_has_a_method(name: str) -> None:
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
    assert callable(getattr(AsyncClient, METHODS.get(name, snake.lstrip("_"))))


@pytest.mark.asyncio
async def test_the_token_goes_with_every_call(server: ScriptedServer, client: AsyncClient) -> None:
    server.reply("GetTable", table_service_pb2.GetTableResponse(table=new_table("t")))
    await client.get_table("t")
    assert server.metadata[0]["authorization"] == f"Bearer {client.token}"


@pytest.mark.asyncio
async def test_a_table_is_made_as_asked(server: ScriptedServer, client: AsyncClient) -> None:
    server.reply("CreateTable", table_service_pb2.CreateTableResponse(table=new_table("t")))
    table = await client.create_table(
        RuleSet("isko", {"seats": "4"}),
        display_name="mine",
        visibility=Visibility.PRIVATE,
        deal_source=SeededDeals(b"x" * 32),
        request_id="once",
    )
    assert table.table_id == "t"
    (request,) = server.requests_of(table_service_pb2.CreateTableRequest)
    assert (request.rule_set.preset, dict(request.rule_set.overrides)) == ("isko", {"seats": "4"})
    assert (request.display_name, request.request_id) == ("mine", "once")
    assert request.visibility == table_pb2.VISIBILITY_PRIVATE
    assert request.deal_source.seeded.seed == b"x" * 32


@pytest.mark.asyncio
async def test_every_table_is_a_request_of_its_own(
    server: ScriptedServer, client: AsyncClient
) -> None:
    answer = table_service_pb2.CreateTableResponse(table=new_table("t"))
    server.reply("CreateTable", answer, answer)
    await client.create_table("isko")
    await client.create_table("isko")
    ids = {
        request.request_id for request in server.requests_of(table_service_pb2.CreateTableRequest)
    }
    assert len(ids - {""}) == 2


@pytest.mark.asyncio
async def test_all_pages_of_tables_are_fetched(server: ScriptedServer, client: AsyncClient) -> None:
    server.reply(
        "ListTables",
        table_service_pb2.ListTablesResponse(
            tables=[new_table("a"), new_table("b")], next_page_token="2"
        ),
        table_service_pb2.ListTablesResponse(tables=[new_table("c")]),
    )
    found = [table.table_id async for table in client.list_tables(TableState.OPEN, page_size=2)]
    assert found == ["a", "b", "c"]
    requests = server.requests_of(table_service_pb2.ListTablesRequest)
    assert [(r.page_token, r.page_size, r.state) for r in requests] == [("", 2, 1), ("2", 2, 1)]


@pytest.mark.asyncio
@pytest.mark.parametrize("seat", [None, 0, 2])
async def test_a_seat_is_named_only_when_chosen(
    seat: int | None, server: ScriptedServer, client: AsyncClient
) -> None:
    server.reply("TakeSeat", table_service_pb2.TakeSeatResponse(table=new_table("t"), seat=2))
    seating = await client.take_seat("t", "me", seat=seat)
    (request,) = server.requests_of(table_service_pb2.TakeSeatRequest)
    assert (request.seat if request.HasField("seat") else None) == seat
    assert (seating.seat, request.player_name) == (2, "me")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("method", "call", "response"),
    [
        ("LeaveSeat", AsyncClient.leave_seat, table_service_pb2.LeaveSeatResponse),
        ("CloseTable", AsyncClient.close_table, table_service_pb2.CloseTableResponse),
        ("GetTable", AsyncClient.get_table, table_service_pb2.GetTableResponse),
    ],
)
async def test_calls_about_a_table_return_it(
    method: str,
    call: Callable[..., Any],
    response: Callable[..., Message],
    server: ScriptedServer,
    client: AsyncClient,
) -> None:
    server.reply(method, response(table=new_table("t")))
    assert (await call(client, "t")).table_id == "t"


@pytest.mark.asyncio
async def test_a_record_is_returned(server: ScriptedServer, client: AsyncClient) -> None:
    record = record_service_pb2.DealRecord(table_id="t", deal_number=3, json="{}")
    server.reply("GetDealRecord", record_service_pb2.GetDealRecordResponse(record=record))
    assert (await client.get_deal_record("t", 3)).json == "{}"


@pytest.mark.asyncio
async def test_all_pages_of_records_are_fetched(
    server: ScriptedServer, client: AsyncClient
) -> None:
    records = [record_service_pb2.DealRecord(deal_number=number) for number in (1, 2)]
    page = record_service_pb2.ListDealRecordsResponse
    server.reply(
        "ListDealRecords",
        page(records=records[:1], next_page_token="1"),
        page(records=records[1:]),
    )
    assert [record.deal_number async for record in client.list_deal_records("t")] == [1, 2]


@pytest.mark.asyncio
async def test_the_rule_book_is_returned(server: ScriptedServer, client: AsyncClient) -> None:
    presets = [
        rules_service_pb2.RuleSetInfo(preset="isko", options={"seats": "3"}),
        rules_service_pb2.RuleSetInfo(preset="other"),
    ]
    options = [rules_service_pb2.OptionInfo(name="seats", values=["3", "4"])]
    server.reply(
        "ListRuleSets",
        rules_service_pb2.ListRuleSetsResponse(rule_sets=presets, options=options),
    )
    book = await client.list_rule_sets()
    assert [preset.preset for preset in book.rule_sets] == ["isko", "other"]
    assert book.options[0].values == ("3", "4")


@pytest.mark.asyncio
async def test_legal_actions_of_a_line(server: ScriptedServer, client: AsyncClient) -> None:
    decision = bidding_decision("", [20], seat=1)
    server.reply("ListLegalActions", rules_service_pb2.ListLegalActionsResponse(decision=decision))
    line = DealLine(RuleSet("isko"), DEALT, (DealStep(1, Bid(18)),))
    legal = await client.list_legal_actions(line)
    assert legal.decision is not None
    assert (legal.decision.table_id, legal.decision.seat) == ("", 1)
    (request,) = server.requests_of(rules_service_pb2.ListLegalActionsRequest)
    assert request.line.steps[0].action.bid.value == 18
    assert len(request.line.dealt.rearhand) == 10


@pytest.mark.asyncio
async def test_a_replay_names_the_illegal_step(server: ScriptedServer, client: AsyncClient) -> None:
    step = rules_service_pb2.IllegalStep(
        index=4, reason=error_pb2.ERROR_REASON_MUST_FOLLOW, message="follow suit"
    )
    server.reply("ReplayDeal", rules_service_pb2.ReplayDealResponse(illegal_step=step))
    replay = await client.replay_deal(DealLine(RuleSet("isko"), DEALT))
    assert replay.result is None
    assert replay.illegal_step is not None
    assert replay.illegal_step.reason is ErrorReason.MUST_FOLLOW


@pytest.mark.asyncio
async def test_a_game_is_valued(server: ScriptedServer, client: AsyncClient) -> None:
    response = rules_service_pb2.ScoreDealResponse()
    response.value.score = -48
    response.reasoning.factors.add(name="lost", number=2)
    server.reply("ScoreDeal", response)
    summary = GameSummary(
        Contract(ContractKind.GRAND), tuple(Card)[:10], tuple(Card)[10:12], bid=18, kontra=True
    )
    score = await client.score_deal("isko", summary)
    assert (score.value.score, score.reasoning) == (-48, Reasoning((), None, (Part("lost", 2),)))
    (request,) = server.requests_of(rules_service_pb2.ScoreDealRequest)
    assert (len(request.playing_hand), len(request.skat), request.kontra) == (10, 2, True)
    assert not request.HasField("declarer_points")


@pytest.mark.asyncio
async def test_a_ramsch_is_scored(server: ScriptedServer, client: AsyncClient) -> None:
    server.reply("ScoreRamsch", rules_service_pb2.ScoreRamschResponse(scores=[0, 0, -70]))
    summary = RamschSummary((20, 30, 70), (2, 3, 5), looked=(1,), last_trick_winner=2)
    assert (await client.score_ramsch("proskat_pub", summary)).scores == (0, 0, -70)
    (request,) = server.requests_of(rules_service_pb2.ScoreRamschRequest)
    assert (list(request.points), request.last_trick_winner) == ([20, 30, 70], 2)
    assert not request.HasField("skat_points")


@pytest.mark.asyncio
async def test_the_end_of_a_series_is_asked_for(
    server: ScriptedServer, client: AsyncClient
) -> None:
    server.reply("EndSeries", table_service_pb2.EndSeriesResponse(table=new_table("t")))
    assert (await client.end_series("t")).table_id == "t"


@pytest.mark.asyncio
async def test_nobody_there_is_said_with_the_address() -> None:
    async with ScriptedServer() as server:
        address = server.address
    async with AsyncClient(address) as client:
        with pytest.raises(UnavailableError, match=f"no answer from {address}"):
            await client.get_table("t")


@pytest.mark.asyncio
async def test_a_call_without_a_script_fails_at_once(client: AsyncClient) -> None:
    with pytest.raises(ServerError, match="no reply to GetTable") as caught:
        await client.get_table("t")
    assert caught.value.details.code == "UNIMPLEMENTED"
