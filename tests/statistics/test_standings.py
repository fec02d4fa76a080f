"""Standings and their intervals (competition guide 3.5)."""

from __future__ import annotations

import numpy as np
import pytest

from skat_server.statistics.standings import Standings, standings
from tests.statistics.coverage import EVENTS, coverage
from tests.statistics.events import World, play

SOME = 160
"""Events of the quick check; `make stats-check` plays 2,000."""


def table(strengths: list[float], boards: int = 60, seed: int = 1) -> Standings:
    """The standings of one event of three bots."""
    games = play(World(strengths), [(0, 1, 2)], boards, np.random.default_rng(seed))
    return standings(games, np.random.default_rng(0), draws=400)


def test_the_same_games_give_the_same_table() -> None:
    first, again = table([3.0, 0.0, -3.0]), table([3.0, 0.0, -3.0])
    assert first.rows == again.rows
    assert np.array_equal(first.superiority, again.superiority)


def test_the_best_stands_first() -> None:
    rows = table([-30.0, 0.0, 30.0]).rows
    assert [row.bot for row in rows] == [2, 1, 0]
    assert [row.place for row in rows] == [1, 2, 3]


def test_what_is_clear_leaves_one_place() -> None:
    rows = table([-60.0, 0.0, 60.0], boards=200).rows
    assert [(row.best_place, row.worst_place) for row in rows] == [(1, 1), (2, 2), (3, 3)]


def test_what_is_open_leaves_all_places() -> None:
    rows = table([0.0, 0.0, 0.0], boards=20).rows
    assert {(row.best_place, row.worst_place) for row in rows} == {(1, 3)}


def test_superiority_adds_up() -> None:
    matrix = table([3.0, 0.0, -3.0]).superiority
    assert matrix + matrix.T == pytest.approx(np.ones((3, 3)))
    assert matrix[0, 2] > 0.5


def test_bots_that_play_alike_share_a_place_for_certain() -> None:
    """Equal deterministic bots give zero variance (competition guide 3.2, iv)."""
    games = play(World([0.0] * 3, surprise=0.0), [(0, 1, 2)], 10, np.random.default_rng(4))
    table = standings(games, np.random.default_rng(0), draws=100)
    assert [(row.bot, row.place, row.best_place, row.worst_place) for row in table.rows] == [
        (0, 1, 1, 3),
        (1, 1, 1, 3),
        (2, 1, 1, 3),
    ]
    assert all(row.high - row.low < 1e-6 for row in table.rows)
    assert table.superiority == pytest.approx(np.full((3, 3), 0.5))


def test_boards_on_which_all_hangs_are_not_taken_for_certain() -> None:
    """Only draws with each of these boards can be solved, and those all say the same."""
    triples = [(0, 1, bot) for bot in range(2, 10)]
    games = play(World([0.0] * 10), triples, 1, np.random.default_rng(4))
    with pytest.raises(ValueError, match="have to meet again"):
        standings(games, np.random.default_rng(0), draws=200)


@pytest.mark.parametrize("name", list(EVENTS))
def test_intervals_hold_as_often_as_they_say(name: str) -> None:
    """95 per cent, and not much more: 2.6 standard deviations of this many events."""
    seen = coverage(EVENTS[name], SOME, draws=300)
    assert 0.90 <= seen.simultaneous <= 1.0
    assert seen.contrast == pytest.approx(0.95, abs=0.045)
