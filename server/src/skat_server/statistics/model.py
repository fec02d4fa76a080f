"""Strengths of bots from one joint model: points = board + seat + bot + rest.

Boards are fixed effects and drop out by subtracting each board's mean, so what is left of a board
is a small matrix and a vector. They add up to the normal equations, and a bootstrap over boards
only has to add them up with other weights (competition guide, section 3.5).

Where every entry meets a board from one seat only (exposure `once`), the same seat of the other
tables is what it is compared with: then each seat of a board has a mean of its own.

Effects of bots sum to zero, and so do effects of seats: a strength is points a game against the
average of the field.
"""

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np

from skat_server.statistics.games import Floats, Games, Ints


class Luck(Enum):
    """What games share that has to drop out."""

    BOARD = "board"
    """The board: rotations, where everybody had every seat of it."""
    BOARD_AND_SEAT = "board_and_seat"
    """Each seat of the board: many tables, where everybody had one."""


@dataclass(frozen=True)
class BoardSums:
    """What every board says: the parts of the normal equations."""

    matrices: Floats
    """Shape (boards, parameters, parameters)."""
    vectors: Floats
    """Shape (boards, parameters)."""
    bots: int
    seats: int

    def solve(self, weights: Floats) -> Floats:
        """Parameters for some weights of the boards.

        Args:
            weights: shape (samples, boards), not negative.

        Returns:
            Shape (samples, parameters); NaN where the boards of a sample do not tell all bots
            apart.
        """
        matrices = np.tensordot(weights, self.matrices, axes=1)
        vectors = weights @ self.vectors
        well = np.linalg.matrix_rank(matrices) == matrices.shape[-1]
        solved = np.full(vectors.shape, np.nan)
        if well.any():
            solved[well] = np.linalg.solve(matrices[well], vectors[well, :, None])[..., 0]
        return solved

    def effects(self, parameters: Floats) -> Floats:
        """Effects of the bots, which sum to zero, from parameters; the last axis changes."""
        free = parameters[..., : self.bots - 1]
        return np.concatenate([free, -free.sum(axis=-1, keepdims=True)], axis=-1)


@dataclass(frozen=True)
class Fit:
    """The fitted model.

    Attributes:
        sums: what every board says.
        parameters: shape (parameters,).
    """

    sums: BoardSums
    parameters: Floats

    @cached_property
    def strengths(self) -> Floats:
        """Points a game of every bot against the average of the field, shape (bots,)."""
        return self.sums.effects(self.parameters)

    @cached_property
    def seat_effects(self) -> Floats:
        """Points a game of forehand, middlehand, rearhand and so on against their average.

        Zero where seats have dropped out with the boards.
        """
        free = self.parameters[self.sums.bots - 1 :]
        return np.append(free, -free.sum()) if len(free) else np.zeros(self.sums.seats)

    @cached_property
    def covariance(self) -> Floats:
        """Of the strengths, robust against whatever ties games on one board together.

        Shape (bots, bots); the sandwich estimate with the correction for few boards.
        """
        scores = self.sums.vectors - self.sums.matrices @ self.parameters
        inverse = np.linalg.inv(self.sums.matrices.sum(axis=0))
        boards = len(scores)
        meat = scores.T @ scores * (boards / max(boards - 1, 1))
        whole = inverse @ meat @ inverse
        bots = self.sums.bots
        to_effects = np.vstack([np.eye(bots - 1), -np.ones(bots - 1)])
        return np.asarray(to_effects @ whole[: bots - 1, : bots - 1] @ to_effects.T)

    def contrast(self, first: int, second: int) -> tuple[float, float]:
        """How many points a game one bot is better than another, and the standard error."""
        c = self.covariance
        variance = c[first, first] + c[second, second] - 2 * c[first, second]
        return (
            float(self.strengths[first] - self.strengths[second]),
            float(np.sqrt(max(variance, 0.0))),
        )


def board_sums(games: Games, luck: Luck = Luck.BOARD) -> BoardSums:
    """The normal equations of every board."""
    if luck is Luck.BOARD:
        design, group = np.hstack([_bots(games), _coded(games.seat, games.seats)]), games.deal
    else:
        design, group = _bots(games), games.deal * games.seats + games.seat
    within = design - _group_means(design, group)
    points = games.points - _group_means(games.points[:, None], group)[:, 0]
    columns = design.shape[1]
    matrices = np.zeros((games.deals, columns, columns))
    np.add.at(matrices, games.deal, within[:, :, None] * within[:, None, :])
    vectors = np.zeros((games.deals, columns))
    np.add.at(vectors, games.deal, within * points[:, None])
    return BoardSums(matrices, vectors, games.bots, games.seats)


def fit(games: Games, luck: Luck = Luck.BOARD) -> Fit:
    """Fit the model.

    Raises:
        ValueError: the boards do not tell all bots apart, as when two of them never met.
    """
    sums = board_sums(games, luck)
    parameters = sums.solve(np.ones((1, games.deals)))[0]
    if np.isnan(parameters).any():
        raise ValueError("the games do not connect all bots; some of them have to meet first")
    return Fit(sums, parameters)


def _bots(games: Games) -> Floats:
    return _coded(games.bot, games.bots)


def _coded(numbers: Ints, levels: int) -> Floats:
    """Columns of effects that sum to zero: the last level is minus all others."""
    codes = np.vstack([np.eye(levels - 1), -np.ones(levels - 1)])
    return np.asarray(codes[numbers])


def _group_means(columns: Floats, group: Ints) -> Floats:
    """The mean of each row's group, in the shape of the columns."""
    total = np.zeros((int(group.max()) + 1, columns.shape[1]))
    np.add.at(total, group, columns)
    size = np.bincount(group, minlength=len(total))
    return np.asarray((total / np.maximum(size, 1)[:, None])[group])
