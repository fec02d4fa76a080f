"""Records of the deals of a load, in a file that `skat-server records` reads."""

from collections.abc import Callable
from typing import Final

from skat.v1 import record_service_pb2 as pb
from skat.v1 import record_service_pb2_grpc
from skat_server.remote.connection import CALL_SECONDS
from skat_server.remote.load.wire import Metadata, Wire

_PAGE: Final = 200


class Shelf:
    """Fetches the records of a table that is over.

    Attributes:
        count: how many it has put away.
    """

    def __init__(self, wire: Wire, write: Callable[[str], object]) -> None:
        """Write every record with this, a line each."""
        self.count = 0
        self._wire = wire
        self._write = write

    async def fetch(
        self,
        table_id: str,
        stub: "record_service_pb2_grpc.RecordServiceAsyncStub",
        metadata: Metadata,
    ) -> None:
        """Put the records of a table away; a call that fails counts among the faults."""
        request = pb.ListDealRecordsRequest(table_id=table_id, page_size=_PAGE)
        while True:
            page = await self._wire.ask(
                "ListDealRecords",
                lambda: stub.ListDealRecords(request, metadata=metadata, timeout=CALL_SECONDS),
            )
            if page is None:
                return
            for record in page.records:
                self._write(f"{record.json}\n")
            self.count += len(page.records)
            request.page_token = page.next_page_token
            if not request.page_token:
                return
