"""Two ports: one for players, one for the operator (T18, T19), and TLS on either (T1)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from skat.v1 import (
    admin_service_pb2,
    admin_service_pb2_grpc,
    table_service_pb2,
    table_service_pb2_grpc,
)
from skat_server.app import App
from skat_server.certificates import CertificateError
from skat_server.config import AdminSettings, Settings, TlsFiles
from skat_server.rpc.services import ADMIN_SERVICE_NAMES, ADMIN_SERVICES, SERVICE_NAMES
from tests.certificates import Authority, Pair
from tests.rpc.failures import failure
from tests.rpc.player import Player

pytestmark = pytest.mark.asyncio

AUTHORITY = Authority.new("the root of the tests")


def files(folder: Path, *, with_ca: bool = False) -> TlsFiles:
    """Files of a server."""
    certificate, key = AUTHORITY.server().write(folder, "server")
    root, _ = AUTHORITY.pair.write(folder, "root")
    return TlsFiles(certificate, key, root if with_ca else None)


def settings(tls: TlsFiles | None = None, admin: AdminSettings | None = None) -> Settings:
    """Settings of a server on a free port."""
    return Settings(port=0, grace=0.0, tls=tls, admin=admin)


@asynccontextmanager
async def secure(
    address: str, root: bytes = AUTHORITY.pair.chain, client: Pair | None = None
) -> AsyncIterator[grpc.aio.Channel]:
    """A channel with TLS."""
    credentials = grpc.ssl_channel_credentials(
        root, *((client.key_bytes(), client.chain) if client else ())
    )
    async with grpc.aio.secure_channel(address, credentials) as channel:
        yield channel


async def audit(channel: grpc.aio.Channel) -> admin_service_pb2.ListAuditEventsResponse:
    """Ask for the audit log, as the operator would."""
    stub = admin_service_pb2_grpc.AdminServiceStub(channel)
    return await stub.ListAuditEvents(admin_service_pb2.ListAuditEventsRequest())


async def drained(channel: grpc.aio.Channel) -> admin_service_pb2.DrainResponse:
    """Tell the server to stop."""
    stub = admin_service_pb2_grpc.AdminServiceStub(channel)
    return await stub.Drain(admin_service_pb2.DrainRequest())


async def listed(channel: grpc.aio.Channel) -> set[str]:
    """What reflection names."""
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    untyped: Any = channel
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(untyped)
    async for response in stub.ServerReflectionInfo(iter([request])):
        return {service.name for service in response.list_services_response.service}
    return set()


async def test_players_are_served_in_tls(tmp_path: Path) -> None:
    async with App(settings(files(tmp_path))) as app, secure(app.address) as channel:
        table = await Player(channel, "ann").create_table()
        assert table.table_id


async def test_tls_does_not_answer_plain_text(tmp_path: Path) -> None:
    async with (
        App(settings(files(tmp_path))) as app,
        grpc.aio.insecure_channel(app.address) as channel,
    ):
        stub = table_service_pb2_grpc.TableServiceStub(channel)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.ListTables(table_service_pb2.ListTablesRequest())
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_a_certificate_that_cannot_be_used_leaves_nothing_open(tmp_path: Path) -> None:
    tls = files(tmp_path)
    tls.key.write_text("no key")
    with pytest.raises(CertificateError, match="no certificate and key in PEM form"):
        await App(settings(tls)).__aenter__()


@pytest.mark.parametrize(
    "method", [method for service in ADMIN_SERVICES for method in service.methods],
    ids=lambda method: method.name,
)  # fmt: skip
async def test_players_cannot_reach_the_operators_methods(
    channel: grpc.aio.Channel, method: Any
) -> None:
    """T18: they are not there, whoever asks."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    call = channel.unary_unary(path, request_serializer=bytes, response_deserializer=bytes)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(b"", metadata=Player(channel, "ann").metadata)
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_players_are_not_told_of_the_operators_methods(channel: grpc.aio.Channel) -> None:
    """T19: nor of channelz, which nothing serves."""
    names = await listed(channel)
    assert names.isdisjoint(ADMIN_SERVICE_NAMES)
    assert not any("channelz" in name for name in names)


async def test_there_is_no_operators_port_unless_one_is_asked_for(app: App) -> None:
    assert app.admin_address is None


async def test_the_operator_is_served_on_the_loopback() -> None:
    async with (
        App(settings(admin=AdminSettings())) as app,
        grpc.aio.insecure_channel(app.admin_address or "") as channel,
    ):
        assert app.admin_address != app.address
        assert not (await audit(channel)).events


async def test_the_operators_port_serves_the_operator_only() -> None:
    async with (
        App(settings(admin=AdminSettings())) as app,
        grpc.aio.insecure_channel(app.admin_address or "") as channel,
    ):
        names = await listed(channel)
        assert set(ADMIN_SERVICE_NAMES) <= names
        assert names.isdisjoint(SERVICE_NAMES)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await Player(channel, "ann").create_table()
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


@asynccontextmanager
async def guarded(folder: Path) -> AsyncIterator[App]:
    """A server whose operator shows a certificate."""
    admin = AdminSettings(tls=files(folder, with_ca=True))
    async with App(settings(admin=admin)) as app:
        yield app


async def test_the_operator_shows_a_certificate_and_is_known_by_its_name(tmp_path: Path) -> None:
    async with (
        guarded(tmp_path) as app,
        secure(app.admin_address or "", client=AUTHORITY.client("olga")) as channel,
    ):
        await drained(channel)
        (event,) = (await audit(channel)).events
        assert (event.actor, event.action) == ("olga", "Drain")


@pytest.mark.parametrize(
    "client",
    [None, Authority.new("another root").client("olga")],
    ids=["no certificate", "a stranger's certificate"],
)
async def test_nobody_else_gets_through(tmp_path: Path, client: Pair | None) -> None:
    """T18: the connection is refused before any call."""
    async with (
        guarded(tmp_path) as app,
        secure(app.admin_address or "", client=client) as channel,
    ):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await audit(channel)
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_a_player_with_a_token_is_no_operator() -> None:
    """T18: on the loopback, whoever shows a token is held to what it may."""
    async with (
        App(settings(admin=AdminSettings())) as app,
        grpc.aio.insecure_channel(app.admin_address or "") as channel,
    ):
        stub = admin_service_pb2_grpc.AdminServiceStub(channel)
        call = stub.ListAuditEvents(
            admin_service_pb2.ListAuditEventsRequest(), metadata=Player(channel, "ann").metadata
        )
        assert (await failure(call)).code is grpc.StatusCode.PERMISSION_DENIED
