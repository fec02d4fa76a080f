"""AccountService: bots and tokens of the caller's account, and nobody else's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import grpc
import pytest
import pytest_asyncio
from google.protobuf.duration_pb2 import Duration

from skat.v1 import account_pb2, account_service_pb2_grpc, table_service_pb2
from skat.v1 import account_service_pb2 as pb
from skat_server.app import App
from skat_server.players.identity import ORGANISING
from skat_server.storage.accounts import Scope
from tests.rpc.failures import failure
from tests.rpc.members import Club, Member, bearer, club
from tests.rpc.player import Player

pytestmark = pytest.mark.asyncio

PLAY, SPECTATE, ORGANISE, ADMIN = 1, 2, 3, 4


@pytest_asyncio.fixture
async def house() -> AsyncIterator[Club]:
    """A server with accounts."""
    async with club() as house:
        yield house


@pytest_asyncio.fixture
async def ann(house: Club) -> Member:
    """An account with its first token."""
    return await house.account("ann")


async def test_an_account_is_told_who_it_is(ann: Member) -> None:
    caller = await ann.get_caller()
    account_id = ann.account.account_id
    assert (caller.player_id, caller.account_id, caller.bot_id) == (account_id, account_id, "")
    assert list(caller.scopes) == [PLAY, SPECTATE, ORGANISE]


async def test_a_bot_is_told_who_it_is(house: Club, ann: Member) -> None:
    hal = await house.bot(ann, "hal")
    caller = await hal.get_caller()
    bot_id = hal.account.account_id
    assert (caller.player_id, caller.bot_id) == (bot_id, bot_id)
    assert caller.account_id == ann.account.account_id
    assert list(caller.scopes) == [PLAY, SPECTATE]


async def test_a_new_bot_can_play_with_its_new_token(house: Club, ann: Member) -> None:
    """The way from an account to a bot at a table, over the wire alone."""
    made = (await ann.create_bot("hal")).bot
    assert (made.name, made.account_id) == ("hal", ann.account.account_id)
    issued = await ann.issue(bot_id=made.bot_id)
    assert list(issued.token.scopes) == [PLAY, SPECTATE]
    assert (issued.token.bot_id, issued.token.account_id) == (made.bot_id, made.account_id)
    hal = Player(house.channel, "hal")
    hal.metadata = bearer(issued.text)
    await hal.open()
    assert hal.welcome.player_id == made.bot_id
    table = await ann.create_table()
    assert await hal.take_seat(table.table_id) == 0


async def test_a_token_of_the_account_itself_has_no_bot(ann: Member) -> None:
    issued = await ann.issue(scopes=[ORGANISE])
    assert (issued.token.bot_id, list(issued.token.scopes)) == ("", [ORGANISE])


@pytest.mark.parametrize("taken", ["ann", "hal", "ben"])
async def test_a_name_is_taken_once(house: Club, ann: Member, taken: str) -> None:
    await house.account("ben")
    await ann.create_bot("hal")
    refused = await failure(ann.create_bot(taken))
    assert (refused.code, refused.reason) == (grpc.StatusCode.ALREADY_EXISTS, "NAME_TAKEN")


@pytest.mark.parametrize("name", ["", "x" * 41, "a\nb", "\x1b[2J", " hal", "hal\u00a0", "\u202e"])
async def test_a_name_can_be_shown_and_told_from_others(ann: Member, name: str) -> None:
    """T20."""
    assert (await failure(ann.create_bot(name))).fields == ["name"]


async def test_bots_are_listed_in_pages_by_name(ann: Member) -> None:
    for number in (3, 1, 2, 5, 4):
        await ann.create_bot(f"b{number}")
    names: list[str] = []
    request = pb.ListBotsRequest(page_size=2)
    while True:
        page = await ann.own.ListBots(request, metadata=ann.metadata)
        assert len(page.bots) <= 2
        names += [bot.name for bot in page.bots]
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    assert names == ["b1", "b2", "b3", "b4", "b5"]


async def tokens(member: Member, page_size: int = 0) -> list[account_pb2.Token]:
    """All tokens of a member's account, page by page."""
    found: list[account_pb2.Token] = []
    request = pb.ListTokensRequest(page_size=page_size)
    while True:
        page = await member.own.ListTokens(request, metadata=member.metadata)
        found += page.tokens
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


