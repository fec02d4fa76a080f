"""The command line: what it shows, and what it says when something is wrong."""

import asyncio
import hashlib
import sys
from collections.abc import Coroutine
from importlib import metadata
from pathlib import Path
from typing import Any

import grpc
import pytest

from skat.v1 import (
    account_pb2,
    account_service_pb2,
    event_pb2,
    fault_pb2,
    play_service_pb2,
    record_service_pb2,
    rules_service_pb2,
    table_pb2,
    table_service_pb2,
)
from skat_client._cli import FAILED, run_command
from skat_client.errors import ErrorReason
from skat_client.testing import (
    DROP,
    End,
    ExpectHello,
    ExpectWatch,
    Failure,
    ScriptedServer,
    SendFrames,
    Silence,
    new_events,
    new_frame,
    new_table,
    new_view,
    passed_deal,
)

pytestmark = pytest.mark.asyncio

TOKEN = "a-token-of-our-own"
SEATS = "seat 0 player 0, seat 1 player 1, seat 2 player 2"
DEAL = "deal 1: passed in; changes 0 0 0; totals 0 0 0"

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's own settings count."""
    for name in ("SKAT_SERVER", "SKAT_TOKEN", "SKAT_TOKEN_FILE"):
        monkeypatch.delenv(name, raising=False)


def isko(**options: str) -> rules_service_pb2.ListRuleSetsResponse:
    """What the server says of its rules."""
    seats = rules_service_pb2.OptionInfo(
        name="seats", meaning="places", values=["3", "4"], default_value="3"
    )
    info = rules_service_pb2.RuleSetInfo(preset="isko", options={"seats": "3", **options})
    return rules_service_pb2.ListRuleSetsResponse(rule_sets=[info], options=[seats])


def seated_at(**fields: Any) -> table_service_pb2.TakeSeatResponse:
    return table_service_pb2.TakeSeatResponse(table=new_table("t", **fields), seat=0)


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


async def test_clock_faults_and_house_bots_are_asked_for(server: ScriptedServer) -> None:
    server.reply("CreateTable", table_service_pb2.CreateTableResponse(table=new_table("t")))
    options = ("--clock", "decision=5,bank=60", "--faults", "safe=1,then=forfeit")
    assert await run_at(server, "create", *options, "--house-bots", "random,first-option") == 0
    (request,) = server.requests_of(table_service_pb2.CreateTableRequest)
    clock = request.clock
    assert (clock.decision_ms, clock.bank_ms, clock.increment_ms, clock.grace_ms) == (
        5_000,
        60_000,
        0,
        30_000,
    )
    assert (request.faults.safe_answers, request.faults.illegal_actions) == (1, 3)
    assert request.faults.consequence == fault_pb2.FAULT_CONSEQUENCE_FORFEIT
    assert list(request.house_bots) == [
        table_pb2.HOUSE_BOT_RANDOM,
        table_pb2.HOUSE_BOT_FIRST_OPTION,
    ]


async def test_what_is_not_asked_for_is_the_servers_choice(server: ScriptedServer) -> None:
    server.reply("CreateTable", table_service_pb2.CreateTableResponse(table=new_table("t")))
    assert await run_at(server, "create") == 0
    (request,) = server.requests_of(table_service_pb2.CreateTableRequest)
    assert [request.HasField(name) for name in ("clock", "faults")] == [False, False]
    assert list(request.house_bots) == []


async def test_house_bots_need_seats_too(server: ScriptedServer, capsys: Captured) -> None:
    options = ("--seats", "3", "--bots", "rules,rules", "--house-bots", "random,random")
    assert await run_at(server, "create", *options) == FAILED
    assert "4 bots do not fit on 3 seats" in capsys.readouterr().err


