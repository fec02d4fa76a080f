"""AdminService: accounts, tables, bans and the audit log, on the operator's port (T18)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
import pytest_asyncio
from google.protobuf.duration_pb2 import Duration

from skat.v1 import admin_service_pb2 as pb
from skat.v1 import admin_service_pb2_grpc, error_pb2, fault_pb2, table_pb2
from skat_server.app import App
from skat_server.config import AdminSettings, Settings
from skat_server.rpc.services import ADMIN_SERVICES
from skat_server.storage.accounts import Scope
from tests.rpc.failures import failure
from tests.rpc.members import Club, bearer, club
from tests.rpc.player import Player

pytestmark = pytest.mark.asyncio


@dataclass
class Office:
    """A server with accounts, and the operator's stub."""

    house: Club
    admin: admin_service_pb2_grpc.AdminServiceAsyncStub

    async def events(self) -> list[tuple[str, str, str]]:
        """What the operator has done, the newest first: by whom, what, to what."""
        response = await self.admin.ListAuditEvents(pb.ListAuditEventsRequest())
        return [
            (event.actor, event.action, event.target)
            for event in response.events
            if event.action != "test"
        ]


@pytest_asyncio.fixture
async def office() -> AsyncIterator[Office]:
    """A server with accounts and an operator on the loopback."""
    async with (
        club(admin=AdminSettings()) as house,
        grpc.aio.insecure_channel(house.app.admin_address or "") as channel,
    ):
        yield Office(house, admin_service_pb2_grpc.AdminServiceStub(channel))


async def test_an_account_is_made_with_a_token_that_works(office: Office) -> None:
    made = await office.admin.CreateAccount(pb.CreateAccountRequest(name="ann"))
    ann = Player(office.house.channel, "ann")
    ann.metadata = bearer(made.token_text)
    assert (await ann.create_table()).state == table_pb2.TABLE_STATE_OPEN
    assert (made.account.name, made.account.disabled) == ("ann", False)
    token = ("local", "CreateAccount", made.token_text.split("_")[1])
    assert await office.events() == [token, ("local", "CreateAccount", made.account.account_id)]


@pytest.mark.parametrize(("name", "reason"), [("ann", "NAME_TAKEN"), ("", "INVALID_FIELD")])
async def test_a_name_that_cannot_be_had(office: Office, name: str, reason: str) -> None:
    await office.house.account("ann")
    refused = await failure(office.admin.CreateAccount(pb.CreateAccountRequest(name=name)))
    assert refused.reason == reason
    assert await office.events() == []


async def test_a_seat_forfeits(office: Office) -> None:
    """R8: the table's end names seat and cause."""
    _, bots, table_id = await office.house.playing()
    request = pb.ForfeitSeatRequest(table_id=table_id, seat=1, reason="plays by phone")
    response = await office.admin.ForfeitSeat(request)
    assert response.table.state == table_pb2.TABLE_STATE_CLOSED
    await bots[0].end_of(table_id)
    closed = bots[0].story(table_id).events[-1].table_closed
    assert closed.reason == "plays by phone"
    assert (closed.cause, closed.seat) == (fault_pb2.FAULT_CAUSE_ADMIN, 1)
    assert await office.events() == [("local", "ForfeitSeat", table_id)]


async def test_a_deal_is_dropped_and_dealt_anew(office: Office) -> None:
    _, bots, table_id = await office.house.playing()
    await bots[2].decision(table_id)
    request = pb.VoidDealRequest(table_id=table_id, reason="wrong cards")
    response = await office.admin.VoidDeal(request)
    assert response.table.state == table_pb2.TABLE_STATE_PLAYING
    story = bots[0].story(table_id)
    await bots[0].until(lambda: "deal_voided" in story.cases and story.latest == "deal_started")
    assert await office.events() == [("local", "VoidDeal", table_id)]


async def test_a_deal_that_is_not_there_cannot_be_dropped(office: Office) -> None:
    ann = await office.house.account("ann")
    table = await ann.create_table()
    request = pb.VoidDealRequest(table_id=table.table_id, reason="boredom")
    assert (await failure(office.admin.VoidDeal(request))).reason == "WRONG_PHASE"


@pytest.mark.parametrize("who", ["bot", "account"])
async def test_who_is_banned_is_out_at_once_and_let_in_again(office: Office, who: str) -> None:
    ann, bots, table_id = await office.house.playing()
    banned = (bots[0] if who == "bot" else ann).account.account_id
    await office.admin.Ban(pb.BanRequest(id=banned, reason="floods the lobby"))
    ended = await bots[0].end()
    assert (ended.code, ended.reason) == (grpc.StatusCode.PERMISSION_DENIED, "BANNED")
    assert (await failure(bots[0].get_caller())).reason == "BANNED"
    assert (await ann.get_table(table_id)).seats[0].taken
    await office.admin.Unban(pb.UnbanRequest(id=banned))
    await bots[0].get_caller()
    assert await office.events() == [("local", "Unban", banned), ("local", "Ban", banned)]


