"""The facts that can still be sent: numbered without gaps, two deals kept."""

from skat_engine import HandChosen, Occasion, Passed, seating
from skat_server.tables.facts import DealStarted, Fact, SeatTaken
from skat_server.tables.log import KEPT_DEALS, FactLog
from tests.server.playing import MIXED

SEATING = seating(0, 3)


def started(number: int) -> DealStarted:
    """The dealing of a deal."""
    return DealStarted(number, MIXED, Occasion())


def new_log(*facts: Fact) -> FactLog:
    """A log of these facts."""
    log = FactLog(3)
    log.append(1.0, facts, SEATING)
    return log


def sequences(log: FactLog, after: int) -> list[int] | None:
    """The numbers of what followed."""
    facts = log.after(None, after)
    return None if facts is None else [shown.sequence for shown in facts]


def test_facts_are_numbered_from_one_without_gaps() -> None:
    log = new_log(Passed(1), Passed(2))
    log.append(2.0, [HandChosen(0)], SEATING)
    assert sequences(log, 0) == [1, 2, 3]
    assert log.last(None) == 3


def test_a_fact_keeps_its_time_and_seating() -> None:
    facts = new_log(Passed(1)).after(None, 0)
    assert facts is not None
    assert (facts[0].at, facts[0].seating) == (1.0, SEATING)


def test_an_empty_log_follows_its_start() -> None:
    assert sequences(FactLog(3), 0) == []


def test_nothing_follows_the_last_fact() -> None:
    assert sequences(new_log(Passed(1), Passed(2)), 2) == []


def test_the_future_cannot_be_told() -> None:
    assert sequences(new_log(Passed(1)), 2) is None


def test_what_is_no_sequence_cannot_be_told() -> None:
    assert sequences(new_log(Passed(1)), -1) is None


def test_before_the_first_deal_everything_is_current() -> None:
    log = new_log(SeatTaken(0, "ann"), SeatTaken(1, "ben"))
    assert [shown.sequence for shown in log.current_deal(None)] == [1, 2]


def test_the_current_deal_begins_with_its_cards() -> None:
    log = new_log(SeatTaken(0, "ann"), started(1), Passed(1))
    assert [shown.sequence for shown in log.current_deal(None)] == [2, 3]


def test_the_deal_before_the_current_one_is_kept() -> None:
    log = new_log(started(1), Passed(1), started(2), Passed(1))
    assert sequences(log, 0) == [1, 2, 3, 4]


def test_older_deals_are_dropped() -> None:
    log = new_log(*(f for n in range(1, 4) for f in (started(n), Passed(1))))
    assert sequences(log, 1) is None
    assert sequences(log, 2) == [3, 4, 5, 6]


def test_a_long_series_keeps_no_more_than_two_deals() -> None:
    log = FactLog(3)
    for number in range(1, 1_000):
        log.append(1.0, [started(number), Passed(1)], SEATING)
    assert len(log._kept) == 2 * KEPT_DEALS
    assert log.last(None) == 1_998