async def test_bots_can_be_seated_at_once(seated: ScriptedServer, capsys: Captured) -> None:
    seated.reply("ListRuleSets", isko())
    seated.reply("CreateTable", table_service_pb2.CreateTableResponse(table=new_table("t")))
    seated.play(*passed_deal("t"))
    assert await run_at(seated, "create", "--bots", "first-option") == 0
    tokens = [call["authorization"] for call in seated.metadata]
    assert (len(tokens), len(set(tokens))) == (5, 2)
    (request,) = seated.requests_of(table_service_pb2.TakeSeatRequest)
    assert (request.seat, request.HasField("seat")) == (0, True)
    assert capsys.readouterr().out.splitlines() == [
        "t",
        "waiting for 2 more players: skat-client play --table t",
        SEATS,
        DEAL,
    ]


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


async def test_more_bots_than_seats_are_refused_before_a_table_is_made(
    server: ScriptedServer, capsys: Captured
) -> None:
    server.reply("ListRuleSets", isko())
    assert await run_at(server, "create", "--bots", "rules,rules,rules,rules") == FAILED
    assert "4 bots do not fit on 3 seats" in capsys.readouterr().err
    assert server.requests_of(table_service_pb2.CreateTableRequest) == []


async def test_seats_that_were_asked_for_count(server: ScriptedServer, capsys: Captured) -> None:
    bots = ("--bots", "rules,rules,rules,rules,rules")
    assert await run_at(server, "create", "--seats", "4", *bots) == FAILED
    assert "5 bots do not fit on 4 seats" in capsys.readouterr().err
    assert server.requests == []


async def test_a_table_whose_bots_are_interrupted_is_closed(
    seated: ScriptedServer, capsys: Captured
) -> None:
    seated.reply("CreateTable", table_service_pb2.CreateTableResponse(table=new_table("t")))
    seated.reply("CloseTable", table_service_pb2.CloseTableResponse(table=new_table("t")))
    seated.play(Silence())
    command = run_at(seated, "create", "--seats", "3", "--bots", "rules")
    await interrupted(command, seated, calls=3)
    assert capsys.readouterr().out.splitlines()[-1] == "closed t"


async def test_presets_are_listed_with_options(server: ScriptedServer, capsys: Captured) -> None:
    server.reply("ListRuleSets", isko())
    assert await run_at(server, "presets", "--options") == 0
    assert capsys.readouterr().out == "isko\nseats=3  places (3, 4)\n"


async def test_a_preset_shows_what_it_changes(server: ScriptedServer, capsys: Captured) -> None:
    server.reply("ListRuleSets", isko(seats="4"))
    assert await run_at(server, "presets", "isko") == 0
    assert capsys.readouterr().out.splitlines() == [
        "isko",
        "  seats=4  places; default 3",
    ]


async def test_an_unknown_preset_names_those_that_are_there(
    server: ScriptedServer, capsys: Captured
) -> None:
    server.reply("ListRuleSets", isko())
    assert await run_at(server, "presets", "nope") == FAILED
    assert "there is no preset 'nope': choose one of isko" in capsys.readouterr().err


async def test_records_are_printed_as_files_have_them(
    server: ScriptedServer, capsys: Captured
) -> None:
    lines = [record_service_pb2.DealRecord(json=f'{{"version":{number}}}') for number in (1, 2)]
    server.reply("ListDealRecords", record_service_pb2.ListDealRecordsResponse(records=lines))
    assert await run_at(server, "records", "t") == 0
    assert capsys.readouterr().out == '{"version":1}\n{"version":2}\n'


async def test_a_table_without_records_is_said_to_have_none(
    server: ScriptedServer, capsys: Captured
) -> None:
    server.reply("ListDealRecords", record_service_pb2.ListDealRecordsResponse())
    assert await run_at(server, "records", "t") == 0
    streams = capsys.readouterr()
    assert (streams.out, streams.err) == ("", "no finished deal yet\n")


def a_record(number: int, previous: bytes, json: str = "{}") -> record_service_pb2.DealRecord:
    """A record in its place in the chain, of cards that were given."""
    seal = hashlib.sha256(previous + json.encode()).digest()
    return record_service_pb2.DealRecord(
        table_id="t", deal_number=number, json=json, sha256=seal, previous_sha256=previous
    )


