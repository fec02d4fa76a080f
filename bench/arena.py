"""Measures the arena: deals without a network, by themselves, with bots, and as an environment.

Prints one line of JSON; rates are deals per second of processor time, medians of the rounds.

- `plain`: the table alone, legal actions by chance; `plain_recorded`: the same with records.
- `bots`: three bundled random bots at one table, each told what its seat may know.
- `batched`: one bot answers for all seats of 64 tables in step.
- `environment`: the PettingZoo environment, every step observed.

    python -m bench.arena [--deals 600] [--rounds 5] [--seed 1]
"""

import argparse
import json
import platform
import random
import statistics
import time
from collections.abc import Callable, Sequence

import numpy as np

from skat_arena import ArenaTable
from skat_arena.env import SkatEnv
from skat_arena.playing import Player, play
from skat_client import Action, DecisionAsked
from skat_client.bots import BOTS
from skat_engine import Action as EngineAction
from skat_engine import GiveUp, LayOpen, RuleSet, preset

TABLES = 64
INTERVENTIONS = frozenset({GiveUp, LayOpen})


def rules_of(deals: int) -> RuleSet:
    """The official rules, with series of so many deals."""
    return preset("isko", {"session_deals": deals})


def seed_of(number: int) -> bytes:
    """A table's seed."""
    return number.to_bytes(32, "big")


def play_plain(deals: int, seed: int, *, recorded: bool = False) -> None:
    """Take legal actions by chance; nobody gives up or lays open."""
    number, lines = random.Random(seed).random, list[str]()
    keep = lines.append if recorded else None
    for series in range(max(1, deals // 36)):
        table = ArenaTable(rules_of(36), seed_of(seed + series), on_record=keep)
        while not table.is_over:
            table.start_deal()
            while table.deal is not None:
                table.act(_pick(table.legal, number))


def _pick(legal: Sequence[EngineAction], number: Callable[[], float]) -> EngineAction:
    while True:
        action = legal[int(number() * len(legal))]
        if type(action) not in INTERVENTIONS:
            return action


class Chance:
    """Answers lists as the bundled random bot answers one decision after the other."""

    def __init__(self, seed: int) -> None:
        """Make the bot within."""
        self._bot = BOTS["random"](seed)

    def decide_batch(self, asked: Sequence[DecisionAsked]) -> Sequence[Action]:
        """Answer them all."""
        return [self._bot.decide(one.decision, one.sight) for one in asked]  # type: ignore[misc]


def play_bots(deals: int, seed: int) -> None:
    """Three bots at one table."""
    bots: list[Player] = [BOTS["random"](seed + seat) for seat in range(3)]
    play(bots, [ArenaTable(rules_of(deals), seed_of(seed))])


def play_batched(deals: int, seed: int) -> None:
    """One bot at many tables."""
    rules = rules_of(max(1, deals // TABLES))
    bot = Chance(seed)
    tables = [ArenaTable(rules, seed_of(seed + n), table_id=f"t{n}") for n in range(TABLES)]
    play([bot, bot, bot], tables)


def play_environment(deals: int, seed: int) -> None:
    """Episodes of one deal, with legal actions by chance."""
    number = random.Random(seed).random
    skat = SkatEnv(rules_of(36), interventions=False)
    for episode in range(deals):
        skat.reset(seed=seed + episode)
        while not skat.terminations["seat_0"]:
            legal = np.flatnonzero(skat.observe(skat.agent_selection)["action_mask"])
            skat.step(int(legal[int(number() * len(legal))]))


def rate(work: Callable[[int, int], None], deals: int, rounds: int, seed: int) -> int:
    """Deals per second of processor time."""
    taken = []
    for turn in range(rounds):
        start = time.process_time()
        work(deals, seed + 1000 * turn)
        taken.append(time.process_time() - start)
    return round(deals / statistics.median(taken))


def measure(deals: int, rounds: int, seed: int) -> dict[str, int | str]:
    """Everything this script measures, by name."""
    return {
        "benchmark": "arena",
        "python": platform.python_version(),
        "deals": deals,
        "rounds": rounds,
        "plain": rate(play_plain, deals, rounds, seed),
        "plain_recorded": rate(lambda n, s: play_plain(n, s, recorded=True), deals, rounds, seed),
        "bots": rate(play_bots, deals, rounds, seed),
        "batched": rate(play_batched, deals, rounds, seed),
        "environment": rate(play_environment, deals, rounds, seed),
    }


def main() -> None:
    """Read the options, measure, and print the line."""
    parser = argparse.ArgumentParser(description="measure the arena")
    parser.add_argument("--deals", type=int, default=576, help="deals in each round")
    parser.add_argument("--rounds", type=int, default=5, help="rounds to take the median of")
    parser.add_argument("--seed", type=int, default=1, help="which deals and choices")
    options = parser.parse_args()
    print(json.dumps(measure(options.deals, options.rounds, options.seed)))


if __name__ == "__main__":
    main()
