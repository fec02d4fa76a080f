"""Watching a table, across lost connections."""

from collections.abc import AsyncGenerator, AsyncIterator

import grpc

from skat.v1 import spectate_service_pb2 as spectate
from skat_client._failures import error_from_rpc
from skat_client._feed import Feed, GapError
from skat_client._items import WatchItem
from skat_client._recovery import Recovery
from skat_client._wires import Wires
from skat_client.errors import ProtocolError, UnavailableError


async def watch(
    wires: Wires,
    table_id: str,
    call_metadata: tuple[tuple[str, str], ...],
    recovery: Recovery,
) -> AsyncGenerator[WatchItem, None]:
    """What lies open at a table, until it is over; every event once.

    Raises:
        ServerError: the server ended the watch, and another one would fare no better.
        GaveUpError: there was no connection for longer than allowed.
        ProtocolError: the server sent what cannot be read.
    """
    feed, progress = Feed(), _Progress(recovery)
    while True:
        request = spectate.WatchTableRequest(table_id=table_id)
        if table_id in feed.sights:
            request.after_sequence = feed.sights[table_id].sequence
        call = wires.spectate.WatchTable(request, metadata=call_metadata)
        try:
            async for item in _read(call, feed, progress):
                yield item
            return
        except grpc.aio.AioRpcError as error:
            failure = error_from_rpc(error)
        except GapError as error:
            failure = UnavailableError(str(error))
        finally:
            call.cancel()
        await recovery.wait(failure)


async def _read(
    call: grpc.aio.UnaryStreamCall[spectate.WatchTableRequest, spectate.WatchTableResponse],
    feed: Feed,
    progress: "_Progress",
) -> AsyncIterator[WatchItem]:
    async for response in call:
        if not isinstance(response, spectate.WatchTableResponse):
            # So the library says that the bytes are no message.
            raise ProtocolError("the server sent what cannot be read")
        for item in feed.take(response.frame):
            progress.note(item)
            yield item


class _Progress:
    """What is shown once more is no progress: a server that dies of it is given up one day."""

    def __init__(self, recovery: Recovery) -> None:
        self._recovery = recovery
        self._sequence = -1

    def note(self, item: WatchItem) -> None:
        if item.sight.sequence > self._sequence:
            self._sequence = item.sight.sequence
            self._recovery.retrying.progressed()
