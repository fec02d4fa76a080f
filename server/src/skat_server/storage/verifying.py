"""Whether a database still holds what was put into it: pages, seals, deals and results."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from skat_engine.errors import NotationError
from skat_engine.records import Identical, from_json_line, replay
from skat_server.storage.copies import integrity
from skat_server.storage.protocols import CorruptRecordError, SealedDeal
from skat_server.storage.sealing import FIRST
from skat_server.storage.sqlite.packing import PackedDeal, unpacked

_DEALS: Final = """
SELECT table_id, deal_number, log_format, log, log_sha256, previous_sha256
  FROM deals ORDER BY table_id, deal_number
"""
_RESULTS: Final = "SELECT seat, points FROM deal_results WHERE table_id = ? AND deal_number = ?"
_ENDS: Final = "SELECT payload FROM events WHERE table_id = ? AND kind = 'deal_ended' ORDER BY seq"


@dataclass(frozen=True, slots=True)
class Sound:
    """A deal with which nothing is wrong."""

    table_id: str
    deal_number: int


@dataclass(frozen=True, slots=True)
class Unsound:
    """Something is wrong."""

    what: str
    """A deal as ``TABLE/NUMBER``, or ``pages`` for the file as such."""
    why: str

    def __str__(self) -> str:
        """One line."""
        return f"{self.what} {self.why}"


Finding = Sound | Unsound


def count_deals(database: Path) -> int:
    """How many sealed deals there are.

    Raises:
        sqlite3.Error: the database cannot be read.
    """
    with closing(_reading(database)) as connection:
        rows: list[tuple[int]] = connection.execute("SELECT COUNT(*) FROM deals").fetchall()
        return rows[0][0]


def verify(database: Path) -> Iterator[Finding]:
    """Check the file, then every sealed deal, one finding each.

    A deal is sound when its seal fits it and the deal before, when its record can be replayed
    with the result it names, and when the results and the log of its table say the same.

    Raises:
        sqlite3.Error: the database cannot be read on.
    """
    complaints = [text for text in integrity(database) if text != "ok"]
    if complaints:
        yield from (Unsound("pages", text) for text in complaints)
        return
    with closing(_reading(database)) as connection:
        rows = map(PackedDeal._make, connection.execute(_DEALS))
        for table_id, deals in groupby(rows, attrgetter("table_id")):
            yield from _verify_table(connection, table_id, deals)


def _verify_table(
    connection: sqlite3.Connection, table_id: str, deals: Iterator[PackedDeal]
) -> Iterator[Finding]:
    log = _log_of(connection, table_id)
    previous = FIRST
    for deal in deals:
        results = dict(connection.execute(_RESULTS, (table_id, deal.deal_number)).fetchall())
        why = _complaint(deal, previous, results, log)
        previous = deal.sha256
        if why is None:
            yield Sound(table_id, deal.deal_number)
        else:
            yield Unsound(f"{table_id}/{deal.deal_number}", why)


@dataclass(frozen=True, slots=True)
class _LoggedDeal:
    """What the log of a table says of a deal that has ended."""

    result: Any
    """The facts of the result; None in logs that have none."""
    points: dict[int, int]
    """What the deal added to each seat's total."""


@dataclass(frozen=True, slots=True)
class _Log:
    """What the log of a table says of its deals; of a number dealt again the last counts."""

    deals: dict[int, _LoggedDeal]
    why_absent: str
    """What is wrong with a deal that is not in it."""


def _log_of(connection: sqlite3.Connection, table_id: str) -> _Log:
    found: dict[int, _LoggedDeal] = {}
    before: Sequence[int] | None = None
    for (payload,) in connection.execute(_ENDS, (table_id,)).fetchall():
        try:
            number, logged, before = _logged_deal(payload, before)
        except (ValueError, TypeError, LookupError, AttributeError):
            # No total after it can be told from the one before.
            return _Log(found, "log: it cannot be read to this deal's end")
        found[number] = logged
    return _Log(found, "log: the deal never ended")


def _logged_deal(
    payload: str, before: Sequence[int] | None
) -> tuple[int, _LoggedDeal, Sequence[int]]:
    """The number of a deal, what is logged of it, and the totals after it."""
    row = json.loads(payload)
    totals = row["totals"]
    points = (after - old for after, old in zip(totals, before or [0] * len(totals), strict=True))
    return row["deal"], _LoggedDeal(row.get("result"), dict(enumerate(points))), totals


def _complaint(deal: PackedDeal, previous: bytes, results: dict[int, int], log: _Log) -> str | None:
    """What is wrong with a deal, None for nothing."""
    try:
        sealed = unpacked(deal)
    except CorruptRecordError as error:
        return f"seal: {error.why}"
    if deal.previous_sha256 != previous:
        return "seal: it does not follow the deal before it"
    return _replay_complaint(sealed) or _result_complaint(sealed, results, log)


def _replay_complaint(sealed: SealedDeal) -> str | None:
    try:
        outcome = replay(from_json_line(sealed.json))
    except NotationError as error:
        return f"record: {error}"
    return None if isinstance(outcome, Identical) else f"replay: {outcome}"


def _result_complaint(sealed: SealedDeal, results: dict[int, int], log: _Log) -> str | None:
    record = json.loads(sealed.json)
    if record["deal_number"] != sealed.deal_number:
        return f"record: it is that of deal {record['deal_number']}"
    logged = log.deals.get(sealed.deal_number)
    if logged is None:
        return log.why_absent
    if logged.result not in (None, record["result"]):
        return "log: another result than in the record"
    if results != logged.points:
        return f"results: {results} where the log has {logged.points}"
    return None


def _reading(database: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)
