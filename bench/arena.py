"""Measures the arena: deals without a network, by themselves, with bots, and as an environment.

Prints one line of JSON; rates are deals per second of processor time, medians of the rounds.

- `plain`: the table alone, legal actions by chance; `plain_recorded`: the same with records.
- `bots`: three bundled random bots at one table, each told what its seat may know.
- `batched`: one bot answers for all seats of 64 tables in step.
- `environment`: the PettingZoo environment, every step observed.

    python -m bench.arena [--deals 576] [--rounds 5] [--seed 1]
"""

import argparse
import json
import platform
import random
import statistics
import time
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from bench.engine import pick
from skat_arena import ArenaTable
from skat_arena.env import SkatEnv
from skat_arena.playing import Player, play
from skat_client import Action, DecisionAsked
from skat_client.bots import BOTS
from skat_engine import RuleSet, preset

TABLES = 64
LIST = 36
"""Deals of a series."""
DEALS = 576
"""So many fill whole series, and 64 tables evenly."""

Work = Callable[[int, int], int]
"""Plays about so many deals from a seed; how many they were."""


def rules_of(deals: int) -> RuleSet:
    """The official rules, with series of so many deals."""
    return preset("isko", {"session_deals": deals})


def seed_of(number: int) -> bytes:
    """A table's seed."""
    return number.to_bytes(32, "big")


def play_plain(deals: int, seed: int, *, recorded: bool = False) -> int:
    """Take legal actions by chance; nobody gives up or lays open."""
    number, lines = random.Random(seed).random, list[str]()
    keep = lines.append if recorded else None
    tables = [
        ArenaTable(rules_of(LIST), seed_of(seed + series), on_record=keep)
        for series in range(max(1, deals // LIST))
    ]
    for table in tables:
        while not table.is_over:
            table.start_deal()
            while table.deal is not None:
                table.act(pick(table.legal, number))
    return played(tables)


def played(tables: Iterable[ArenaTable]) -> int:
    """The deals on the sheets of these tables."""
    return sum(table.series.deals_done for table in tables)


class Chance:
    """Answers lists as the bundled random bot answers one decision after the other."""

    def __init__(self, seed: int) -> None:
        """Make the bot within."""
        self._bot = BOTS["random"](seed)

    def decide_batch(self, asked: Sequence[DecisionAsked]) -> Sequence[Action]:
        """Answer them all."""
        return [self._bot.decide(one.decision, one.sight) for one in asked]  # type: ignore[misc]


def play_bots(deals: int, seed: int) -> int:
    """Three bots at one table."""
    bots: list[Player] = [BOTS["random"](seed + seat) for seat in range(3)]
    table = ArenaTable(rules_of(deals), seed_of(seed))
    play(bots, [table])
    return played([table])


def play_batched(deals: int, seed: int) -> int:
    """One bot at many tables."""
    rules = rules_of(max(1, deals // TABLES))
    bot = Chance(seed)
    tables = [ArenaTable(rules, seed_of(seed + n), table_id=f"t{n}") for n in range(TABLES)]
    play([bot, bot, bot], tables)
    return played(tables)


def play_environment(deals: int, seed: int) -> int:
    """Episodes of one deal, with legal actions by chance."""
    number = random.Random(seed).random
    skat = SkatEnv(rules_of(LIST), interventions=False)
    for episode in range(deals):
        skat.reset(seed=seed + episode)
        while not skat.terminations["seat_0"]:
            legal = np.flatnonzero(skat.observe(skat.agent_selection)["action_mask"])
            skat.step(int(legal[int(number() * len(legal))]))
    return deals


def rate(work: Work, deals: int, rounds: int, seed: int) -> int:
    """Deals per second of processor time."""
    rates = []
    for turn in range(rounds):
        start = time.process_time()
        done = work(deals, seed + 1000 * turn)
        rates.append(done / (time.process_time() - start))
    return round(statistics.median(rates))


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
    parser.add_argument("--deals", type=int, default=DEALS, help="deals in each round")
    parser.add_argument("--rounds", type=int, default=5, help="rounds to take the median of")
    parser.add_argument("--seed", type=int, default=1, help="which deals and choices")
    options = parser.parse_args()
    print(json.dumps(measure(options.deals, options.rounds, options.seed)))


if __name__ == "__main__":
    main()
