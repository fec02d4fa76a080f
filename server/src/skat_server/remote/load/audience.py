"""Those who watch the tables of a load, and those of them who read slowly."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import grpc

from skat.v1 import spectate_service_pb2 as spectate
from skat.v1 import spectate_service_pb2_grpc as spectate_grpc
from skat_server.remote.load.wire import Wire, cause_of

_LOOKS_AGAIN: Final = 0.2
"""Seconds before somebody whose table is over asks for the next one."""


@dataclass(slots=True)
class Spectator:
    """Watches the table of one place, and the one after it when that is over."""

    wire: Wire
    token: str
    table: Callable[[], str | None]
    """The table of its place; None while there is none."""
    pause: float = 0.0
    """Seconds that a slow reader waits after every message."""

    async def run(self) -> None:
        """Watch until it is cancelled."""
        channel = self.wire.channel()
        try:
            stub = spectate_grpc.SpectateServiceStub(channel)
            seen: str | None = None
            while True:
                table_id = self.table()
                if table_id is not None and table_id != seen:
                    seen = await self._watch(stub, table_id)
                await self.wire.clock.sleep(_LOOKS_AGAIN)
        finally:
            await channel.close()

    async def _watch(
        self, stub: "spectate_grpc.SpectateServiceAsyncStub", table_id: str
    ) -> str | None:
        """Watch a table; its id when nothing more comes of it."""
        request = spectate.WatchTableRequest(table_id=table_id)
        call = stub.WatchTable(request, metadata=self.wire.metadata(self.token))
        views = 0
        try:
            async for response in call:
                tally = self.wire.books.tally
                tally.watched += len(response.frame.events)
                if response.frame.HasField("view"):
                    views += 1
                    tally.fell_behind += views > 1  # the first one is where it begins
                if self.pause:
                    await self.wire.clock.sleep(self.pause)
        except grpc.aio.AioRpcError as error:
            self.wire.books.fault(f"watch: {cause_of(error)}")
            return None
        finally:
            call.cancel()
        return table_id
