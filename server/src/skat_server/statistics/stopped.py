"""The estimate after a sequential test has stopped.

The plain mean is biased then: a test that stops high has seen luck. The median-unbiased estimate
is the difference under which an outcome as extreme as this one, or more so, has probability one
half, outcomes being ordered by side and time of the stop. The walk of the test is taken as a
Brownian motion between two barriers, moved outwards by what a walk in steps overshoots them
(Siegmund, 1985).
"""

import math
from typing import Final

from skat_server.statistics.sprt import Sprt, Verdict

_OVERSHOOT: Final = 0.5826
"""Mean excess of a normal walk over a barrier, in standard deviations of a step."""
_TERMS: Final = 200
_HALVINGS: Final = 60
_GRID: Final = 400


def median_unbiased(test: Sprt) -> float:
    """Points a game that the first bot is better, corrected for the stop.

    Args:
        test: one that has stopped; of a running one, or one without spread, it is the mean.
    """
    seen = test.seen
    if test.verdict is Verdict.RUNNING or seen.variance == 0:
        return seen.mean
    spread = math.sqrt(seen.variance)
    reach = 20 * spread / math.sqrt(seen.count)
    low, high = seen.mean - reach, seen.mean + reach
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _at_least_as_high(test, middle, spread) < 1 / 2:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _at_least_as_high(test: Sprt, difference: float, spread: float) -> float:
    """Probability of an outcome at least as high as this one under a true difference."""
    h, time = test.hypotheses, float(test.seen.count)
    half = (h.delta0 + h.delta1) / 2
    drift = (difference - half) / spread
    scale = spread / (h.delta1 - h.delta0)
    walk = _Walk(drift, h.upper * scale + _OVERSHOOT, -h.lower * scale + _OVERSHOOT)
    if test.verdict is Verdict.ACCEPT_H1:
        return walk.up_by(time)
    if test.verdict is Verdict.ACCEPT_H0:
        return 1 - walk.down_by(time)
    place = (test.seen.mean - half) * test.seen.count / spread
    return walk.up_by(time) + walk.inside_above(place, time)


class _Walk:
    """A Brownian motion of variance one a step, from 0, between `-down` and `up`."""

    def __init__(self, drift: float, up: float, down: float) -> None:
        self._drift, self._up, self._down = drift, up, down
        self._width = up + down

    def up_by(self, time: float) -> float:
        """Probability to have met the upper barrier first, by a time."""
        return self._met(self._drift, self._up, self._down, time)

    def down_by(self, time: float) -> float:
        """Probability to have met the lower barrier first, by a time."""
        return self._met(-self._drift, self._down, self._up, time)

    def _met(self, drift: float, ahead: float, behind: float, time: float) -> float:
        """Everybody who ever meets the barrier ahead first, less those who meet it later."""
        width = self._width
        ever = (
            behind / width
            if abs(drift) * width < 1e-9  # noqa: PLR2004  # no drift worth the name
            else _ratio(2 * drift * behind, 2 * drift * width)
        )
        later = 0.0
        for k in range(1, _TERMS + 1):
            pace = (k * math.pi / width) ** 2 / 2 + drift * drift / 2
            if pace * time > 700:  # noqa: PLR2004  # the exponential is zero from here on
                break
            wave = k * math.sin(k * math.pi * ahead / width)
            later += wave * math.exp(drift * ahead - pace * time) / pace
        return min(1.0, max(0.0, ever - later * math.pi / width**2))

    def inside_above(self, place: float, time: float) -> float:
        """Probability to have met no barrier by a time and to be above a place then."""
        top = self._up
        if place >= top:
            return 0.0
        step = (top - place) / _GRID
        points = (place + (i + 0.5) * step for i in range(_GRID))
        total = sum(self._density(point, time) for point in points) * step
        return min(1.0, max(0.0, total))

    def _density(self, place: float, time: float) -> float:
        start, end, width = self._down, self._down + place, self._width
        total = 0.0
        for k in range(1, _TERMS + 1):
            wave = k * math.pi / width
            decay = wave * wave * time / 2
            if decay > 60:  # noqa: PLR2004  # nothing is left of these waves
                break
            total += math.sin(wave * start) * math.sin(wave * end) * math.exp(-decay)
        drift = self._drift
        return 2 / width * total * math.exp(drift * place - drift * drift * time / 2)


def _ratio(part: float, whole: float) -> float:
    """(1 - exp(-part)) / (1 - exp(-whole)) for numbers of one sign, without overflow."""
    if whole < 0:
        return math.exp(whole - part) * _ratio(-part, -whole)
    return math.expm1(-part) / math.expm1(-whole)
