"""Health: whether the server lives, and whether it takes new work.

The library's own servicer drops all watchers of a name when one of them leaves, and a watcher
holds up the end of the server; this one does neither.
"""

import asyncio
from collections.abc import Iterable
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2 as pb
from grpc_health.v1 import health_pb2_grpc

from skat_server.errors import RefusedError
from skat_server.rpc.callers import Context
from skat_server.rpc.endings import Endings

HEALTH: Final = pb.DESCRIPTOR.services_by_name["Health"].full_name
LIVENESS: Final = ("", "liveness")
"""Names that say whether the server lives: it answers, whatever its store and its tables do."""
READINESS: Final = "readiness"
"""Says whether the server takes new work: it can keep it, and it does not stop."""

_Status = pb.HealthCheckResponse


class HealthServicer(health_pb2_grpc.HealthServicer):
    """Says how the server is."""

    def __init__(self, endings: Endings) -> None:
        """Know no name."""
        self._endings = endings
        self._statuses: dict[str, int] = {}
        self._watchers: dict[asyncio.Event, None] = {}

    def set(self, names: Iterable[str], *, is_serving: bool) -> None:
        """Say of these names whether they serve, to those who ask and those who watch."""
        status = _Status.SERVING if is_serving else _Status.NOT_SERVING
        self._statuses.update(dict.fromkeys(names, status))
        for changed in self._watchers:
            changed.set()

    async def Check(
        self, request: pb.HealthCheckRequest, context: Context
    ) -> pb.HealthCheckResponse:
        """Return the status of a name."""
        status = self._statuses.get(request.service)
        if status is None:
            await context.abort(grpc.StatusCode.NOT_FOUND, "this name has no health")
        return _response(status)

    async def Watch(self, request: pb.HealthCheckRequest, context: Context) -> None:
        """Send the status of a name, and again whenever it has changed."""
        refusals: list[RefusedError] = []
        changed = asyncio.Event()

        def end(refusal: RefusedError) -> None:
            refusals.append(refusal)
            changed.set()

        self._watchers[changed] = None
        try:
            with self._endings.telling(end):
                last: int | None = None
                while not refusals:
                    last = await self._tell(request.service, last, context)
                    await changed.wait()
                    changed.clear()
                await self._tell(request.service, last, context)
                raise refusals[0]
        finally:
            del self._watchers[changed]

    async def _tell(self, name: str, last: int | None, context: Context) -> int:
        status = self._statuses.get(name, _Status.SERVICE_UNKNOWN)
        if status != last:
            await context.write(_response(status))
        return status


def _response(status: Any) -> pb.HealthCheckResponse:
    return _Status(status=status)
