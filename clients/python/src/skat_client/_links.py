"""What a session needs of a connection, whatever carries it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeVar

from skat.v1 import play_service_pb2 as play
from skat_client.errors import UnavailableError

FIRST_LIMITS: Final = play.Welcome(max_message_bytes=16 * 1024, max_submissions=1024)
"""What may be sent until the server has said what it takes."""

_T = TypeVar("_T")


class Link(Protocol):
    """One connection of a session; it is opened once and used by one session."""

    @property
    def limits(self) -> play.Welcome:
        """What the server takes."""
        ...

    @property
    def has_lasted(self) -> bool:
        """Whether the server gave a sign of life after its greeting."""
        ...

    @property
    def has_more(self) -> bool:
        """Whether a message is at hand already, so that `receive` does not wait."""
        ...

    async def open(self, hello: play.Hello) -> play.PlayResponse:
        """Greet the server; its first message.

        Raises:
            ServerError: there is no connection.
            ProtocolError: the server said something else.
        """
        ...

    async def send(self, request: play.PlayRequest) -> None:
        """Send submissions. What became of them, and of the connection, is told by `receive`."""
        ...

    async def receive(self) -> play.PlayResponse:
        """The next message; to cancel this loses nothing.

        Raises:
            ServerError: the connection is lost.
            ProtocolError: the server sent what is no message.
        """
        ...

    async def finish(self) -> None:
        """End the connection in order, after what was sent has arrived."""
        ...

    def drop(self) -> None:
        """End the connection at once."""
        ...


class SilentError(UnavailableError):
    """Nothing came, though something should have: the connection below may be dead as well."""


async def within(seconds: float, what: str, work: Callable[[], Awaitable[_T]]) -> _T:
    """Do the work.

    Raises:
        SilentError: it took longer than so many seconds.
    """
    try:
        async with asyncio.timeout(seconds):
            return await work()
    except TimeoutError as error:
        raise SilentError(f"no {what} within {seconds:g} s") from error
