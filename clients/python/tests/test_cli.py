"""The command line: what it shows, and what it says when something is wrong."""

import asyncio
import sys

import grpc
import pytest

from skat.v1 import event_pb2, rules_service_pb2, table_service_pb2
from skat_client._cli import FAILED, run_command
from skat_client.errors import ErrorReason
from skat_client.testing import (
    End,
    ExpectWatch,
    Failure,
    ScriptedServer,
    SendFrames,
    new_events,
    new_frame,
    new_table,
    new_view,
    passed_deal,
)

pytestmark = pytest.mark.asyncio

Captured = pytest.CaptureFixture[str]


async def run_at(server: ScriptedServer, *arguments: str) -> int:
    command, *rest = arguments
    return await run_command([command, "--server", server.address, *rest])


async def test_tables_are_listed(server: ScriptedServer, capsys: Captured) -> None:
    response = table_service_pb2.ListTablesResponse(tables=[new_table("t")])
    server.reply("ListTables", response)
    assert await run_at(server, "tables", "--state", "playing") == 0
    assert capsys.readouterr().out == "t  playing  isko  0/1  [player 0, player 1, player 2]\n"


async def test_a_table_is_made_as_asked(server: ScriptedServer, capsys: Captured) -> None:
    server.reply("CreateTable", table_service_pb2.CreateTableResponse(table=new_table("t")))
    options = ("--seats", "4", "--deals", "8", "--set", "scoring=classic", "--seed", "ab" * 32)
    assert await run_at(server, "create", "--preset", "isko", *options) == 0
    (request,) = server.requests_of(table_service_pb2.CreateTableRequest)
    overrides = {
        "seats": "4",
        "session_deals": "8",
        "session_end": "fixed_deals",
        "scoring": "classic",
    }
    assert dict(request.rule_set.overrides) == overrides
    assert request.deal_source.seeded.seed == b"\xab" * 32
    assert capsys.readouterr().out == "t\n"


async def test_bots_can_be_seated_at_once(seated: ScriptedServer, capsys: Captured) -> None:
    seated.reply("CreateTable", table_service_pb2.CreateTableResponse(table=new_table("t")))
    seated.play(*passed_deal("t"))
    assert await run_at(seated, "create", "--bots", "first-option") == 0
    tokens = [call["authorization"] for call in seated.metadata]
    assert (len(tokens), len(set(tokens))) == (3, 2)
    assert capsys.readouterr().out.splitlines() == ["t", "deal 1: passed in; totals 0 0 0"]


async def test_a_number_of_deals_leaves_an_end_that_was_asked_for(server: ScriptedServer) -> None:
    server.reply("CreateTable", table_service_pb2.CreateTableResponse(table=new_table("t")))
    options = ("--preset", "xskat_extras", "--set", "session_end=open", "--deals", "8")
    assert await run_at(server, "create", *options) == 0
    (request,) = server.requests_of(table_service_pb2.CreateTableRequest)
    assert request.rule_set.overrides["session_end"] == "open"


async def test_the_end_of_a_series_is_asked_for(server: ScriptedServer, capsys: Captured) -> None:
    table = new_table("t")
    table.deals = 0
    server.reply("EndSeries", table_service_pb2.EndSeriesResponse(table=table))
    assert await run_at(server, "end", "t") == 0
    (request,) = server.requests_of(table_service_pb2.EndSeriesRequest)
    assert request.table_id == "t"
    assert capsys.readouterr().out == "t  playing  isko  0/-  [player 0, player 1, player 2]\n"


async def test_who_may_not_end_a_series_is_told(server: ScriptedServer, capsys: Captured) -> None:
    denied = grpc.StatusCode.PERMISSION_DENIED
    failure = Failure(denied, ErrorReason.NOT_ALLOWED, "the series ends by itself")
    server.reply("EndSeries", failure)
    assert await run_at(server, "end", "t") == FAILED
    error = capsys.readouterr().err
    assert "the series ends by itself" in error
    assert "SKAT_TOKEN" in error


async def test_a_table_too_small_for_its_bots_is_closed(
    server: ScriptedServer, capsys: Captured
) -> None:
    server.reply("CreateTable", table_service_pb2.CreateTableResponse(table=new_table("t")))
    server.reply("CloseTable", table_service_pb2.CloseTableResponse(table=new_table("t")))
    assert await run_at(server, "create", "--bots", "rules,rules,rules,rules") == FAILED
    assert "4 bots do not fit on 3 seats" in capsys.readouterr().err


async def test_presets_are_listed_with_options(server: ScriptedServer, capsys: Captured) -> None:
    option = rules_service_pb2.OptionInfo(
        name="seats", meaning="places", values=["3", "4"], default_value="3"
    )
    info = rules_service_pb2.RuleSetInfo(preset="isko")
    response = rules_service_pb2.ListRuleSetsResponse(rule_sets=[info], options=[option])
    server.reply("ListRuleSets", response)
    assert await run_at(server, "presets", "--options") == 0
    assert capsys.readouterr().out == "isko\nseats=3  places (3, 4)\n"


