"""What callers may have at once and in a second: calls, streams, connections (T12, T13)."""

from __future__ import annotations

import asyncio

import grpc
import pytest
from google.rpc import error_details_pb2

from skat.v1 import spectate_service_pb2, table_service_pb2
from skat_server.clock import ManualClock
from skat_server.config import Limits
from skat_server.errors import Reason, RefusedError
from skat_server.rpc.allowances import Allowance, Allowances
from skat_server.rpc.buckets import Rate
from skat_server.rpc.peers import Networks, address_of
from tests.rpc.deals import MIXED
from tests.rpc.failures import Failure, failure
from tests.rpc.game import listed
from tests.rpc.manual import House, house
from tests.rpc.player import Player

NOBODY_IS_TRUSTED = ()


def allowances(**allowed: int) -> Allowances:
    """Counts players who may have this."""
    return Allowances("player", Allowance(None, **allowed), ManualClock())


def test_streams_are_counted_while_they_are_open() -> None:
    counted = allowances(streams=2)
    with counted.stream("ann", "one"), counted.stream("ann", "one"):
        with pytest.raises(RefusedError, match="2 streams open") as caught:
            counted.stream("ann", "one").__enter__()
        assert caught.value.reason is Reason.QUOTA_EXCEEDED
        with counted.stream("ben", "one"):
            pass
    with counted.stream("ann", "one"):
        pass


def test_connections_are_counted_and_not_their_streams() -> None:
    counted = allowances(connections=1)
    with (
        counted.stream("ann", "one"),
        counted.stream("ann", "one"),
        pytest.raises(RefusedError, match="1 connections open"),
    ):
        counted.stream("ann", "two").__enter__()
    with counted.stream("ann", "two"):
        pass


def test_a_stream_that_fails_is_counted_no_longer() -> None:
    counted = allowances(streams=1)
    with pytest.raises(ZeroDivisionError), counted.stream("ann", "one"):
        _ = 1 / 0
    with counted.stream("ann", "one"):
        pass
    assert not counted._peers


def test_a_call_too_many_is_told_when_to_come_back() -> None:
    clock = ManualClock()
    counted = Allowances("address", Allowance(Rate(4.0, 2)), clock)
    for _ in range(2):
        counted.count_call("192.0.2.7")
    with pytest.raises(RefusedError) as caught:
        counted.count_call("192.0.2.7")
    assert caught.value.reason is Reason.RATE_LIMITED
    assert caught.value.metadata["retry_ms"] == "250"
    clock.advance(0.25)
    counted.count_call("192.0.2.7")


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:192.0.2.7:5000", "192.0.2.7"),
        ("ipv6:[2001:db8:1:2:3::4]:5000", "2001:db8:1:2::/64"),
        ("ipv6:%5B2001:db8:1:2:3::4%5D:5000", "2001:db8:1:2::/64"),
        ("ipv6:[::ffff:192.0.2.7]:5000", "192.0.2.7"),
        ("ipv6:[fe80::1%25eth0]:5000", "fe80::/64"),
        ("ipv6:[::1]:5000", "::1"),
        ("unix:", "unix:"),
    ],
)
def test_an_address_is_what_its_holder_cannot_make_up(peer: str, address: str) -> None:
    assert address_of(peer) == address


@pytest.mark.parametrize(
    ("address", "is_inside"),
    [("10.1.2.3", True), ("11.1.2.3", False), ("2001:db8:5::/64", True), ("unix:", False)],
)
def test_networks_know_their_addresses(address: str, is_inside: bool) -> None:
    assert (address in Networks(["10.0.0.0/8", "2001:db8::/32"])) is is_inside


async def list_tables(player: Player) -> None:
    """The plainest call."""
    await player.tables.ListTables(table_service_pb2.ListTablesRequest(), metadata=player.metadata)


async def limited(player: Player, subject: str) -> Failure:
    """The refusal of a call too many."""
    refused = await failure(list_tables(player))
    assert (refused.code, refused.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
    (quota,) = (d for d in refused.details if isinstance(d, error_details_pb2.QuotaFailure))
    assert quota.violations[0].subject == subject
    (retry,) = (d for d in refused.details if isinstance(d, error_details_pb2.RetryInfo))
    assert retry.retry_delay.ToMilliseconds() == 1_000
    return refused


@pytest.mark.asyncio
async def test_a_player_who_calls_too_often_has_to_wait() -> None:
    async with house(Limits(calls_per_second=1, calls_burst=3)) as running:
        rude, polite = Player(running.channel, "rude"), Player(running.channel, "polite")
        for _ in range(3):
            await list_tables(rude)
        await limited(rude, "player")
        await list_tables(polite)
        running.clock.advance(1.0)
        await list_tables(rude)


@pytest.mark.asyncio
async def test_an_address_that_calls_too_often_has_to_wait_whatever_its_tokens() -> None:
    limits = Limits(calls_per_second=1, calls_burst=3, trusted_networks=NOBODY_IS_TRUSTED)
    async with house(limits) as running:
        for number in range(3):
            await list_tables(Player(running.channel, f"number-{number}"))
        await limited(Player(running.channel, "another"), "address")


@pytest.mark.asyncio
async def test_an_address_that_is_trusted_is_not_limited_as_one() -> None:
    async with house(Limits(calls_per_second=1, calls_burst=3)) as running:
        for number in range(10):
            await list_tables(Player(running.channel, f"number-{number}"))


async def watched(running: House, player: Player) -> str:
    """A table that can be watched."""
    del running
    return (await player.create_table(listed([MIXED]))).table_id


async def too_many(player: Player, table_id: str, limit: str) -> None:
    """A further stream is refused, and names the limit."""
    request = spectate_service_pb2.WatchTableRequest(table_id=table_id)
    call = player.spectate.WatchTable(request, metadata=player.metadata)
    refused = await failure(call.read())
    assert (refused.code, refused.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED")
    assert refused.info.metadata["limit"] == limit


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("limits", "limit"),
    [
        (Limits(streams=1), "streams"),
        (Limits(streams_per_address=1, trusted_networks=NOBODY_IS_TRUSTED), "streams"),
        (Limits(spectators=0), "spectators"),
    ],
    ids=["server", "address", "spectators"],
)
async def test_streams_are_limited(limits: Limits, limit: str) -> None:
    async with house(limits) as running:
        player = Player(running.channel, "ann")
        table_id = await watched(running, player)
        await player.open()
        await too_many(Player(running.channel, "ben"), table_id, limit)


@pytest.mark.asyncio
async def test_the_connections_of_a_player_are_limited() -> None:
    async with house(Limits(connections_per_player=1)) as running:
        player = Player(running.channel, "ann")
        table_id = await watched(running, player)
        await player.open()
        options = [("grpc.use_local_subchannel_pool", 1)]
        async with grpc.aio.insecure_channel(running.app.address, options) as second:
            await too_many(Player(second, "ann"), table_id, "connections")


@pytest.mark.asyncio
async def test_the_connections_of_the_server_are_limited_and_those_that_play_go_on() -> None:
    """T13, F23: a storm of connections finds no room, and nobody who plays notices."""
    async with house(Limits(connections=5)) as running:
        player = Player(running.channel, "ann")
        await player.open()
        host, _, port = running.app.address.rpartition(":")
        sockets = [await asyncio.open_connection(host, int(port)) for _ in range(100)]
        closed = 0
        for reader, _ in sockets[10:]:
            closed += await reader.read() == b""
        assert closed == 90
        await list_tables(player)
        for _, writer in sockets:
            writer.transport.abort()
