"""The client: every call of the server in typed values."""

from collections.abc import AsyncGenerator
from types import TracebackType
from typing import Self

from skat_client._account_calls import AccountCalls
from skat_client._backoff import Backoff
from skat_client._items import WatchItem
from skat_client._record_calls import RecordCalls
from skat_client._recovery import Recovery
from skat_client._rules_calls import RulesCalls
from skat_client._session import Session
from skat_client._session_options import SessionOptions
from skat_client._table_calls import TableCalls
from skat_client._tournament_calls import TournamentCalls
from skat_client._watch import watch


class AsyncClient(TableCalls, RecordCalls, RulesCalls, AccountCalls, TournamentCalls):
    """A connection to a server, for one player.

    Use it as an asynchronous context manager. Every call raises a `ServerError` when the
    server says no, and `UnavailableError`, which is one, when nobody answers in time.
    """

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connection."""
        await self._wires.aclose()

    def open_session(self, options: SessionOptions | None = None) -> Session:
        """The player's session, over all tables at which he sits.

        It connects when it is first iterated. A player has one session: a new one ends the old.
        """
        return Session(self._wires, self._metadata, options or SessionOptions())

    async def watch_table(
        self,
        table_id: str,
        *,
        max_downtime: float | None = None,
        backoff: Backoff | None = None,
    ) -> AsyncGenerator[WatchItem, None]:
        """What lies open at a public table, from its current deal until it is over.

        A lost connection is opened again and continues after the last event seen.

        Args:
            table_id: the table.
            max_downtime: give up after this many seconds without a connection; None means never.
            backoff: how long to wait between connections.

        Raises:
            NotFoundError: no such table, or a private one.
            GaveUpError: there was no connection for longer than allowed.
        """
        recovery = Recovery(f"watch of table {table_id}", backoff or Backoff(), max_downtime)
        items = watch(self._wires, table_id, self._metadata, recovery)
        try:
            async for item in items:
                yield item
        finally:
            await items.aclose()