def verdict(*, ok: bool = True) -> record_service_pb2.VerifyDealResponse:
    outcome = "DEAL_CHECK_OUTCOME_OK" if ok else "DEAL_CHECK_OUTCOME_FAILED"
    check = record_service_pb2.DealCheck(
        kind=record_service_pb2.DEAL_CHECK_KIND_LEGALITY,
        outcome=record_service_pb2.DealCheckOutcome.Value(outcome),
        message="follow suit",
    )
    return record_service_pb2.VerifyDealResponse(ok=ok, checks=[check])


async def test_records_are_verified(server: ScriptedServer, capsys: Captured) -> None:
    table = new_table("t", state=table_pb2.TABLE_STATE_FINISHED)
    server.reply("GetTable", table_service_pb2.GetTableResponse(table=table))
    first = a_record(1, bytes(32))
    both = [first, a_record(2, first.sha256)]
    server.reply("ListDealRecords", record_service_pb2.ListDealRecordsResponse(records=both))
    server.reply("VerifyDeal", verdict(), verdict())
    assert await run_at(server, "records", "verify", "t") == 0
    assert capsys.readouterr().out.splitlines() == ["deal 1: ok", "deal 2: ok", "2 records hold"]


async def test_records_that_do_not_hold_are_said_not_to(
    server: ScriptedServer, capsys: Captured
) -> None:
    table = new_table("t", state=table_pb2.TABLE_STATE_FINISHED)
    table.chance.commitment = bytes(32)
    server.reply("GetTable", table_service_pb2.GetTableResponse(table=table))
    first = a_record(1, bytes(32))
    second = a_record(2, bytes(32), "[")
    records = record_service_pb2.ListDealRecordsResponse(records=[first, second])
    server.reply("ListDealRecords", records)
    server.reply("VerifyDeal", verdict(), verdict(ok=False))
    assert await run_at(server, "records", "verify", "t") == FAILED
    streams = capsys.readouterr()
    assert streams.out.splitlines() == [
        "deal 1: it has no seed",
        "deal 2: it does not follow the record before it; it cannot be read; legality: follow suit",
    ]
    assert "2 of 2 records do not hold" in streams.err


async def test_records_of_a_table_that_goes_on_are_verified_as_far_as_can_be(
    server: ScriptedServer, capsys: Captured
) -> None:
    table = new_table("t")
    table.chance.commitment = bytes(32)
    server.reply("GetTable", table_service_pb2.GetTableResponse(table=table))
    server.reply("ListDealRecords", record_service_pb2.ListDealRecordsResponse())
    assert await run_at(server, "records", "verify", "t") == 0
    assert "the table is not over" in capsys.readouterr().out


async def test_a_token_is_shown(server: ScriptedServer, capsys: Captured) -> None:
    assert await run_at(server, "token", "--token", TOKEN) == 0
    assert capsys.readouterr().out == f"{TOKEN}\n"
    assert server.requests == []


async def test_a_new_token_is_shown_where_there_is_none(
    server: ScriptedServer, capsys: Captured
) -> None:
    assert await run_at(server, "token") == 0
    assert await run_at(server, "token") == 0
    first, second = capsys.readouterr().out.splitlines()
    assert (len(first), first.isalnum(), first != second) == (64, True, True)


async def test_a_token_file_makes_the_same_player_every_time(
    server: ScriptedServer, capsys: Captured, tmp_path: Path
) -> None:
    file = tmp_path / "token"
    server.reply("LeaveSeat", *[table_service_pb2.LeaveSeatResponse(table=new_table("t"))] * 2)
    for _ in range(2):
        assert await run_at(server, "leave", "t", "--token-file", str(file)) == 0
    expected = f"Bearer {file.read_text(encoding='ascii').strip()}"
    assert [call["authorization"] for call in server.metadata] == [expected] * 2


