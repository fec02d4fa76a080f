"""Tokens over the wire: who comes in, and what ends when a token does (T1, T2, T3, T6)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from io import StringIO

import grpc
import pytest
import pytest_asyncio
from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.descriptor import ServiceDescriptor

from skat.v1 import (
    action_pb2,
    play_service_pb2,
    play_service_pb2_grpc,
    spectate_service_pb2,
    table_pb2,
    table_service_pb2,
    table_service_pb2_grpc,
)
from skat_server.app import App
from skat_server.config import Settings
from skat_server.observability.logging import configure_logging
from skat_server.players.tokens import TokenText
from skat_server.rpc.revocations import LOOK_EVERY
from skat_server.rpc.rights import require_entries
from skat_server.storage.accounts import Identity, Scope
from skat_server.storage.accounts_memory import MemoryAccounts
from skat_server.storage.protocols import StoreError
from tests.rpc.deals import MIXED
from tests.rpc.failures import Failure, failure, failure_of
from tests.rpc.game import listed
from tests.rpc.members import LOCAL, Club, Member, bearer, club
from tests.rpc.player import Player, submission
from tests.rpc.raw_http2 import RawConnection

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def house() -> AsyncIterator[Club]:
    """A server with accounts."""
    async with club() as house:
        yield house


@pytest_asyncio.fixture
async def ann(house: Club) -> Member:
    """An account with its first token."""
    return await house.account("ann")


@pytest_asyncio.fixture
async def hal(house: Club, ann: Member) -> Member:
    """A bot of Ann's."""
    return await house.bot(ann, "hal")


def stranger(house: Club, text: str) -> Player:
    """Somebody with a token that may be none."""
    player = Player(house.channel, "stranger")
    player.metadata = bearer(text)
    return player


async def answer_to(house: Club, text: str) -> tuple[object, ...]:
    """Everything that the answer to a call with this token says."""
    call = stranger(house, text).tables.CreateTable(
        table_service_pb2.CreateTableRequest(), metadata=bearer(text)
    )
    code, details = await call.code(), await call.details()
    return code, details, *sorted(map(tuple, await call.trailing_metadata()))


async def test_unknown_and_wrong_tokens_get_the_same_bytes(house: Club, hal: Member) -> None:
    """T2."""
    wrong, unknown = TokenText(hal.token_id, "x" * 43), TokenText("0" * 16, "x" * 43)
    texts = (wrong.text, unknown.text, "skat_", "a-random-token-of-my-own")
    answers = {await answer_to(house, text) for text in texts}
    assert len(answers) == 1
    assert answers.pop()[0] is grpc.StatusCode.UNAUTHENTICATED


async def test_an_address_that_guesses_has_to_wait() -> None:
    """T2, R24: the answer says what was limited and when to come back."""
    async with club(wrong_tokens=2, wrong_token_seconds=8.0) as house:
        hal = await house.bot(await house.account("ann"), "hal")
        await hal.get_caller()
        for _ in range(2):
            wrong = await failure(stranger(house, "skat_").create_table())
            assert wrong.reason == "UNAUTHENTICATED"
        refused = await failure(stranger(house, "skat_").create_table())
        assert (refused.code, refused.reason) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "RATE_LIMITED",
        )
        assert refused.info.metadata["limit"] == "failed_authentications"
        assert refused.retry_ms == 8_000
        await hal.get_caller()
        house.clock.advance(8.0)
        again = await failure(stranger(house, "skat_").create_table())
        assert again.reason == "UNAUTHENTICATED"


