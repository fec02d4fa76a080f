"""The steps of a table: pure, with their log entries, facts and state."""

from __future__ import annotations

import random

import pytest

from skat_engine.records import Identical, from_json_line, replay
from skat_server.errors import Reason, RefusedError
from skat_server.storage.protocols import EntryKind
from skat_server.tables import facts, steps
from skat_server.tables.clocks import AT_ONCE
from skat_server.tables.state import Stage, TableConfig, TableState
from tests.server.playing import MIXED, config, full_table, occupant, play, play_on
from tests.server.stores import at_once
from tests.server.watching import Recorder, log_of


def seated(table: TableConfig, *names: str) -> TableState:
    """The state after these have sat down, one after the other."""
    state = steps.first_state(table)
    for name in names:
        state = steps.sit(table, state, occupant(name), None).after
    return state


def kinds(step: steps.Step) -> list[EntryKind]:
    """The kinds of the log entries."""
    return [entry.kind for entry in step.entries]


def told(step: steps.Step) -> list[type]:
    """The kinds of the facts."""
    return [type(fact) for part in step.told for fact in part.facts]


def reason_of(step: object, *args: object) -> Reason:
    """Why a step is refused."""
    assert callable(step)
    with pytest.raises(RefusedError) as caught:
        step(*args)
    return caught.value.reason


def test_opening_tells_nobody_anything() -> None:
    step = steps.opened(config(), steps.first_state(config()))
    assert kinds(step) == [EntryKind.TABLE_OPENED]
    assert told(step) == []
    assert step.after.stage is Stage.OPEN


def test_sitting_down_changes_no_state_but_gives_the_next() -> None:
    table = config()
    before = seated(table)
    step = steps.sit(table, before, occupant("ann"), 1)
    assert before.occupants == (None, None, None)
    assert step.after.seat_of("player-ann") == 1
    assert told(step) == [facts.SeatTaken]


def test_the_last_seat_begins_the_first_deal() -> None:
    table = config()
    step = steps.sit(table, seated(table, "ann", "ben"), occupant("cem"), None)
    assert kinds(step) == [EntryKind.SEAT_TAKEN, EntryKind.DEAL_STARTED]
    assert told(step) == [facts.SeatTaken, facts.DealStarted]
    assert step.after.stage is Stage.PLAYING


def test_a_seat_taken_over_in_play_deals_nothing() -> None:
    table = config()
    playing = seated(table, "ann", "ben", "cem")
    left = steps.leave(playing, 1).after
    step = steps.sit(table, left, occupant("dia"), None)
    assert told(step) == [facts.SeatTaken]
    assert step.after.deal is playing.deal


@pytest.mark.parametrize(
    ("name", "seat", "reason"),
    [
        ("ann", 1, Reason.ALREADY_SEATED),
        ("ben", 0, Reason.SEAT_TAKEN),
        ("ben", 3, Reason.SEAT_NOT_FOUND),
    ],
)
def test_a_seat_is_refused(name: str, seat: int, reason: Reason) -> None:
    table = config()
    assert reason_of(steps.sit, table, seated(table, "ann"), occupant(name), seat) is reason


def test_a_full_table_has_no_free_seat() -> None:
    table = config()
    full = seated(table, "ann", "ben", "cem")
    assert reason_of(steps.sit, table, full, occupant("dia"), None) is Reason.SEAT_TAKEN


def test_nothing_happens_at_a_closed_table() -> None:
    table = config()
    closed = steps.close(seated(table, "ann"), "late").after
    assert reason_of(steps.sit, table, closed, occupant("ben"), None) is Reason.TABLE_OVER
    assert reason_of(steps.leave, closed, 0) is Reason.TABLE_OVER
    assert reason_of(steps.close, closed, "again") is Reason.TABLE_OVER


def test_closing_drops_the_deal_under_way() -> None:
    step = steps.close(seated(config(), "ann", "ben", "cem"), "late")
    assert kinds(step) == [EntryKind.TABLE_CLOSED]
    assert told(step) == [facts.TableClosed]
    assert (step.after.stage, step.after.deal) == (Stage.CLOSED, None)


