"""The environment for training: PettingZoo's own tests, and what an agent may not see."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from math import nan
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test.api_test import api_test
from pettingzoo.test.seed_test import seed_test

from skat_arena import ArenaTable, Speller
from skat_arena.codes import ACTION_COUNT
from skat_arena.encoding import LAYOUT, OBSERVATION_SIZE, PLANES, SCALARS, observe
from skat_arena.env import SkatEnv, env
from skat_engine import CardSet, Dealt, GiveUp, LayOpen, Phase, preset
from tests.arena.random_play import ALL_PRESETS, pick, rules_of

SEED = bytes(range(32))
EPISODES = 40

# What api_test says of every environment whose observations come with a mask of actions.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Observation space for each agent:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation numpy array is all zeros:UserWarning",
)


@pytest.mark.parametrize("name", ALL_PRESETS)
def test_it_passes_the_test_of_pettingzoo(name: str) -> None:
    api_test(env(rules=name, deals=2), num_cycles=300)  # type: ignore[no-untyped-call]


def test_it_passes_the_test_of_seeds() -> None:
    seed_test(lambda: env(deals=2), num_cycles=300)  # type: ignore[no-untyped-call]


def steps(skat: SkatEnv, seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """An episode by chance: who is asked, and what it sees, before each step."""
    chance = Random(seed)
    skat.reset(seed=seed)
    while not all(skat.terminations.values()):
        agent = skat.agent_selection
        seen = skat.observe(agent)
        yield agent, seen
        skat.step(chance.choice(np.flatnonzero(seen["action_mask"]).tolist()))


def test_rewards_are_what_deals_add_to_the_sheet() -> None:
    skat, told = SkatEnv("isko", deals=3), []
    for seed in range(EPISODES):
        rewards = dict.fromkeys(skat.possible_agents, 0.0)
        for _ in steps(skat, seed):
            pass
        for _ in range(3):  # every agent takes its last, empty step
            agent = skat.agent_selection
            rewards[agent] = skat.last(observe=False)[1]
            skat.step(None)
        assert not skat.agents
        told.append((rewards, skat.table))
    finals = [
        (rewards["seat_0"], table.booking.changes[0]) for rewards, table in told if table.booking
    ]
    assert len(finals) == EPISODES
    assert any(points for _, points in finals)
    assert all(reward == points for reward, points in finals)


def test_the_sum_of_rewards_is_the_total() -> None:
    skat = SkatEnv("isko", deals=5)
    sums = np.zeros(3)
    for _ in steps(skat, 4):
        sums += list(skat.rewards.values())
    sums += list(skat.rewards.values())
    assert tuple(sums) == skat.table.totals


def test_nobody_else_is_asked_anything() -> None:
    skat = SkatEnv("isko")
    for agent, seen in steps(skat, 1):
        assert seen["action_mask"].any()
        for other in set(skat.agents) - {agent}:
            assert not skat.observe(other)["action_mask"].any()


def test_without_interventions_nobody_gives_up() -> None:
    skat = SkatEnv("isko", deals=8, interventions=False)
    for seed in range(10):
        for _ in steps(skat, seed):
            taken = [action for _, action in skat.table.actions]
            assert not any(isinstance(action, GiveUp | LayOpen) for action in taken)


def test_all_seats_deal_first_in_their_turn() -> None:
    skat, dealers = SkatEnv("isko"), set()
    for seed in range(30):
        skat.reset(seed=seed)
        dealers.add(skat.table.seating.dealer)
    assert dealers == {0, 1, 2}


def test_episodes_go_on_by_chance_after_one_seed() -> None:
    def hands() -> list[bytes]:
        skat, seen = SkatEnv(), []
        skat.reset(seed=1)
        for _ in range(3):
            seen.append(skat.observe("seat_0")["observation"].tobytes())
            skat.reset()
        return seen

    assert hands() == hands()
    assert len(set(hands())) == 3


def test_four_seats_are_refused() -> None:
    with pytest.raises(ValueError, match="3 seats"):
        SkatEnv(preset("isko", {"seats": 4}))


def test_an_episode_without_deals_is_refused() -> None:
    with pytest.raises(ValueError, match="take 1 or more"):
        SkatEnv(deals=0)


@pytest.mark.parametrize("deals", [1.5, nan, "3", None, True])
def test_what_is_no_number_of_deals_is_refused(deals: Any) -> None:
    with pytest.raises(TypeError, match="deals are a whole number, not"):
        env(deals=deals)


@pytest.mark.parametrize("rules", [None, 5])
def test_what_are_no_rules_is_refused(rules: Any) -> None:
    with pytest.raises(TypeError, match=r"is no rule set; write preset\('isko'\)"):
        env(rules=rules)


@pytest.mark.parametrize(
    ("action", "error", "says"),
    [
        (95, ValueError, r"action 95 \(hold\) is not legal now; take one of 32 \(18\), 33 \(20\)"),
        (500, ValueError, r"action 500 \(nothing\) is not legal"),
        (-1, ValueError, r"action -1 \(nothing\) is not legal"),
        (32.5, TypeError, r"action 32.5 is no whole number; take one of .*96 \(pass\)"),
        ("pass", TypeError, "action 'pass' is no whole number"),
        (None, TypeError, "action None is no whole number"),
    ],
)
def test_a_wrong_action_is_said_with_what_is_legal(
    action: Any, error: type[Exception], says: str
) -> None:
    skat = env()
    skat.reset(seed=1)
    with pytest.raises(error, match=says):
        skat.step(action)
    skat.step(96)


def test_what_cannot_be_rendered_is_refused() -> None:
    with pytest.raises(ValueError, match="'ansi' or None"):
        SkatEnv(render_mode="human")


def test_a_table_can_be_looked_at() -> None:
    skat = SkatEnv(render_mode="ansi")
    skat.reset(seed=1)
    shown = skat.render()
    assert shown is not None
    assert shown.splitlines()[0].startswith("bidding, seat")
    assert SkatEnv().render() is None


# ------------------------------------------------------------------------------ what is observed


def moments(name: str, deals: int = 25) -> Iterator[ArenaTable]:
    """A table at every moment of a series by chance."""
    table, chance = ArenaTable(rules_of(name, deals), SEED), Random(name)
    while not table.is_over:
        table.start_deal()
        while table.deal is not None:
            yield table
            table.act(pick(table.legal, chance))


@pytest.mark.parametrize("name", ALL_PRESETS)
def test_hidden_cards_change_nothing(name: str) -> None:
    """Whatever the others hold that lies not open: the observation is the same."""
    tried = 0
    for table in moments(name):
        for viewer in range(3):
            before = observe(table, table.seating.active[viewer])
            original = table.deal
            table.deal = disturbed(table, viewer)
            assert (observe(table, table.seating.active[viewer]) == before).all()
            table.deal = original
            tried += 1
    assert tried > 500


def disturbed(table: ArenaTable, viewer: int) -> Any:
    """The deal with other cards where the viewer cannot see them."""
    assert table.deal is not None
    deal = table.deal.copy()
    first, second = (position for position in range(3) if position != viewer)
    contract = deal.contract
    sees_declarer = deal.exposed
    sees_partner = deal.exposed and contract is not None and contract.revolution
    for other in (first, second):
        open_to_viewer = sees_declarer if other == deal.declarer else sees_partner
        if not open_to_viewer:
            deal.hands[other] = CardSet(0)
    knows_skat = viewer == deal.declarer and contract is not None and not contract.hand
    if not knows_skat:
        deal.skat = CardSet(3) if deal.skat else deal.skat
    own, rest = deal.dealt.hands[viewer], [1 << card for card in range(32)]
    hidden = [bit for bit in rest if not own & bit]
    others = [CardSet(sum(hidden[:10])), CardSet(sum(hidden[10:20]))]
    hands = [own if position == viewer else others.pop() for position in range(3)]
    deal.dealt = Dealt((hands[0], hands[1], hands[2]), CardSet(sum(hidden[20:])))
    return deal


def test_a_secret_question_is_not_seen() -> None:
    """What a defender asks the other one, the declarer does not learn (R-END-5)."""
    seen, place = 0, next(at for at, _, name in LAYOUT if name == "phase is play")
    for table in moments("proskat_pub", 150):
        deal = table.deal
        assert deal is not None
        if deal.proposal is None or deal.declarer is None:
            continue
        if deal.proposal.is_hidden_from(deal.declarer):
            seen += 1
            believed = observe(table, table.seating.active[deal.declarer])
            assert believed[place] == 1
    assert seen


def test_every_place_of_an_observation_is_told() -> None:
    places = [at + step for at, count, _ in LAYOUT for step in range(count)]
    assert places == list(range(OBSERVATION_SIZE))
    assert len(PLANES) * 32 + len(SCALARS) == OBSERVATION_SIZE


@pytest.mark.parametrize("name", ALL_PRESETS)
def test_all_numbers_are_shares(name: str) -> None:
    for table in moments(name):
        for seat in range(3):
            seen = observe(table, seat)
            assert seen.min() >= 0
            assert seen.max() <= 1


def test_every_place_is_used_by_some_preset() -> None:
    """A place that is always zero says nothing; only what is spelt needs a speller."""
    used = np.zeros(OBSERVATION_SIZE, bool)
    for name in ALL_PRESETS:
        for table in moments(name, 60):
            for seat in range(3):
                used |= observe(table, seat) != 0
    idle = {name for at, count, name in LAYOUT if not used[at : at + count].any()}
    assert idle <= {
        "named so far of the action that is being spelt",
        "the contract is only being spelt",
        "phase is deal_over",
        # Nobody plays one by chance within so few deals.
        "the other defender's cards that a Revolution has shown",
        "phase is rearrangement",
        "revolution",
        "re",
        "knocked",
        "asked to agree to schenken",
    }


def test_what_is_being_spelt_is_seen_by_its_speller() -> None:
    for table in moments("isko", 60):
        assert table.deal is not None
        if table.deal.phase is Phase.ANNOUNCE and table.deal.skat == 0:
            seat, speller = table.to_act, Speller()
            assert seat is not None
            plain = observe(table, seat, speller)
            speller.spell(table.legal, speller.codes(table.legal)[0])
            assert (observe(table, seat, speller) != plain).any()
            return
    pytest.fail("nobody has announced anything")


def test_the_mask_is_as_long_as_there_are_actions() -> None:
    skat = SkatEnv()
    skat.reset(seed=1)
    assert skat.observe(skat.agent_selection)["action_mask"].shape == (ACTION_COUNT,)


def test_a_training_process_loads_no_grpc() -> None:
    """It may be forked; a process with gRPC in it may not."""
    code = "import sys, skat_arena.env; sys.exit(any('grpc' in name for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