async def test_without_a_token_a_server_with_accounts_has_no_players(house: Club) -> None:
    nobody = Player(house.channel, "nobody")
    nobody.metadata = ()
    refused = await failure(nobody.create_table())
    assert (refused.code, refused.reason) == (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED")
    assert "issued" in refused.text


async def test_a_right_that_a_token_lacks_is_named(hal: Member) -> None:
    """T3."""
    refused = await failure(hal.create_table())
    assert (refused.code, refused.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_MISSING")
    assert refused.info.metadata["scope"] == "organise"


# ------------------------------------------------------------------------ what ends with a token


class Watcher:
    """Somebody who watches a table."""

    def __init__(self, member: Member, table_id: str) -> None:
        request = spectate_service_pb2.WatchTableRequest(table_id=table_id)
        self._call = member.spectate.WatchTable(request, metadata=member.metadata)

    async def start(self) -> None:
        """Read the view, after which the stream is open."""
        await self._call.read()

    async def end(self) -> Failure:
        """Read until the stream fails."""
        try:
            while await self._call.read() is not grpc.aio.EOF:
                pass
        except grpc.aio.AioRpcError as error:
            return failure_of(error)
        raise AssertionError("the stream ended well")


async def polled(house: Club, member: Member) -> Failure:
    """Poll until the call fails."""
    stub = play_service_pb2_grpc.PlayServiceStub(house.channel)
    request = play_service_pb2.PollDecisionsRequest(wait_ms=60_000)
    return await failure(stub.PollDecisions(request, metadata=member.metadata))


@pytest.mark.parametrize("action", ["revoke", "expire", "ban the bot", "ban the account"])
async def test_every_call_ends_when_another_process_ends_its_token(
    house: Club, ann: Member, action: str
) -> None:
    """T1: within five seconds, whatever it is; here by what the command line does."""
    hal = await house.again((await house.bot(ann, "hal")).account, lifetime_ms=60_000)
    table = await ann.create_table()
    watcher = Watcher(hal, table.table_id)
    await watcher.start()
    await hal.open()
    if action == "revoke":
        await house.app.accounts.revoke(hal.token_id, LOCAL)
    elif action == "expire":
        house.clock.advance(60.0 - LOOK_EVERY)
    else:
        holder = hal if "bot" in action else ann
        await house.app.accounts.disable(holder.account.account_id, "rude", LOCAL)
    house.clock.advance(LOOK_EVERY)
    ended = [await hal.end(), await watcher.end()]
    expected = (
        (grpc.StatusCode.PERMISSION_DENIED, "BANNED")
        if action.startswith("ban")
        else (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_REVOKED")
    )
    assert [(one.code, one.reason) for one in ended] == [expected] * 2
    assert LOOK_EVERY < 5.0


async def test_a_poll_ends_with_its_token(house: Club, ann: Member, hal: Member) -> None:
    """T1."""
    async with asyncio.TaskGroup() as group:
        polling = group.create_task(polled(house, hal))
        while not house.app.sessions.is_connected(hal.account.account_id):
            await ann.get_caller()
        await ann.revoke(hal.token_id)
    assert (await polling).reason == "TOKEN_REVOKED"


async def test_who_revokes_over_the_wire_need_not_wait(ann: Member, hal: Member) -> None:
    await hal.open()
    await ann.revoke(hal.token_id)
    assert (await hal.end()).reason == "TOKEN_REVOKED"


async def test_a_token_can_revoke_itself(ann: Member) -> None:
    """It hears that it has, and nothing more."""
    assert (await ann.revoke(ann.token_id)).token.HasField("revoked_at")
    assert (await failure(ann.get_caller())).reason == "TOKEN_REVOKED"


async def test_other_tokens_of_the_same_bot_go_on(house: Club, ann: Member, hal: Member) -> None:
    other = await house.again(hal.account)
    await hal.open()
    await ann.revoke(other.token_id)
    house.clock.advance(LOOK_EVERY)
    await hal.finish()


async def test_a_seat_outlives_the_token(house: Club, ann: Member, hal: Member) -> None:
    """T1: the bot comes back with a new token, to the very decision that waits for it."""
    players = [hal, await house.bot(ann, "b2"), await house.bot(ann, "b3")]
    table = await ann.create_table(listed([MIXED]))
    for player in players:
        await player.open()
        await player.take_seat(table.table_id)
    asked = players[2]
    turn_id = (await asked.decision(table.table_id)).turn_id
    await ann.revoke(asked.token_id)
    assert (await asked.end()).reason == "TOKEN_REVOKED"
    again = await house.again(asked.account)
    await again.open()
    assert (await again.decision(table.table_id)).turn_id == turn_id
    assert (await ann.get_table(table.table_id)).seats[2].taken


async def test_who_does_not_read_cannot_play_on_with_a_revoked_token(
    house: Club, ann: Member
) -> None:
    """T1: his stream is deaf from then on, and hears why when he reads again."""
    bots = [await house.bot(ann, name) for name in ("b0", "b1", "b2")]
    table_id = (await ann.create_table(listed([MIXED]))).table_id
    for bot in bots:
        await bot.take_seat(table_id)
    table = house.app.tables.find(table_id)

    def bid(value: int) -> play_service_pb2.PlayRequest:
        assert table.decision is not None
        action = action_pb2.Action(bid=action_pb2.Bid(value=value))
        sent = submission(table_id, table.decision.turn_id, action)
        return play_service_pb2.PlayRequest(submissions=[sent])

    async with await RawConnection.open(house.app.address, window=0) as raw:
        hello = play_service_pb2.PlayRequest(hello=play_service_pb2.Hello())
        stream = raw.call("PlayService/Play", bots[2].issued.text.text, hello)
        raw.send(stream, bid(18))
        while table.decision is not None and table.decision.seat == 2:
            await ann.get_caller()
        await bots[1].open()
        await bots[1].answer(table_id, action_pb2.Action(hold=action_pb2.Hold()))
        while table.decision is None or table.decision.seat != 2:
            await ann.get_caller()
        await ann.revoke(bots[2].token_id)
        before = table.decision
        raw.send(stream, bid(20))
        for _ in range(20):
            await ann.get_caller()
        assert table.decision is before
        raw.let_in(stream)
        await raw.until(lambda: raw.is_over(stream))
        status = grpc.StatusCode.UNAUTHENTICATED.value[0]
        assert raw.trailers(stream)["grpc-status"] == str(status)


class FailingAccounts(MemoryAccounts):
    """Answers nothing while it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.is_failing = False

    async def identity(self, token_id: str) -> Identity | None:
        if self.is_failing:
            raise StoreError("no disk")
        return await super().identity(token_id)

    async def identities(self, token_ids: Collection[str]) -> Mapping[str, Identity]:
        if self.is_failing:
            raise StoreError("no disk")
        return await super().identities(token_ids)


async def test_while_the_store_is_silent_streams_go_on_and_new_calls_wait() -> None:
    """F4: nobody is thrown out because a disk is full, and nobody comes in unchecked."""
    store = FailingAccounts()
    async with club(store) as house:
        ann = await house.account("ann")
        await ann.open()
        store.is_failing = True
        house.clock.advance(LOOK_EVERY)
        refused = await failure(ann.create_table())
        assert (refused.code, refused.reason) == (
            grpc.StatusCode.UNAVAILABLE,
            "STORE_UNAVAILABLE",
        )
        store.is_failing = False
        await ann.create_table()
        await ann.finish()


# ----------------------------------------------------------------------------------------- logs


async def test_no_token_is_ever_logged() -> None:
    """T6: good ones, wrong ones, and those of calls that fail inside."""
    log = StringIO()
    configure_logging(log)
    store = FailingAccounts()
    async with club(store) as house:
        ann = await house.account("ann")
        hal = await house.bot(ann, "hal")
        wrong = TokenText(hal.token_id, "y" * 43)
        await hal.open()
        await failure(stranger(house, wrong.text).create_table())
        await failure(stranger(house, "no-token-at-all").create_table())
        await ann.revoke(hal.token_id)
        await hal.end()
        store.is_failing = True
        await failure(ann.get_caller())
    written = log.getvalue()
    assert "store_failed" in written
    for secret in (ann.issued.text.secret, hal.issued.text.secret, wrong.secret, "no-token-at"):
        assert secret not in written


# --------------------------------------------------------------------------------- open servers


async def test_who_has_no_token_is_the_guest(app: App, channel: grpc.aio.Channel) -> None:
    """A first try on the loopback needs no token."""
    guest = Player(channel, "guest")
    guest.metadata = ()
    table = await guest.create_table()
    assert await guest.take_seat(table.table_id) == 0
    await guest.open()
    assert guest.welcome.player_id == "guest"
    await guest.close_table(table.table_id)


async def test_a_first_try_needs_nothing_but_calls(channel: grpc.aio.Channel) -> None:
    """As with any tool that makes calls: a deal against two house bots, without a token."""
    tables = table_service_pb2_grpc.TableServiceStub(channel)
    play = play_service_pb2_grpc.PlayServiceStub(channel)
    request = table_service_pb2.CreateTableRequest(
        house_bots=[table_pb2.HOUSE_BOT_FIRST_OPTION] * 2
    )
    request.rule_set.preset = "isko"
    request.rule_set.overrides["session_deals"] = "1"
    table_id = (await tables.CreateTable(request)).table.table_id
    await tables.TakeSeat(table_service_pb2.TakeSeatRequest(table_id=table_id, player_name="me"))
    state = table_pb2.TABLE_STATE_PLAYING
    while state == table_pb2.TABLE_STATE_PLAYING:
        poll = play_service_pb2.PollDecisionsRequest(wait_ms=1_000)
        for frame in (await play.PollDecisions(poll)).tables:
            if frame.HasField("decision"):
                turn_id, action = frame.decision.turn_id, frame.decision.first_option
                answer = submission(table_id, turn_id, action)
                await play.SubmitAction(play_service_pb2.SubmitActionRequest(submission=answer))
        shown = await tables.GetTable(table_service_pb2.GetTableRequest(table_id=table_id))
        state = shown.table.state
    assert state == table_pb2.TABLE_STATE_FINISHED


async def test_the_guest_has_no_right_to_what_others_made(channel: grpc.aio.Channel) -> None:
    """T3."""
    table = await Player(channel, "ann").create_table()
    guest = Player(channel, "guest")
    guest.metadata = ()
    assert (await failure(guest.close_table(table.table_id))).reason == "NOT_ALLOWED"


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(Settings(port=0, grace=0.0, guests=False), id="not wanted"),
        pytest.param(Settings(host="0.0.0.0", port=0, grace=0.0), id="others reach it"),
    ],
)
async def test_there_are_guests_on_the_loopback_only(settings: Settings) -> None:
    async with App(settings) as app:
        port = app.address.rpartition(":")[2]
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            nobody = Player(channel, "nobody")
            nobody.metadata = ()
            refused = await failure(nobody.create_table())
            assert refused.reason == "UNAUTHENTICATED"
            assert "your own" in refused.text


# ---------------------------------------------------------------------------- the table of rights


def new_service() -> ServiceDescriptor:
    """A service that the contract may have one day."""
    file = descriptor_pb2.FileDescriptorProto(name="skat/v1/new.proto", package="skat.v1")
    file.message_type.add(name="Nothing")
    service = file.service.add(name="NewService")
    service.method.add(name="Do", input_type=".skat.v1.Nothing", output_type=".skat.v1.Nothing")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    found: ServiceDescriptor = pool.FindServiceByName("skat.v1.NewService")
    return found


async def test_a_method_without_an_entry_stops_the_server_from_starting() -> None:
    """T3: nobody forgets to say who may call a new method."""
    with pytest.raises(LookupError, match=r"skat\.v1\.NewService/Do"):
        require_entries([new_service()])


async def test_a_token_of_the_operator_opens_no_more_than_others(house: Club) -> None:
    """T18: AdminService is not there on the port of the players."""
    ann = await house.account("ann")
    operator = await house.again(ann.account, frozenset({Scope.ADMIN}))
    assert (await failure(operator.create_table())).reason == "SCOPE_MISSING"
