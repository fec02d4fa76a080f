"""The play stream: one session for all tables of a player, which outlives its connections."""

import asyncio
import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC
from importlib import metadata
from types import TracebackType
from typing import Final, Self

import grpc

from skat.v1 import play_service_pb2 as play
from skat.v1 import play_service_pb2_grpc
from skat_client._actions import Action
from skat_client._backoff import Backoff, Retrying
from skat_client._decisions import Decision
from skat_client._failures import error_from_rpc
from skat_client._feed import GapError
from skat_client._items import Connected, Delivery, SessionItem
from skat_client._ledger import Ledger
from skat_client._recovery import Recovery
from skat_client._sight import TableSight
from skat_client.errors import ProtocolError, ServerError, SkatError, UnavailableError

_Call = grpc.aio.StreamStreamCall[play.PlayRequest, play.PlayResponse]

# Until the server has said what it takes.
_FIRST_LIMITS: Final = play.Welcome(max_message_bytes=16 * 1024, max_submissions=1024)
# For the rest of a message around its positions or submissions.
_MARGIN: Final = 512


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """How a session behaves. Times are in seconds."""

    client_name: str = "skat-client"
    """Name of the program, up to 80 characters."""
    client_version: str = field(default_factory=lambda: metadata.version("skat-client"))
    """Its version, up to 40 characters."""
    delivery: Delivery = Delivery.WITH_DECISIONS
    max_downtime: float | None = None
    """Give up after this long without a connection; None means never."""
    welcome_timeout: float = 10.0
    """A server that has not said welcome by then counts as lost."""
    close_timeout: float = 2.0
    """How long the server may take to end the stream after the client has closed its side."""
    backoff: Backoff = field(default_factory=Backoff)


class Session:
    """All tables of a player, in one stream.

    Iterate over it for what happens; answer with `submit`. What was submitted leaves when the
    next item is asked for, or at once with `flush`. A lost connection is opened again, with
    back-off, and continues where the last one ended: no event is seen twice, and no turn is
    played twice.

    One task iterates; others may call `submit`, `propose` and `flush` meanwhile.
    """

    def __init__(
        self,
        stub: "play_service_pb2_grpc.PlayServiceAsyncStub",
        call_metadata: tuple[tuple[str, str], ...],
        options: SessionOptions,
    ) -> None:
        self._stub = stub
        self._metadata = call_metadata
        self._options = options
        self._ledger = Ledger()
        self._recovery = Recovery("session", options.backoff, options.max_downtime)
        self._storage = Retrying(options.backoff)
        self._items: Iterator[SessionItem] = iter(())
        self._call: _Call | None = None
        self._welcome = _FIRST_LIMITS
        self._writing = asyncio.Lock()
        self._was_open = False
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    @property
    def sights(self) -> Mapping[str, TableSight]:
        """What is known of every table that was shown, by table id."""
        return self._ledger.feed.sights

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionItem:
        """The next thing that happens.

        Raises:
            SessionSupersededError: the same player opened another session.
            GaveUpError: there was no connection for longer than allowed.
            ServerError: the server ended the session, and another one would fare no better.
            ProtocolError: the server sent what this version cannot read.
        """
        while not self._closed:
            try:
                item = next(self._items, None)
                if item is not None:
                    return item
                await self._advance()
            except grpc.aio.AioRpcError as error:
                await self._recover(error_from_rpc(error))
            except GapError as error:
                await self._recover(UnavailableError(str(error)))
            except UnavailableError as error:
                await self._recover(error)
        raise StopAsyncIteration

    def submit(self, decision: Decision, action: Action) -> bool:
        """Answer a decision.

        Returns:
            False, and nothing is sent, when the decision was answered before or another one
            has replaced it.
        """
        return self._ledger.submit(decision, action)

    def propose(self, table_id: str, action: Action) -> None:
        """Propose out of turn to end the deal (`GiveUp`, `LayOpen`).

        It is refused when more has happened at the table than this session has seen, and
        lost when the connection is.

        Raises:
            KeyError: the session has not been shown the table.
        """
        self._ledger.propose(table_id, action)

    async def flush(self) -> None:
        """Send what was submitted. Without a connection it waits for the next one.

        To cancel it costs the connection, as to cancel the iteration does.
        """
        async with self._writing:
            if self._ledger.wants_pause:
                self._ledger.wants_pause = False
                await self._options.backoff.sleep(self._storage.next_delay() or 0.0)
            if self._call is not None:
                await self._send_waiting(self._call)

    async def aclose(self) -> None:
        """Send what was submitted and close the stream. The seats are kept."""
        self._closed = True
        call = self._call
        if call is None:
            return
        try:
            async with asyncio.timeout(self._options.close_timeout):
                await self.flush()
                await call.done_writing()
                while await call.read() is not grpc.aio.EOF:
                    pass
        except (TimeoutError, grpc.aio.AioRpcError):
            pass
        finally:
            self._drop()

    async def _send_waiting(self, call: _Call) -> None:
        limits = self._welcome
        max_bytes = limits.max_message_bytes - _MARGIN
        for request in self._ledger.outgoing(limits.max_submissions, max_bytes):
            await _write(call, request)

    async def _advance(self) -> None:
        """Connect, or send what waits and read the next response."""
        if self._call is None:
            await self._connect()
            return
        try:
            await self.flush()
            response = await self._call.read()
        except asyncio.CancelledError:
            # The library has cancelled the call as well.
            self._drop()
            raise
        if not isinstance(response, play.PlayResponse):
            raise UnavailableError("the server closed the session")
        self._recovery.retrying.progressed()
        if response.tables and not response.results:
            self._storage.progressed()
        self._items = self._ledger.take(response)

    async def _connect(self) -> None:
        call = self._stub.Play(metadata=self._metadata)
        try:
            async with asyncio.timeout(self._options.welcome_timeout):
                await _write(call, self._hello())
                response = await call.read()
        except TimeoutError as error:
            call.cancel()
            raise UnavailableError(
                f"no welcome within {self._options.welcome_timeout:g} s"
            ) from error
        except BaseException:
            call.cancel()
            raise
        if not isinstance(response, play.PlayResponse):
            raise UnavailableError("the server closed the session")
        if not response.HasField("welcome"):
            call.cancel()
            raise ProtocolError("the first message of the server has no welcome")
        self._ledger.connect()
        self._call, self._welcome = call, response.welcome
        self._recovery.retrying.connected()
        self._items = self._first_items(response)

    def _hello(self) -> play.PlayRequest:
        options = self._options
        positions = self._ledger.positions(self._welcome.max_message_bytes - _MARGIN)
        return play.PlayRequest(
            hello=play.Hello(
                client_name=options.client_name,
                client_version=options.client_version,
                delivery=play.Delivery.ValueType(options.delivery.value),
                positions=positions,
            )
        )

    def _first_items(self, response: play.PlayResponse) -> Iterator[SessionItem]:
        welcome = response.welcome
        is_first, self._was_open = not self._was_open, True
        server_time = welcome.server_time.ToDatetime(UTC)
        yield Connected(welcome.session_id, welcome.player_id, server_time, is_first)
        yield from self._ledger.take(response)

    async def _recover(self, failure: ServerError) -> None:
        self._drop()
        try:
            await self._recovery.wait(failure)
        except SkatError:
            self._closed = True
            raise

    def _drop(self) -> None:
        call, self._call = self._call, None
        self._items = iter(())
        if call is not None:
            call.cancel()


async def _write(call: _Call, request: play.PlayRequest) -> None:
    # A stream that has ended tells why when it is read.
    with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
        await call.write(request)
