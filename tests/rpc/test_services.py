"""What the server serves: every RPC of the contract, health, reflection; and what it bears."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.internal import api_implementation
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from skat.v1 import (
    account_service_pb2,
    play_service_pb2,
    record_service_pb2,
    rules_service_pb2,
    spectate_service_pb2,
    table_service_pb2,
    tournament_service_pb2,
)
from skat_server.app import App
from skat_server.config import Settings
from skat_server.rpc.listener import MAX_MESSAGE_BYTES
from skat_server.rpc.services import SERVICE_NAMES
from tests.rpc.player import Player

pytestmark = pytest.mark.asyncio

FILES = (
    account_service_pb2,
    play_service_pb2,
    record_service_pb2,
    rules_service_pb2,
    spectate_service_pb2,
    table_service_pb2,
    tournament_service_pb2,
)
SERVICES: list[ServiceDescriptor] = [
    service for file in FILES for service in file.DESCRIPTOR.services_by_name.values()
]
METHODS: list[MethodDescriptor] = [method for service in SERVICES for method in service.methods]


def raw_call(channel: grpc.aio.Channel, method: MethodDescriptor) -> Any:
    """A call of a method with bytes, as a stream both ways."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    call = channel.stream_stream(path, request_serializer=bytes, response_deserializer=bytes)
    return call(metadata=Player(channel, "ann").metadata)


async def status_after(call: Any, *requests: bytes) -> grpc.StatusCode:
    """The status after these requests and the end of the client's side."""
    try:
        for request in requests:
            await call.write(request)
        await call.done_writing()
        while await call.read() is not grpc.aio.EOF:
            pass
    except (grpc.aio.AioRpcError, grpc.aio.UsageError):
        pass
    code: grpc.StatusCode = await call.code()
    return code


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.full_name)
async def test_every_method_of_the_contract_is_served(
    channel: grpc.aio.Channel, method: MethodDescriptor
) -> None:
    assert await status_after(raw_call(channel, method), b"") is not (grpc.StatusCode.UNIMPLEMENTED)


async def test_every_service_of_the_contract_is_named() -> None:
    assert set(SERVICE_NAMES) == {service.full_name for service in SERVICES}


GARBAGE = [b"\xff" * 40, b"\x0a\xff\xff\xff\xff\x0f", bytes(range(256)), b"\x0a\x05ab"]
"""No tag, an endless field, all bytes, a field cut short."""


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.full_name)
async def test_garbage_ends_the_call_and_the_server_lives(
    channel: grpc.aio.Channel, method: MethodDescriptor
) -> None:
    """F17: what cannot be parsed is an error of its call only, told in a fixed sentence."""
    for garbage in GARBAGE:
        call = raw_call(channel, method)
        assert await status_after(call, garbage) is grpc.StatusCode.INVALID_ARGUMENT
        assert await call.details() == "the message cannot be read as a request of this method"
    await Player(channel, "ann").create_table()


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.full_name)
async def test_a_message_over_the_limit_is_refused(
    channel: grpc.aio.Channel, method: MethodDescriptor
) -> None:
    """T15, F17: refused before it is parsed."""
    status = await status_after(raw_call(channel, method), bytes(MAX_MESSAGE_BYTES + 1))
    assert status is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_metadata_over_the_limit_are_refused(channel: grpc.aio.Channel) -> None:
    ann = Player(channel, "ann")
    ann.metadata = (*ann.metadata, ("x-large", "x" * 20_000))
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await ann.create_table()
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_messages_are_parsed_by_upb(monkeypatch: pytest.MonkeyPatch) -> None:
    """T15: the pure Python parser has no depth limit, so no server starts with it."""
    assert api_implementation.Type() == "upb"
    monkeypatch.setattr(api_implementation, "Type", lambda: "python")
    with pytest.raises(RuntimeError, match="upb"):
        App(Settings(port=0))


@pytest.mark.parametrize("name", ["", *SERVICE_NAMES])
async def test_the_server_says_that_it_serves(channel: grpc.aio.Channel, name: str) -> None:
    stub: Any = health_pb2_grpc.HealthStub(channel)
    response = await stub.Check(health_pb2.HealthCheckRequest(service=name))
    assert response.status == health_pb2.HealthCheckResponse.SERVING


async def test_the_server_says_when_it_stops_serving() -> None:
    """F18: whoever watches its health hears of the stop."""
    app = await App(Settings(port=0, grace=60.0)).__aenter__()
    async with grpc.aio.insecure_channel(app.address) as channel, asyncio.TaskGroup() as group:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        watch = stub.Watch(health_pb2.HealthCheckRequest())
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
        group.create_task(app.__aexit__(None, None, None))
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        watch.cancel()


async def listed_services(channel: grpc.aio.Channel) -> set[str]:
    """What reflection names."""
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    untyped: Any = channel
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(untyped)
    async for response in stub.ServerReflectionInfo(iter([request])):
        return {service.name for service in response.list_services_response.service}
    return set()


async def test_reflection_lists_the_services(channel: grpc.aio.Channel) -> None:
    """T19: on at loopback."""
    assert set(SERVICE_NAMES) <= await listed_services(channel)


async def test_reflection_can_be_off() -> None:
    """T19: elsewhere nobody is told what is served."""
    async with (
        App(Settings(port=0, grace=0.0, reflection=False)) as app,
        grpc.aio.insecure_channel(app.address) as channel,
    ):
        # Nothing is written: a client that writes while it is refused may see an error of its own.
        untyped: Any = channel
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(untyped)
        call = stub.ServerReflectionInfo()
        assert await call.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_two_servers_do_not_share_a_port(app: App) -> None:
    port = int(app.address.rpartition(":")[2])
    second = App(Settings(port=port))
    with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1:{port}"):
        await second.__aenter__()


async def test_the_handler_of_a_lost_stream_reports_no_error(
    channel: grpc.aio.Channel, capsys: pytest.CaptureFixture[str]
) -> None:
    player = Player(channel, "ann")
    await player.open()
    player.drop()
    await Player(channel, "ben").create_table()
    captured = capsys.readouterr()
    assert "rpc.failed" not in captured.out + captured.err