def test_an_action_works_on_a_copy_of_the_deal() -> None:
    table = config()
    before = seated(table, "ann", "ben", "cem")
    assert before.deal is not None
    (passing, *_) = before.deal.legal(1)
    step = steps.act(table, before, 1, passing, None)
    assert before.deal.to_act == 1
    assert step.after.deal is not before.deal
    assert step.settles == steps.Settlement("1.0", 2, passing)


def test_an_answer_that_takes_no_time_is_timed_all_the_same() -> None:
    table = config()
    before = seated(table, "ann", "ben", "cem")
    assert before.deal is not None
    (passing, *_) = before.deal.legal(1)
    settled = [steps.act(table, before, 1, passing, spent).settles for spent in (AT_ONCE, None)]
    assert [one and one.spent for one in settled] == [AT_ONCE, None]


def test_a_refused_action_changes_nothing() -> None:
    table = config()
    before = seated(table, "ann", "ben", "cem")
    assert before.deal is not None
    (passing, *_) = before.deal.legal(1)
    assert reason_of(steps.act, table, before, 2, passing, AT_ONCE) is Reason.NOT_YOUR_TURN
    assert before.deal.to_act == 1


@pytest.mark.parametrize("stage_moves", ["pass pass pass"])
def test_passed_deals_count(stage_moves: str) -> None:
    """R-TAB-4: a deal that is passed in is a deal of the series."""
    table = full_table([MIXED, MIXED])
    play(table, stage_moves)
    assert table.state.series.deals_done == 1
    assert table.state.deal_number == 2


def test_the_dealer_moves_on_by_one_seat() -> None:
    """R-TAB-2, with four seats: everybody deals and sits out in turn."""
    table = full_table([MIXED] * 5, seats=4)
    dealers = []
    for _ in range(4):
        seating = table.state.seating
        dealers.append((seating.dealer, seating.sitting_out, seating.active))
        play(table, "pass pass pass")
    assert dealers == [
        (0, (0,), (1, 2, 3)),
        (1, (1,), (2, 3, 0)),
        (2, (2,), (3, 0, 1)),
        (3, (3,), (0, 1, 2)),
    ]


def test_the_series_ends_after_its_last_deal() -> None:
    table = full_table([MIXED, MIXED])
    recorder = Recorder(table)
    play_on(table)
    assert table.state.stage is Stage.FINISHED
    assert table.state.deal is None
    assert [type(logged.fact) for logged in recorder.facts[-2:]] == [
        facts.DealBooked,
        facts.SeriesEnded,
    ]


def places_after(moves: str, seats: int = 3) -> tuple[int, ...]:
    """The places after one deal."""
    table = full_table([MIXED], seats=seats)
    play(table, moves)
    ended = log_of(table)[-1].fact
    assert isinstance(ended, facts.SeriesEnded)
    return ended.places


def test_equal_totals_share_a_place() -> None:
    assert places_after("pass pass pass") == (1, 1, 1)
    assert places_after("pass pass pass", seats=4) == (1, 1, 1, 1)


def test_a_loser_is_last_and_the_others_share_the_first_place() -> None:
    """Seat 1 is forehand and loses, so both others get the same bonus."""
    assert places_after("18 hold pass pass take C.H8.D7 give-up") == (1, 3, 1)


def test_places_after_shared_ones_are_skipped() -> None:
    moves = "18 hold pass pass take C.H8.D7 give-up"
    assert places_after(moves, seats=4) == (1, 4, 1, 1)


def test_a_deals_record_replays() -> None:
    """H4: the sealed record gives the recorded result again."""
    for seed in range(20):
        table = full_table(None, session_deals=1)
        recorder = Recorder(table)
        play_on(table, random.Random(seed))
        line = at_once(table._store.record("table-1", 1))
        assert line is not None
        assert isinstance(replay(from_json_line(line.json)), Identical)
        assert recorder.facts


def test_totals_are_the_sum_of_the_changes() -> None:
    """H5: standings are the sum of results."""
    table = full_table(None, session_deals=12)
    recorder = Recorder(table)
    play_on(table, random.Random(3))
    booked = [f.fact.booking for f in recorder.facts if isinstance(f.fact, facts.DealBooked)]
    assert len(booked) == 12
    sums = tuple(map(sum, zip(*(booking.changes for booking in booked), strict=True)))
    assert sums == booked[-1].totals == table.state.series.sheet.totals
