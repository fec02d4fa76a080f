"""One session for all tables of a player, which outlives its connections."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Self

from skat.v1 import play_service_pb2 as play
from skat_client._actions import Action
from skat_client._backoff import Retrying
from skat_client._convert_policies import time_from_proto
from skat_client._decisions import Decision
from skat_client._feed import GapError
from skat_client._items import Connected, GoingAway, SessionItem
from skat_client._ledger import Ledger
from skat_client._links import FIRST_LIMITS, Link, SilentError
from skat_client._poll_link import PollLink
from skat_client._recovery import Recovery
from skat_client._route import Route
from skat_client._session_options import SessionOptions, Transport
from skat_client._sight import TableSight
from skat_client._stream_link import StreamLink
from skat_client._wires import Wires
from skat_client.errors import ProtocolError, ServerError, SkatError, UnavailableError

_log = logging.getLogger("skat_client")

# For the rest of a message around its positions or submissions.
_MARGIN = 512


class Session:
    """All tables of a player, over one connection at a time.

    Iterate over it for what happens; answer with `submit`. What was submitted leaves when the
    next item is asked for, or at once with `flush`. A lost connection is opened again, with
    back-off, and continues where the last one ended: no event is seen twice, and no turn is
    played twice. A server that goes away is followed to where it sends its clients.

    One task iterates; others may call `submit`, `propose` and `flush` meanwhile.
    """

    def __init__(
        self,
        wires: Wires,
        call_metadata: tuple[tuple[str, str], ...],
        options: SessionOptions,
    ) -> None:
        self.at_rest: Callable[[], None] | None = None
        """Called when everything that has come was handed out, before the answers leave."""
        self._wires = wires
        self._metadata = call_metadata
        self._options = options
        self._ledger = Ledger()
        self._recovery = Recovery("session", options.backoff, options.max_downtime)
        self._route = Route(wires.home)
        self._storage = Retrying(options.backoff)
        self._items: Iterator[SessionItem] = iter(())
        self._link: Link | None = None
        self._limits = FIRST_LIMITS
        self._notice: GoingAway | None = None
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
            GaveUpError: there was no connection of any use for longer than allowed.
            ServerError: the server ended the session, and another one would fare no better.
            ProtocolError: the server sent what this version cannot read.
        """
        while not self._closed:
            try:
                item = next(self._items, None)
                if item is not None:
                    if self._ledger.take_advance():
                        self._note_progress()
                        self._storage.progressed()
                    return item
                await self._advance()
            except GapError as error:
                await self._recover(UnavailableError(str(error)))
            except ServerError as error:
                await self._recover(error)
            except ProtocolError:
                self._closed = True
                self._drop()
                raise
        raise StopAsyncIteration

    def submit(self, decision: Decision, action: Action) -> bool:
        """Answer a decision.

        Returns:
            False, and nothing is sent, when the decision was answered before, another one has
            replaced it, or its time has run out.
        """
        return self._ledger.submit(decision, action)

    def awaits(self, decision: Decision) -> bool:
        """Whether an answer to this decision would still be sent."""
        return self._ledger.awaits(decision)

    def propose(self, table_id: str, action: Action) -> None:
        """Propose out of turn to end the deal (`GiveUp`, `LayOpen`).

        It is refused when more has happened at the table than this session has seen, as it
        may have for seconds unless the session is `Delivery.LIVE`, and lost when the connection
        is.

        Raises:
            KeyError: the session has not been shown the table.
        """
        self._ledger.propose(table_id, action)

    async def flush(self) -> None:
        """Send what was submitted. Without a connection it waits for the next one.

        To cancel it costs the connection.
        """
        async with self._writing:
            if self._ledger.wants_pause:
                self._ledger.wants_pause = False
                await self._options.backoff.sleep(self._storage.next_delay() or 0.0)
            if self._link is None:
                return
            max_bytes = self._limits.max_message_bytes - _MARGIN
            for request in self._ledger.outgoing(self._limits.max_submissions, max_bytes):
                await self._link.send(request)

    async def aclose(self) -> None:
        """Send what was submitted and close the connection. The seats are kept."""
        self._closed = True
        link = self._link
        if link is None:
            return
        try:
            async with asyncio.timeout(self._options.close_timeout):
                await self.flush()
                await link.finish()
        except TimeoutError:
            pass
        finally:
            self._drop()

    async def _advance(self) -> None:
        """Connect, or send what waits and take the next message."""
        if self._link is None:
            await self._connect()
            return
        if self.at_rest is not None and not self._link.has_more:
            self.at_rest()
        await self.flush()
        response = await self._link.receive()
        self._items = self._items_of(response)

    async def _connect(self) -> None:
        await self._wires.move(self._route.target)
        link = self._new_link()
        try:
            response = await link.open(self._hello())
        except BaseException:
            link.drop()
            raise
        self._ledger.connect()
        self._link, self._limits = link, link.limits
        self._recovery.retrying.connected()
        self._items = self._first_items(response)

    def _new_link(self) -> Link:
        match self._options.transport:
            case Transport.STREAM:
                return StreamLink(self._wires.play, self._metadata, self._options)
            case Transport.POLLING:
                return PollLink(self._wires.play, self._metadata, self._options, self._held)

    def _hello(self) -> play.Hello:
        options = self._options
        return play.Hello(
            client_name=options.client_name,
            client_version=options.client_version,
            delivery=play.Delivery.ValueType(options.delivery.value),
            positions=self._ledger.positions(self._limits.max_message_bytes - _MARGIN),
        )

    def _held(self) -> list[play.ResumePosition]:
        max_bytes = self._limits.max_message_bytes - _MARGIN
        return self._ledger.positions(max_bytes, with_turns=True)

    def _first_items(self, response: play.PlayResponse) -> Iterator[SessionItem]:
        welcome = response.welcome
        is_first, self._was_open = not self._was_open, True
        is_told = welcome.HasField("server_time")
        server_time = time_from_proto(welcome.server_time) if is_told else None
        yield Connected(welcome.session_id, welcome.player_id, server_time, is_first)
        yield from self._items_of(response)

    def _items_of(self, response: play.PlayResponse) -> Iterator[SessionItem]:
        yield from self._ledger.take(response)
        if response.HasField("going_away"):
            notice = response.going_away
            self._route.told(notice.endpoint)
            item = GoingAway(time_from_proto(notice.resume_by), notice.endpoint or None)
            if item != self._notice:
                # A server that is polled says it every time.
                _log.warning("the server goes away by %s", f"{item.resume_by:%H:%M:%S} UTC")
                self._notice = item
                yield item

    def _note_progress(self) -> None:
        self._recovery.retrying.progressed()
        self._route.progressed()

    async def _recover(self, failure: ServerError) -> None:
        if self._link is not None and self._link.has_lasted:
            self._note_progress()
        self._drop()
        if isinstance(failure, SilentError):
            await self._wires.renew()
        self._route.lost()
        try:
            await self._recovery.wait(failure)
        except SkatError:
            self._closed = True
            raise

    def _drop(self) -> None:
        link, self._link = self._link, None
        self._items = iter(())
        if link is not None:
            link.drop()
