"""The statements of the hot path, and the rows they take."""

from functools import cache
from typing import Final, NamedTuple

NODE: Final = "node-1"
"""The one node that a database on one machine has."""

LOG_FORMAT: Final = 1
"""Our own record as UTF-8 text, compressed with zlib."""

LAST_SEQ: Final = 2**62
"""A number that no entry reaches."""

RAISE_EPOCH: Final = """
INSERT INTO nodes (node_id, epoch) VALUES (?, 1)
ON CONFLICT (node_id) DO UPDATE SET epoch = epoch + 1
"""
EPOCH: Final = "SELECT epoch FROM nodes WHERE node_id = ?"

WRITE_FILLER: Final = "UPDATE nodes SET filler = zeroblob(?) WHERE node_id = ?"
DROP_FILLER: Final = "UPDATE nodes SET filler = NULL WHERE node_id = ?"

OPEN_TABLE: Final = "INSERT INTO tables (table_id, opened_ms) VALUES (?, ?)"
END_TABLE: Final = """
UPDATE tables
   SET ended_ms = ?, ended_number = (SELECT COALESCE(MAX(ended_number), 0) + 1 FROM tables)
 WHERE table_id = ?
"""
RETIRE_TABLE: Final = "UPDATE tables SET is_retired = 1 WHERE table_id = ?"

ADD_EVENTS: Final = """
INSERT INTO journal (table_id, seq, epoch, dealing, kind, at, payload)
"""
ADD_DEALS: Final = """
INSERT INTO deals (table_id, deal_number, first_seq, last_seq, log_format, log, log_sha256,
                   previous_sha256, ended_ms)
"""
ADD_RESULTS: Final = """
INSERT INTO deal_results (table_id, deal_number, seat, player_id, points)
"""
AT_ONCE: Final = 64
"""Rows of one statement."""

IS_KNOWN: Final = "SELECT 1 FROM tables WHERE table_id = ?"
IS_ENDED: Final = "SELECT ended_number IS NOT NULL FROM tables WHERE table_id = ?"
LAST_EVENT: Final = """
SELECT seq, dealing FROM events WHERE table_id = ? ORDER BY seq DESC LIMIT 1
"""
LAST_SEAL: Final = """
SELECT log_sha256 FROM deals WHERE table_id = ? ORDER BY deal_number DESC LIMIT 1
"""
DEAL_STARTS: Final = """
SELECT seq FROM events WHERE table_id = ? AND kind = 'deal_started'
 ORDER BY seq DESC LIMIT ?
"""
COUNT_EVENTS: Final = """
SELECT COUNT(*) FROM events WHERE table_id = ? AND seq BETWEEN ? AND ? AND epoch = ?
"""
OLDEST: Final = "SELECT MAX(number) FROM (SELECT number FROM journal ORDER BY number LIMIT ?)"
FILE_EVENTS: Final = """
INSERT INTO filed_events (table_id, seq, epoch, dealing, kind, at, payload)
  WITH dropped AS (SELECT key AS table_id, value AS end_seq FROM json_each(?))
SELECT j.table_id, j.seq, j.epoch, j.dealing, j.kind, j.at, j.payload
  FROM journal j LEFT JOIN dropped d ON d.table_id = j.table_id
 WHERE j.number <= ? AND (j.kind <> 'action' OR d.end_seq IS NULL OR j.seq >= d.end_seq)
 ORDER BY j.table_id, j.seq
"""
TAKE_OUT: Final = "DELETE FROM journal WHERE number <= ?"
COUNT_JOURNAL: Final = "SELECT COUNT(*) FROM journal"
RETIRED_IN_JOURNAL: Final = """
SELECT DISTINCT j.table_id FROM journal j JOIN tables t ON t.table_id = j.table_id
 WHERE t.is_retired = 1
"""
TRIM: Final = """
DELETE FROM filed_events
 WHERE table_id = ? AND seq >= ? AND seq < ? AND kind = 'action'
"""


@cache
def with_rows(statement: str, columns: int, rows: int) -> str:
    """A statement that adds so many rows, at most `AT_ONCE`.

    One statement for all: each is a time at which the thread lets go of the interpreter, and has
    to wait until the loop does.
    """
    row = f"({', '.join('?' * columns)})"
    return f"{statement}VALUES {', '.join([row] * rows)}"


EventRow = tuple[str, int, int, int, str, float, str]
"""One log entry as `ADD_EVENTS` takes it: without names, because one is made for every entry."""


class DealRow(NamedTuple):
    """One sealed deal as `ADD_DEALS` takes it."""

    table_id: str
    deal_number: int
    first_seq: int
    last_seq: int
    log_format: int
    log: bytes
    log_sha256: bytes
    previous_sha256: bytes
    ended_ms: int


class ResultRow(NamedTuple):
    """What a deal brought to one seat, as `ADD_RESULTS` takes it."""

    table_id: str
    deal_number: int
    seat: int
    player_id: str
    points: int


class Trim(NamedTuple):
    """Actions that are in sealed deals as well, as `TRIM` takes them."""

    table_id: str
    first_seq: int
    """From this one on."""
    end_seq: int
    """Up to the one before this."""
