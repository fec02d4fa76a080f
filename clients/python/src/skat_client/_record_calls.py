"""Calls for records of finished deals."""

from collections.abc import AsyncIterator

from skat.v1 import record_service_pb2 as records
from skat_client import _convert_tables as convert
from skat_client._calls import Calls
from skat_client._convert_accounts import verdict_from_proto
from skat_client._tables import DealRecord
from skat_client._verdicts import DealVerdict


class RecordCalls(Calls):
    """The record service."""

    async def get_deal_record(self, table_id: str, deal_number: int) -> DealRecord:
        """The record of one finished deal, counted from 1.

        Raises:
            NotFoundError: no such table or record, or the deal is not over yet.
        """
        request = records.GetDealRecordRequest(table_id=table_id, deal_number=deal_number)
        response = await self._call(self._wires.records.GetDealRecord, request)
        return convert.deal_record_from_proto(response.record)

    async def list_deal_records(
        self, table_id: str, *, page_size: int = 0
    ) -> AsyncIterator[DealRecord]:
        """The records of a table in the order of its deals; pages are fetched as needed.

        Raises:
            NotFoundError: no such table, or none that the player may see.
        """
        request = records.ListDealRecordsRequest(table_id=table_id, page_size=page_size)
        while True:
            response = await self._call(self._wires.records.ListDealRecords, request)
            for record in response.records:
                yield convert.deal_record_from_proto(record)
            if not response.next_page_token:
                return
            request.page_token = response.next_page_token

    async def verify_deal(
        self, json: str, *, commitment: bytes = b"", table_seed: bytes = b""
    ) -> DealVerdict:
        """Let the server check a record, of its own or of any other server, by itself.

        Args:
            json: one line of JSON in the record format `skat-deal`, up to 64 KiB.
            commitment: what was shown before the deal; the one in the record when empty.
            table_seed: the table's seed, 32 bytes, known when the table is over: also checks
                that the deal's seed was derived from it. Empty means not to.
        """
        request = records.VerifyDealRequest(json=json, commitment=commitment, table_seed=table_seed)
        return verdict_from_proto(await self._call(self._wires.records.VerifyDeal, request))
