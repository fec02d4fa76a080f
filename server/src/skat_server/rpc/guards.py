"""What stands before the services: the interceptors of both ports, the outermost first."""

import grpc

from skat_server.clock import Clock
from skat_server.config import Limits
from skat_server.observability.metrics.room import Room
from skat_server.players.doors import Door
from skat_server.rpc.allowances import Allowance, Allowances
from skat_server.rpc.buckets import Rate
from skat_server.rpc.callers import Context, caller_id_or_none
from skat_server.rpc.interceptors.auth import AuthInterceptor
from skat_server.rpc.interceptors.counting import CountingInterceptor
from skat_server.rpc.interceptors.errors import ErrorInterceptor
from skat_server.rpc.interceptors.limits import Holder, LimitInterceptor
from skat_server.rpc.live_calls import LiveCalls
from skat_server.rpc.peers import Networks, address_of


def player_guards(
    limits: Limits, clock: Clock, door: Door, live: LiveCalls, room: Room
) -> list[grpc.aio.ServerInterceptor]:
    """For everybody: what a call may not do by its address is not even looked up."""
    calls = Rate(limits.calls_per_second, limits.calls_burst)
    by_server = Allowances("server", Allowance(None, limits.streams), clock)
    by_address = Allowances("address", Allowance(calls, limits.streams_per_address), clock)
    by_player = Allowances(
        "player", Allowance(calls, connections=limits.connections_per_player), clock
    )
    return [
        ErrorInterceptor(),
        CountingInterceptor(room),
        LimitInterceptor(by_server, lambda _: ""),
        LimitInterceptor(by_address, _address_outside(limits.trusted_networks)),
        AuthInterceptor(door, live),
        LimitInterceptor(by_player, caller_id_or_none),
    ]


def admin_guards(door: Door, live: LiveCalls, room: Room) -> list[grpc.aio.ServerInterceptor]:
    """For the operator, who is trusted not to flood his own server.

    Args:
        door: one that takes nobody without a token for a guest: the certificate or the loopback
            answers for him.
        live: knows the calls that run.
        room: in which calls are counted.
    """
    return [ErrorInterceptor(), CountingInterceptor(room), AuthInterceptor(door, live)]


def _address_outside(trusted_networks: tuple[str, ...]) -> Holder:
    """Charges addresses, but not those that stand for many callers."""
    trusted = Networks(trusted_networks)

    def address(context: Context) -> str | None:
        found = address_of(context.peer())
        return None if found in trusted else found

    return address
