"""Strengths of bots from one joint model: points = board + seat + bot + rest.

Boards are fixed effects and drop out by subtracting each board's mean, so what is left of a board
is a small matrix and a vector. They add up to the normal equations, and a bootstrap over boards
only has to add them up with other weights (competition guide, section 3.5). Who sat where decides
the matrix, so the boards of a match share one: a large event would not fit into memory otherwise.

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
    """One for each way to sit, shape (ways, parameters, parameters)."""
    ways: Ints
    """How everybody sat at each board, shape (boards,)."""
    vectors: Floats
    """Shape (boards, parameters)."""
    bots: int
    seats: int

    def matrix(self, weights: Floats) -> Floats:
        """Sums of the matrices for some weights of the boards.

        Args:
            weights: shape (samples, boards).

        Returns:
            Shape (samples, parameters, parameters).
        """
        order = np.argsort(self.ways, kind="stable")
        starts = np.searchsorted(self.ways[order], np.arange(len(self.matrices)))
        by_way = np.add.reduceat(weights[:, order], starts, axis=1)
        return np.asarray(np.tensordot(by_way, self.matrices, axes=1))

    def solve(self, weights: Floats) -> Floats:
        """Parameters for some weights of the boards.

        Args:
            weights: shape (samples, boards), not negative.

        Returns:
            Shape (samples, parameters); NaN where the boards of a sample do not tell all bots
            apart.
        """
        matrices = self.matrix(weights)
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
        scores = self.sums.vectors - (self.sums.matrices @ self.parameters)[self.sums.ways]
        inverse = np.linalg.inv(self.sums.matrix(np.ones((1, len(scores))))[0])
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
    parts, ways = _ways_to_sit(games)
    matrices = np.stack([_matrix(games, part, luck) for part in parts])
    group = games.deal if luck is Luck.BOARD else games.deal * games.seats + games.seat
    count = np.bincount(group)
    points = games.points - (np.bincount(group, games.points) / np.maximum(count, 1))[group]
    vectors = _coded_sums(games, games.bot, games.bots, points)
    if luck is Luck.BOARD:
        vectors = np.hstack([vectors, _coded_sums(games, games.seat, games.seats, points)])
    return BoardSums(matrices, ways, vectors, games.bots, games.seats)


def _ways_to_sit(games: Games) -> tuple[list[Ints], Ints]:
    """The rows of one board for each way to sit, and the way of every board."""
    places = games.bot * games.seats + games.seat
    order = np.lexsort((places, games.deal))
    ends = np.cumsum(np.bincount(games.deal, minlength=games.deals))[:-1]
    found: dict[bytes, int] = {}
    parts: list[Ints] = []
    ways = np.empty(games.deals, dtype=np.int64)
    for board, part in enumerate(np.split(order, ends)):
        way = found.setdefault(places[part].tobytes(), len(found))
        if way == len(parts):
            parts.append(part)
        ways[board] = way
    return parts, ways


def _matrix(games: Games, rows: Ints, luck: Luck) -> Floats:
    """What one board adds to the matrix of the normal equations."""
    bots = _coded(games.bot[rows], games.bots)
    if luck is Luck.BOARD:
        design = np.hstack([bots, _coded(games.seat[rows], games.seats)])
        group = np.zeros(len(rows), dtype=np.int64)
    else:
        design, group = bots, games.seat[rows]
    within = design - _group_means(design, group)
    return np.asarray(within.T @ within)


def _coded_sums(games: Games, numbers: Ints, levels: int, points: Floats) -> Floats:
    """Sums of points over each board's rows of a level, in the coding of `_coded`."""
    cells = games.deal * levels + numbers
    sums = np.bincount(cells, points, minlength=games.deals * levels).reshape(-1, levels)
    return np.asarray(sums[:, :-1] - sums[:, -1:])


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
