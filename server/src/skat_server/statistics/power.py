"""What an event can find out, before it is played (competition guide, section 3.3)."""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Final

import numpy as np

from skat_server.statistics.games import Games
from skat_server.statistics.model import Luck, board_sums

SPREAD_OF_A_BLOCK: Final = 36.0
"""Typical standard deviation of the mean difference of two bots on one board in three rotations,
in points a game (competition guide, section 3.6), used until an event has figures of its own."""
SPREAD_OF_A_TEST: Final = 30.0
"""The same on one board at the tables A-B-B, B-A-B, B-B-A (competition guide, section 3.2)."""
SPREAD_AT_ONE_SEAT: Final = 75.0
"""Standard deviation of a player's points in one game (competition guide, section 3.2)."""
_REST_OF_A_GAME: Final = SPREAD_OF_A_BLOCK * math.sqrt(3 / 2)
"""Standard deviation of what board, seat and bot leave of one game: a block has three for each."""

_NORMAL: Final = NormalDist()


def blocks_needed(
    difference: float, spread: float = SPREAD_OF_A_BLOCK, alpha: float = 0.05, beta: float = 0.05
) -> int:
    """Blocks that find a difference with probability 1 - beta, one-sided.

    >>> blocks_needed(2.0, 35.6)
    3429
    """
    return math.ceil((_factor(alpha, beta) * spread / difference) ** 2)


def smallest_difference(error: float, alpha: float = 0.05, beta: float = 0.05) -> float:
    """Points a game that are found with probability 1 - beta, one-sided.

    >>> round(smallest_difference(35.6 / math.sqrt(3_429)), 1)
    2.0

    Args:
        error: standard error of the difference, in points a game.
        alpha: chance to find what is not there.
        beta: chance to miss it.
    """
    return _factor(alpha, beta) * error


def worst_error(games: Games, weights: Sequence[float], entries: int, luck: Luck) -> float | None:
    """Standard error of the difference of the two entries that are compared worst.

    Args:
        games: who meets whom; points do not matter.
        weights: for how many boards each of their boards stands.
        entries: the first so many bots are looked at.
        luck: what games share.

    Returns:
        Points a game by typical spreads; None where the games do not connect all bots.
    """
    sums = board_sums(games, luck)
    matrix = sums.matrix(np.array([weights]))[0]
    if np.linalg.matrix_rank(matrix) < len(matrix):
        return None
    free = np.linalg.inv(matrix)[: games.bots - 1, : games.bots - 1]
    coded = np.vstack([np.eye(games.bots - 1), -np.ones(games.bots - 1)])[:entries]
    covariance = coded @ free @ coded.T
    own = np.diag(covariance)
    widest = float(np.max(own[:, None] + own - 2 * covariance))
    rest = _REST_OF_A_GAME if luck is Luck.BOARD else SPREAD_AT_ONE_SEAT
    return rest * math.sqrt(max(widest, 0.0))


def _factor(alpha: float, beta: float) -> float:
    return _NORMAL.inv_cdf(1 - alpha) + _NORMAL.inv_cdf(1 - beta)