async def test_a_bot_of_the_account_gets_a_token(
    server: ScriptedServer, capsys: Captured, tmp_path: Path
) -> None:
    bots = account_service_pb2.ListBotsResponse(bots=[account_pb2.Bot(bot_id="b", name="mine")])
    issued = account_service_pb2.IssueTokenResponse(text="the-text-of-the-new-token")
    server.reply("ListBots", bots)
    server.reply("IssueToken", issued)
    out = tmp_path / "token"
    options = ("--bot", "mine", "--days", "2", "--out", str(out))
    assert await run_at(server, "token", "--token", TOKEN, *options) == 0
    (request,) = server.requests_of(account_service_pb2.IssueTokenRequest)
    assert (request.bot_id, request.lifetime.seconds) == ("b", 2 * 24 * 3600)
    assert out.read_text(encoding="ascii") == "the-text-of-the-new-token\n"
    assert capsys.readouterr().out == ""


async def test_a_new_bot_is_made_for_its_token(server: ScriptedServer, capsys: Captured) -> None:
    server.reply("ListBots", account_service_pb2.ListBotsResponse())
    bot = account_pb2.Bot(bot_id="new", name="mine")
    server.reply("CreateBot", account_service_pb2.CreateBotResponse(bot=bot))
    text = "the-text-of-the-new-token"
    server.reply("IssueToken", account_service_pb2.IssueTokenResponse(text=text))
    assert await run_at(server, "token", "--token", TOKEN, "--bot", "mine") == 0
    (request,) = server.requests_of(account_service_pb2.IssueTokenRequest)
    assert (request.bot_id, request.HasField("lifetime")) == ("new", False)
    assert capsys.readouterr().out == f"{text}\n"


async def test_a_file_that_is_there_is_not_overwritten(
    server: ScriptedServer, capsys: Captured, tmp_path: Path
) -> None:
    file = tmp_path / "token"
    file.write_text("something", encoding="ascii")
    assert await run_at(server, "token", "--bot", "mine", "--out", str(file)) == FAILED
    assert "is there already" in capsys.readouterr().err
    assert (server.requests, file.read_text(encoding="ascii")) == ([], "something")


async def test_a_seat_is_left(server: ScriptedServer, capsys: Captured) -> None:
    server.reply("LeaveSeat", table_service_pb2.LeaveSeatResponse(table=new_table("t")))
    assert await run_at(server, "leave", "t", "--token", TOKEN) == 0
    assert capsys.readouterr().out.startswith("t  playing")


async def test_a_table_is_closed(server: ScriptedServer, capsys: Captured) -> None:
    table = new_table("t", state=table_pb2.TABLE_STATE_CLOSED)
    server.reply("CloseTable", table_service_pb2.CloseTableResponse(table=table))
    assert await run_at(server, "close", "t", "--token", TOKEN) == 0
    assert capsys.readouterr().out.startswith("t  closed")


@pytest.mark.parametrize("command", ["leave", "close"])
async def test_whoever_has_no_token_can_have_no_seat_and_no_table(
    command: str, server: ScriptedServer, capsys: Captured
) -> None:
    assert await run_at(server, command, "t") == FAILED
    assert "SKAT_TOKEN" in capsys.readouterr().err
    assert server.requests == []


async def test_anothers_table_says_which_token_it_takes(
    server: ScriptedServer, capsys: Captured
) -> None:
    server.reply("CloseTable", Failure(grpc.StatusCode.PERMISSION_DENIED, ErrorReason.NOT_ALLOWED))
    assert await run_at(server, "close", "t", "--token", TOKEN) == FAILED
    assert "the token that made the table" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("reason", "hint"),
    [
        (ErrorReason.DRAINING, "in a minute"),
        (ErrorReason.GOING_AWAY, "in a minute"),
        (ErrorReason.STORE_UNAVAILABLE, "tell its operator"),
    ],
)
async def test_nobody_is_told_to_start_a_server_that_is_there(
    reason: ErrorReason, hint: str, server: ScriptedServer, capsys: Captured
) -> None:
    server.reply("CloseTable", *[Failure(grpc.StatusCode.UNAVAILABLE, reason)] * 20)
    assert await run_at(server, "close", "t", "--token", TOKEN) == FAILED
    error = capsys.readouterr().err
    assert hint in error
    assert "make serve" not in error


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