async def test_tokens_are_listed_in_pages_newest_first(house: Club, ann: Member) -> None:
    ids = [ann.token_id]
    for number in range(4):
        house.clock.advance(number % 2)
        ids.append((await ann.issue()).token.token_id)
    listed = [token.token_id for token in await tokens(ann, page_size=2)]
    assert len(listed) == len(set(listed)) == 5
    assert set(listed) == set(ids)
    assert (listed[0], set(listed[1:3])) == (ids[4], set(ids[2:4]))


@pytest.mark.parametrize("page_token", ["first", "5", ".x", "x.y", "1" * 16 + ".x"])
async def test_a_page_of_tokens_that_none_gave_is_refused(ann: Member, page_token: str) -> None:
    request = pb.ListTokensRequest(page_token=page_token)
    refused = await failure(ann.own.ListTokens(request, metadata=ann.metadata))
    assert refused.fields == ["page_token"]


async def test_a_list_holds_the_own_account_only(house: Club, ann: Member) -> None:
    ben = await house.account("ben")
    await ben.create_bot("bob")
    assert [token.token_id for token in await tokens(ann)] == [ann.token_id]
    assert not (await ann.own.ListBots(pb.ListBotsRequest(), metadata=ann.metadata)).bots


async def test_nobody_gives_more_than_he_has(house: Club, ann: Member) -> None:
    """T3: neither the operator's right nor one that the own token lacks."""
    refused = await failure(ann.issue(scopes=[PLAY, ADMIN]))
    assert (refused.code, refused.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_MISSING")
    assert refused.info.metadata["scope"] == "admin"
    lesser = await house.again(ann.account, frozenset({Scope.ORGANISE}))
    assert (await failure(lesser.issue())).info.metadata["scope"] == "play"
    assert (await lesser.issue(scopes=[ORGANISE])).text


@pytest.mark.parametrize("scopes", [[0], [PLAY, 99]])
async def test_a_scope_that_is_none_is_refused(ann: Member, scopes: list[int]) -> None:
    assert (await failure(ann.issue(scopes=scopes))).fields == ["scopes"]


async def test_a_token_is_made_for_own_bots_only(house: Club, ann: Member) -> None:
    """T3."""
    ben = await house.account("ben")
    bob = await house.bot(ben, "bob")
    for foreign in (bob.account.account_id, ben.account.account_id, "bot-nobody"):
        refused = await failure(ann.issue(bot_id=foreign))
        assert (refused.code, refused.reason) == (grpc.StatusCode.NOT_FOUND, "ACCOUNT_NOT_FOUND")


async def test_a_token_has_the_life_that_was_asked_for(house: Club, ann: Member) -> None:
    lifetime = Duration()
    lifetime.FromTimedelta(timedelta(hours=1))
    token = (await ann.issue(lifetime=lifetime)).token
    assert token.expires_at.seconds - token.created_at.seconds == 3_600
    assert not (await ann.issue()).token.HasField("expires_at")
    assert not token.HasField("revoked_at")


@pytest.mark.parametrize("seconds", [0, -1, 400 * 365 * 24 * 3_600])
async def test_an_impossible_life_is_refused(ann: Member, seconds: int) -> None:
    assert (await failure(ann.issue(lifetime=Duration(seconds=seconds)))).fields == ["lifetime"]


async def test_a_token_is_revoked_once_and_for_all(house: Club, ann: Member) -> None:
    hal = await house.bot(ann, "hal")
    first = (await ann.revoke(hal.token_id)).token
    assert first.HasField("revoked_at")
    house.clock.advance(60)
    assert (await ann.revoke(hal.token_id)).token == first
    assert (await failure(hal.get_caller())).reason == "TOKEN_REVOKED"


async def test_own_tokens_only_can_be_revoked(house: Club, ann: Member) -> None:
    """T3: nor does one learn which others there are."""
    ben = await house.account("ben")
    for foreign in (ben.token_id, "0" * 16, ""):
        refused = await failure(ann.revoke(foreign))
        assert (refused.code, refused.reason) == (grpc.StatusCode.NOT_FOUND, "TOKEN_NOT_FOUND")
    await ben.get_caller()


async def test_what_owners_do_is_in_the_audit_log(house: Club, ann: Member) -> None:
    bot_id = (await ann.create_bot("hal")).bot.bot_id
    token_id = (await ann.issue(bot_id=bot_id)).token.token_id
    await ann.revoke(token_id)
    lines = await house.app.accounts.store.audit_lines(None, 3)
    told = [(line.event.actor, line.event.action, line.event.target) for line in lines]
    account_id = ann.account.account_id
    assert told == [
        (account_id, "RevokeToken", token_id),
        (account_id, "IssueToken", token_id),
        (account_id, "CreateBot", bot_id),
    ]


async def test_an_account_has_so_many_bots_and_tokens() -> None:
    """T21, R24."""
    async with club(max_bots_per_account=2, max_tokens_per_account=3) as house:
        ann = await house.account("ann")
        for name in ("b1", "b2"):
            await ann.create_bot(name)
        for _ in range(2):
            await ann.issue()
        for refused, limit in (
            (await failure(ann.create_bot("b3")), "bots_per_account"),
            (await failure(ann.issue()), "tokens_per_account"),
        ):
            assert refused.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert refused.reason == "QUOTA_EXCEEDED"
            assert refused.info.metadata["limit"] == limit
            assert refused.info.metadata["subject"] == ann.account.account_id
        ben = await house.account("ben")
        await ben.create_bot("b3")


async def quota(member: Member, name: str) -> tuple[int, int]:
    """Limit and use of a quota."""
    (found,) = (one for one in (await member.get_caller()).quotas if one.name == name)
    return found.limit, found.used


async def test_the_tables_of_an_account_are_those_of_all_its_players() -> None:
    """T21: more bots are not more tables."""
    async with club(max_tables_per_account=2, max_tables_per_player=2) as house:
        ann = await house.account("ann")
        hal = await house.again((await house.bot(ann, "hal")).account, ORGANISING)
        request = table_service_pb2.CreateTableRequest(request_id="r-1")
        await ann.create_table(request)
        table = await hal.create_table()
        refused = await failure(hal.create_table())
        assert refused.info.metadata["limit"] == "tables_per_account"
        assert await quota(hal, "tables_per_account") == (2, 2)
        assert await quota(hal, "tables_per_player") == (2, 1)
        await ann.create_table(request)
        await hal.close_table(table.table_id)
        await ann.create_table()


async def test_the_seats_of_an_account_are_those_of_all_its_players() -> None:
    """T21."""
    async with club(max_seats_per_account=2) as house:
        ann = await house.account("ann")
        bots = [await house.bot(ann, name) for name in ("b1", "b2")]
        table = await ann.create_table()
        for bot in bots:
            await bot.take_seat(table.table_id)
        refused = await failure(ann.take_seat(table.table_id))
        assert refused.info.metadata["limit"] == "seats_per_account"
        await bots[0].take_seat(table.table_id)
        assert await quota(ann, "seats_per_account") == (2, 2)
        assert await quota(ann, "seats_per_player") == (2_048, 0)


async def test_open_streams_are_counted(house: Club, ann: Member) -> None:
    await ann.open()
    assert (await quota(ann, "streams_per_player"))[1] == 1
    await ann.finish()
    assert (await quota(ann, "streams_per_player"))[1] == 0


OPEN_CALLS = [
    pytest.param("CreateBot", pb.CreateBotRequest(name="hal"), id="CreateBot"),
    pytest.param("ListBots", pb.ListBotsRequest(), id="ListBots"),
    pytest.param("IssueToken", pb.IssueTokenRequest(), id="IssueToken"),
    pytest.param("ListTokens", pb.ListTokensRequest(), id="ListTokens"),
    pytest.param("RevokeToken", pb.RevokeTokenRequest(token_id="x"), id="RevokeToken"),
]


@pytest.mark.parametrize(("method", "request_message"), OPEN_CALLS)
async def test_an_open_server_keeps_no_accounts(
    channel: grpc.aio.Channel, method: str, request_message: Any
) -> None:
    stub = account_service_pb2_grpc.AccountServiceStub(channel)
    metadata = Player(channel, "ann").metadata
    refused = await failure(getattr(stub, method)(request_message, metadata=metadata))
    assert (refused.code, refused.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NO_ACCOUNTS")


async def test_an_open_server_says_who_one_is(app: App, channel: grpc.aio.Channel) -> None:
    ann = Player(channel, "ann")
    await ann.create_table()
    stub = account_service_pb2_grpc.AccountServiceStub(channel)
    caller = await stub.GetCaller(pb.GetCallerRequest(), metadata=ann.metadata)
    assert caller.player_id.startswith("player-")
    assert (caller.account_id, caller.bot_id) == ("", "")
    assert list(caller.scopes) == [PLAY, SPECTATE, ORGANISE]
    used = {quota.name: quota.used for quota in caller.quotas}
    assert used == {"tables_per_player": 1, "seats_per_player": 0, "streams_per_player": 0}
