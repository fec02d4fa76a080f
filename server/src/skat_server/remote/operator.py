"""AdminService, as an operator calls it."""

from collections.abc import Iterator
from typing import Final

import grpc
from google.protobuf.duration_pb2 import Duration

from skat.v1 import admin_service_pb2 as pb
from skat.v1 import admin_service_pb2_grpc
from skat_server.remote.connection import CALL_SECONDS

_PAGE: Final = 200


class Operator:
    """An operator at a server, over its operator's port.

    Every method raises `grpc.RpcError` where the server refuses or does not answer.
    """

    def __init__(self, channel: grpc.Channel) -> None:
        """Call over a channel."""
        self._admin = admin_service_pb2_grpc.AdminServiceStub(channel)

    def drain(self, seconds: float | None) -> float:
        """Stop the server in good order.

        Args:
            seconds: that deals under way may take; None for what the server was started with.

        Returns:
            When it stops at the latest, in seconds since 1970.
        """
        grace = None if seconds is None else _duration(seconds)
        response = self._admin.Drain(pb.DrainRequest(grace=grace), timeout=CALL_SECONDS)
        return response.stops_by.ToNanoseconds() / 1e9

    def void_deal(self, table_id: str, reason: str) -> None:
        """Drop the deal under way at a table and deal its number anew."""
        request = pb.VoidDealRequest(table_id=table_id, reason=reason)
        self._admin.VoidDeal(request, timeout=CALL_SECONDS)

    def forfeit(self, table_id: str, seat: int, reason: str) -> None:
        """Close a table because of one of its seats."""
        request = pb.ForfeitSeatRequest(table_id=table_id, seat=seat, reason=reason)
        self._admin.ForfeitSeat(request, timeout=CALL_SECONDS)

    def ban(self, holder_id: str, reason: str) -> None:
        """Refuse a bot or an account from now on."""
        self._admin.Ban(pb.BanRequest(id=holder_id, reason=reason), timeout=CALL_SECONDS)

    def unban(self, holder_id: str) -> None:
        """Let a bot or an account in again."""
        self._admin.Unban(pb.UnbanRequest(id=holder_id), timeout=CALL_SECONDS)

    def audit(self) -> Iterator[pb.AuditEvent]:
        """What operators and owners have done, the newest first."""
        token = ""
        while True:
            request = pb.ListAuditEventsRequest(page_size=_PAGE, page_token=token)
            response = self._admin.ListAuditEvents(request, timeout=CALL_SECONDS)
            yield from response.events
            token = response.next_page_token
            if not token:
                return


def _duration(seconds: float) -> Duration:
    duration = Duration()
    duration.FromNanoseconds(round(seconds * 1e9))
    return duration
