"""Times in buckets: what is told of them is true to a 128th part."""

from hypothesis import given
from hypothesis import strategies as st

from skat_server.remote.load.histogram import Histogram

MICROSECOND = 1e-6


def histogram_of(*seconds: float) -> Histogram:
    times = Histogram()
    for one in seconds:
        times.add(one)
    return times


@given(st.lists(st.integers(0, 10**9), min_size=1), st.sampled_from([0.01, 0.5, 0.9, 0.999, 1.0]))
def test_a_quantile_is_the_true_one_to_a_128th(micros: list[int], share: float) -> None:
    found = histogram_of(*(one * MICROSECOND for one in micros)).quantile(share)
    rank = max(1, -int(-share * len(micros) // 1))
    true = sorted(micros)[rank - 1] * MICROSECOND
    assert true - MICROSECOND <= found <= true * (1 + 1 / 128) + MICROSECOND


@given(st.lists(st.integers(0, 10**9), min_size=1))
def test_the_longest_and_the_mean_are_exact(micros: list[int]) -> None:
    times = histogram_of(*(one * MICROSECOND for one in micros))
    assert round(times.longest / MICROSECOND) == max(micros)
    assert abs(times.mean - sum(micros) / len(micros) * MICROSECOND) < MICROSECOND


def test_nothing_is_zero() -> None:
    assert Histogram().in_milliseconds() == {
        "count": 0,
        "mean": 0.0,
        "p50": 0.0,
        "p90": 0.0,
        "p99": 0.0,
        "p99_9": 0.0,
        "max": 0.0,
    }


def test_a_clock_that_goes_back_counts_as_no_time() -> None:
    assert histogram_of(-1.0).longest == 0.0
