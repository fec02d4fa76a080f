"""Plays a series of Skat against itself at random and says what came of it.

    python docs/examples/self_play.py [DEALS] [SEED]

Needs `skat_engine` only. The same seed gives the same series on every machine.
"""

import sys
from collections import Counter
from random import Random

from skat_engine import (
    Deal,
    GiveUp,
    LayOpen,
    deal_from_seed,
    deal_seed,
    preset,
    seating,
)


def play_out(deal: Deal, random: Random) -> None:
    """Take legal actions at random until the deal is over; nobody ends it early."""
    while (position := deal.to_act) is not None:
        open_to_all = deal.legal(position)
        actions = [a for a in open_to_all if not isinstance(a, GiveUp | LayOpen)]
        deal.apply(position, random.choice(actions))


def main(deals: int = 36, seed: int = 1) -> None:
    """Play a series of three seats, the deal going round, and print its statistics."""
    rules, random = preset("isko"), Random(seed)
    series = seed.to_bytes(32, "big")
    endings: Counter[str] = Counter()
    games: Counter[str] = Counter()
    points, won = [0, 0, 0], 0
    for number in range(deals):
        deal = Deal(rules, deal_from_seed(deal_seed(series, number)))
        play_out(deal, random)
        result = deal.result
        assert result is not None
        endings[result.ending.value] += 1
        if result.game is not None:
            games[result.game.contract.kind.name.lower()] += 1
            won += result.game.value.won
        for position, seat in enumerate(seating(number % 3, 3).active):
            points[seat] += result.scores[position]
    print(f"deals {deals}, games {games.total()}, won by the declarer {won}")
    print("endings:", ", ".join(f"{name} {count}" for name, count in sorted(endings.items())))
    print("games:", ", ".join(f"{name} {count}" for name, count in sorted(games.items())))
    print("points by seat:", *points)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
