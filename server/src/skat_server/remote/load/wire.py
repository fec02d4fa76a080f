"""The wire of a load: channels and calls, and what their failures are called."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from skat_server.clock import Clock
from skat_server.errors import Reason
from skat_server.remote.connection import (
    RemoteError,
    Target,
    explained,
    own_connection,
    reason_of,
)
from skat_server.remote.load.tally import Books

Metadata = tuple[tuple[str, str], ...]

PAUSE: Final = 1.0
"""Seconds before a call that was refused for a while is made again."""
_HOPELESS: Final = frozenset(
    reason.name
    for reason in (
        Reason.BAD_RULE_SET,
        Reason.BANNED,
        Reason.INVALID_FIELD,
        Reason.NOT_ALLOWED,
        Reason.SCOPE_MISSING,
        Reason.TOKEN_REVOKED,
        Reason.UNAUTHENTICATED,
    )
)
"""Reasons that no second try mends, as they come over the wire."""
_ANSWERS_WITHIN: Final = 5.0
"""Seconds in which a server has to say anything at all before it is loaded."""
GONE: Final = (grpc.aio.AioRpcError, grpc.aio.BaseError, asyncio.InvalidStateError)
"""What writing to a stream raises that has ended, or whose connection has never been there; whoever
reads from it is told why."""
_SILENT: Final = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)

_Response = TypeVar("_Response")


class TableGoneError(Exception):
    """The server does not know the table: it has come back without what it kept in memory."""


@dataclass(frozen=True, slots=True)
class Wire:
    """How to reach the server, and where what happens on the way is written down."""

    target: Target
    books: Books
    clock: Clock

    def channel(self) -> grpc.aio.Channel:
        """A channel with a connection of its own."""
        return own_connection(self.target)

    def metadata(self, token: str) -> Metadata:
        """What tells the server who asks."""
        return replace(self.target, token=token).metadata

    async def require_server(self) -> None:
        """Ask once whether there is a server, before thousands of sessions do.

        A refusal is an answer too: what it means is for whoever is refused.

        Raises:
            RemoteError: none answers.
        """
        async with self.channel() as channel:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            try:
                await stub.Check(health_pb2.HealthCheckRequest(), timeout=_ANSWERS_WITHIN)
            except grpc.aio.AioRpcError as error:
                if is_silence(error):
                    raise self.explained(error) from error

    async def ask(self, name: str, make: Callable[[], Awaitable[_Response]]) -> _Response | None:
        """Make a call, time it, and count its failure.

        Args:
            name: of the method.
            make: makes the call.

        Returns:
            What the server says; None when it has refused for now.

        Raises:
            TableGoneError: there is no such table any more.
            RemoteError: it will refuse the next time too.
        """
        started = self.clock.monotonic()
        try:
            response = await make()
        except grpc.aio.AioRpcError as error:
            self.books.fault(f"{name}: {cause_of(error)}")
            self.books.called(is_answered=not is_silence(error))
            if reason_of(error) == Reason.TABLE_NOT_FOUND.name:
                raise TableGoneError from error
            if reason_of(error) in _HOPELESS:
                raise RemoteError(f"{name}: {error.details()}", reason_of(error)) from error
            return None
        self.books.called(is_answered=True)
        self.books.tally.call.add(self.clock.monotonic() - started)
        return response

    async def insist(
        self,
        name: str,
        make: Callable[[], Awaitable[_Response]],
        is_enough: Callable[[], bool],
    ) -> _Response | None:
        """Make a call until it succeeds, or it is enough; then None.

        Raises:
            TableGoneError: there is no such table any more.
            RemoteError: it never will.
        """
        while not is_enough():
            response = await self.ask(name, make)
            if response is not None:
                return response
            await self.clock.sleep(PAUSE)
        return None

    def explained(self, error: grpc.aio.AioRpcError) -> RemoteError:
        """What a failure means, for people."""
        if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
            return RemoteError(
                f"no server answers at {self.target.address}: nothing has come from there in "
                f"{_ANSWERS_WITHIN:.0f} s; name another with --target"
            )
        return explained(self.target, error, option="--target")


def is_silence(error: grpc.aio.AioRpcError) -> bool:
    """Whether nobody has answered: a server that says so gives a reason."""
    return reason_of(error) == "" and error.code() in _SILENT


def cause_of(error: grpc.aio.AioRpcError) -> str:
    """The server's own reason, or the status where it gave none."""
    return reason_of(error) or error.code().name
