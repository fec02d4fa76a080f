"""How batches become rows: all batches of a group in one transaction, or none of them."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Final

from skat_server.storage.protocols import Batch, Durability
from skat_server.storage.sqlite import statements as sql
from skat_server.storage.sqlite.connections import Connection, transaction
from skat_server.storage.sqlite.failures import FencedError
from skat_server.storage.sqlite.heads import Additions, Head, load_head
from skat_server.storage.sqlite.journal import Journal
from skat_server.storage.sqlite.statements import Trim

_FILLER: Final = 65_536
"""Bytes that must fit before the disk counts as having space again."""
_FILLINGS: Final = 32
"""So often it is written to give the write-ahead log a size of some five megabytes: a checkpoint is
due before they are used up, where every entry has a transaction of its own."""


class Ledger:
    """The writing side of the database, for one thread.

    Attributes:
        connection: the one connection that writes.
        epoch: of this opening; every transaction checks that no later one has begun.
    """

    def __init__(self, connection: Connection, epoch: int, durability: Durability) -> None:
        """Write through a connection as the holder of an epoch."""
        self.connection = connection
        self.epoch = epoch
        self._durability = durability
        self._journal = Journal(connection)
        self._heads: dict[str, Head] = {}
        self._synchronous = ""
        self._tried: Mapping[str, Head] = {}
        """The head of each table of the latest group as it is if that was kept."""

    def keep(self, batches: Sequence[Batch], retired: Sequence[str] = ()) -> Additions:
        """Write a group; it is durable when this returns.

        Args:
            batches: at most one of each table.
            retired: tables that nobody carries any more.

        Returns:
            What was written, and what may be dropped now.

        Raises:
            FencedError: nothing was written.
            Exception: of the driver; ask `has` what became of each batch.
        """
        self._tried = {}
        added = Additions(self.epoch)
        heads = {one.table_id: added.add(self._head(one.table_id), one) for one in batches}
        for table_id in retired:
            added.retire(table_id)
        self._tried = heads
        try:
            self._set_synchronous(ends_deal=added.ends_deal)
            with transaction(self.connection):
                self.require_epoch()
                self._write(added)
        except BaseException:
            for table_id in heads:
                self._heads.pop(table_id, None)
            self._journal.is_unsure()
            raise
        self._journal.kept(len(added.events))
        self._move_heads(heads, added)
        for trim in added.trims:
            self._journal.drop(trim)
        return added

    def run(self, call: Callable[[Connection], None]) -> None:
        """Make a call in a transaction that waits for the disk, whatever tables ask for.

        Raises:
            FencedError: nothing was written.
            Exception: of the driver or the call; nothing was written.
        """
        self._synchronize("FULL")
        with transaction(self.connection):
            self.require_epoch()
            call(self.connection)

    def has(self, batch: Batch) -> bool:
        """Whether the database has a batch of the latest group, whose outcome is unknown.

        The rows with its numbers and our epoch are its own: nobody else writes them (F12).
        """
        head = self._tried.get(batch.table_id)
        if head is None:
            return False
        entries = len(batch.entries)
        if not entries:
            ended = self.connection.execute(sql.IS_ENDED, (batch.table_id,)).fetchall()
            return not batch.is_last or bool(ended and ended[0][0])
        key = (batch.table_id, head.seq - entries + 1, head.seq, self.epoch)
        rows = self.connection.execute(sql.COUNT_EVENTS, key).fetchall()
        return bool(rows[0][0] == entries)

    def require_epoch(self) -> None:
        """Make sure, inside a transaction, that nobody has opened the database since.

        Raises:
            FencedError: somebody has.
        """
        rows = self.connection.execute(sql.EPOCH, (sql.NODE,)).fetchall()
        if not rows or rows[0][0] != self.epoch:
            raise FencedError

    @property
    def unfiled(self) -> int:
        """Entries that lie in the journal."""
        return self._journal.rows

    def file(self) -> int:
        """Bring some entries from the journal to those of their tables.

        Returns:
            How many.
        """
        try:
            with transaction(self.connection):
                self.require_epoch()
                rows = self._journal.file()
        except BaseException:
            self._journal.is_unsure()
            raise
        self._journal.filed(rows)
        return rows

    def file_all(self) -> None:
        """Leave nothing in the journal."""
        while self.file():
            pass

    def trim(self, trims: Sequence[Trim]) -> None:
        """Drop actions that sealed deals have as well."""
        with transaction(self.connection):
            self.require_epoch()
            self.connection.executemany(sql.TRIM, trims)

    def checkpoint(self) -> None:
        """Bring the write-ahead log into the database, as far as readers allow."""
        self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def probe(self) -> None:
        """See whether there is space.

        Raises:
            Exception: of the driver, when that is not possible.
        """
        self._fill()

    def reserve(self) -> None:
        """Give the write-ahead log a size: a commit that makes it grow takes half as long again.

        The same pages are written over and over, so the database itself hardly grows. None of it
        need wait for the disk but the checkpoint, after which the log begins anew.

        Raises:
            Exception: of the driver, when that is not possible.
        """
        self._synchronize("NORMAL")
        for _ in range(_FILLINGS):
            self._fill()
        self._synchronize("FULL")
        self.checkpoint()

    def _fill(self) -> None:
        """Write something and drop it again."""
        with transaction(self.connection):
            self.require_epoch()
            self.connection.execute(sql.WRITE_FILLER, (_FILLER, sql.NODE))
        with transaction(self.connection):
            self.connection.execute(sql.DROP_FILLER, (sql.NODE,))

    def _head(self, table_id: str) -> Head:
        head = self._heads.get(table_id)
        return load_head(self.connection, table_id) if head is None else head

    def _set_synchronous(self, *, ends_deal: bool) -> None:
        """Decide whether the commit waits for the disk; FULL also syncs all commits before it."""
        self._synchronize(
            "FULL" if self._durability is Durability.ACTION or ends_deal else "NORMAL"
        )

    def _synchronize(self, wanted: str) -> None:
        if wanted != self._synchronous:
            self.connection.execute(f"PRAGMA synchronous={wanted}").fetchall()
            self._synchronous = wanted

    def _write(self, added: Additions) -> None:
        self._run_each(sql.OPEN_TABLE, added.opened)
        self._add(sql.ADD_EVENTS, added.events)
        self._add(sql.ADD_DEALS, added.deals)
        self._add(sql.ADD_RESULTS, added.results)
        self._run_each(sql.END_TABLE, added.ended)
        self._run_each(sql.RETIRE_TABLE, added.retired)

    def _add(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        for start in range(0, len(rows), sql.AT_ONCE):
            some = rows[start : start + sql.AT_ONCE]
            values = tuple(chain.from_iterable(some))
            self.connection.execute(sql.with_rows(statement, len(some[0]), len(some)), values)

    def _run_each(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        if rows:
            self.connection.executemany(statement, rows)

    def _move_heads(self, heads: Mapping[str, Head], added: Additions) -> None:
        self._heads.update(heads)
        for _, table_id in added.ended:
            del self._heads[table_id]
        for (table_id,) in added.retired:
            self._heads.pop(table_id, None)
