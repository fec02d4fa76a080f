"""AdminService: the operator's side, on a port of its own.

Every call that changes something is in the audit log before it is carried out: one that was
refused after that has its line too, and none has happened without.
"""

from functools import partial
from typing import Final

from google.protobuf.duration_pb2 import Duration

from skat.v1 import admin_service_pb2 as pb
from skat.v1 import admin_service_pb2_grpc, table_pb2
from skat_server.draining import LONGEST_GRACE, Drain
from skat_server.errors import Reason, RefusedError
from skat_server.players.accounts import Accounts, By
from skat_server.rpc.callers import Context, caller_id_or_none
from skat_server.rpc.convert.accounts import account_to_proto, audit_to_proto
from skat_server.rpc.convert.facts import timestamp
from skat_server.rpc.convert.tables import table_to_proto
from skat_server.rpc.pages import page_start, size_of
from skat_server.rpc.revocations import Revocations
from skat_server.rpc.texts import check_length
from skat_server.tables.faults import FaultCause
from skat_server.tables.registry import Tables
from skat_server.tables.sessions import Sessions
from skat_server.tables.settling import settled
from skat_server.tables.table import Table

LONGEST_REASON: Final = 200
_NANOS: Final = 1_000_000_000
LOCAL: Final = "local"
"""Who acts on the loopback, where nobody shows a certificate."""


class AdminServicer(admin_service_pb2_grpc.AdminServiceServicer):
    """Translates AdminService to accounts, tables and the drain."""

    def __init__(
        self,
        accounts: Accounts,
        tables: Tables,
        sessions: Sessions,
        revocations: Revocations,
        drain: Drain,
    ) -> None:
        """Serve the operator."""
        self._accounts = accounts
        self._tables = tables
        self._sessions = sessions
        self._revocations = revocations
        self._drain = drain

    async def CreateAccount(
        self, request: pb.CreateAccountRequest, context: Context
    ) -> pb.CreateAccountResponse:
        """Make an account and its first token."""
        self._accounts.require_use()
        account, issued = await self._accounts.create_account(
            request.name, _by(context, "CreateAccount")
        )
        return pb.CreateAccountResponse(
            account=account_to_proto(account), token_text=issued.text.text
        )

    async def Drain(self, request: pb.DrainRequest, context: Context) -> pb.DrainResponse:
        """Begin to stop."""
        grace = _grace(request.grace) if request.HasField("grace") else None
        shown = "the server's own grace" if grace is None else f"grace of {grace:g} s"
        await self._accounts.note(_by(context, "Drain"), "server", shown)
        return pb.DrainResponse(stops_by=timestamp(self._drain.start(grace)))

    async def ForfeitSeat(
        self, request: pb.ForfeitSeatRequest, context: Context
    ) -> pb.ForfeitSeatResponse:
        """Close a table because of one seat."""
        check_length("reason", request.reason, LONGEST_REASON, shortest=1)
        table = self._tables.find(request.table_id)
        detail = f"seat {request.seat}: {request.reason}"
        await self._accounts.note(_by(context, "ForfeitSeat"), table.table_id, detail)
        await settled(partial(table.forfeit, request.seat, FaultCause.ADMIN, request.reason))
        return pb.ForfeitSeatResponse(table=self._shown(table))

    async def VoidDeal(self, request: pb.VoidDealRequest, context: Context) -> pb.VoidDealResponse:
        """Drop the deal under way."""
        check_length("reason", request.reason, LONGEST_REASON, shortest=1)
        table = self._tables.find(request.table_id)
        await self._accounts.note(_by(context, "VoidDeal"), table.table_id, request.reason)
        await settled(partial(table.void_deal, request.reason))
        return pb.VoidDealResponse(table=self._shown(table))

    async def Ban(self, request: pb.BanRequest, context: Context) -> pb.BanResponse:
        """Refuse a bot or an account, and end what it has open."""
        check_length("reason", request.reason, LONGEST_REASON, shortest=1)
        self._accounts.require_use()
        await self._accounts.disable(request.id, request.reason, _by(context, "Ban"))
        await self._revocations.look()
        return pb.BanResponse()

    async def Unban(self, request: pb.UnbanRequest, context: Context) -> pb.UnbanResponse:
        """Let a bot or an account in again."""
        self._accounts.require_use()
        await self._accounts.enable(request.id, _by(context, "Unban"))
        await self._revocations.look()
        return pb.UnbanResponse()

    async def ListAuditEvents(
        self, request: pb.ListAuditEventsRequest, context: Context
    ) -> pb.ListAuditEventsResponse:
        """Return a page of the audit log, the newest first."""
        del context
        size = size_of(request.page_size)
        before = page_start(request.page_token) if request.page_token else None
        lines = await self._accounts.store.audit_lines(before, size + 1)
        return pb.ListAuditEventsResponse(
            events=map(audit_to_proto, lines[:size]),
            next_page_token=str(lines[size - 1].audit_id) if len(lines) > size else "",
        )

    def _shown(self, table: Table) -> table_pb2.Table:
        return table_to_proto(table, self._sessions.is_connected)


def _by(context: Context, action: str) -> By:
    return By(_actor(context), action)


def _actor(context: Context) -> str:
    """The common name of the client's certificate, else who holds the token, else `local`."""
    for name in context.auth_context().get("x509_common_name", ()):
        return name.decode(errors="replace")
    return caller_id_or_none(context) or LOCAL


def _grace(grace: Duration) -> float:
    seconds = grace.seconds + grace.nanos / _NANOS
    # Billions of nanoseconds are no duration, even where they come to one.
    if not (0 <= grace.nanos < _NANOS and grace.seconds >= 0 and seconds <= LONGEST_GRACE):
        raise RefusedError(Reason.INVALID_FIELD, "grace needs 0 s to a day", field="grace")
    return seconds
