"""R9, R19, R22: what a seat has, what a question takes of it, and what never counts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skat_server.tables.clocks import (
    Account,
    ClockPolicy,
    Meter,
    Spent,
    TimeLeft,
)

FULL = ClockPolicy(decision_ms=1_000, bank_ms=5_000, increment_ms=0, grace_ms=2_000)
ACCOUNT = Account(bank_ms=5_000, grace_ms=2_000)


def meter(at: float = 0.0, *, away: bool = False) -> Meter:
    return Meter("1.0", FULL.decision_ms, ACCOUNT, at, at, at if away else None)


@pytest.mark.parametrize(
    ("name", "value"),
    [("decision_ms", -1), ("bank_ms", 3_600_001), ("increment_ms", -1), ("grace_ms", 3_600_001)],
)
def test_a_clock_has_bounds(name: str, value: int) -> None:
    times = {"decision_ms": 1, "bank_ms": 1, "increment_ms": 0, "grace_ms": 0} | {name: value}
    with pytest.raises(ValueError, match=name):
        ClockPolicy(**times)


def test_a_clock_leaves_some_time() -> None:
    with pytest.raises(ValueError, match="neither"):
        ClockPolicy(0, 0, 1, 1)


def test_own_time_costs_nothing() -> None:
    assert ACCOUNT.answered(FULL, Spent(1_000)) is ACCOUNT


def test_the_bank_pays_what_goes_beyond_the_own_time() -> None:
    assert ACCOUNT.answered(FULL, Spent(1_250)) == Account(4_750, 2_000)


def test_grace_is_no_thinking() -> None:
    """R22: its use is counted apart."""
    assert ACCOUNT.answered(FULL, Spent(2_700, grace_ms=1_500)) == Account(4_800, 500)


def test_an_account_is_never_below_nothing() -> None:
    assert ACCOUNT.answered(FULL, Spent(99_000, grace_ms=9_000)) == Account(0, 0)


def test_an_answer_in_time_earns_the_increment() -> None:
    policy = ClockPolicy(1_000, 5_000, 300, 0)
    assert Account(10, 0).answered(policy, Spent(1_005)) == Account(305, 0)


def test_a_safe_answer_earns_none() -> None:
    policy = ClockPolicy(1_000, 5_000, 300, 0)
    assert Account(10, 0).defaulted(policy, Spent(1_005)) == Account(5, 0, safe_answers=1)


def test_own_time_runs_before_the_bank() -> None:
    asked = meter(at=10.0)
    assert asked.left(10.25) == TimeLeft(750, 5_000, 2_000)
    assert asked.left(11.5) == TimeLeft(0, 4_500, 2_000)
    assert asked.left(99.0) == TimeLeft(0, 0, 2_000)


def test_time_is_up_after_own_time_and_bank() -> None:
    assert meter(at=10.0).ends_at() == 16.0


def test_grace_runs_first_while_nobody_is_there() -> None:
    """R22: and only then the time."""
    asked = meter(away=True)
    assert asked.left(1.5) == TimeLeft(1_000, 5_000, 500)
    assert asked.left(2.75) == TimeLeft(250, 5_000, 0)
    assert asked.ends_at() == 8.0


def test_grace_ends_with_the_return() -> None:
    asked = meter(away=True).back(0.5)
    assert asked.spent(0.75) == Spent(750, grace_ms=500)
    assert asked.ends_at() == 6.5


def test_grace_of_two_absences_adds_up() -> None:
    asked = meter(away=True).back(0.5).gone(1.0).back(1.25)
    assert asked.spent(3.0) == Spent(3_000, grace_ms=750)


def test_grace_that_is_used_up_comes_no_more() -> None:
    asked = meter(away=True).back(5.0).gone(6.0)
    assert asked.spent(9.0) == Spent(9_000, grace_ms=2_000)


def test_going_twice_is_going_once() -> None:
    asked = meter().gone(1.0)
    assert asked.gone(2.0) is asked
    assert asked.back(2.0).back(3.0) == asked.back(2.0)


def test_an_answer_before_its_question_took_no_time() -> None:
    assert meter(at=10.0).spent(9.0) == Spent(0)


def test_a_pause_does_not_count() -> None:
    """F4: neither as thinking nor as grace."""
    assert meter().shifted(7.0).spent(8.0) == Spent(1_000)
    assert meter(away=True).shifted(7.0).spent(8.0) == Spent(1_000, grace_ms=1_000)


def test_who_ran_out_of_time_has_used_all_of_it() -> None:
    """Whatever the timer lost by rounding."""
    assert meter().run_out(5.9996) == Spent(6_000)


WAITS = st.lists(st.tuples(st.sampled_from(["gone", "back", "pause"]), st.floats(0, 4)), max_size=8)


@settings(max_examples=200, deadline=None)
@given(WAITS, st.booleans())
def test_nobody_is_charged_beyond_what_the_clock_says(
    waits: list[tuple[str, float]], away: bool
) -> None:
    """R10: own time, bank and grace together are at most what passed while clocks ran."""
    asked, now, counted = meter(away=away), 0.0, 0.0
    for what, seconds in waits:
        now += seconds
        if what == "pause":
            asked = asked.shifted(seconds)
        else:
            counted += seconds
            asked = asked.gone(now) if what == "gone" else asked.back(now)
    spent, left = asked.spent(now), asked.left(now)
    assert spent.grace_ms <= min(spent.think_ms, 2_000)
    assert spent.think_ms <= counted * 1_000 + 1
    used = (1_000 - left.own_ms) + (5_000 - left.bank_ms) + (2_000 - left.grace_ms)
    assert used == min(spent.think_ms - spent.grace_ms, 6_000) + spent.grace_ms
    if asked.ends_at() <= now:
        assert left.own_ms + left.bank_ms <= 1
