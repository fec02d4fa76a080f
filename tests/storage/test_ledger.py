"""Groups of batches become rows that go on where the logs of their tables end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from skat_server.storage.sqlite.heads import KEPT_DEALINGS
from skat_server.storage.sqlite.ledger import Ledger
from tests.storage.driving import action, deal_end, rows, start


def test_deals_follow_each_other_without_a_restart(ledger: Ledger, path: Path) -> None:
    """Each with the entries that are its own, under the seal of the one before it."""
    ledger.keep([start("t")])
    for number in (1, 2, 3):
        ledger.keep([action("t", "a")])
        ledger.keep([deal_end("t", number)])
    deals = "SELECT first_seq, last_seq FROM deals ORDER BY deal_number"
    assert rows(path, deals) == [(1, 4), (5, 8), (9, 12)]
    chain = rows(path, "SELECT previous_sha256, log_sha256 FROM deals ORDER BY deal_number")
    assert [before for before, _ in chain] == [bytes(32), chain[0][1], chain[1][1]]


def test_actions_may_be_dropped_once_with_each_new_deal(ledger: Ledger) -> None:
    """No batch in between asks for the same again."""
    ledger.keep([start("t")])
    numbers = range(1, KEPT_DEALINGS + 1)
    batches = [one for number in numbers for one in (action("t", "a"), deal_end("t", number))]
    trims = [ledger.keep([batch]).trims for batch in batches]
    told = [[(trim.first_seq, trim.end_seq) for trim in some] for some in trims]
    assert told == [[], [], [], [(0, 1)], [], [(1, 5)]]


def test_a_group_that_never_came_to_the_file_has_no_batch_there(ledger: Ledger, path: Path) -> None:
    """F12: also when the group before it had the same tables, and as many entries of them."""
    kept, refused = action("t", "kept"), action("t", "refused")
    ledger.keep([kept])
    assert ledger.has(kept)
    unwritable = deal_end("u", 1)
    assert unwritable.record is not None
    unwritable = replace(unwritable, record=replace(unwritable.record, json="\ud800"))
    with pytest.raises(UnicodeEncodeError):
        ledger.keep([refused, unwritable])
    assert not ledger.has(refused)
    assert not ledger.has(unwritable)
    ledger.keep([action("t", "more")])
    assert rows(path, "SELECT seq, payload FROM events") == [(1, "kept"), (2, "more")]


def test_a_table_that_is_over_goes_on_from_what_the_file_has(ledger: Ledger, path: Path) -> None:
    """Nothing about it is kept in memory: not its number, and not what was dropped of it."""
    ledger.keep([start("t"), start("u")])
    ledger.keep([deal_end("t", 1, is_last=True), action("u", "a")])
    ledger.keep([], retired=["u"])
    ledger.connection.execute("DELETE FROM journal WHERE seq > 1")
    ledger.keep([action("t", "b"), action("u", "b")])
    last = "SELECT table_id, seq FROM events WHERE kind = 'action' ORDER BY table_id"
    assert rows(path, last) == [("t", 2), ("u", 2)]
