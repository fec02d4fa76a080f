"""How strong the bundled bots are, over duplicate deals on the rules engine.

The engine refuses whatever is not an option, so every deal played here also shows that the
bots answer with options only.
"""

from collections.abc import Sequence

import pytest

import skat_engine as engine
from bench.bot_deals import play_deal
from bench.bots import Tally, per_list, play_blocks, table
from skat_client.bots import BOTS

DEALS = 60
RULES = engine.preset("isko")


@pytest.fixture(scope="module")
def against_random() -> tuple[Tally, ...]:
    return play_blocks(["rules", "random", "random"], DEALS, seed=11)


@pytest.fixture(scope="module")
def among_themselves() -> tuple[Tally, ...]:
    return play_blocks(["rules", "rules", "rules"], DEALS, seed=12)


def share_won(tallies: Sequence[Tally]) -> float:
    return sum(tally.won for tally in tallies) / sum(tally.declared for tally in tallies)


def test_rules_beats_random_by_far(against_random: tuple[Tally, ...]) -> None:
    lead = per_list(against_random[0].leads)
    assert lead.mean > 1000
    assert lead.mean > 5 * lead.error


def test_rules_beats_first_option_by_far() -> None:
    lead = per_list(play_blocks(["rules", "first-option", "random"], 30, seed=13)[0].leads)
    assert lead.mean > 5 * lead.error


def test_rules_wins_most_of_its_games(among_themselves: tuple[Tally, ...]) -> None:
    assert share_won(among_themselves) > 0.65


def test_rules_plays_most_deals(among_themselves: tuple[Tally, ...]) -> None:
    declared = sum(tally.declared for tally in among_themselves)
    assert declared > 0.6 * 3 * DEALS


def test_random_plays_about_half_of_the_deals() -> None:
    tallies = play_blocks(["random"] * 3, DEALS, seed=14)
    share = sum(tally.declared for tally in tallies) / (3 * DEALS)
    assert share == pytest.approx(0.5, abs=0.15)


def test_first_option_never_declares() -> None:
    tallies = play_blocks(["first-option"] * 3, 5, seed=15)
    assert [tally.declared for tally in tallies] == [0, 0, 0]


def test_a_seed_makes_play_repeat_itself() -> None:
    runs = [play_blocks(["rules", "random", "random"], 5, seed=16) for _ in range(2)]
    first, second = ([tally.blocks for tally in run] for run in runs)
    assert first == second


@pytest.mark.parametrize("number", range(10))
def test_a_bot_in_every_seat_ends_the_deal(number: int) -> None:
    dealt = engine.deal_from_seed(engine.deal_seed(bytes(32), number))
    bots = [BOTS[name](number) for name in ("rules", "random", "first-option")]
    assert sum(play_deal(dealt, bots, rules=RULES).tricks) in range(11)


def test_the_table_names_every_bot(against_random: tuple[Tally, ...]) -> None:
    text = table(against_random, DEALS)
    assert [line.split()[0] for line in text.splitlines()[2:]] == ["rules", "random", "random"]
