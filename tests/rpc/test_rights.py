"""Rights over the wire, for every caller and every method of the contract (T3)."""

from __future__ import annotations

import pkgutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FileDescriptor, MethodDescriptor
from google.protobuf.message import Message

import skat.v1
from skat.v1 import action_pb2, play_service_pb2, play_service_pb2_grpc, table_pb2
from skat_server.config import AdminSettings
from skat_server.players.identity import PLAYING as TO_PLAY_AND_WATCH
from skat_server.rpc.rights import NEEDS
from skat_server.rpc.services import ADMIN_SERVICE_NAMES, ADMIN_SERVICES, PLAYER_SERVICES
from skat_server.storage.accounts import Scope
from skat_server.tournaments.state import Opened
from tests.rpc.deals import MIXED
from tests.rpc.failures import failure, failure_of
from tests.rpc.game import listed
from tests.rpc.members import LOCAL, Club, Member, bearer, club
from tests.rpc.rights import IN, MATRIX, NOT_OF_RIGHTS, Kind, Scene

pytestmark = pytest.mark.asyncio

METHODS: list[MethodDescriptor] = [
    method for service in (*PLAYER_SERVICES, *ADMIN_SERVICES) for method in service.methods
]

CUP = 'name = "Cup"\nrated = false\n[format]\nkind = "round_robin"\n'

ASKED = 2
"""The seat that is asked first: middlehand, with the dealer on seat 0."""


def contract() -> list[str]:
    """The full names of all methods in all files of the contract."""
    files: list[FileDescriptor] = [
        import_module(f"skat.v1.{module.name}").DESCRIPTOR
        for module in pkgutil.iter_modules(skat.v1.__path__)
        if module.name.endswith("_pb2")
    ]
    return [
        method.full_name
        for file in files
        for service in file.services_by_name.values()
        for method in service.methods
    ]


async def test_every_method_of_the_contract_has_a_row() -> None:
    """A new RPC without an entry fails, here and in the server's own table."""
    paths = {path.removeprefix("/").replace("/", ".") for path in NEEDS}
    assert set(contract()) == set(MATRIX) == paths


async def test_every_row_has_a_cell_for_everybody() -> None:
    assert all(set(cells) == set(Kind) for cells, _ in MATRIX.values())


@dataclass
class World:
    """A server with everybody who may call it."""

    house: Club
    admin: grpc.aio.Channel
    owner: Member
    bots: list[Member]
    callers: Mapping[Kind, tuple[tuple[str, str], ...]]
    _scenes: int = 0

    async def scene(self) -> Scene:
        """A new private table with a deal under way."""
        request = listed([MIXED], session_end="open")
        request.visibility = table_pb2.VISIBILITY_PRIVATE
        table = await self.owner.create_table(request)
        for seat, bot in enumerate(self.bots):
            await bot.take_seat(table.table_id, seat)
        self._scenes += 1
        other = await self.house.bot(self.owner, f"other {self._scenes}")
        decision = self.house.app.tables.find(table.table_id).decision
        assert decision is not None
        assert decision.seat == ASKED
        return Scene(
            table.table_id,
            decision.turn_id,
            ASKED,
            other.account.account_id,
            other.token_id,
            await self._tournament(is_open=True),
            await self._tournament(is_open=False),
        )

    async def _tournament(self, *, is_open: bool) -> str:
        tournaments, owner = self.house.app.tournaments, self.owner.account.account_id
        tournament_id = f"tournament-{self._scenes}-{is_open}"
        made = await tournaments.create(tournament_id, owner, CUP, bytes(32), "")
        if is_open:
            await made.change(Opened())
        return tournament_id

    async def outcome(self, kind: Kind, method: MethodDescriptor, request: Message) -> str:
        """What somebody hears who calls a method."""
        is_admins = method.containing_service.full_name in ADMIN_SERVICE_NAMES
        channel = self.admin if is_admins else self.house.channel
        code, reason = await heard(channel, method, request, self.callers[kind])
        return IN if code is grpc.StatusCode.OK or reason in NOT_OF_RIGHTS else reason


