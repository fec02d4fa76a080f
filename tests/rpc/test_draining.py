"""What players and operators see of a server that stops (F18), and of one that is not ready."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

import skat_server.app
from skat.v1 import admin_service_pb2, admin_service_pb2_grpc, play_service_pb2
from skat_server.app import App
from skat_server.config import AdminSettings, Settings
from skat_server.storage.memory import MemoryStore
from skat_server.storage.protocols import StoreError, StoreFailure
from tests.rpc.deals import MIXED
from tests.rpc.failures import failure
from tests.rpc.game import new_game
from tests.rpc.manual import House, house
from tests.rpc.player import LIVE, WITH_DECISIONS, Player

pytestmark = pytest.mark.asyncio

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


def health(channel: grpc.aio.Channel) -> Any:
    """The stub of the health service."""
    return health_pb2_grpc.HealthStub(channel)


async def status(channel: grpc.aio.Channel, name: str) -> int:
    """The health of a name."""
    response = await health(channel).Check(health_pb2.HealthCheckRequest(service=name))
    found: int = response.status
    return found


def watch(channel: grpc.aio.Channel, name: str) -> Any:
    """A stream of the health of a name."""
    return health(channel).Watch(health_pb2.HealthCheckRequest(service=name))


async def test_players_are_told_and_play_their_deal_to_its_end() -> None:
    async with house(grace=25.0) as running:
        game = await new_game(running.channel, [MIXED, MIXED])
        await game.play("18 hold pass")
        stops_at = running.app.drain.start()
        for player in game.players:
            while not player.responses[-1].HasField("going_away"):
                await player.read()
            notice = player.responses[-1].going_away
            assert notice.resume_by.seconds == int(stops_at)
            assert notice.endpoint == ""
        await game.play("pass take C.H8.D7")
        await game.play_out()
        await running.app.wait_stopping()


@pytest.mark.parametrize("delivery", [LIVE, WITH_DECISIONS])
async def test_whoever_is_sent_away_is_told_first_how_it_ended(
    delivery: play_service_pb2.Delivery.ValueType,
) -> None:
    """F18: a table that is over may be known to nobody after the restart."""
    async with house(grace=25.0) as running:
        game = await new_game(running.channel, [MIXED], delivery=delivery)
        running.app.drain.start()
        await game.play("pass pass pass")
        await running.app.wait_stopping()
        running.app.sessions.end_all()
        for player in game.players:
            await player.end_of(game.table_id)
            assert (await player.end()).reason == "GOING_AWAY"


async def test_whoever_comes_late_is_told_too() -> None:
    async with house(grace=25.0) as running:
        await new_game(running.channel, [MIXED])
        running.app.drain.start()
        late = Player(running.channel, "late")
        await late.open()
        assert late.responses[0].HasField("going_away")
        running.app.drain.hurry()


async def test_no_table_is_made_any_more() -> None:
    async with house(grace=25.0) as running:
        await new_game(running.channel, [MIXED])
        running.app.drain.start()
        refused = await failure(Player(running.channel, "late").create_table())
        assert (refused.code, refused.reason) == (grpc.StatusCode.UNAVAILABLE, "DRAINING")
        running.app.drain.hurry()


async def test_the_server_lives_but_takes_nothing_new() -> None:
    """Section 14: readiness goes first, liveness stays."""
    async with house(grace=25.0) as running:
        await new_game(running.channel, [MIXED])
        names = ("", "liveness", "readiness", "skat.v1.PlayService")
        assert [await status(running.channel, name) for name in names] == [SERVING] * 4
        running.app.drain.start()
        found = [await status(running.channel, name) for name in names]
        assert found == [SERVING, SERVING, NOT_SERVING, NOT_SERVING]
        running.app.drain.hurry()


async def test_all_who_watch_hear_of_it_also_when_one_of_them_has_left() -> None:
    async with house(grace=25.0) as running:
        await new_game(running.channel, [MIXED])
        first, second = watch(running.channel, "readiness"), watch(running.channel, "readiness")
        for call in (first, second):
            assert (await call.read()).status == SERVING
        first.cancel()
        await until_watchers(running, 1)
        running.app.drain.start()
        assert (await second.read()).status == NOT_SERVING
        running.app.drain.hurry()


async def until_watchers(running: House, count: int) -> None:
    """Wait until so many watch."""
    while len(running.app._rpc._health._watchers) != count:
        await status(running.channel, "")


async def test_a_name_without_health_is_unknown(channel: grpc.aio.Channel) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await status(channel, "nothing")
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND
    call = watch(channel, "nothing")
    assert (await call.read()).status == health_pb2.HealthCheckResponse.SERVICE_UNKNOWN
    call.cancel()


class UnreadyStore(MemoryStore):
    """A store that can become unavailable, or die."""

    def __init__(self) -> None:
        super().__init__()
        self.is_full = False
        self.error: StoreError | None = None
        self._calls: list[Any] = []

    @property
    def is_available(self) -> bool:
        return not self.is_full

    @property
    def fatal(self) -> StoreError | None:
        return self.error

    def watch(self, call: Any) -> None:
        self._calls.append(call)

    def tell(self) -> None:
        """Let everybody look."""
        for call in self._calls:
            call()


async def test_a_server_whose_store_is_full_is_not_ready_until_it_is_not() -> None:
    """F4: readiness follows the store."""
    store = UnreadyStore()
    async with (
        App(Settings(port=0, grace=0.0), store=store) as app,
        grpc.aio.insecure_channel(app.address) as channel,
    ):
        for store.is_full in (True, False):
            store.tell()
            assert await status(channel, "readiness") == (NOT_SERVING if store.is_full else SERVING)
            assert await status(channel, "liveness") == SERVING


async def test_a_store_that_is_broken_ends_the_server() -> None:
    """F5: nothing more can be kept; another process has to go on from the file."""
    store = UnreadyStore()
    async with App(Settings(port=0), store=store) as app:
        store.error = StoreError("the device has lost it", StoreFailure.BROKEN)
        store.tell()
        with pytest.raises(StoreError, match="has lost it"):
            await app.wait_stopping()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A server that cuts nothing for a minute, so that whatever holds it up is found out."""
    monkeypatch.setattr(skat_server.app, "CUT_AFTER", 60.0)
    return Settings(port=0, grace=60.0)


