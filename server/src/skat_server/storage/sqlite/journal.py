"""The latest entries of the log, in the order of their coming, until they are filed by table.

An entry that is filed among those of its table touches a page of its own; one at the end of the
journal shares its page with all that come with it. So entries are kept here first. Most of them
are actions of deals that are over and sealed by the time they would be filed, and never are.
"""

from collections.abc import Sequence
from itertools import chain
from operator import attrgetter
from typing import Final, NamedTuple

from skat_server.storage.protocols import EntryKind
from skat_server.storage.sqlite import statements as sql
from skat_server.storage.sqlite.connections import Connection
from skat_server.storage.sqlite.statements import EventRow, Trim

AT_ONCE: Final = 2_000
"""Entries that are filed in one go, which takes some ten milliseconds."""

_ACTION: Final = EntryKind.ACTION.value
_PLACE: Final = attrgetter("table_id", "seq")


class _Dropped(NamedTuple):
    """What need not be filed of a table."""

    end_seq: int
    """Actions before this one are of no use any more."""
    coming: int
    """The latest entry in the journal when that became known, counted from the opening."""


class Journal:
    """The journal of a database, for the thread that writes.

    `add` and `file` are called inside a transaction of the caller, who says with `kept`, `filed`,
    or `is_unsure` what became of it.
    """

    def __init__(self, connection: Connection) -> None:
        """Look at what an earlier server has left.

        Raises:
            Exception: of the driver.
        """
        self._connection = connection
        self._come = 0
        """Entries that are there or were there since the opening."""
        self._filed = 0
        """How many of them have left."""
        self._dropped: dict[str, _Dropped] = {}
        """Of tables with such actions in the journal, the earliest known first."""
        self._is_sure = False
        self._recount()
        for (table_id,) in connection.execute(sql.RETIRED_IN_JOURNAL, ()).fetchall():
            self.drop(Trim(table_id, 0, sql.LAST_SEQ))

    @property
    def rows(self) -> int:
        """How many entries wait to be filed."""
        return self._come - self._filed

    def add(self, rows: Sequence[EventRow]) -> None:
        """Put entries at the end."""
        for start in range(0, len(rows), sql.EVENTS_AT_ONCE):
            some = rows[start : start + sql.EVENTS_AT_ONCE]
            values = tuple(chain.from_iterable(some))
            self._connection.execute(sql.add_events(len(some)), values)

    def kept(self, rows: int) -> None:
        """So many entries are there that were not before."""
        self._come += rows

    def is_unsure(self) -> None:
        """What became of a transaction is not known: count anew before the next filing."""
        self._is_sure = False

    def drop(self, trim: Trim) -> None:
        """Do not file these actions of a table when their time comes."""
        if self.rows:
            self._dropped.pop(trim.table_id, None)
            self._dropped[trim.table_id] = _Dropped(trim.end_seq, self._come)

    def file(self) -> int:
        """Bring the oldest entries to those of their tables, but for what is of no use any more.

        Returns:
            How many have left the journal; tell `filed` when that is durable.
        """
        self._recount()
        oldest = self._connection.execute(sql.OLDEST, (AT_ONCE,)).fetchall()
        if not oldest:
            return 0
        entries = [EventRow._make(columns) for _, *columns in oldest]
        wanted = sorted(filter(self._is_wanted, entries), key=_PLACE)
        self._connection.executemany(sql.FILE_EVENT, wanted)
        self._connection.execute(sql.TAKE_OUT, (oldest[-1][0],))
        return len(oldest)

    def filed(self, rows: int) -> None:
        """So many entries have left the journal."""
        self._filed += rows
        while self._dropped:
            table_id, dropped = next(iter(self._dropped.items()))
            if dropped.coming > self._filed:
                return
            del self._dropped[table_id]

    def _is_wanted(self, row: EventRow) -> bool:
        if row.kind != _ACTION:
            return True
        dropped = self._dropped.get(row.table_id)
        return dropped is None or row.seq >= dropped.end_seq

    def _recount(self) -> None:
        if not self._is_sure:
            rows = self._connection.execute(sql.COUNT_JOURNAL, ()).fetchall()
            self._come = self._filed + int(rows[0][0])
            self._is_sure = True
