"""Keeps an eye on the chance of the tables that a bot plays at."""

import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, Literal, TypeVar

from skat_client._aio import AsyncClient
from skat_client._chance_book import ChanceBook, Promise
from skat_client._events import TableEvent
from skat_client._recovery import Recovery
from skat_client._session_options import SessionOptions
from skat_client._table_calls import NONCE_BYTES
from skat_client._tables import DealRecord, Seating, Table, TableState
from skat_client.errors import (
    FairnessError,
    GaveUpError,
    QuotaExceededError,
    ServerError,
    UnavailableError,
)

_log = logging.getLogger("skat_client")

_PATIENCE: Final = 10.0
"""Seconds that a server which has gone at the end of a run may take to show its records."""

_T = TypeVar("_T")

OnUnfair = Literal["raise", "warn", "off"]
"""What to do about a server that breaks what it was bound to: end, go on, or not even look."""


class ChanceGuard:
    """Remembers what every table promised, and sees that it is kept."""

    def __init__(self, client: AsyncClient, on_unfair: OnUnfair, options: SessionOptions) -> None:
        self._client = client
        self._on_unfair = on_unfair
        self._options = options
        self._was_there = False
        """The server has answered before: when it does not, it will again."""
        self._books: dict[str, ChanceBook] = {}

    async def sit(self, table_id: str, player_name: str, seat: int | None) -> Seating:
        """Look at the table, sit down with a nonce of our own, and open its book.

        Raises:
            FairnessError: the table took another seed once it knew the nonce.
            GaveUpError: the server was gone meanwhile, for longer than allowed.
            ServerError: the server refused the seat, or was not there from the beginning.
        """
        before = None if self._on_unfair == "off" else await self._look(table_id)
        # The same one at every try: the first may have arrived, and its answer was lost.
        nonce = secrets.token_bytes(NONCE_BYTES)
        seating = await self._patiently(
            f"seat at table {table_id}",
            self._options.max_downtime,
            lambda: self._client.take_seat(table_id, player_name, seat=seat, client_nonce=nonce),
        )
        if self._on_unfair == "off":
            return seating
        known = before if before and len(before.seats) > seating.seat else seating.table
        was_ours = known.seats[seating.seat].taken
        promise = Promise(
            commitment=known.chance.commitment,
            seat=seating.seat,
            nonce=None if was_ours else nonce,
            is_from_start=known.state is TableState.OPEN,
        )
        if seating.table.chance.commitment != promise.commitment:
            self._blame(FairnessError(table_id, "it took another seed when somebody sat down"))
        if promise.commitment:
            self._books[table_id] = ChanceBook(table_id, promise)
        return seating

    def observe(self, table_id: str, event: TableEvent) -> None:
        """Check one event.

        Raises:
            FairnessError: it breaks what was promised.
        """
        book = self._books.get(table_id)
        if book is not None:
            try:
                book.observe(event)
            except FairnessError as error:
                self._blame(error)

    async def audit(self, tables: Iterable[str]) -> None:
        """Compare the records of tables that are over with what was promised.

        Raises:
            FairnessError: they differ.
        """
        for table_id in tables:
            book = self._books.get(table_id)
            if book is not None:
                await self._audit(table_id, book)

    async def _audit(self, table_id: str, book: ChanceBook) -> None:
        async def fetch() -> tuple[Table, list[DealRecord]]:
            table = await self._client.get_table(table_id)
            return table, [record async for record in self._client.list_deal_records(table_id)]

        try:
            book.check_over(*await self._patiently(f"table {table_id}", _PATIENCE, fetch))
        except FairnessError as error:
            self._blame(error)
        except (ServerError, GaveUpError) as error:
            _log.warning("table %s: its chance cannot be checked: %s", table_id, error)

    async def _patiently(
        self, what: str, max_downtime: float | None, work: Callable[[], Awaitable[_T]]
    ) -> _T:
        recovery = Recovery(what, self._options.backoff, max_downtime)
        while True:
            try:
                result = await work()
            except ServerError as error:
                will_pass = isinstance(error, UnavailableError | QuotaExceededError)
                if not (self._was_there and will_pass):
                    raise
                await recovery.wait(error)
            else:
                self._was_there = True
                return result

    async def _look(self, table_id: str) -> Table | None:
        try:
            return await self._patiently(
                f"table {table_id}",
                self._options.max_downtime,
                lambda: self._client.get_table(table_id),
            )
        except UnavailableError:
            raise
        except ServerError:
            # Whatever is the matter, taking the seat tells it better.
            return None

    def _blame(self, error: FairnessError) -> None:
        if self._on_unfair == "raise":
            raise error
        _log.error("%s", error)
