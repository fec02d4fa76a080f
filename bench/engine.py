"""Measures the rules engine: random deals with every legality query, copies, and the shuffle.

Prints one line of JSON. Each number is the median of the rounds. Deals are played under the
presets ``isko`` and ``proskat_pub``: before every action the legal ones are asked for, one of
them is taken at random, and nobody gives up or lays open. Figures without a preset in their
name are those of ``isko``. Where OpenSpiel is installed its skat is played in the same run.

    python -m bench.engine [--deals 1000] [--rounds 5] [--seed 1]
"""

import argparse
import json
import platform
import random
from collections.abc import Callable, Iterable, Sequence

from bench import decision, open_spiel_skat
from bench.plan import Plan, Values
from bench.timing import median_us
from skat_engine import (
    Action,
    Deal,
    Dealt,
    GiveUp,
    LayOpen,
    Phase,
    RuleSet,
    deal_from_seed,
    deal_seed,
    preset,
)

PRESETS = ("isko", "proskat_pub")
DEALS = 1_000
INTERVENTIONS = frozenset({GiveUp, LayOpen})


def seeds(first: int, deals: int) -> list[bytes]:
    """As many seeds of deals, the same on every machine."""
    series = first.to_bytes(32, "big")
    return [deal_seed(series, number) for number in range(deals)]


def pick(actions: Sequence[Action], number: Callable[[], float]) -> Action:
    """One of the actions at random, none that ends the deal early."""
    while True:
        action = actions[int(number() * len(actions))]
        if type(action) not in INTERVENTIONS:
            return action


def play_out(deal: Deal, number: Callable[[], float]) -> None:
    """Play a deal to its end."""
    while (position := deal.to_act) is not None:
        deal.apply(position, pick(deal.legal(position), number))


def play_all(rules: RuleSet, dealt: Iterable[Dealt], seed: int) -> None:
    """Play all deals to their ends."""
    number = random.Random(seed).random
    for cards in dealt:
        play_out(Deal(rules, cards), number)


def copy_all(deals: Iterable[Deal]) -> None:
    """Copy every deal once."""
    for deal in deals:
        deal.copy()


def deal_all(wanted: Iterable[bytes]) -> None:
    """Shuffle and deal from every seed."""
    for seed in wanted:
        deal_from_seed(seed)


def in_play(rules: RuleSet, dealt: Iterable[Dealt], seed: int) -> list[Deal]:
    """The deals after the first card, those with a declarer."""
    number = random.Random(seed).random
    started = [Deal(rules, cards) for cards in dealt]
    for deal in started:
        while (position := deal.to_act) is not None and not deal.table:
            deal.apply(position, pick(deal.legal(position), number))
    return [deal for deal in started if deal.phase is Phase.PLAY]


def measure(deals: int, rounds: int, seed: int) -> dict[str, float | int | str]:
    """Everything this script measures, by name."""
    rules = preset("isko")
    wanted = seeds(seed, deals)
    dealt = [deal_from_seed(one) for one in wanted]
    started = in_play(rules, dealt, seed)
    deal_us = {name: deal_time(name, dealt, rounds, seed) for name in PRESETS}
    ours = round(1e6 / deal_us["isko"])
    theirs = open_spiel_skat.measure(min(deals, 300), rounds, seed)
    rate = theirs.get("open_spiel_deals_per_second")
    ratio = {"ratio_to_open_spiel": round(ours / rate, 2)} if isinstance(rate, int) else {}
    return {
        "benchmark": "engine",
        "python": platform.python_version(),
        "deals": deals,
        "rounds": rounds,
        "seed": seed,
        "deal_us": deal_us["isko"],
        "deals_per_second": ours,
        "proskat_pub_deal_us": deal_us["proskat_pub"],
        "proskat_pub_deals_per_second": round(1e6 / deal_us["proskat_pub"]),
        "copy_us": median_us(lambda: copy_all(started), len(started), rounds),
        "shuffle_us": median_us(lambda: deal_all(wanted), deals, rounds),
        **theirs,
        **ratio,
    }


def figure(plan: Plan) -> Values:
    """Everything that is measured without a server."""
    alone = measure(plan.sized(DEALS), plan.rounds, seed=1)
    return {**alone, **decision.measure(plan.sized(decision.DECISIONS), plan.rounds)}


def deal_time(name: str, dealt: Sequence[Dealt], rounds: int, seed: int) -> float:
    """Microseconds that one deal takes under a preset."""
    rules = preset(name)
    return median_us(lambda: play_all(rules, dealt, seed), len(dealt), rounds)


def main() -> None:
    """Read the options, measure, and print the line."""
    parser = argparse.ArgumentParser(description="measure the rules engine")
    parser.add_argument("--deals", type=int, default=DEALS, help="deals in each round")
    parser.add_argument("--rounds", type=int, default=5, help="rounds to take the median of")
    parser.add_argument("--seed", type=int, default=1, help="which deals and which choices")
    options = parser.parse_args()
    print(json.dumps(measure(options.deals, options.rounds, options.seed)))


if __name__ == "__main__":
    main()
