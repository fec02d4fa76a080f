"""The gRPC face of the server: a port for players and, where wanted, one for the operator."""

import asyncio
from typing import Final

import grpc
from google.protobuf.internal import api_implementation
from grpc_health.v1 import health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from skat_server.certificates import Certificate, read_certificate
from skat_server.config import AdminSettings, Settings, TlsFiles
from skat_server.errors import Reason, RefusedError
from skat_server.ports import AdminAddressError, ListenError
from skat_server.rpc.endings import Endings
from skat_server.rpc.guards import admin_guards, player_guards
from skat_server.rpc.health import HEALTH, LIVENESS, READINESS, HealthServicer
from skat_server.rpc.lag import LoopLag
from skat_server.rpc.listener import Listener
from skat_server.rpc.live_calls import LiveCalls
from skat_server.rpc.revocations import Revocations
from skat_server.rpc.rights import require_entries
from skat_server.rpc.services import (
    ADMIN_SERVICE_NAMES,
    ADMIN_SERVICES,
    PLAYER_SERVICES,
    SERVICE_NAMES,
    Calls,
    Parts,
    add_admin_services,
    add_player_services,
)

ADMIN_CONNECTIONS: Final = 100
ADMIN_STREAMS: Final = 100

_GOING_AWAY: Final = RefusedError(Reason.GOING_AWAY, "the server shuts down; come again")


class OperatorAddressError(OSError):
    """The operator's port cannot be had."""


class RpcServer:
    """Two listeners over the same parts."""

    def __init__(self, parts: Parts, settings: Settings) -> None:
        """Build everything; nothing listens yet.

        Raises:
            LookupError: a method has no entry in the table of rights.
        """
        require_entries((*PLAYER_SERVICES, *ADMIN_SERVICES))
        _require_upb()
        endings = Endings()
        live = LiveCalls(parts.quotas.streams, endings)
        self._parts = parts
        self._settings = settings
        revocations = Revocations(live, parts.door, parts.clock)
        self._lag = LoopLag(parts.clock)
        self._calls = Calls(endings, live, revocations, self._lag)
        self._health = HealthServicer(endings)
        self._player = self._player_listener()
        self._admin = None if settings.admin is None else self._admin_listener()
        self._watch: asyncio.Task[None] | None = None
        parts.store.watch(self._set_health)
        parts.drain.watch(self._set_health)

    @property
    def port(self) -> int:
        """The bound port of the players, once started."""
        return self._player.port

    @property
    def admin_port(self) -> int | None:
        """The bound port of the operator, once started; None when there is none."""
        return None if self._admin is None else self._admin.port

    async def start(self) -> None:
        """Listen.

        Raises:
            CertificateError: a certificate cannot be used.
            AdminAddressError: the operator's address cannot be bound.
            ListenError: that of the players cannot be bound.
        """
        settings = self._settings
        certificate = _certificate(settings.tls)
        await self._start_admin()
        await self._player.start(settings.host, settings.port, certificate)
        self._watch = asyncio.create_task(self._calls.revocations.run())
        self._lag.start()
        self._set_health()

    async def _start_admin(self) -> None:
        wanted = self._settings.admin
        if self._admin is None or wanted is None:
            return
        try:
            await self._admin.start(wanted.host, wanted.port, _certificate(wanted.tls))
        except ListenError as error:
            text = f"cannot listen on {wanted.host}:{wanted.port} for the operator"
            raise AdminAddressError(text, error.reason) from error

    async def abandon(self) -> None:
        """Give up a start that has failed, before or while it began to listen."""
        await asyncio.gather(*(listener.abandon() for listener in self._listeners))

    async def stop(self, grace: float) -> None:
        """Take no more calls, end every stream with GOING_AWAY, and wait for what is under way.

        Args:
            grace: seconds after which calls that are left are cut.
        """
        self._health.set((*LIVENESS, READINESS, *SERVICE_NAMES), is_serving=False)
        self._lag.stop()
        self._parts.sessions.end_all()
        self._calls.endings.end_all(_GOING_AWAY)
        await asyncio.gather(*(listener.server.stop(grace) for listener in self._listeners))
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.wait({self._watch})

    @property
    def _listeners(self) -> list[Listener]:
        return [listener for listener in (self._player, self._admin) if listener is not None]

    def _player_listener(self) -> Listener:
        parts, settings = self._parts, self._settings
        listener = Listener(
            player_guards(settings.limits, parts.clock, parts.door, self._calls.live, parts.room),
            handshake=settings.handshake,
            connections=settings.limits.connections,
            streams=settings.limits.streams,
        )
        add_player_services(listener.server, parts, self._calls, settings)
        self._add_common(listener.server, SERVICE_NAMES, with_reflection=settings.reflection)
        return listener

    def _admin_listener(self) -> Listener:
        listener = Listener(
            admin_guards(self._parts.admin_door, self._calls.live, self._parts.room),
            handshake=self._settings.handshake,
            connections=ADMIN_CONNECTIONS,
            streams=ADMIN_STREAMS,
        )
        add_admin_services(listener.server, self._parts, self._calls)
        self._add_common(listener.server, ADMIN_SERVICE_NAMES, with_reflection=True)
        return listener

    def _add_common(
        self, server: grpc.aio.Server, names: tuple[str, ...], *, with_reflection: bool
    ) -> None:
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        if with_reflection:
            reflection.enable_server_reflection((*names, HEALTH, reflection.SERVICE_NAME), server)

    def _set_health(self) -> None:
        is_ready = self._parts.store.is_available and not self._parts.drain.is_draining
        self._health.set(LIVENESS, is_serving=True)
        self._health.set((READINESS, *SERVICE_NAMES), is_serving=is_ready)


async def _start_admin(listener: Listener, admin: AdminSettings) -> None:
    certificate = _certificate(admin.tls)
    try:
        await listener.start(admin.host, admin.port, certificate)
    except OSError as error:
        raise OperatorAddressError(str(error)) from error


def _require_upb() -> None:
    """Messages nest without end for the parser in Python; the one in C has a limit (T15)."""
    kind = api_implementation.Type()
    if kind != "upb":
        raise RuntimeError(f"protobuf runs on {kind!r} here; install a wheel of it that has upb")


def _certificate(files: TlsFiles | None) -> Certificate | None:
    return None if files is None else read_certificate(files)
