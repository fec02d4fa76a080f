"""Synthetic events with a known truth.

Points of a game are strength + seat + luck of the cards, which every rotation of a board shares,
and a rest that is mostly nothing and now and then a lot, as in Skat: most replays of a board
come to the same, and some to a game won instead of lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from skat_server.statistics.games import Game, Games, games_of

SEAT_EFFECTS = (4.0, -1.0, -3.0)
ROTATIONS = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


@dataclass(frozen=True)
class World:
    """What is true."""

    strengths: Sequence[float]
    """Points a game of every bot."""
    surprise: float = 0.25
    """How often a bot makes something else of its cards than the others."""
    swing: float = 90.0
    """How much that brings or costs, in points."""
    luck: float = 60.0
    """Spread of what the cards of a board bring to a seat."""
    interaction: float = 0.0
    """Spread of what a bot makes of a board beyond its strength."""

    @property
    def truth(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Strengths against the average of the field."""
        strengths = np.asarray(self.strengths, dtype=np.float64)
        return np.asarray(strengths - strengths.mean())


def play(
    world: World, triples: Sequence[tuple[int, int, int]], boards: int, chance: np.random.Generator
) -> Games:
    """Play every triple on so many boards of its own, in three rotations, cyclic order changing."""
    games: list[Game] = []
    number = 0
    for triple in triples:
        for board in range(boards):
            order = triple if board % 2 == 0 else (triple[0], triple[2], triple[1])
            luck = chance.normal(0.0, world.luck, size=3)
            liking = chance.normal(0.0, world.interaction, size=len(world.strengths))
            games += [
                _game(world, number, order, rotation, luck, liking, chance)
                for rotation in ROTATIONS
            ]
            number += 1
    return games_of(games, len(world.strengths))


def play_once(
    world: World,
    rounds: Sequence[Sequence[tuple[int, int, int]]],
    boards: int,
    chance: np.random.Generator,
) -> Games:
    """Play rounds of so many boards, each board at all tables and once at each."""
    games: list[Game] = []
    for number in range(len(rounds) * boards):
        tables, rotation = rounds[number // boards], ROTATIONS[number % 3]
        luck = chance.normal(0.0, world.luck, size=3)
        liking = chance.normal(0.0, world.interaction, size=len(world.strengths))
        games += [_game(world, number, table, rotation, luck, liking, chance) for table in tables]
    return games_of(games, len(world.strengths))


def _game(  # noqa: PLR0913, PLR0917  # a game has many sides
    world: World,
    number: int,
    order: tuple[int, int, int],
    rotation: tuple[int, int, int],
    luck: np.ndarray[tuple[int], np.dtype[np.float64]],
    liking: np.ndarray[tuple[int], np.dtype[np.float64]],
    chance: np.random.Generator,
) -> Game:
    bots = tuple(order[place] for place in rotation)
    swings = np.where(chance.random(3) < world.surprise, chance.standard_t(4, size=3), 0.0)
    points = [
        world.strengths[bot]
        + SEAT_EFFECTS[seat]
        + luck[seat]
        + liking[bot]
        + world.swing * swings[seat]
        for seat, bot in enumerate(bots)
    ]
    return Game(number, (bots[0], bots[1], bots[2]), (points[0], points[1], points[2]))
