"""The latest entries of the log, in the order of their coming, until they are filed by table.

An entry that is filed among those of its table touches a page of its own; one at the end of the
journal shares its page with all that come with it. So entries are kept here first. Most of them
are actions of deals that are over and sealed by the time they would be filed, and never are.
"""

import json
from typing import Final, NamedTuple

from skat_server.storage.sqlite import statements as sql
from skat_server.storage.sqlite.connections import Connection
from skat_server.storage.sqlite.statements import Trim

AT_ONCE: Final = 4_000
"""Entries that are filed in one go, which takes some ten milliseconds."""


class _Dropped(NamedTuple):
    """What need not be filed of a table."""

    end_seq: int
    """Actions before this one are of no use any more."""
    coming: int
    """The latest entry in the journal when that became known, counted from the opening."""


class Journal:
    """The journal of a database, for the thread that writes.

    Its entries come and leave in transactions of the caller, who says with `kept`, `filed`, or
    `is_unsure` what became of them.
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

    def kept(self, rows: int) -> None:
        """So many entries are there that were not before."""
        self._come += rows

    def is_unsure(self) -> None:
        """What became of a transaction is not known: count anew before the next filing."""
        self._is_sure = False

    def drop(self, trim: Trim) -> None:
        """Do not file these actions of a table when their time comes."""
        self._recount()
        if self.rows:
            self._dropped.pop(trim.table_id, None)
            self._dropped[trim.table_id] = _Dropped(trim.end_seq, self._come)

    def file(self) -> int:
        """Bring the oldest entries to those of their tables, but for what is of no use any more.

        Returns:
            How many have left the journal; tell `filed` when that is durable.
        """
        self._recount()
        ((last,),) = self._connection.execute(sql.OLDEST, (AT_ONCE,)).fetchall()
        if last is None:
            return 0
        dropped = {table_id: one.end_seq for table_id, one in self._dropped.items()}
        self._connection.execute(sql.FILE_EVENTS, (json.dumps(dropped), last))
        self._connection.execute(sql.TAKE_OUT, (last,))
        return min(AT_ONCE, self.rows)

    def filed(self, rows: int) -> None:
        """So many entries have left the journal."""
        self._filed += rows
        while self._dropped:
            table_id, dropped = next(iter(self._dropped.items()))
            if dropped.coming > self._filed:
                return
            del self._dropped[table_id]

    def _recount(self) -> None:
        if not self._is_sure:
            rows = self._connection.execute(sql.COUNT_JOURNAL, ()).fetchall()
            self._come = self._filed + int(rows[0][0])
            self._is_sure = True
