"""A checker that cannot fail checks nothing: every rule must find its own lie."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from skat_engine.records import from_json_line
from skat_server.errors import Reason
from skat_server.storage.protocols import Entry, EntryKind
from skat_server.tables.facts import HandReceived, ShownFact
from tests.builders import hand
from tests.histories.checker import violations
from tests.histories.model import (
    Acknowledged,
    ClientHistory,
    Frame,
    History,
    Item,
    Line,
    Opened,
    Question,
    Refused,
    Submitted,
    TableHistory,
)
from tests.histories.sample import TABLE, true_history

Change = Callable[[History], History]


@pytest.fixture(scope="module")
def honest() -> History:
    return true_history()


def rules_broken(history: History) -> set[str]:
    return {violation.rule for violation in violations(history)}


def test_a_true_history_breaks_no_rule(honest: History) -> None:
    """H1 to H8."""
    assert violations(honest) == []


def test_the_sample_is_worth_doctoring(honest: History) -> None:
    """It has a game, passed cards, a reconnect and questions."""
    (table,) = honest.tables
    assert len(table.records) == 2
    assert from_json_line(table.records[0].json).moves
    ben = honest.clients[1].items
    assert sum(isinstance(item, Opened) for item in ben) == 2
    assert sum(isinstance(item, Frame) and item.question is not None for item in ben) > 5


# ------------------------------------------------------------------------------ doctors


def with_lines(history: History, change: Callable[[list[Line]], list[Line]]) -> History:
    """Another log."""
    (table,) = history.tables
    return replace(history, tables=[replace(table, lines=change(list(table.lines)))])


def with_table(history: History, change: Callable[[TableHistory], TableHistory]) -> History:
    """Another table."""
    return replace(history, tables=[change(history.tables[0])])


def with_items(history: History, change: Callable[[list[Item]], list[Item]]) -> History:
    """Another history of the first client."""
    first, *others = history.clients
    doctored = ClientHistory(first.player_id, change(list(first.items)), first.at_rest)
    return replace(history, clients=[doctored, *others])


def place_of(items: list[Item], kind: type[Item], number: int = 0) -> int:
    """Where the items of a kind are."""
    return [place for place, item in enumerate(items) if isinstance(item, kind)][number]


def line_of(lines: list[Line], kind: EntryKind, number: int = 0) -> int:
    """Where the entries of a kind are."""
    return [place for place, line in enumerate(lines) if line.entry.kind is kind][number]


def rewritten(line: Line, **changes: object) -> Line:
    """A line that says something else."""
    row = json.loads(line.entry.payload) | changes
    return replace(line, entry=Entry(line.entry.kind, json.dumps(row)))


def frames_with_events(items: list[Item]) -> list[int]:
    """Places of frames that go on from the last one."""
    return [
        place
        for place, item in enumerate(items)
        if isinstance(item, Frame) and item.events and item.view is None
    ]


# ------------------------------------------------------------------------------ H1


def acknowledged_and_lost(history: History) -> History:
    """The log misses an action that was acknowledged: the last of an unfinished table."""

    def cut(lines: list[Line]) -> list[Line]:
        return lines[: line_of(lines, EntryKind.ACTION, 5)]

    return replace(with_lines(history, cut), is_settled=False)


def acknowledged_as_another(history: History) -> History:
    def change(items: list[Item]) -> list[Item]:
        place = place_of(items, Acknowledged)
        items[place] = Acknowledged(TABLE, "1.0", "hold")
        return items

    return with_items(history, change)


def logged_but_never_sent(history: History) -> History:
    def change(items: list[Item]) -> list[Item]:
        del items[place_of(items, Submitted, 2)]
        return items

    return with_items(history, change)


def settled_and_denied(history: History) -> History:
    """An answer that counts, sent again, is refused as stale (F14)."""

    def change(items: list[Item]) -> list[Item]:
        sent = items[place_of(items, Submitted, 3)]
        assert isinstance(sent, Submitted)
        return [*items, sent, Refused(TABLE, sent.turn_id, Reason.STALE_TURN)]

    return with_items(history, change)


# ------------------------------------------------------------------------------ H2 and H7


def event_missing(history: History) -> History:
    def change(items: list[Item]) -> list[Item]:
        del items[frames_with_events(items)[2]]
        return items

    return with_items(history, change)


def event_twice(history: History) -> History:
    def change(items: list[Item]) -> list[Item]:
        place = frames_with_events(items)[2]
        return [*items[: place + 1], *items[place:]]

    return with_items(history, change)


def end_not_told(history: History) -> History:
    """Nobody may be left waiting for the last event."""

    def change(items: list[Item]) -> list[Item]:
        return items[: frames_with_events(items)[-1]]

    return with_items(history, change)


def event_of_another(history: History) -> History:
    """The hand of somebody else (T4)."""

    def change(items: list[Item]) -> list[Item]:
        for place, item in enumerate(items):
            if isinstance(item, Frame):
                events = tuple((number, with_another_hand(shown)) for number, shown in item.events)
                items[place] = replace(item, events=events)
        return items

    return with_items(history, change)


def with_another_hand(shown: object) -> ShownFact:
    assert isinstance(shown, ShownFact)
    if isinstance(shown.fact, HandReceived):
        return replace(shown, fact=replace(shown.fact, hand=hand("CJ SJ")))
    return shown


def question_of_another_turn(history: History) -> History:
    def change(items: list[Item]) -> list[Item]:
        asked = [
            place
            for place, item in enumerate(items)
            if isinstance(item, Frame) and item.question is not None
        ]
        frame = items[asked[1]]
        assert isinstance(frame, Frame)
        assert frame.question is not None
        items[asked[1]] = replace(frame, question=Question("1.99", frame.question.content))
        return items

    return with_items(history, change)


def resumed_elsewhere(history: History) -> History:
    """A client that names a position where it never was is a broken client."""

    def change(items: list[Item]) -> list[Item]:
        return [*items, Opened({TABLE: 3})]

    return with_items(history, change)


def view_that_leaves_out(history: History) -> History:
    def change(items: list[Item]) -> list[Item]:
        place = place_of(items, Frame)
        frame = items[place]
        assert isinstance(frame, Frame)
        items[place] = replace(frame, events=frame.events[1:])
        return items

    return with_items(history, change)


def seen_but_not_logged(history: History) -> History:
    """Commit before emit: the log ends earlier than what was shown."""

    def cut(lines: list[Line]) -> list[Line]:
        return lines[: line_of(lines, EntryKind.ACTION, 5)]

    return replace(with_lines(history, cut), is_settled=False)


def seen_at_an_unknown_table(history: History) -> History:
    return replace(history, tables=[])


# ------------------------------------------------------------------------------ H3


def written_by_a_zombie(history: History) -> History:
    """A server that was replaced goes on writing (F7)."""

    def change(lines: list[Line]) -> list[Line]:
        middle = len(lines) // 2
        later = [replace(line, epoch=2) for line in lines[middle:]]
        later[3] = replace(later[3], epoch=1)
        return lines[:middle] + later

    return with_lines(history, change)


# ------------------------------------------------------------------------------ H4 and H5


def booked_differently(history: History) -> History:
    def change(lines: list[Line]) -> list[Line]:
        place = line_of(lines, EntryKind.DEAL_ENDED)
        lines[place] = rewritten(lines[place], totals=[100, 0, 0])
        return lines

    return with_lines(history, change)


def cards_of_no_seed(history: History) -> History:
    def change(lines: list[Line]) -> list[Line]:
        place = line_of(lines, EntryKind.DEAL_STARTED)
        lines[place] = rewritten(lines[place], seed="00" * 32)
        return lines

    return with_lines(history, change)


def record_missing(history: History) -> History:
    return with_table(history, lambda table: replace(table, records=table.records[:1]))


def record_altered(history: History) -> History:
    """F21: a byte of a sealed record."""

    def change(table: TableHistory) -> TableHistory:
        first = table.records[0]
        doctored = replace(first, json=first.json.replace('"ann"', '"abb"'))
        assert doctored != first
        return replace(table, records=[doctored, *table.records[1:]])

    return with_table(history, change)


def record_chained_elsewhere(history: History) -> History:
    return with_table(history, lambda table: replace(table, records=table.records[::-1]))


def counted_twice(history: History) -> History:
    def change(table: TableHistory) -> TableHistory:
        return replace(table, results=[table.results[0], *table.results])

    return with_table(history, change)


def not_counted(history: History) -> History:
    return with_table(history, lambda table: replace(table, results=table.results[1:]))


# ------------------------------------------------------------------------------ H6 and H8


def played_out_of_turn(history: History) -> History:
    def change(lines: list[Line]) -> list[Line]:
        place = line_of(lines, EntryKind.ACTION, 4)
        text = lines[place].entry.payload
        other = f"{(int(text[0]) + 1) % 3}{text[1:]}"
        lines[place] = replace(lines[place], entry=Entry(EntryKind.ACTION, other))
        return lines

    return with_lines(history, change)


def taken_from_nobody(history: History) -> History:
    """A seat that is taken twice."""

    def change(lines: list[Line]) -> list[Line]:
        place = line_of(lines, EntryKind.SEAT_TAKEN)
        return [*lines[: place + 1], *lines[place:]]

    return with_lines(history, change)


def went_on_after_the_end(history: History) -> History:
    return with_lines(history, lambda lines: [*lines, lines[-2]])


def never_ended(history: History) -> History:
    """A deal that hangs after the faults have stopped."""
    return with_lines(history, lambda lines: lines[: line_of(lines, EntryKind.ACTION, -1)])


def series_never_ended(history: History) -> History:
    return with_lines(history, lambda lines: lines[: line_of(lines, EntryKind.DEAL_STARTED, 1)])


LIES: list[tuple[str, Change]] = [
    ("H1", acknowledged_and_lost),
    ("H1", acknowledged_as_another),
    ("H1", logged_but_never_sent),
    ("H1", settled_and_denied),
    ("H2", event_missing),
    ("H2", event_twice),
    ("H2", end_not_told),
    ("H2", event_of_another),
    ("H2", question_of_another_turn),
    ("H2", resumed_elsewhere),
    ("H2", view_that_leaves_out),
    ("H3", written_by_a_zombie),
    ("H4", booked_differently),
    ("H4", cards_of_no_seed),
    ("H4", record_missing),
    ("H4", record_altered),
    ("H4", record_chained_elsewhere),
    ("H5", counted_twice),
    ("H5", not_counted),
    ("H6", played_out_of_turn),
    ("H6", taken_from_nobody),
    ("H6", went_on_after_the_end),
    ("H7", seen_but_not_logged),
    ("H7", seen_at_an_unknown_table),
    ("H7", event_of_another),
    ("H8", never_ended),
    ("H8", series_never_ended),
]


@pytest.mark.parametrize(("rule", "lie"), LIES, ids=[f"{r}-{lie.__name__}" for r, lie in LIES])
def test_every_rule_finds_its_lie(honest: History, rule: str, lie: Change) -> None:
    assert rule in rules_broken(lie(honest))


def test_a_run_under_faults_need_not_have_ended(honest: History) -> None:
    """H8 is asked for after the faults only."""
    assert "H8" not in rules_broken(replace(never_ended(honest), is_settled=False))


def test_a_violation_says_where_and_what(honest: History) -> None:
    (found,) = violations(counted_twice(honest))[1:]
    assert str(found) == "H5 at table-1: deal 1 was counted 2 times"
