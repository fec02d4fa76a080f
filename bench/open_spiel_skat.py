"""Measures random playouts of OpenSpiel's game ``skat``, as a second figure beside ours.

Its rules are simpler than ours: bidding is one choice out of a few, nobody ends a deal early,
and there are no levels. So the ratio says how far apart the engines are, not which is better.
OpenSpiel (``pip install open_spiel``) is no dependency of this project; without it this
module gives a note instead of a figure.

    python -m bench.open_spiel_skat [--deals 300] [--rounds 5] [--seed 1]
"""

import argparse
import importlib
import json
import random
from typing import Any

from bench.timing import median_us

ABSENT = "pyspiel is not installed; pip install open_spiel to compare"

Figures = dict[str, float | int | str]


def load_game() -> Any:
    """The game, or None where OpenSpiel is not installed."""
    try:
        return importlib.import_module("pyspiel").load_game("skat")
    except ModuleNotFoundError:
        return None


def play_out(game: Any, number: random.Random) -> None:
    """Play a deal to its end; the cards are dealt by random actions too."""
    state = game.new_initial_state()
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(number.random() * len(actions))])


def measure(deals: int, rounds: int, seed: int) -> Figures:
    """The rate of random playouts, or a note that it could not be measured."""
    game = load_game()
    if game is None:
        return {"open_spiel_note": ABSENT}

    def work() -> None:
        number = random.Random(seed)
        for _ in range(deals):
            play_out(game, number)

    return {"open_spiel_deals_per_second": round(1e6 / median_us(work, deals, rounds))}


def main() -> None:
    """Read the options, measure, and print the line."""
    parser = argparse.ArgumentParser(description="measure OpenSpiel's skat")
    parser.add_argument("--deals", type=int, default=300, help="deals in each round")
    parser.add_argument("--rounds", type=int, default=5, help="rounds to take the median of")
    parser.add_argument("--seed", type=int, default=1, help="which choices")
    options = parser.parse_args()
    figures = measure(options.deals, options.rounds, options.seed)
    print(json.dumps({"benchmark": "open_spiel", **figures}))


if __name__ == "__main__":
    main()
