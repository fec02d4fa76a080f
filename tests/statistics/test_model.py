"""The joint model of strengths (R13, competition guide 3.5)."""

from __future__ import annotations

import numpy as np
import pytest

from skat_server.statistics.games import Game, Games, block_differences, games_of
from skat_server.statistics.model import Luck, board_sums, fit
from tests.statistics.events import SEAT_EFFECTS, World, play

ABC = [(0, 1, 2)]


def exact(strengths: list[float], triples: list[tuple[int, int, int]]) -> Games:
    """Games without surprises: strength, seat and luck add up."""
    return play(World(strengths, surprise=0.0), triples, 6, np.random.default_rng(1))


def test_one_rotation_block_gives_the_mean_difference() -> None:
    """R12: for one block the contrast is just the difference of the means."""
    games = play(World([3.0, 0.0, -3.0]), ABC, 40, np.random.default_rng(2))
    blocks = block_differences(games, 0, 1)
    assert fit(games).contrast(0, 1)[0] == pytest.approx(blocks.mean())


def test_the_error_of_a_rotation_block_is_that_of_its_blocks() -> None:
    games = play(World([3.0, 0.0, -3.0]), ABC, 40, np.random.default_rng(2))
    blocks = block_differences(games, 0, 1)
    plain = blocks.std(ddof=1) / np.sqrt(len(blocks))
    assert fit(games).contrast(0, 1)[1] == pytest.approx(plain, rel=1e-6)


def test_additive_effects_are_found_exactly() -> None:
    """Luck and seat drop out of a block, whoever had them (competition guide 3.2)."""
    assert fit(exact([5.0, 1.0, -6.0], ABC)).strengths == pytest.approx([5.0, 1.0, -6.0])


def test_seats_have_effects_of_their_own() -> None:
    """The advantage of forehand is estimated and published (competition guide 3.5)."""
    fair = World([5.0, 1.0, -6.0], surprise=0.0, luck=0.0)
    fitted = fit(play(fair, ABC, 6, np.random.default_rng(1)))
    assert fitted.seat_effects == pytest.approx(SEAT_EFFECTS)


def test_strengths_are_compared_over_opponents_that_never_met() -> None:
    """R13: a gauntlet takes the strength of the opposition into account."""
    fitted = fit(exact([8.0, 0.0, 4.0, -4.0, -8.0], [(0, 1, 2), (2, 3, 4)]))
    assert fitted.strengths == pytest.approx([8.0, 0.0, 4.0, -4.0, -8.0])


def test_bots_that_cannot_be_compared_are_refused() -> None:
    with pytest.raises(ValueError, match="have to meet"):
        fit(exact([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [(0, 1, 2), (3, 4, 5)]))


def test_no_games_are_refused() -> None:
    with pytest.raises(ValueError, match="no games"):
        games_of([], 3)


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(ValueError, match="0 to 1"):
        games_of([Game(0, (0, 1, 2), (0, 0, 0))], 2)


def test_two_bots_are_told_apart_by_blocks_of_a_b_b() -> None:
    """A-B-B and B-A-A blocks: only two bots are needed (competition guide 3.2)."""
    triples = [(0, 1, 1), (1, 0, 0)]
    fitted = fit(exact([3.0, -3.0], triples))
    assert fitted.strengths == pytest.approx([3.0, -3.0])


def test_the_error_takes_boards_not_games_as_the_unit() -> None:
    """One board at many tables: games are not independent (competition guide 3.2, iii)."""
    world = World([0.0, 0.0, 0.0], surprise=0.0, interaction=30.0)
    chance = np.random.default_rng(3)
    once = play(world, ABC, 60, chance)
    deals = np.tile(once.deal, 4)
    copies = Games(
        deals,
        np.tile(once.bot, 4),
        np.tile(once.seat, 4),
        np.tile(once.points, 4),
        once.bots,
        once.deals,
        once.seats,
    )
    assert fit(copies).contrast(0, 1)[1] == pytest.approx(fit(once).contrast(0, 1)[1])


def test_boards_on_which_everybody_sits_alike_share_a_matrix() -> None:
    """A large event fits into memory, and says the same of every board."""
    games = play(World([3.0, 0.0, -3.0, 0.0]), [(0, 1, 2), (1, 2, 3)], 20, np.random.default_rng(2))
    sums = board_sums(games)
    assert len(sums.matrices) == 2
    for board in range(games.deals):
        mine = games.deal == board
        alone = board_sums(
            Games(
                games.deal[mine] * 0, games.bot[mine], games.seat[mine], games.points[mine], 4, 1, 3
            )
        )
        assert sums.matrices[sums.ways[board]] == pytest.approx(alone.matrices[0])
        assert sums.vectors[board] == pytest.approx(alone.vectors[0])


def test_one_seat_of_a_board_is_compared_with_that_seat_elsewhere() -> None:
    """Exposure `once`: the same boards at many tables, everybody there once."""
    chance, strengths = np.random.default_rng(9), [5.0, 3.0, 1.0, -1.0, -3.0, -5.0]
    games: list[Game] = []
    for board in range(40):
        luck, seats = chance.normal(0.0, 60.0, 3), chance.permutation(6).tolist()
        for trio in ((seats[0], seats[1], seats[2]), (seats[3], seats[4], seats[5])):
            points = [strengths[bot] + luck[place] for place, bot in enumerate(trio)]
            games.append(Game(board, trio, (points[0], points[1], points[2])))
    fitted = fit(games_of(games, 6), Luck.BOARD_AND_SEAT)
    assert fitted.strengths == pytest.approx(strengths)
    assert not fitted.seat_effects.any()


def test_lists_of_four_have_a_seat_that_sits_out() -> None:
    """Who deals at a table of four plays no card and may still get points."""
    seats, chance = (4.0, -1.0, -3.0, 8.0), np.random.default_rng(5)
    strengths = (3.0, 1.0, -1.0, -3.0)
    games = []
    for board in range(40):
        bots = tuple((board + step) % 4 for step in range(4))
        luck = chance.normal(0.0, 60.0)
        points = tuple(strengths[bot] + seats[seat] + luck for seat, bot in enumerate(bots))
        games.append(Game(board, bots, points))
    fitted = fit(games_of(games, 4))
    assert fitted.strengths == pytest.approx(strengths)
    assert fitted.seat_effects == pytest.approx(np.array(seats) - np.mean(seats))


def test_tables_of_three_and_four_do_not_mix() -> None:
    games = [Game(0, (0, 1, 2), (0, 0, 0)), Game(1, (0, 1, 2, 3), (0, 0, 0, 0))]
    with pytest.raises(ValueError, match="equally many seats"):
        games_of(games, 4)
