"""The estimate after a stop, against walks that were simulated (competition guide, 3.6)."""

import numpy as np
import pytest

from skat_server.statistics.sprt import Hypotheses, Sprt, Verdict
from skat_server.statistics.stopped import median_unbiased


def played(chance: np.random.Generator, true: float, hypotheses: Hypotheses) -> Sprt:
    """A test on normal blocks of spread 35 that has stopped."""
    test = Sprt(hypotheses)
    while test.verdict is Verdict.RUNNING:
        for difference in chance.normal(true, 35.0, size=100):
            test = test.with_block(float(difference))
    return test


@pytest.mark.parametrize("true", [0.0, 2.0, 6.0])
@pytest.mark.parametrize("cap", [None, 1_000])
def test_half_of_the_estimates_are_too_high(true: float, cap: int | None) -> None:
    chance = np.random.default_rng(7)
    hypotheses = Hypotheses(delta0=0.0, delta1=4.0, most_blocks=cap)
    tests = [played(chance, true, hypotheses) for _ in range(120)]
    too_high = np.mean([median_unbiased(test) > true for test in tests])
    assert 0.36 < too_high < 0.64
