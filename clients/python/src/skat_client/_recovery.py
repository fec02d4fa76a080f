"""What to do when a stream is lost: wait and come back, or say why not."""

import asyncio
import logging

from skat_client._backoff import Backoff, Retrying
from skat_client._failures import is_passing
from skat_client.errors import GaveUpError, ServerError

_log = logging.getLogger("skat_client")


class Recovery:
    """Waits between the connections of one stream."""

    def __init__(self, what: str, backoff: Backoff, max_downtime: float | None) -> None:
        self._what = what
        self._backoff = backoff
        self._max_downtime = max_downtime
        self.retrying = Retrying(backoff, max_downtime)

    async def wait(self, failure: ServerError) -> None:
        """Wait before the next connection.

        Raises:
            ServerError: the failure itself, when another connection would not help.
            GaveUpError: there was no connection for too long.
            asyncio.CancelledError: the task was cancelled as the connection was lost.
        """
        require_wanted()
        if not is_passing(failure):
            raise failure
        hint = failure.retry_delay
        delay = self.retrying.next_delay(hint.total_seconds() if hint else 0.0)
        if delay is None:
            raise GaveUpError(
                f"{self._what}: no connection for {self._max_downtime:g} s, giving up: {failure}"
            ) from failure
        _log.warning("%s lost, trying again in %.1f s: %s", self._what, delay, failure)
        await self._backoff.sleep(delay)


def require_wanted() -> None:
    """Go on with a cancellation that the library has swallowed.

    Where a call ends in the same moment in which the task is cancelled, grpc.aio raises the
    status of the call only. Whoever tried again then could not be stopped any more.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
