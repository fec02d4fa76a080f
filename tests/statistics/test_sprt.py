"""The sequential test (R11, competition guide 3.6)."""

from __future__ import annotations

import pytest

from skat_server.statistics.sprt import FEWEST, Hypotheses, Sprt, Verdict
from tests.statistics.coverage import ever_missed, wrong_verdicts


def after(test: Sprt, *differences: float) -> Sprt:
    """The test after some blocks."""
    for difference in differences:
        test = test.with_block(difference)
    return test


def test_the_bounds_of_five_per_cent() -> None:
    hypotheses = Hypotheses()
    assert (hypotheses.lower, hypotheses.upper) == pytest.approx((-2.944, 2.944), abs=5e-4)


def test_the_ratio_is_that_of_the_formula() -> None:
    test = after(Sprt(Hypotheses(0.0, 2.0)), 10.0, -4.0, 6.0)
    mean, variance = 4.0, 52.0
    assert test.llr == pytest.approx(3 * 2 * (2 * mean - 2) / (2 * variance))


def test_nothing_is_decided_before_fifty_blocks() -> None:
    """A test that ended after one game by a default was a complaint (R11)."""
    clear = [100.0 + i % 2 for i in range(FEWEST)]
    assert after(Sprt(Hypotheses()), *clear[:-1]).verdict is Verdict.RUNNING
    assert after(Sprt(Hypotheses()), *clear).verdict is Verdict.ACCEPT_H1


def test_blocks_that_are_all_alike_decide() -> None:
    assert after(Sprt(Hypotheses()), *([5.0] * FEWEST)).verdict is Verdict.ACCEPT_H1
    assert after(Sprt(Hypotheses()), *([0.0] * FEWEST)).verdict is Verdict.ACCEPT_H0


def test_a_stopped_test_stays_as_it_is() -> None:
    stopped = after(Sprt(Hypotheses()), *([5.0] * FEWEST))
    assert stopped.with_block(-1_000.0) is stopped


def test_a_cap_ends_the_test() -> None:
    test = Sprt(Hypotheses(0.0, 0.1, most_blocks=60))
    undecided = after(test, *([30.0, -30.0] * 30))
    assert (undecided.verdict, undecided.seen.count) == (Verdict.CAPPED, 60)


def test_a_test_without_a_cap_is_legal() -> None:
    undecided = after(Sprt(Hypotheses(0.0, 0.1)), *([30.0, -30.0] * 500))
    assert undecided.verdict is Verdict.RUNNING


@pytest.mark.parametrize(
    "wrong",
    [
        {"delta0": 2.0, "delta1": 2.0},
        {"alpha": 0.0},
        {"beta": 0.5},
        {"most_blocks": FEWEST - 1},
    ],
)
def test_what_cannot_be_tested_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"delta|alpha|blocks"):
        Hypotheses(**wrong)  # type: ignore[arg-type]


def test_error_rates_are_those_that_were_asked_for() -> None:
    """5 per cent each way on heavy-tailed blocks; three standard deviations of 150 tests."""
    assert wrong_verdicts(0.0, 150)[0] <= 0.105
    assert wrong_verdicts(4.0, 150)[0] >= 0.895


def test_a_confidence_sequence_may_be_watched_all_day() -> None:
    assert ever_missed(150, 800) <= 0.105
