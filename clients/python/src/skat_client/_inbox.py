"""Messages on their way from a connection to the session that asks for them."""

import asyncio
from typing import Final

from skat.v1 import play_service_pb2 as play

CAPACITY: Final = 64
"""Messages that may wait. A session that takes none of them lets the server wait as well."""


class Inbox:
    """A bounded queue with an end, which says why nothing more comes."""

    def __init__(self) -> None:
        self._messages: asyncio.Queue[play.PlayResponse | None] = asyncio.Queue(CAPACITY)
        self._failure: Exception | None = None
        self._is_discarding = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        return self._messages.empty()

    @property
    def is_full(self) -> bool:
        """Whether the next message has to wait."""
        return self._messages.full()

    async def put(self, message: play.PlayResponse) -> None:
        """Add a message, once there is room."""
        if not self._is_discarding:
            await self._messages.put(message)

    def fail(self, failure: Exception) -> None:
        """Nothing comes after what waits; the first reason counts."""
        self._failure = self._failure or failure
        if not self._messages.full():
            # Wakes whoever waits; where the queue is full nobody does.
            self._messages.put_nowait(None)

    async def take(self) -> play.PlayResponse:
        """The next message; to cancel this loses nothing.

        Raises:
            Exception: why nothing more comes.
        """
        while True:
            if self._messages.empty() and self._failure is not None:
                raise self._failure
            message = await self._messages.get()
            if message is not None:
                return message

    def discard(self) -> None:
        """Throw away what waits and what comes: nobody will take it."""
        self._is_discarding = True
        while not self._messages.empty():
            self._messages.get_nowait()
