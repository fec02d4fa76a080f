"""Tables that play into a ledger, and what must be found of them after a crash."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from skat_server.storage.protocols import Batch, Entry, EntryKind
from skat_server.storage.sqlite.chores import Chores
from skat_server.storage.sqlite.connections import Connection, open_writer
from skat_server.storage.sqlite.ledger import Ledger
from skat_server.storage.sqlite.packing import PackedDeal, unpacked
from skat_server.storage.sqlite.statements import Trim
from tests.storage.driving import AT, deal_end

Key = tuple[str, int]
"""A table and a sequence number."""


@dataclass
class Story:
    """One table as the workload plays it."""

    table_id: str
    deals: int = 0
    actions: int = 0

    def next_batch(self, chance: random.Random) -> Batch:
        """What the table keeps next."""
        if self.actions == 0:
            self.actions += 1
            return Batch(self.table_id, AT, (Entry(EntryKind.DEAL_STARTED, "first"),))
        self.actions += 1
        if self.actions % 6 == 0:
            self.deals += 1
            return deal_end(self.table_id, self.deals)
        text = f"{self.actions}" + "x" * chance.choice((1, 20, 600))
        return Batch(self.table_id, AT, (Entry(EntryKind.ACTION, text),))


@dataclass
class Workload:
    """Plays groups of batches, and knows after each what is promised.

    Attributes:
        log: every entry by its place, in the order of writing, group by group.
        trims: what may have been dropped.
        heads: the last number of each table.
    """

    ledger: Ledger
    chance: random.Random
    tables: list[Story]
    log: list[tuple[dict[Key, str], set[Key]]] = field(default_factory=list)
    trims: list[Trim] = field(default_factory=list)
    heads: dict[str, int] = field(default_factory=dict)

    def play(self, groups: int) -> Iterator[bool]:
        """Write groups; after each one tells whether it ended a deal."""
        chores = Chores(self.ledger)
        for number in range(groups):
            playing = self.chance.sample(self.tables, self.chance.randint(1, len(self.tables)))
            batches = [table.next_batch(self.chance) for table in playing]
            self.log.append(self._note(batches))
            added = self.ledger.keep(batches)
            self.trims += added.trims
            chores.note(len(added.events), added.trims)
            yield any(batch.record is not None for batch in batches)
            if number % 7 == 6:
                self.ledger.checkpoint()
            elif chores.are_due:
                chores.step(is_quiet=self.chance.random() < 0.5)

    def _note(self, batches: Sequence[Batch]) -> tuple[dict[Key, str], set[Key]]:
        entries: dict[Key, str] = {}
        deals: set[Key] = set()
        for batch in batches:
            for entry in batch.entries:
                seq = self.heads.get(batch.table_id, 0) + 1
                self.heads[batch.table_id] = seq
                entries[batch.table_id, seq] = entry.payload
            if batch.record is not None:
                deals.add((batch.table_id, batch.record.deal_number))
        return entries, deals


@dataclass(frozen=True)
class Found:
    """What a database has."""

    groups: int
    """So many groups are there as a whole, and nothing of later ones."""


def look(path: Path, workload: Workload) -> Found:
    """Open a database as a restart would, and hold it against what was written.

    Raises:
        AssertionError: it is damaged, has a part of a group, or a group without an earlier one.
    """
    with closing(open_writer(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        entries = _entries(connection)
        deals = _deals(connection)
    droppable = {
        (trim.table_id, seq)
        for trim in workload.trims
        for seq in range(trim.first_seq, min(trim.end_seq, workload.heads[trim.table_id] + 1))
    }
    groups = 0
    for written, sealed in workload.log:
        is_there = all(
            entries.get(key) == text for key, text in written.items() if key not in droppable
        )
        if not is_there or not sealed <= deals:
            break
        groups += 1
    for written, sealed in workload.log[groups:]:
        assert not (written.keys() & entries.keys()), f"part of group {groups}"
        assert not (sealed & deals), f"a deal of group {groups}"
    return Found(groups)


def _entries(connection: Connection) -> dict[Key, str]:
    rows = connection.execute("SELECT table_id, seq, payload FROM events").fetchall()
    return {(table_id, seq): payload for table_id, seq, payload in rows}


def _deals(connection: Connection) -> set[Key]:
    """The sealed deals that have all their results; their seals are looked at."""
    question = """
        SELECT table_id, deal_number, log_format, log, log_sha256, previous_sha256 FROM deals d
         WHERE 3 = (SELECT COUNT(*) FROM deal_results r
                     WHERE r.table_id = d.table_id AND r.deal_number = d.deal_number)"""
    packed = map(PackedDeal._make, connection.execute(question).fetchall())
    return {(deal.table_id, unpacked(deal).deal_number) for deal in packed}
