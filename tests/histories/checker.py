"""The history checker: linear passes, because every table has a total order.

H1  Every acknowledged action is in the log exactly once, at its turn.
H2  What each seat received is the projection of a prefix of the log, in order, also across
    connections; so are its questions.
H3  No event of an epoch comes after the first event of the next.
H4  Replay of the log gives the recorded results.
H5  Standings are sums of results.
H6  Every action that counts was legal and in turn.
H7  No client saw an event that is not in the log.
H8  Every deal that was begun ends; checked after the faults.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.histories import client_rules, log_rules
from tests.histories.fold import Replayed, replayed
from tests.histories.frames import frame_faults
from tests.histories.model import ClientHistory, Frame, History, TableHistory, Violation


def violations(history: History) -> list[Violation]:
    """Everything in which a history breaks a promise; empty when all were kept."""
    logs = {table.table_id: replayed(table, history.reading) for table in history.tables}
    found = [
        violation
        for table in history.tables
        for violation in _of_log(table, logs[table.table_id], is_settled=history.is_settled)
    ]
    for client in history.clients:
        found += _of_client(client, logs)
    return found


def _of_log(table: TableHistory, log: Replayed, *, is_settled: bool) -> Iterator[Violation]:
    rules = {
        "H3": log_rules.epochs_in_order(table),
        "H4": log_rules.results_as_recorded(table, log),
        "H5": log_rules.standings_are_sums(table, log),
        "H6": log_rules.actions_legal(log),
        "H8": log_rules.everything_ended(log) if is_settled else iter(()),
    }
    for rule, texts in rules.items():
        for text in texts:
            yield Violation(rule, table.table_id, text)


def _of_client(client: ClientHistory, logs: dict[str, Replayed]) -> Iterator[Violation]:
    name = client.player_id or "spectator"
    unknown = {item.table_id for item in client.items if isinstance(item, Frame)} - logs.keys()
    for table_id in sorted(unknown):
        yield Violation("H7", table_id, f"{name}: saw a table that is not in the log")
    for table_id, text in client_rules.acknowledged_once(client, logs):
        yield Violation("H1", table_id, f"{name}: {text}")
    for table_id, log in logs.items():
        for rule, text in frame_faults(client, table_id, log):
            yield Violation(rule, table_id, f"{name}: {text}")