async def test_a_table_is_watched(server: ScriptedServer, capsys: Captured) -> None:
    events = new_events(
        1, event_pb2.BidMade(seat=1, value=18), event_pb2.TableClosed(reason="enough")
    )
    view = new_view("t", seat=None, sequence=2)
    server.watch(ExpectWatch(), SendFrames(new_frame("t", events, view=view)))
    assert await run_at(server, "watch", "t") == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "seat 1 bids 18",
        "table closed: enough",
    ]


@pytest.mark.parametrize("bot", ["first-option", "random"])
async def test_a_bundled_bot_plays(bot: str, seated: ScriptedServer, capsys: Captured) -> None:
    seated.play(*passed_deal("t"))
    assert await run_at(seated, "play", "--bot", bot, "--table", "t", "--seed", "2") == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{bot} plays at t",
        "deal 1: passed in; totals 0 0 0",
    ]


async def test_without_a_table_it_takes_the_newest_with_a_free_seat(
    seated: ScriptedServer, capsys: Captured
) -> None:
    full, free = new_table("full"), new_table("t")
    free.seats[0].taken = False
    seated.reply("ListTables", table_service_pb2.ListTablesResponse(tables=[full, free]))
    seated.play(*passed_deal("t"))
    assert await run_at(seated, "play", "--bot", "first-option") == 0
    assert "first-option plays at t" in capsys.readouterr().out


# ------------------------------------------------------------------------------------------ errors


async def test_nobody_there_says_how_to_start_a_server(capsys: Captured) -> None:
    async with ScriptedServer() as server:
        pass
    assert await run_at(server, "tables") == FAILED
    error = capsys.readouterr().err
    assert f"no answer from {server.address}" in error
    assert "make serve" in error


async def test_a_full_table_says_how_to_make_one(server: ScriptedServer, capsys: Captured) -> None:
    server.reply("TakeSeat", Failure(grpc.StatusCode.FAILED_PRECONDITION, ErrorReason.SEAT_TAKEN))
    assert await run_at(server, "play", "--table", "t") == FAILED
    assert "skat-client create" in capsys.readouterr().err


async def test_no_table_at_all_says_how_to_make_one(
    server: ScriptedServer, capsys: Captured
) -> None:
    server.reply("ListTables", table_service_pb2.ListTablesResponse())
    assert await run_at(server, "play") == FAILED
    assert "skat-client create" in capsys.readouterr().err


async def test_an_unknown_table_says_where_they_are_listed(
    server: ScriptedServer, capsys: Captured
) -> None:
    server.watch(End(Failure(grpc.StatusCode.NOT_FOUND, ErrorReason.TABLE_NOT_FOUND)))
    assert await run_at(server, "watch", "nowhere") == FAILED
    assert "skat-client tables" in capsys.readouterr().err


async def test_an_unknown_preset_says_where_they_are_listed(
    server: ScriptedServer, capsys: Captured
) -> None:
    failure = Failure(grpc.StatusCode.INVALID_ARGUMENT, ErrorReason.BAD_RULE_SET)
    server.reply("CreateTable", failure)
    assert await run_at(server, "create", "--preset", "nope") == FAILED
    assert "skat-client presets" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("play", "--table", "t", "--bot", "nobody"), "there is no bot 'nobody': choose one of"),
        (("create", "--bots", "nobody"), "there is no bot 'nobody': choose one of"),
        (("create", "--set", "seats"), "write NAME=VALUE"),
        (("create", "--seed", "zz"), "64 hexadecimal digits"),
        (("tables", "--token", "short"), "16 to 200"),
        (("tables", "--ca-file", "/nowhere/at.pem"), "cannot read /nowhere/at.pem"),
    ],
    ids=["bot", "bots", "option", "seed", "token", "certificates"],
)
async def test_what_is_asked_wrongly_is_said_without_a_server(
    arguments: tuple[str, ...], text: str, server: ScriptedServer, capsys: Captured
) -> None:
    assert await run_at(server, *arguments) == FAILED
    assert text in capsys.readouterr().err
    assert server.requests == []


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["watch"]], ids=["none", "wrong", "lack"])
async def test_usage_errors_exit_with_two(arguments: list[str], capsys: Captured) -> None:
    with pytest.raises(SystemExit) as caught:
        await run_command(arguments)
    assert caught.value.code == 2
    assert "usage: skat-client" in capsys.readouterr().err


async def test_it_runs_as_a_module(server: ScriptedServer) -> None:
    server.reply("ListTables", table_service_pb2.ListTablesResponse(tables=[new_table("t")]))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "skat_client", "tables"),
        env={"SKAT_SERVER": server.address},
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    assert (process.returncode, output[:10]) == (0, b"t  playing")