async def test_faults_are_shown(server: ScriptedServer, capsys: Captured) -> None:
    events = new_events(
        1,
        event_pb2.DecisionDefaulted(seat=1, cause=fault_pb2.FAULT_CAUSE_TIMEOUT),
        event_pb2.SeatTakenOver(seat=1, cause=fault_pb2.FAULT_CAUSE_TIMEOUT),
        event_pb2.SeatReturned(seat=1),
        event_pb2.DealVoided(reason="by the operator"),
        event_pb2.TableClosed(reason="forfeit", cause=fault_pb2.FAULT_CAUSE_STALLED, seat=2),
    )
    view = new_view("t", seat=None, sequence=5)
    view.table.seats[1].taken_over = True
    server.watch(ExpectWatch(), SendFrames(new_frame("t", events, view=view)))
    assert await run_at(server, "watch", "t") == 0
    assert capsys.readouterr().out.splitlines() == [
        "t  playing  isko  0/1  [player 0, player 1 (the house plays), player 2]",
        "seat 1 gets the safe answer: timeout",
        "the house plays for seat 1: timeout",
        "seat 1 plays again",
        "the deal is void and dealt anew: by the operator",
        "table closed: forfeit (seat 2, stalled)",
    ]


async def test_a_bot_may_poll(seated: ScriptedServer, capsys: Captured) -> None:
    seated.play(*passed_deal("t"))
    options = ("--bot", "first-option", "--table", "t", "--polling")
    assert await run_at(seated, "play", *options) == 0
    assert capsys.readouterr().out.splitlines()[-1] == DEAL
    assert len(seated.requests_of(play_service_pb2.SubmitActionRequest)) == 1


async def test_a_bot_gives_up_when_it_is_told_to(seated: ScriptedServer, capsys: Captured) -> None:
    seated.play(DROP)
    options = ("--table", "t", "--give-up-after", "0")
    assert await run_at(seated, "play", *options) == FAILED
    assert "no connection for 0 s, giving up" in capsys.readouterr().err


@pytest.mark.parametrize("bot", ["first-option", "random"])
async def test_a_bundled_bot_plays(bot: str, seated: ScriptedServer, capsys: Captured) -> None:
    seated.play(*passed_deal("t"))
    assert await run_at(seated, "play", "--bot", bot, "--table", "t", "--seed", "2") == 0
    assert capsys.readouterr().out.splitlines() == [f"{bot} plays at t, seat 0", SEATS, DEAL]


async def test_a_player_hears_why_his_table_ended(seated: ScriptedServer, capsys: Captured) -> None:
    closed = new_events(1, event_pb2.TableClosed(reason="bad manners"))
    view = new_view("t", sequence=1)
    seated.play(ExpectHello(), SendFrames(new_frame("t", closed, view=view)))
    assert await run_at(seated, "play", "--table", "t") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "table closed: bad manners"


async def test_a_player_hears_for_whom_he_waits(server: ScriptedServer, capsys: Captured) -> None:
    response = seated_at()
    response.table.seats[2].taken = False
    server.reply("TakeSeat", response)
    server.play(*passed_deal("t"))
    assert await run_at(server, "play", "--bot", "first-option", "--table", "t") == 0
    waiting = "waiting for 1 more player: skat-client play --table t"
    assert capsys.readouterr().out.splitlines()[1] == waiting


async def test_an_own_table_that_is_over_is_said_to_be(
    server: ScriptedServer, capsys: Captured
) -> None:
    server.reply("TakeSeat", seated_at(state=table_pb2.TABLE_STATE_FINISHED))
    assert await run_at(server, "play", "--table", "t") == 0
    assert capsys.readouterr().out == "t is finished already: totals 0 0 0\n"


@pytest.mark.parametrize(
    ("token", "last"),
    [((), "left t"), (("--token", TOKEN), "rules plays at t, seat 0")],
    ids=["nobody's", "own"],
)
async def test_a_seat_is_kept_where_the_player_can_come_back(
    token: tuple[str, ...], last: str, seated: ScriptedServer, capsys: Captured
) -> None:
    seated.reply("LeaveSeat", table_service_pb2.LeaveSeatResponse(table=new_table("t")))
    seated.play(Silence())
    await interrupted(run_at(seated, "play", "--table", "t", *token), seated, calls=3)
    assert capsys.readouterr().out.splitlines()[-1] == last


