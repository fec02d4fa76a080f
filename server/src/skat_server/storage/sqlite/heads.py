"""Where the log of each table ends, so that the next entry can be numbered without a look."""

from typing import Final, NamedTuple

from skat_server.storage.protocols import Batch, EntryKind
from skat_server.storage.sealing import FIRST, sealed
from skat_server.storage.sqlite import statements as sql
from skat_server.storage.sqlite.connections import Connection
from skat_server.storage.sqlite.packing import packed
from skat_server.storage.sqlite.statements import DealRow, EventRow, ResultRow, Trim

KEPT_DEALINGS: Final = 3
"""The deal under way and the two before it keep their actions; they are replayed at a start."""


class Head(NamedTuple):
    """The end of one log."""

    seq: int = 0
    dealing: int = 0
    starts: tuple[int, ...] = ()
    """The entries that began the latest dealings, at most `KEPT_DEALINGS`."""
    seal: bytes = FIRST
    trimmed: int = 0
    """Actions before this entry are gone, or are going."""
    is_new: bool = True
    """Whether the table has no row yet."""


class Addition(NamedTuple):
    """The rows of one batch, and the head after it."""

    head: Head
    is_first: bool
    """Whether the table gets its row with it."""
    events: list[EventRow]
    deal: DealRow | None
    results: list[ResultRow]
    trim: Trim | None


def load_head(connection: Connection, table_id: str) -> Head:
    """The head of a table as the database has it."""
    if not connection.execute(sql.IS_KNOWN, (table_id,)).fetchall():
        return Head()
    last = connection.execute(sql.LAST_EVENT, (table_id,)).fetchall()
    starts = connection.execute(sql.DEAL_STARTS, (table_id, KEPT_DEALINGS)).fetchall()
    seals = connection.execute(sql.LAST_SEAL, (table_id,)).fetchall()
    return Head(
        seq=last[0][0] if last else 0,
        dealing=last[0][1] if last else 0,
        starts=tuple(sorted(row[0] for row in starts)),
        seal=bytes(seals[0][0]) if seals else FIRST,
        is_new=False,
    )


def added(head: Head, batch: Batch, epoch: int) -> Addition:
    """What a batch adds to the log of its table."""
    seq, dealing, starts = head.seq, head.dealing, head.starts
    events: list[EventRow] = []
    deal_start, deal_end = (starts[-1] if starts else 1), None
    for entry in batch.entries:
        seq += 1
        if entry.kind is EntryKind.DEAL_STARTED:
            dealing += 1
            starts = (*starts, seq)[-KEPT_DEALINGS:]
        elif entry.kind is EntryKind.DEAL_ENDED:
            deal_end = seq
        events.append(
            EventRow(batch.table_id, seq, epoch, dealing, entry.kind.value, batch.at, entry.payload)
        )
    deal = _deal(head, batch, deal_start, seq if deal_end is None else deal_end)
    trim = None
    if len(starts) == KEPT_DEALINGS and starts[0] > head.trimmed:
        trim = Trim(batch.table_id, head.trimmed, starts[0])
    seal = head.seal if deal is None else deal.log_sha256
    after = Head(seq, dealing, starts, seal, trim.end_seq if trim else head.trimmed, is_new=False)
    return Addition(after, head.is_new, events, deal, _results(batch), trim)


def _deal(head: Head, batch: Batch, first_seq: int, last_seq: int) -> DealRow | None:
    if batch.record is None:
        return None
    seal = sealed(batch.record, head.seal)
    return DealRow(
        batch.table_id,
        seal.deal_number,
        first_seq,
        last_seq,
        sql.LOG_FORMAT,
        packed(seal.json),
        seal.sha256,
        seal.previous_sha256,
        milliseconds(batch.at),
    )


def _results(batch: Batch) -> list[ResultRow]:
    record = batch.record
    if record is None:
        return []
    return [
        ResultRow(batch.table_id, record.deal_number, one.seat, one.player_id, one.points)
        for one in record.results
    ]


def milliseconds(at: float) -> int:
    """A time in seconds as columns have it."""
    return round(at * 1000)