NOBODY = [
    pytest.param("Ban", pb.BanRequest(id="bot-x", reason="x"), "ACCOUNT_NOT_FOUND", id="ban"),
    pytest.param("Unban", pb.UnbanRequest(id="bot-x"), "ACCOUNT_NOT_FOUND", id="unban"),
    pytest.param(
        "ForfeitSeat",
        pb.ForfeitSeatRequest(table_id="table-x", reason="x"),
        "TABLE_NOT_FOUND",
        id="forfeit",
    ),
    pytest.param(
        "VoidDeal", pb.VoidDealRequest(table_id="table-x", reason="x"), "TABLE_NOT_FOUND", id="void"
    ),
    pytest.param("Drain", pb.DrainRequest(grace=Duration(seconds=-1)), "INVALID_FIELD", id="drain"),
    pytest.param(
        "Drain",
        pb.DrainRequest(grace=Duration(seconds=-1, nanos=1_999_999_999)),
        "INVALID_FIELD",
        id="drain by nanoseconds",
    ),
    pytest.param(
        "Drain",
        pb.DrainRequest(grace=Duration(seconds=2**62)),
        "INVALID_FIELD",
        id="drain for ever",
    ),
]


@pytest.mark.parametrize(("method", "request_message", "reason"), NOBODY)
async def test_what_cannot_be_done_leaves_no_line(
    office: Office, method: str, request_message: Any, reason: str
) -> None:
    refused = await failure(getattr(office.admin, method)(request_message))
    assert refused.reason == reason
    assert await office.events() == []


@pytest.mark.parametrize("reason", ["", "x" * 201, "two\nlines"])
async def test_a_reason_is_a_sentence(office: Office, reason: str) -> None:
    """T20: what is shown to people later has no control characters."""
    for method, request in (
        ("Ban", pb.BanRequest(id="bot-x", reason=reason)),
        ("ForfeitSeat", pb.ForfeitSeatRequest(table_id="t", reason=reason)),
        ("VoidDeal", pb.VoidDealRequest(table_id="t", reason=reason)),
    ):
        assert (await failure(getattr(office.admin, method)(request))).fields == ["reason"]


async def test_a_drain_is_in_the_log_and_opens_no_more_tables(office: Office) -> None:
    ann, _, _ = await office.house.playing()
    response = await office.admin.Drain(pb.DrainRequest(grace=Duration(seconds=30)))
    assert response.stops_by.seconds == round(office.house.clock.now()) + 30
    assert (await failure(ann.create_table())).reason == "DRAINING"
    assert await office.events() == [("local", "Drain", "server")]


async def test_the_audit_log_comes_in_pages(office: Office) -> None:
    for number in range(5):
        await office.admin.CreateAccount(pb.CreateAccountRequest(name=f"a{number}"))
    seen: list[str] = []
    request = pb.ListAuditEventsRequest(page_size=3)
    while True:
        page = await office.admin.ListAuditEvents(request)
        seen += [event.target for event in page.events if event.target.startswith("account")]
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    rows = await office.house.app.accounts.store.accounts("", "", 9)
    assert seen == [row.account_id for row in reversed(rows)]


async def test_a_page_of_the_audit_log_that_none_gave_is_refused(office: Office) -> None:
    request = pb.ListAuditEventsRequest(page_token="first")
    assert (await failure(office.admin.ListAuditEvents(request))).fields == ["page_token"]


async def test_an_operator_with_a_token_is_known_by_it(office: Office) -> None:
    ann = await office.house.account("ann")
    olga = await office.house.again(ann.account, frozenset({Scope.ADMIN}))
    await office.admin.CreateAccount(pb.CreateAccountRequest(name="x"), metadata=olga.metadata)
    assert {actor for actor, _, _ in await office.events()} == {ann.account.account_id}


METHODS = [method.name for service in ADMIN_SERVICES for method in service.methods]


@pytest.mark.parametrize("method", METHODS)
async def test_who_shows_a_token_is_held_to_it(office: Office, method: str) -> None:
    """T18: every method of the operator."""
    ann = await office.house.account("ann")
    request = getattr(pb, f"{method}Request")()
    refused = await failure(getattr(office.admin, method)(request, metadata=ann.metadata))
    assert refused.reason == "SCOPE_MISSING"
    wrong = await failure(getattr(office.admin, method)(request, metadata=bearer("skat_")))
    assert wrong.reason == "UNAUTHENTICATED"


ON_ACCOUNTS = [
    pytest.param("CreateAccount", pb.CreateAccountRequest(name="ann"), id="create"),
    pytest.param("Ban", pb.BanRequest(id="player-x", reason="rude"), id="ban"),
    pytest.param("Unban", pb.UnbanRequest(id="player-x"), id="unban"),
]


@pytest.mark.parametrize(("method", "request_message"), ON_ACCOUNTS)
async def test_an_open_server_keeps_no_accounts(method: str, request_message: Any) -> None:
    async with (
        App(Settings(port=0, grace=0.0, admin=AdminSettings())) as app,
        grpc.aio.insecure_channel(app.admin_address or "") as channel,
    ):
        admin = admin_service_pb2_grpc.AdminServiceStub(channel)
        refused = await failure(getattr(admin, method)(request_message))
        assert refused.reason == "NO_ACCOUNTS"
        assert error_pb2.ErrorReason.Value(f"ERROR_REASON_{refused.reason}")
