"""What an event can find out, before it is played (competition guide, section 3.3)."""

import math
from statistics import NormalDist
from typing import Final

SPREAD_OF_A_BLOCK: Final = 36.0
"""Typical standard deviation of the mean difference of two bots on one board in three rotations,
in points a game (competition guide, section 3.6), used until an event has figures of its own."""

_NORMAL: Final = NormalDist()


def smallest_difference(
    blocks: int, spread: float = SPREAD_OF_A_BLOCK, alpha: float = 0.05, beta: float = 0.05
) -> float:
    """Points a game that so many blocks find with probability 1 - beta, one-sided.

    >>> round(smallest_difference(3_421, 35.6), 1)
    2.0
    """
    return _factor(alpha, beta) * spread / math.sqrt(blocks)


def blocks_needed(
    difference: float, spread: float = SPREAD_OF_A_BLOCK, alpha: float = 0.05, beta: float = 0.05
) -> int:
    """Blocks that find a difference with probability 1 - beta, one-sided.

    >>> blocks_needed(2.0, 35.6)
    3429
    """
    return math.ceil((_factor(alpha, beta) * spread / difference) ** 2)


def _factor(alpha: float, beta: float) -> float:
    return _NORMAL.inv_cdf(1 - alpha) + _NORMAL.inv_cdf(1 - beta)
