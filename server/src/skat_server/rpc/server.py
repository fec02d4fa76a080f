"""Builds the gRPC server: services, interceptors, limits, health, reflection."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1._async import HealthServicer
from grpc_reflection.v1alpha import reflection

from skat.v1 import (
    account_service_pb2,
    account_service_pb2_grpc,
    admin_service_pb2,
    play_service_pb2,
    play_service_pb2_grpc,
    record_service_pb2,
    record_service_pb2_grpc,
    rules_service_pb2,
    rules_service_pb2_grpc,
    spectate_service_pb2,
    spectate_service_pb2_grpc,
    table_service_pb2,
    table_service_pb2_grpc,
)
from skat_server.clock import Clock
from skat_server.players.accounts import Accounts
from skat_server.players.doors import Door
from skat_server.rpc.account_servicer import AccountServicer
from skat_server.rpc.interceptors.auth import AuthInterceptor
from skat_server.rpc.interceptors.errors import ErrorInterceptor
from skat_server.rpc.live_calls import LiveCalls
from skat_server.rpc.play_servicer import PlayServicer
from skat_server.rpc.quotas import QuotaLimits, Quotas
from skat_server.rpc.record_servicer import RecordServicer
from skat_server.rpc.revocations import Revocations
from skat_server.rpc.rights import require_entries
from skat_server.rpc.rules_servicer import RulesServicer
from skat_server.rpc.spectate_servicer import SpectateServicer
from skat_server.rpc.table_servicer import TableServicer
from skat_server.storage.protocols import Store
from skat_server.tables.registry import Tables
from skat_server.tables.sessions import Sessions

MAX_MESSAGE_BYTES: Final = 256 * 1024
"""Largest message that is read: a frame of 1,024 submissions fits, floods do not."""
MAX_METADATA_BYTES: Final = 8 * 1024
MAX_CALLS: Final = 10_000

_PLAYERS_SERVICES: Final = tuple(
    descriptor.services_by_name[name]
    for descriptor, name in (
        (table_service_pb2.DESCRIPTOR, "TableService"),
        (play_service_pb2.DESCRIPTOR, "PlayService"),
        (spectate_service_pb2.DESCRIPTOR, "SpectateService"),
        (record_service_pb2.DESCRIPTOR, "RecordService"),
        (rules_service_pb2.DESCRIPTOR, "RulesService"),
        (account_service_pb2.DESCRIPTOR, "AccountService"),
    )
)

SERVICE_NAMES: Final = tuple(service.full_name for service in _PLAYERS_SERVICES)
"""The services for players."""

_GUARDED: Final = (
    *_PLAYERS_SERVICES,
    admin_service_pb2.DESCRIPTOR.services_by_name["AdminService"],
)
"""Every method of them has its entry in `rpc/rights.py`, or the server does not start."""

_OPTIONS: Final[Sequence[tuple[str, int]]] = (
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    ("grpc.max_metadata_size", MAX_METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", 2 * MAX_METADATA_BYTES),
    # A second server on the same port must fail, not share it silently.
    ("grpc.so_reuseport", 0),
    # Bots may ping every 10 s, also while they wait between deals; the default of five
    # minutes would cut honest ones with too_many_pings.
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # Find dead peers, and close connections that never speak.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.server_handshake_timeout_ms", 5_000),
    ("grpc.max_connection_idle_ms", 300_000),
)


@dataclass(frozen=True, slots=True)
class Parts:
    """What the servicers translate to."""

    tables: Tables
    sessions: Sessions
    store: Store
    accounts: Accounts
    door: Door
    quotas: QuotaLimits
    clock: Clock
    entropy: Callable[[int], bytes]


def address_of(host: str, port: int) -> str:
    """Host and port as gRPC reads them: an IPv6 address needs brackets.

    >>> address_of("::1", 7654)
    '[::1]:7654'
    """
    is_bare = ":" in host and not host.startswith("[")
    return f"[{host}]:{port}" if is_bare else f"{host}:{port}"


class RpcServer:
    """The gRPC face of the server.

    Attributes:
        port: the bound port, once started.
    """

    def __init__(self, parts: Parts, *, with_reflection: bool) -> None:
        """Build everything; nothing listens yet.

        Raises:
            LookupError: a method has no entry in the table of rights.
        """
        require_entries(_GUARDED)
        self.port = 0
        self._live = LiveCalls(parts.quotas.streams)
        self._revocations = Revocations(self._live, parts.door, parts.clock)
        self._watch: asyncio.Task[None] | None = None
        self._sessions = parts.sessions
        self._spectators = SpectateServicer(parts.tables, parts.sessions, parts.clock)
        self._health = HealthServicer()
        self._server = grpc.aio.server(
            interceptors=[ErrorInterceptor(), AuthInterceptor(parts.door, self._live)],
            options=_OPTIONS,
            maximum_concurrent_rpcs=MAX_CALLS,
        )
        self._add_services(parts)
        if with_reflection:
            names = (*SERVICE_NAMES, _HEALTH, reflection.SERVICE_NAME)
            reflection.enable_server_reflection(names, self._server)

    async def start(self, host: str, port: int) -> None:
        """Listen in plain text; port 0 takes a free one.

        Raises:
            OSError: the address cannot be bound.
        """
        wanted = address_of(host, port)
        try:
            self.port = self._server.add_insecure_port(wanted)
        except RuntimeError as error:
            raise OSError(f"cannot listen on {wanted}; is another server there?") from error
        await self._server.start()
        self._watch = asyncio.create_task(self._revocations.run())
        await self._set_health(health_pb2.HealthCheckResponse.SERVING)

    async def stop(self, grace: float) -> None:
        """Stop taking calls, end every stream with GOING_AWAY, and wait for the rest.

        Args:
            grace: seconds after which calls that are left are cut.
        """
        await self._set_health(health_pb2.HealthCheckResponse.NOT_SERVING)
        self._sessions.end_all()
        self._spectators.end_all()
        await self._server.stop(grace)
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.wait({self._watch})

    def _add_services(self, parts: Parts) -> None:
        quotas = Quotas(parts.tables, self._live, parts.accounts, parts.quotas)
        table_service_pb2_grpc.add_TableServiceServicer_to_server(
            TableServicer(parts.tables, parts.sessions, quotas, parts.clock, parts.entropy),
            self._server,
        )
        account_service_pb2_grpc.add_AccountServiceServicer_to_server(
            AccountServicer(parts.accounts, quotas, self._revocations), self._server
        )
        play_service_pb2_grpc.add_PlayServiceServicer_to_server(
            PlayServicer(parts.sessions, parts.clock, MAX_MESSAGE_BYTES), self._server
        )
        spectate_service_pb2_grpc.add_SpectateServiceServicer_to_server(
            self._spectators, self._server
        )
        record_service_pb2_grpc.add_RecordServiceServicer_to_server(
            RecordServicer(parts.tables, parts.store), self._server
        )
        rules_service_pb2_grpc.add_RulesServiceServicer_to_server(RulesServicer(), self._server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)

    async def _set_health(self, status: int) -> None:
        for name in ("", *SERVICE_NAMES):
            await self._health.set(name, status)


_HEALTH: Final = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name
