"""Entries come into the journal, and are filed by table when there is time, or too many."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from skat_server.storage.sqlite.chores import LONGEST_JOURNAL, Chores
from skat_server.storage.sqlite.journal import AT_ONCE
from skat_server.storage.sqlite.ledger import Ledger
from skat_server.storage.sqlite.writer import Pace
from tests.storage.driving import action, change, deal_end, keep, opened, payloads, rows, start

NEVER = Pace(quiet=3600.0)


def journal(path: Path) -> list[object]:
    """The payloads that are not filed yet, in the order of their coming."""
    return [row[0] for row in rows(path, "SELECT payload FROM journal ORDER BY number")]


def filed(path: Path, table_id: str) -> list[object]:
    """The payloads that are filed for a table."""
    question = "SELECT payload FROM filed_events WHERE table_id = ? ORDER BY seq"
    return [row[0] for row in rows(path, question, table_id)]


def kept_deals(ledger: Ledger, table_id: str, deals: int) -> None:
    """Keep a start and so many deals of one action and an end, which has an action too."""
    ledger.keep([start(table_id)])
    for number in range(1, deals + 1):
        ledger.keep([action(table_id, f"in {number}")])
        ledger.keep([deal_end(table_id, number)])


def test_entries_come_in_the_order_of_their_coming_and_are_filed_by_table(
    ledger: Ledger, path: Path
) -> None:
    for text in ("a", "b"):
        ledger.keep([action("t", f"t {text}"), action("u", f"u {text}")])
    assert journal(path) == ["t a", "u a", "t b", "u b"]
    assert ledger.unfiled == 4
    assert ledger.file() == 4
    assert journal(path) == []
    assert (filed(path, "t"), filed(path, "u")) == (["t a", "t b"], ["u a", "u b"])
    assert ledger.unfiled == ledger.file() == 0


def test_actions_of_old_deals_are_never_filed(ledger: Ledger, path: Path) -> None:
    """Those of the last two deals and of the one under way are: a start replays them."""
    kept_deals(ledger, "t", 4)
    ledger.file_all()
    assert [text for text in filed(path, "t") if str(text).startswith("in ")] == ["in 3", "in 4"]
    ends = "SELECT COUNT(*) FROM events WHERE kind = 'deal_ended'"
    assert rows(path, ends) == [(4,)]


def test_actions_of_a_retired_table_are_never_filed(ledger: Ledger, path: Path) -> None:
    kept_deals(ledger, "t", 1)
    ledger.keep([action("u", "of u")], retired=["t"])
    ledger.file_all()
    assert "in 1" not in filed(path, "t")
    assert filed(path, "u") == ["of u"]


def test_what_is_dropped_of_a_table_is_forgotten_once_its_entries_have_left(
    ledger: Ledger, path: Path
) -> None:
    """A table that takes the same id up again begins anew."""
    kept_deals(ledger, "t", 1)
    ledger.keep([], retired=["t"])
    ledger.file_all()
    ledger.keep([action("t", "later")])
    ledger.file_all()
    assert "later" in filed(path, "t")


def test_what_came_in_a_transaction_of_unknown_outcome_counts(ledger: Ledger, path: Path) -> None:
    """F12: it was reported as failed, and is there; the next batch brings it to light."""
    kept_deals(ledger, "t", 2)
    there = ledger.unfiled
    ledger.connection.execute(
        "INSERT INTO journal (table_id, seq, epoch, dealing, kind, at, payload)"
        " VALUES ('u', 1, 1, 0, 'action', 1.5, 'of u')"
    )
    with pytest.raises(Exception, match="UNIQUE"):
        ledger.keep([deal_end("t", 1)])
    ledger.keep([], retired=["v"])
    assert ledger.unfiled == there + 1


def test_a_few_are_filed_at_a_time(ledger: Ledger, path: Path) -> None:
    ledger.keep([action("t", *(f"{number}" for number in range(AT_ONCE + 1)))])
    assert ledger.file() == AT_ONCE
    assert journal(path) == [f"{AT_ONCE}"]
    assert ledger.unfiled == 1


def test_a_long_journal_is_filed_under_load_too(ledger: Ledger) -> None:
    chores = Chores(ledger)
    ledger.keep([action("t", *["a"] * LONGEST_JOURNAL)])
    were_overdue = [chores.are_overdue]
    ledger.keep([action("t", "b")])
    were_overdue.append(chores.are_overdue)
    for _ in range(2):  # to file some, and to bring them into the file
        chores.step(is_quiet=False)
    were_overdue.append(chores.are_overdue)
    assert were_overdue == [False, True, False]
    assert ledger.unfiled == LONGEST_JOURNAL + 1 - AT_ONCE


def test_a_filing_that_fails_has_filed_nothing(ledger: Ledger, path: Path) -> None:
    ledger.keep([action("t", "a", "b")])
    change(path, "INSERT INTO filed_events SELECT 't', 2, 1, 0, 'action', 0.0, 'in the way'")
    with pytest.raises(Exception, match="UNIQUE"):
        ledger.file()
    assert journal(path) == ["a", "b"]
    assert ledger.unfiled == 2
    change(path, "DELETE FROM filed_events")
    assert ledger.file() == 2


@pytest.mark.asyncio
async def test_an_orderly_end_leaves_nothing_in_the_journal(path: Path) -> None:
    async with opened(path, pace=NEVER) as store:
        await keep(store, start("t"), action("t", "a"))
        assert len(journal(path)) == 2
    assert journal(path) == []
    assert len(filed(path, "t")) == 2


@pytest.mark.asyncio
async def test_a_start_files_what_a_crash_has_left(path: Path, tmp_path: Path) -> None:
    """F1: actions of tables that nobody carries any more are not."""
    left = tmp_path / "left.db"
    async with opened(path, pace=NEVER) as store:
        await keep(
            store, start("t"), action("t", "of t"), start("u"), deal_end("u", 1, is_last=True)
        )
        await keep(store, action("u", "of u"))
        store.retire("u")
        await keep(store, action("t", "more of t"))
        for ending in ("", "-wal"):
            shutil.copy2(f"{path}{ending}", f"{left}{ending}")
    async with opened(left) as store:
        assert journal(left) == []
        assert await payloads(store, "t") == filed(left, "t")
        assert filed(left, "t")[-2:] == ["of t", "more of t"]
        assert "of u" not in filed(left, "u")
        await keep(store, action("t", "after it"))
        assert (await payloads(store, "t"))[-1] == "after it"


@pytest.mark.asyncio
async def test_a_log_is_read_wherever_its_entries_lie(path: Path) -> None:
    async with opened(path) as store:
        await keep(store, start("t"), action("t", "filed"), start("u"))
    async with opened(path, pace=NEVER) as store:
        await keep(store, action("u", "new of u"), action("t", "new"), start("v"))
        assert (await payloads(store, "t"))[-2:] == ["filed", "new"]
        assert journal(path)[:2] == ["new of u", "new"]
        loaded = {
            log.table_id: [line.entry.payload for line in log.lines] for log in await store.load(0)
        }
        assert list(loaded) == ["t", "u", "v"]
        assert loaded["t"][-2:] == ["filed", "new"]
        assert loaded["u"][-1] == "new of u"
