"""How long a stream waits for its client: on the server's clock, so that tests need not wait."""

import asyncio
from types import TracebackType
from typing import Final, Self

from skat_server.errors import Reason, RefusedError

WRITE_WITHIN: Final = 10.0
"""Seconds that the transport may refuse a message before the reader counts as too slow."""


def slow_consumer() -> RefusedError:
    """Why a stream ends whose client does not read."""
    return RefusedError(
        Reason.SLOW_CONSUMER, f"nothing was read for {WRITE_WITHIN:.0f} s; reconnect"
    )


class Interruption:
    """Breaks off what a coroutine waits for, with a refusal in its place.

    Only for waits that the transport can be left in: a read. A message that is being written
    must be waited for, since grpc.aio cannot end a call in which one is stuck.
    """

    def __init__(self) -> None:
        """Interrupt nothing."""
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0
        self._refusal: RefusedError | None = None

    def __call__(self, refusal: RefusedError) -> None:
        """Break off what is inside, if anything is; the first refusal counts."""
        if self._task is not None and self._refusal is None:
            self._refusal = refusal
            self._task.cancel()

    def __enter__(self) -> Self:
        """Begin to wait."""
        self._task = asyncio.current_task()
        assert self._task is not None
        self._cancelling = self._task.cancelling()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Raise the refusal in the place of the cancellation that it has caused."""
        task, self._task = self._task, None
        if self._refusal is None or task is None:
            return
        if task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise self._refusal from None
