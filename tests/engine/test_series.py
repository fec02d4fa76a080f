"""Deals in a row: R-TAB-2 to R-TAB-4."""

import pytest

from skat_engine import DealResult, Ending, RuleSet, RuleSetError, Series, preset
from skat_engine.options import SessionEnd
from tests.builders import dealt

PASSED = DealResult(Ending.PASSED_IN, None, (0, 0, 0), (0, 0, 0), dealt())


def test_seat_0_deals_first() -> None:
    """R-TAB-3."""
    assert Series(preset("isko")).next_seating().dealer == 0


def test_the_dealer_moves_on_after_a_passed_deal() -> None:
    """R-TAB-2; LST11."""
    series = Series(preset("isko"))
    series.book(PASSED)
    assert series.next_seating().dealer == 1


def test_everybody_deals_in_turn() -> None:
    """R-TAB-2."""
    series = Series(preset("isko", {"seats": 4}))
    dealers = [series.book(PASSED).seating.dealer for _ in range(5)]
    assert dealers == [0, 1, 2, 3, 0]


@pytest.mark.parametrize(("seats", "deals"), [(3, 36), (4, 48)])
def test_a_series_ends_although_every_deal_was_passed(seats: int, deals: int) -> None:
    """R-TAB-4; fault 21."""
    series = Series(preset("isko", {"seats": seats}))
    while not series.is_over:
        series.book(PASSED)
    assert series.deals_done == deals


def test_nothing_is_booked_after_the_end() -> None:
    """Fault 21."""
    series = Series(preset("isko", {"session_deals": 1}))
    series.book(PASSED)
    with pytest.raises(ValueError, match="over after 1"):
        series.book(PASSED)


def test_a_copy_of_a_series_goes_its_own_way() -> None:
    series = Series(preset("isko"))
    twin = series.copy()
    twin.book(PASSED)
    assert (series.deals_done, series.dealer, twin.deals_done, twin.dealer) == (0, 0, 1, 1)


def test_a_series_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(RuleSetError):
        Series(RuleSet(session_end=SessionEnd.OPEN))