async def heard(
    channel: grpc.aio.Channel,
    method: MethodDescriptor,
    request: Message,
    metadata: tuple[tuple[str, str], ...],
) -> tuple[grpc.StatusCode, str]:
    """Status and reason of a call; of a stream, whether it begins."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    codec: dict[str, Any] = {"request_serializer": bytes, "response_deserializer": bytes}
    data = request.SerializeToString()
    try:
        if not method.server_streaming:
            await channel.unary_unary(path, **codec)(data, metadata=metadata)
        else:
            call: Any = channel.stream_stream(path, **codec)(metadata=metadata)
            await call.write(data)
            assert await call.read() is not grpc.aio.EOF
            call.cancel()
    except grpc.aio.AioRpcError as error:
        found = failure_of(error)
        return found.code, found.reason if found.details else ""
    return grpc.StatusCode.OK, ""


@asynccontextmanager
async def world() -> AsyncIterator[World]:
    """A server with an owner, its bots, and others with all kinds of tokens."""
    async with (
        club(admin=AdminSettings(), wrong_tokens=1_000) as house,
        grpc.aio.insecure_channel(house.app.admin_address or "") as admin,
    ):
        owner, other = await house.account("ann"), await house.account("ben")
        bots = [await house.bot(owner, f"a{seat}") for seat in range(3)]
        stranger = await house.bot(other, "b0")
        expired = await house.again(stranger.account, lifetime_ms=1_000)
        revoked = await house.again(stranger.account)
        await house.app.accounts.revoke(revoked.token_id, LOCAL)
        banned = await house.bot(other, "b1")
        await house.app.accounts.disable(banned.account.account_id, "rude", LOCAL)
        house.clock.advance(1.0)
        limited = {
            kind: await house.again(stranger.account, frozenset({scope}))
            for kind, scope in (
                (Kind.SPECTATOR, Scope.SPECTATE),
                (Kind.PLAYER, Scope.PLAY),
                (Kind.OPERATOR, Scope.ADMIN),
            )
        }
        members = {
            Kind.EXPIRED: expired,
            Kind.REVOKED: revoked,
            Kind.BANNED: banned,
            Kind.ORGANISER: other,
            Kind.OWNER: owner,
            Kind.SEATED: bots[ASKED],
            Kind.NEIGHBOUR: bots[0],
            **limited,
        }
        callers = {kind: member.metadata for kind, member in members.items()}
        callers |= {Kind.NOBODY: (), Kind.GARBAGE: bearer("no-token-of-this-server")}
        yield World(house, admin, owner, bots, callers)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.full_name)
async def test_everybody_gets_in_where_the_matrix_says_and_nowhere_else(
    method: MethodDescriptor,
) -> None:
    """T3: every caller on a table of its own, so that nobody finds what another has changed."""
    cells, ask = MATRIX[method.full_name]
    async with world() as everybody:
        scenes = {kind: await everybody.scene() for kind in Kind}
        found = {
            kind: await everybody.outcome(kind, method, ask(scene))
            for kind, scene in scenes.items()
        }
    assert {kind.name: one for kind, one in found.items()} == {
        kind.name: cell for kind, cell in cells.items()
    }


async def test_nobody_reaches_the_operators_methods_on_the_port_of_the_players() -> None:
    """T18: they are not there, whatever token is shown."""
    async with world() as everybody:
        scene, channel = await everybody.scene(), everybody.house.channel
        heard_by_all = [
            await heard(channel, method, MATRIX[method.full_name][1](scene), caller)
            for service in ADMIN_SERVICES
            for method in service.methods
            for caller in everybody.callers.values()
        ]
    assert set(heard_by_all) == {(grpc.StatusCode.UNIMPLEMENTED, "")}


# ------------------------------------------------------------------------- seats, one by one


async def test_no_seat_can_be_taken_from_another() -> None:
    """T3: whoever sits somewhere asks for every seat; he gets his own."""
    async with world() as everybody:
        scene = await everybody.scene()
        found = {}
        for own, bot in enumerate(everybody.bots):
            for seat in range(3):
                try:
                    found[own, seat] = str(await bot.take_seat(scene.table_id, seat))
                except grpc.aio.AioRpcError as error:
                    found[own, seat] = failure_of(error).reason
    assert found == {
        (own, seat): str(own) if own == seat else "ALREADY_SEATED"
        for own in range(3)
        for seat in range(3)
    }


@dataclass
class Hand:
    """Somebody who answers decisions that may be another's."""

    member: Member
    house: Club

    async def answer(self, table_id: str, turn_id: str, action: action_pb2.Action) -> str:
        """Submit an action; what came of it."""
        stub = play_service_pb2_grpc.PlayServiceStub(self.house.channel)
        request = play_service_pb2.SubmitActionRequest(
            submission=play_service_pb2.Submission(
                table_id=table_id, turn_id=turn_id, action=action
            )
        )
        try:
            await stub.SubmitAction(request, metadata=self.member.metadata)
        except grpc.aio.AioRpcError as error:
            return failure_of(error).reason
        return IN


async def test_nobody_answers_for_another_seat_in_a_whole_deal() -> None:
    """T3: at every decision, everybody else tries to give the very answer that is given then."""
    async with world() as everybody:
        scene, house = await everybody.scene(), everybody.house
        elsewhere = await house.again(
            (await house.bot(await house.account("cem"), "c0")).account, TO_PLAY_AND_WATCH
        )
        strangers = [Hand(member, house) for member in (everybody.owner, elsewhere)]
        seated = [Hand(bot, house) for bot in everybody.bots]
        table = house.app.tables.find(scene.table_id)
        for bot in everybody.bots:
            await bot.open()
        decisions = 0
        while not table.state.series.deals_done:
            decision = table.decision
            assert decision is not None
            before = table.log.last(None)
            bot = everybody.bots[decision.seat]
            asked = await bot.decision(scene.table_id)
            bot.story(scene.table_id).decision = None
            answer = (scene.table_id, decision.turn_id, asked.first_option)
            others = [hand for seat, hand in enumerate(seated) if seat != decision.seat]
            assert [await hand.answer(*answer) for hand in strangers] == ["NOT_SEATED"] * 2
            assert IN not in [await hand.answer(*answer) for hand in others]
            assert table.log.last(None) == before
            assert await seated[decision.seat].answer(*answer) == IN
            decisions += 1
    assert decisions >= 3


async def test_nobody_sees_a_private_table_from_elsewhere() -> None:
    """T3: who sits at another private table of the same owner is a stranger at this one."""
    async with world() as everybody:
        scene, house = await everybody.scene(), everybody.house
        for bot in everybody.bots:
            await bot.leave_seat(scene.table_id)
        outsider = await house.bot(everybody.owner, "a9")
        request = listed([MIXED])
        request.visibility = table_pb2.VISIBILITY_PRIVATE
        await outsider.take_seat((await everybody.owner.create_table(request)).table_id)
        ask = MATRIX["skat.v1.RecordService.ListDealRecords"][1](scene)
        refused = await failure(
            outsider.records.ListDealRecords(ask, metadata=outsider.metadata)  # type: ignore[arg-type]
        )
        assert refused.reason == "TABLE_NOT_FOUND"