async def test_a_restarted_server_is_said_to_have_lost_the_table(
    seated: ScriptedServer, capsys: Captured
) -> None:
    seated.reply("GetTable", Failure(grpc.StatusCode.NOT_FOUND, ErrorReason.TABLE_NOT_FOUND))
    seated.play(ExpectHello(), DROP)
    seated.play(ExpectHello())
    assert await run_at(seated, "play", "--table", "t") == FAILED
    error = capsys.readouterr().err
    assert "the server no longer knows t" in error
    assert "skat-client create" in error


async def test_without_a_table_it_takes_the_newest_with_a_free_seat(
    seated: ScriptedServer, capsys: Captured
) -> None:
    full, free = new_table("full"), new_table("t")
    free.seats[0].taken = False
    seated.reply("ListTables", table_service_pb2.ListTablesResponse(tables=[full, free]))
    seated.play(*passed_deal("t"))
    assert await run_at(seated, "play", "--bot", "first-option") == 0
    assert "first-option plays at t" in capsys.readouterr().out


async def interrupted(
    command: Coroutine[Any, Any, int], server: ScriptedServer, *, calls: int
) -> None:
    """Cancel a command as Ctrl-C does, once it has made so many calls."""
    task = asyncio.create_task(command)
    while len(server.metadata) < calls and not task.done():
        await asyncio.wait({task}, timeout=0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


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
    streams = capsys.readouterr()
    assert "skat-client create" in streams.err
    assert streams.out == ""


async def test_a_server_without_tls_is_said_to_need_plaintext(
    server: ScriptedServer, capsys: Captured, tmp_path: Path
) -> None:
    own = tmp_path / "own.pem"
    own.write_text("", encoding="ascii")
    for options in (("--ca", str(own)), ("--ca-file", str(own)), ("--server-name", "skat")):
        assert await run_at(server, "tables", *options) == FAILED
        assert "speaks plain text? Add --plaintext" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("sign", "option"),
    [
        ("SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED: self signed", "--ca"),
        ("Custom verification check failed: Hostname Verification Check failed.", "--server-name"),
        ("last error: UNAVAILABLE: ipv4:127.0.0.1:7654: Socket closed", "--ca"),
        ("last error: Failed to create security handshaker.", "PEM"),
    ],
)
async def test_a_connection_that_is_refused_says_which_option_helps(
    sign: str, option: str, server: ScriptedServer, capsys: Captured
) -> None:
    server.reply("ListTables", Failure(grpc.StatusCode.UNAVAILABLE, message=sign))
    assert await run_at(server, "tables") == FAILED
    hint = capsys.readouterr().err.splitlines()[-1]
    assert option in hint
    assert "make serve" not in hint


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
        (("play", "--server", "localhost"), "for instance localhost:7654"),
        (("tables", "--token", "short"), "16 to 200"),
        (("tables", "--ca", "/nowhere/at.pem"), "cannot read /nowhere/at.pem"),
        (("create", "--clock", "think=3"), "NAME=VALUE"),
        (("create", "--house-bots", "nobody"), "there is no house bot 'nobody'"),
        (("records", "t", "u"), "records verify TABLE"),
    ],
    ids=[
        *("bot", "bots", "option", "seed", "address", "token", "certificates"),
        *("clock", "house bots", "records"),
    ],
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


async def test_the_version_is_that_of_the_distribution(capsys: Captured) -> None:
    with pytest.raises(SystemExit) as caught:
        await run_command(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"skat-client {metadata.version('skat-client')}\n"


async def test_it_runs_as_a_module(server: ScriptedServer) -> None:
    server.reply("ListTables", table_service_pb2.ListTablesResponse(tables=[new_table("t")]))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "skat_client", "tables"),
        env={"SKAT_SERVER": server.address},
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    assert (process.returncode, output[:10]) == (0, b"t  playing")
