"""What waits together shares a transaction, as far as its order allows."""

from __future__ import annotations

from skat_server.storage.sqlite.connections import Connection
from skat_server.storage.sqlite.inbox import Append, Group, Inbox, Job, Retire, Run, grouped
from tests.storage.driving import action


def nothing(_: object) -> None:
    """Be told."""


def write(_: Connection) -> None:
    """Write nothing."""


def append(table_id: str, text: str = "a") -> Append:
    """A batch that waits."""
    return Append(action(table_id, text), nothing)


RUN = Run(write, nothing)


def shape(*jobs: Job) -> list[object]:
    """The tables of each transaction, or ``run``."""
    return [sorted(group.tables) if isinstance(group, Group) else "run" for group in grouped(jobs)]


def test_batches_of_different_tables_share_a_transaction() -> None:
    """D2."""
    assert shape(append("t"), append("u"), Retire("v")) == [["t", "u", "v"]]


def test_a_second_batch_of_a_table_waits_for_the_next_one() -> None:
    assert shape(append("t"), append("u"), append("t"), append("v")) == [["t", "u"], ["t", "v"]]


def test_a_table_is_retired_after_its_last_batch() -> None:
    assert shape(append("t"), Retire("t")) == [["t"], ["t"]]


def test_others_have_transactions_of_their_own_in_order() -> None:
    assert shape(append("t"), RUN, append("t"), RUN, RUN) == [["t"], "run", ["t"], "run", "run"]


def test_an_inbox_gives_all_that_waits_and_ends_empty() -> None:
    inbox = Inbox()
    inbox.put(RUN)
    inbox.put(append("t"))
    inbox.close()
    assert len(inbox.take(None) or []) == 2
    assert inbox.take(None) is None


def test_an_inbox_gives_nothing_when_the_time_is_over() -> None:
    assert Inbox().take(0.0) == []
