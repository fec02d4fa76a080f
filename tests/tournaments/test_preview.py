"""What an event costs and what it can find out (competition guide 3.3)."""

from __future__ import annotations

import pytest

from skat_server.statistics.power import SPREAD_OF_A_BLOCK
from skat_server.tournaments.config import parse_config
from skat_server.tournaments.preview import Preview, preview


def of(form: str, entries: int, more: str = "") -> Preview:
    """The preview of a format for so many entries."""
    return preview(parse_config(f'name = "Cup"\n[format]\n{form}\n{more}'), entries)


def test_one_match_finds_what_the_formula_says() -> None:
    """3.29 sigma over the root of the blocks."""
    found = of('kind = "round_robin"\nboards = 50', 3)
    assert (found.games, found.blocks_of_a_pair) == (300, 100)
    assert found.smallest_difference == pytest.approx(3.2897 * SPREAD_OF_A_BLOCK / 10, rel=1e-3)


def test_four_times_the_boards_find_half_the_difference() -> None:
    few = of('kind = "swiss"\nrounds = 4\nboards = 10', 9).smallest_difference
    many = of('kind = "swiss"\nrounds = 4\nboards = 40', 9).smallest_difference
    assert few is not None
    assert many == pytest.approx(few / 2)


@pytest.mark.parametrize("entries", [4, 6])
def test_challengers_are_compared_over_the_references(entries: int) -> None:
    """R13: they never meet, and the joint model compares them."""
    found = of('kind = "gauntlet"\nboards = 30', entries)
    assert found.blocks_of_a_pair == 0
    assert found.smallest_difference is not None


def test_tables_that_never_mix_compare_nobody() -> None:
    assert of('kind = "lists"\nrounds = 1', 6).smallest_difference is None


def test_once_takes_more_boards_than_rotations() -> None:
    """Both kinds of exposure, for as many games (competition guide 5)."""
    rotations = of('kind = "swiss"\nrounds = 4\nboards = 10', 9)
    once = of('kind = "once"\nrounds = 4\nboards = 30', 9)
    assert rotations.games == once.games
    assert rotations.smallest_difference is not None
    assert once.smallest_difference is not None
    assert once.smallest_difference > rotations.smallest_difference


@pytest.mark.parametrize(("both_roles", "blocks"), [("true", 1_218), ("false", 2_435)])
def test_a_sequential_test_costs_at_most_what_a_fixed_one_does(
    both_roles: str, blocks: int
) -> None:
    """About 2,500 A-B-B blocks find two points a game."""
    found = of(f'kind = "ab_test"\nboards = 10\nboth_roles = {both_roles}', 2)
    assert found.blocks_of_a_pair == blocks
    assert found.smallest_difference == pytest.approx(2.0, rel=1e-2)


def test_a_cap_bounds_what_a_test_costs() -> None:
    found = of('kind = "ab_test"\nboards = 10', 2, "[stop]\nmost_blocks = 100")
    assert (found.blocks_of_a_pair, found.matches) == (100, 10)


def test_a_bystander_is_nobody_to_be_compared() -> None:
    """The house bot of a knock-out sits in only where one is missing."""
    found = of('kind = "knock_out"\nboards = 10', 9)
    assert found.house_bots == 1
    assert found.smallest_difference is not None
