"""Where the log of each table ends, and what batches add there: numbered without a look at it."""

from typing import Final, NamedTuple

from skat_server.storage.protocols import Batch, DealRecordLine, EntryKind
from skat_server.storage.sealing import FIRST, sealed
from skat_server.storage.sqlite import statements as sql
from skat_server.storage.sqlite.connections import Connection
from skat_server.storage.sqlite.packing import packed
from skat_server.storage.sqlite.statements import DealRow, EventRow, ResultRow, Trim

KEPT_DEALINGS: Final = 3
"""The deal under way and the two before it keep their actions; they are replayed at a start."""

_STARTED: Final = EntryKind.DEAL_STARTED  # bound, because looking up an enum member is slow
_ENDED: Final = EntryKind.DEAL_ENDED


class Head(NamedTuple):
    """The end of one log."""

    seq: int = 0
    dealing: int = 0
    starts: tuple[int, ...] = ()
    """The entries that began the latest dealings, at most `KEPT_DEALINGS`."""
    seal: bytes = FIRST
    trimmed: int = 0
    """Actions before this entry are gone, or are going."""
    is_new: bool = False
    """Whether the table has no row yet."""


def load_head(connection: Connection, table_id: str) -> Head:
    """The head of a table as the database has it."""
    if not connection.execute(sql.IS_KNOWN, (table_id,)).fetchall():
        return Head(is_new=True)
    last = connection.execute(sql.LAST_EVENT, (table_id,)).fetchall()
    starts = connection.execute(sql.DEAL_STARTS, (table_id, KEPT_DEALINGS)).fetchall()
    seals = connection.execute(sql.LAST_SEAL, (table_id,)).fetchall()
    return Head(
        seq=last[0][0] if last else 0,
        dealing=last[0][1] if last else 0,
        starts=tuple(sorted(row[0] for row in starts)),
        seal=bytes(seals[0][0]) if seals else FIRST,
    )


class Additions:
    """The rows of a group of batches for one transaction, as the statements take them.

    Attributes:
        opened: tables that get their row.
        events: one for every entry.
        deals: those that are sealed.
        results: of these deals.
        ended: tables that are over.
        retired: tables that nobody carries any more.
        trims: what may be dropped once all of it is kept.
        ends_deal: whether an entry ends a deal.
    """

    def __init__(self, epoch: int) -> None:
        """Begin with nothing; the epoch is that of the writer."""
        self._epoch = epoch
        self.opened: list[tuple[str, int]] = []
        self.events: list[EventRow] = []
        self.deals: list[DealRow] = []
        self.results: list[ResultRow] = []
        self.ended: list[tuple[int, str]] = []
        self.retired: list[tuple[str]] = []
        self.trims: list[Trim] = []
        self.ends_deal = False

    def add(self, head: Head, batch: Batch) -> Head:
        """Take up what a batch adds to the log of its table.

        Args:
            head: of that log.
            batch: the only one of its table in the group.

        Returns:
            The head after it.
        """
        table_id, at = batch.table_id, batch.at
        seq, dealing, starts, seal, trimmed, is_new = head
        if is_new:
            self.opened.append((table_id, _milliseconds(at)))
        deal_end = None
        for entry in batch.entries:
            seq += 1
            kind = entry.kind
            if kind is _STARTED:
                dealing += 1
                starts = (*starts, seq)[-KEPT_DEALINGS:]
            elif kind is _ENDED:
                deal_end = seq
                self.ends_deal = True
            self.events.append((table_id, seq, self._epoch, dealing, kind.value, at, entry.payload))
        if batch.record is not None:
            seal = self._seal(head, batch, batch.record, seq if deal_end is None else deal_end)
        if batch.is_last:
            self.ended.append((_milliseconds(at), table_id))
        if len(starts) == KEPT_DEALINGS and starts[0] > trimmed:
            self.trims.append(Trim(table_id, trimmed, starts[0]))
            trimmed = starts[0]
        return Head(seq, dealing, starts, seal, trimmed)

    def retire(self, table_id: str) -> None:
        """Take up that nobody carries a table any more: none of its actions is of use."""
        self.retired.append((table_id,))
        self.trims.append(Trim(table_id, 0, sql.LAST_SEQ))

    def _seal(self, head: Head, batch: Batch, record: DealRecordLine, last_seq: int) -> bytes:
        """Take up the record of a deal that was under way at the head; its seal."""
        seal = sealed(record, head.seal)
        self.deals.append(
            DealRow(
                batch.table_id,
                seal.deal_number,
                head.starts[-1] if head.starts else 1,
                last_seq,
                sql.LOG_FORMAT,
                packed(seal.json),
                seal.sha256,
                seal.previous_sha256,
                _milliseconds(batch.at),
            )
        )
        self.results += [
            ResultRow(batch.table_id, record.deal_number, one.seat, one.player_id, one.points)
            for one in record.results
        ]
        return seal.sha256


def _milliseconds(at: float) -> int:
    """A time in seconds as columns have it."""
    return round(at * 1000)
