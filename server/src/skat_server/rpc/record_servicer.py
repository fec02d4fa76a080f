"""RecordService: records of finished deals."""

from typing import Final, NoReturn

from skat.v1 import record_service_pb2 as pb
from skat.v1 import record_service_pb2_grpc
from skat_engine.records import Check, is_verified, verify
from skat_server.errors import Reason, RefusedError
from skat_server.rpc.callers import Context, caller_id_or_none
from skat_server.rpc.pages import page_start, size_of
from skat_server.storage.protocols import SealedDeal, Store
from skat_server.tables.registry import Tables
from skat_server.tournaments.directory import Tournaments

LONGEST_RECORD: Final = 64 * 1024
"""Bytes of a record that is to be checked."""
HASH_BYTES: Final = 32


class RecordServicer(record_service_pb2_grpc.RecordServiceServicer):
    """Reads records from the store."""

    def __init__(self, tables: Tables, tournaments: Tournaments, store: Store) -> None:
        """Serve the records of these tables, but of boards that are still played."""
        self._tables = tables
        self._tournaments = tournaments
        self._store = store

    async def GetDealRecord(
        self, request: pb.GetDealRecordRequest, context: Context
    ) -> pb.GetDealRecordResponse:
        """Return one record."""
        table_id = await self._readable(request.table_id, context)
        line = await self._store.record(table_id, request.deal_number)
        if line is None:
            raise RefusedError(
                Reason.RECORD_NOT_FOUND,
                f"table {table_id} has no finished deal {request.deal_number}",
            )
        return pb.GetDealRecordResponse(record=_record(table_id, line))

    async def ListDealRecords(
        self, request: pb.ListDealRecordsRequest, context: Context
    ) -> pb.ListDealRecordsResponse:
        """Return a page of the records of a table."""
        table_id = await self._readable(request.table_id, context)
        size = size_of(request.page_size)
        after = page_start(request.page_token)
        lines = await self._store.records(table_id, after, size + 1)
        token = str(lines[size - 1].deal_number) if len(lines) > size else ""
        return pb.ListDealRecordsResponse(
            records=[_record(table_id, line) for line in lines[:size]], next_page_token=token
        )

    async def VerifyDeal(
        self, request: pb.VerifyDealRequest, context: Context
    ) -> pb.VerifyDealResponse:
        """Check a record by itself."""
        del context
        line = request.json.encode()
        if not 0 < len(line) <= LONGEST_RECORD:
            _refuse("json", f"a record has 1 to {LONGEST_RECORD} bytes, not {len(line)}")
        for field in ("commitment", "table_seed"):
            length = len(getattr(request, field))
            if length not in {0, HASH_BYTES}:
                _refuse(field, f"{field} has {HASH_BYTES} bytes, not {length}")
        checks = verify(line, request.commitment, request.table_seed)
        return pb.VerifyDealResponse(ok=is_verified(checks), checks=map(_check, checks))

    async def _readable(self, table_id: str, context: Context) -> str:
        caller_id = caller_id_or_none(context)
        tournament_id = await self._tables.require_readable(table_id, caller_id)
        self._tournaments.require_released(tournament_id)
        return table_id


def _refuse(field: str, message: str) -> NoReturn:
    raise RefusedError(Reason.INVALID_FIELD, message, field=field)


def _check(check: Check) -> pb.DealCheck:
    return pb.DealCheck(
        kind=pb.DealCheckKind.Value(f"DEAL_CHECK_KIND_{check.kind.name}"),
        outcome=pb.DealCheckOutcome.Value(f"DEAL_CHECK_OUTCOME_{check.outcome.name}"),
        message=check.message,
    )


def _record(table_id: str, deal: SealedDeal) -> pb.DealRecord:
    return pb.DealRecord(
        table_id=table_id,
        deal_number=deal.deal_number,
        json=deal.json,
        sha256=deal.sha256,
        previous_sha256=deal.previous_sha256,
    )
