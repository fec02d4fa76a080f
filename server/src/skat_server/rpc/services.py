"""Which services are there, and on which of the two ports."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import grpc

from skat.v1 import (
    account_service_pb2,
    account_service_pb2_grpc,
    admin_service_pb2,
    admin_service_pb2_grpc,
    play_service_pb2,
    record_service_pb2,
    record_service_pb2_grpc,
    rules_service_pb2,
    rules_service_pb2_grpc,
    spectate_service_pb2,
    table_service_pb2,
    table_service_pb2_grpc,
    tournament_service_pb2,
    tournament_service_pb2_grpc,
)
from skat_server.clock import Clock
from skat_server.config import Settings
from skat_server.draining import Drain
from skat_server.observability.metrics.room import Room
from skat_server.players.accounts import Accounts
from skat_server.players.doors import Door
from skat_server.rpc.account_servicer import AccountServicer
from skat_server.rpc.admin_servicer import AdminServicer
from skat_server.rpc.buckets import Rate
from skat_server.rpc.endings import Endings
from skat_server.rpc.lag import LoopLag
from skat_server.rpc.live_calls import LiveCalls
from skat_server.rpc.play.handlers import add_play_service
from skat_server.rpc.play.parts import PlayParts
from skat_server.rpc.play.results import Waiting
from skat_server.rpc.play.servicer import PlayServicer
from skat_server.rpc.play.unasked import UnaskedLimits
from skat_server.rpc.quotas import QuotaLimits, Quotas
from skat_server.rpc.record_servicer import RecordServicer
from skat_server.rpc.revocations import Revocations
from skat_server.rpc.rules_servicer import RulesServicer
from skat_server.rpc.spectate_servicer import SpectateServicer, add_spectate_service
from skat_server.rpc.table_servicer import TableServicer
from skat_server.rpc.tournament_servicer import TournamentServicer
from skat_server.storage.protocols import Store
from skat_server.tables.registry import Tables
from skat_server.tables.sessions import Sessions
from skat_server.tournaments.directory import Tournaments

PLAYER_SERVICES: Final = tuple(
    descriptor.services_by_name[name]
    for descriptor, name in (
        (table_service_pb2.DESCRIPTOR, "TableService"),
        (play_service_pb2.DESCRIPTOR, "PlayService"),
        (spectate_service_pb2.DESCRIPTOR, "SpectateService"),
        (record_service_pb2.DESCRIPTOR, "RecordService"),
        (rules_service_pb2.DESCRIPTOR, "RulesService"),
        (account_service_pb2.DESCRIPTOR, "AccountService"),
        (tournament_service_pb2.DESCRIPTOR, "TournamentService"),
    )
)
ADMIN_SERVICES: Final = (admin_service_pb2.DESCRIPTOR.services_by_name["AdminService"],)

SERVICE_NAMES: Final = tuple(service.full_name for service in PLAYER_SERVICES)
"""The services on the port of the players."""
ADMIN_SERVICE_NAMES: Final = tuple(service.full_name for service in ADMIN_SERVICES)
"""The services on the port of the operator."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What the servicers translate to."""

    tables: Tables
    sessions: Sessions
    tournaments: Tournaments
    store: Store
    accounts: Accounts
    door: Door
    admin_door: Door
    """As `door`, but without guests: the operator is somebody else."""
    quotas: QuotaLimits
    clock: Clock
    entropy: Callable[[int], bytes]
    drain: Drain
    room: Room
    """In which calls and messages are counted."""


@dataclass(frozen=True, slots=True)
class Calls:
    """What is known of the calls that run."""

    endings: Endings
    live: LiveCalls
    revocations: Revocations
    lag: LoopLag


def add_player_services(
    server: grpc.aio.Server, parts: Parts, calls: Calls, settings: Settings
) -> None:
    """Add what players and their programs call."""
    quotas = Quotas(parts.tables, calls.live, parts.accounts, parts.quotas, calls.lag)
    table_service_pb2_grpc.add_TableServiceServicer_to_server(
        TableServicer(parts.tables, parts.sessions, quotas, parts.clock, parts.entropy), server
    )
    add_play_service(PlayServicer(_play_parts(parts, calls.endings, settings)), server)
    add_spectate_service(
        SpectateServicer(
            parts.tables,
            parts.sessions,
            parts.tournaments,
            parts.clock,
            calls.endings,
            settings.limits.spectators,
        ),
        server,
    )
    record_service_pb2_grpc.add_RecordServiceServicer_to_server(
        RecordServicer(parts.tables, parts.tournaments, parts.store), server
    )
    rules_service_pb2_grpc.add_RulesServiceServicer_to_server(RulesServicer(), server)
    tournament_service_pb2_grpc.add_TournamentServiceServicer_to_server(
        TournamentServicer(parts.tournaments, parts.sessions, parts.accounts, parts.entropy),
        server,
    )
    account_service_pb2_grpc.add_AccountServiceServicer_to_server(
        AccountServicer(parts.accounts, quotas, calls.revocations), server
    )


def add_admin_services(server: grpc.aio.Server, parts: Parts, calls: Calls) -> None:
    """Add what the operator calls."""
    admin_service_pb2_grpc.add_AdminServiceServicer_to_server(
        AdminServicer(parts.accounts, parts.tables, parts.sessions, calls.revocations, parts.drain),
        server,
    )


def _play_parts(parts: Parts, endings: Endings, settings: Settings) -> PlayParts:
    limits = settings.limits
    unasked = Rate(limits.unasked_per_second, limits.unasked_burst)
    return PlayParts(
        sessions=parts.sessions,
        clock=parts.clock,
        endings=endings,
        unasked=UnaskedLimits(unasked, parts.clock),
        waiting=Waiting(limits.waiting_results),
        heartbeat=settings.heartbeat,
    )