async def test_whoever_watches_the_health_does_not_hold_up_the_end(patient: Settings) -> None:
    async with App(patient) as app:
        channel = grpc.aio.insecure_channel(app.address)
        call = watch(channel, "")
        assert (await call.read()).status == SERVING
    assert (await call.read()).status == NOT_SERVING
    assert (await failure(call.read())).reason == "GOING_AWAY"
    await channel.close()


async def test_a_stream_that_says_nothing_does_not_hold_up_the_end(patient: Settings) -> None:
    async with App(patient) as app:
        channel = grpc.aio.insecure_channel(app.address)
        silent = Player(channel, "silent")
        call = silent.start()
        await call.wait_for_connection()
        while not app._rpc._calls.endings._ends:
            await status(channel, "")
    assert (await silent.end()).reason == "GOING_AWAY"
    await channel.close()


async def test_a_poll_that_waits_does_not_hold_up_the_end(patient: Settings) -> None:
    async with App(patient) as app:
        channel = grpc.aio.insecure_channel(app.address)
        waiting = asyncio.create_task(Player(channel, "ann").poll(wait_ms=60_000))
        while not app.sessions._live:
            await status(channel, "")
    assert (await failure(waiting)).reason == "GOING_AWAY"
    await channel.close()


async def test_the_operator_tells_the_server_to_stop() -> None:
    settings = Settings(port=0, grace=60.0, admin=AdminSettings())
    async with (
        App(settings) as app,
        grpc.aio.insecure_channel(app.admin_address or "") as channel,
    ):
        request = admin_service_pb2.DrainRequest()
        request.grace.FromSeconds(7)
        response = await admin_service_pb2_grpc.AdminServiceStub(channel).Drain(request)
        assert response.stops_by.seconds > 0
        assert 0.0 < app.drain.left <= 7.0
        await app.wait_stopping()
