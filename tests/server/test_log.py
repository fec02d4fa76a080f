"""The facts that can still be sent: numbered for each viewer without gaps, two deals kept."""

import pytest

from skat_engine import (
    ConcessionOffered,
    ConcessionRefused,
    HandChosen,
    Occasion,
    Passed,
    seating,
)
from skat_server.tables.facts import DealStarted, Fact, HandReceived, SeatTaken, ShownFact
from skat_server.tables.log import KEPT_DEALS, FactLog
from tests.server.playing import MIXED

SEATING = seating(0, 3)


def started(number: int) -> DealStarted:
    """The dealing of a deal."""
    return DealStarted(number, MIXED, Occasion())


def new_log(*facts: Fact) -> FactLog:
    """A log of these facts."""
    log = FactLog((0,) * 4)
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
    assert sequences(FactLog((0,) * 4), 0) == []


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
    log = FactLog((0,) * 4)
    for number in range(1, 1_000):
        log.append(1.0, [started(number), Passed(1)], SEATING)
    assert len(log._kept) == 2 * KEPT_DEALS
    assert log.last(None) == 1_998


OFFER, REFUSAL = ConcessionOffered(1, 2), ConcessionRefused(2, 1)
VIEWERS = [pytest.param(0, id="defender"), pytest.param(1, id="declarer"), None]
"""With dealer 0, seat 1 is forehand and declarer; the others are the defenders."""


def with_hidden_facts() -> FactLog:
    """Two deals; in each of them a concession is offered and refused between two cards."""
    log = FactLog((0,) * 4)
    for number in (1, 2):
        log.append(1.0, [started(number), Passed(1)], SEATING)
        log.append(2.0, [OFFER], SEATING)
        log.append(3.0, [REFUSAL, Passed(2)], SEATING)
    return log


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_numbers_of_each_viewer_have_no_gaps(viewer: int | None) -> None:
    log = with_hidden_facts()
    facts = log.after(viewer, 0)
    assert facts is not None
    assert [shown.sequence for shown in facts] == list(range(1, log.last(viewer) + 1))


@pytest.mark.parametrize(
    ("viewer", "count"), [(0, 10), (2, 10), (1, 6), (None, 6)], ids=["0", "2", "1", "spectator"]
)
def test_only_facts_that_are_shown_are_counted(viewer: int | None, count: int) -> None:
    """R-END-5: the declarer and spectators are not told what the defenders ask each other."""
    log = with_hidden_facts()
    facts = log.after(viewer, 0)
    assert facts is not None
    assert (len(facts), log.last(viewer)) == (count, count)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_every_position_is_continued_where_it_stands(viewer: int | None) -> None:
    log = with_hidden_facts()
    whole = log.after(viewer, 0)
    assert whole is not None
    for seen in range(log.last(viewer) + 1):
        assert log.after(viewer, seen) == whole[seen:]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_log_of_a_viewer_grows_by_what_he_is_shown(viewer: int | None) -> None:
    """Reading fact by fact and reading all at once tell the same."""
    log, read = FactLog((0,) * 4), list[ShownFact]()
    for fact in (started(1), OFFER, Passed(1), REFUSAL, OFFER, Passed(2)):
        log.append(1.0, [fact], SEATING)
        new = log.after(viewer, len(read))
        assert new is not None
        read += new
    assert read == log.after(viewer, 0)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_viewers_current_deal_begins_with_its_cards(viewer: int | None) -> None:
    log = with_hidden_facts()
    facts = log.current_deal(viewer)
    assert isinstance(facts[0].fact, HandReceived)
    assert facts[-1].sequence == log.last(viewer)
    assert facts == log.after(viewer, facts[0].sequence - 1)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_hidden_facts_of_dropped_deals_are_not_counted_again(viewer: int | None) -> None:
    log = with_hidden_facts()
    log.append(4.0, [started(3), OFFER], SEATING)
    first_kept = log.current_deal(viewer)[0].sequence - len(
        with_hidden_facts().current_deal(viewer)
    )
    assert log.after(viewer, first_kept - 2) is None
    facts = log.after(viewer, first_kept - 1)
    assert facts is not None
    assert [shown.sequence for shown in facts] == list(range(first_kept, log.last(viewer) + 1))


def test_hidden_facts_are_hidden_from_who_sits_out() -> None:
    log = FactLog((0,) * 5)
    log.append(1.0, [started(1), OFFER, REFUSAL], seating(0, 4))
    assert [log.last(viewer) for viewer in (0, 1, 2, 3, None)] == [1, 1, 3, 3, 1]


def test_numbers_stay_with_the_seat_when_the_deal_moves_on() -> None:
    """Seat 2 is a defender, then the declarer: it keeps counting from where it was."""
    log = FactLog((0,) * 4)
    log.append(1.0, [started(1), OFFER, REFUSAL], seating(0, 3))
    log.append(2.0, [started(2), OFFER, REFUSAL], seating(1, 3))
    assert [log.last(viewer) for viewer in (0, 1, 2, None)] == [6, 4, 4, 2]
    facts = log.after(2, 3)
    assert facts is not None
    assert [(shown.sequence, type(shown.fact)) for shown in facts] == [(4, HandReceived)]
