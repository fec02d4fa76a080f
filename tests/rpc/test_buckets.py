"""How often somebody may do something: a value over time (T12)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from skat_server.rpc import buckets
from skat_server.rpc.buckets import Bucket, Buckets, Rate, full

RATES = st.builds(
    Rate, per_second=st.floats(0.1, 1_000.0), burst=st.integers(min_value=1, max_value=200)
)
GAPS = st.lists(st.floats(0.0, 10.0), min_size=1, max_size=120)
TOLERANCE = 1e-6


def times(gaps: list[float]) -> list[float]:
    """Moments that follow each other after these gaps."""
    now, found = 0.0, []
    for gap in gaps:
        now += gap
        found.append(now)
    return found


@given(rate=RATES, gaps=GAPS)
def test_no_span_of_time_allows_more_than_burst_and_rate(rate: Rate, gaps: list[float]) -> None:
    holders = Buckets(rate)
    allowed = [now for now in times(gaps) if holders.take("ann", now) == 0.0]
    for first, start in enumerate(allowed):
        for count, end in enumerate(allowed[first:], start=1):
            assert count <= rate.burst + (end - start) * rate.per_second + TOLERANCE


@given(rate=RATES, gaps=GAPS)
def test_whoever_waits_as_long_as_told_is_allowed(rate: Rate, gaps: list[float]) -> None:
    holders = Buckets(rate)
    for now in times(gaps):
        wait = holders.take("ann", now)
        if wait > 0.0:
            assert holders.wait("ann", now + wait + TOLERANCE) == 0.0
            assert holders.wait("ann", now + wait / 2) > 0.0


@given(rate=RATES, gaps=GAPS)
def test_whoever_is_refused_pays_nothing(rate: Rate, gaps: list[float]) -> None:
    """Trying too often does not make the wait longer."""
    patient, impatient = Buckets(rate), Buckets(rate)
    for now in times(gaps):
        first = patient.take("ann", now)
        assert impatient.take("ann", now) == first
        for _ in range(3):
            if first > 0.0:
                assert impatient.take("ann", now) == first


@given(
    rate=RATES,
    level=st.floats(-500.0, 200.0),
    at=st.floats(0.0, 1e6),
    passed=st.floats(-10.0, 1e6),
)
def test_a_bucket_is_never_more_than_full(
    rate: Rate, level: float, at: float, passed: float
) -> None:
    bucket = Bucket(min(level, rate.burst), at)
    now = at + passed
    assert bucket.level <= bucket.level_at(rate, now) <= rate.burst
    assert bucket.spent(rate, now).at >= at


@given(rate=RATES, count=st.integers(0, 500))
def test_what_was_not_allowed_has_to_be_made_up_for(rate: Rate, count: int) -> None:
    bucket = full(rate, 0.0)
    for _ in range(count):
        bucket = bucket.spent(rate, 0.0)
    assert bucket.level == rate.burst - count
    missing = max(0, 1 + count - rate.burst)
    assert abs(bucket.wait(rate, 0.0) - missing / rate.per_second) < TOLERANCE


def test_holders_do_not_share() -> None:
    holders = Buckets(Rate(1.0, 1))
    assert holders.take("ann", 0.0) == 0.0
    assert holders.take("ann", 0.0) == 1.0
    assert holders.take("ben", 0.0) == 0.0


def test_only_so_many_holders_are_remembered() -> None:
    """T13: addresses that come and go do not fill the memory."""
    holders = Buckets(Rate(1.0, 1))
    for number in range(buckets.MOST_HOLDERS + 10):
        holders.take(str(number), 0.0)
    assert len(holders._buckets) == buckets.MOST_HOLDERS
    assert holders.wait("0", 0.0) == 0.0
    assert holders.wait(str(buckets.MOST_HOLDERS), 0.0) == 1.0
