"""Solves the end of a deal: the most card points the declarer can make in the last four tricks.

    python docs/examples/endgame.py [POSITIONS] [SEED]

Everybody sees all cards and both defenders play together against the declarer. The search is
alpha-beta on copies of the deal; the last two tricks are searched without it as well, every
line to its end, and must give the same. Needs `skat_engine` only.
"""

import sys
from collections.abc import Iterator
from random import Random

from skat_engine import (
    Deal,
    Phase,
    PlayCard,
    card_text,
    deal_from_seed,
    deal_seed,
    parse_action,
    preset,
)


def children(deal: Deal) -> Iterator[tuple[PlayCard, Deal]]:
    """Every card that may be played now, with the deal after it."""
    assert deal.to_act is not None
    for action in deal.legal(deal.to_act):
        if isinstance(action, PlayCard):
            after = deal.copy()
            after.apply(deal.to_act, action)
            yield action, after


def points_of_declarer(deal: Deal) -> int:
    """His card points, those of the skat included."""
    result = deal.result
    assert result is not None
    assert result.game is not None
    return result.game.declarer_points


class Search:
    """Alpha-beta; `nodes` counts the deals it looked at."""

    def __init__(self) -> None:
        """Nothing has been searched."""
        self.nodes = 0

    def best(self, deal: Deal, alpha: int = -1, beta: int = 121) -> int:
        """The declarer's points when both sides play as well as they can."""
        self.nodes += 1
        if deal.is_over:
            return points_of_declarer(deal)
        mine = deal.to_act == deal.declarer
        value = -1 if mine else 121
        for _, after in children(deal):
            below = self.best(after, alpha, beta)
            if mine:
                value = max(value, below)
                alpha = max(alpha, value)
            else:
                value = min(value, below)
                beta = min(beta, value)
            if alpha >= beta:
                break
        return value

    def best_card(self, deal: Deal) -> tuple[PlayCard, int]:
        """A best card for whoever is to act, and what the declarer then makes."""
        options = [(card, self.best(after)) for card, after in children(deal)]
        choose = max if deal.to_act == deal.declarer else min
        return choose(options, key=lambda option: option[1])


def by_brute_force(deal: Deal) -> int:
    """The same number, every line of play searched to its end."""
    if deal.is_over:
        return points_of_declarer(deal)
    values = [by_brute_force(after) for _, after in children(deal)]
    return max(values) if deal.to_act == deal.declarer else min(values)


def late_position(seed: bytes, tricks_left: int, random: Random) -> Deal:
    """A Grand Hand of forehand, played at random until so many tricks are left."""
    deal = Deal(preset("isko"), deal_from_seed(seed))
    for position, text in ((1, "pass"), (2, "pass"), (0, "18"), (0, "hand"), (0, "GH")):
        deal.apply(position, parse_action(text))
    while deal.phase is Phase.PLAY and len(deal.tricks) < 10 - tricks_left:
        card, _ = random.choice(list(children(deal)))
        assert deal.to_act is not None
        deal.apply(deal.to_act, card)
    return deal


def main(positions: int = 5, seed: int = 1) -> None:
    """Solve some positions, and prove the search on small ones."""
    random, series = Random(seed), seed.to_bytes(32, "big")
    for number in range(positions):
        deal = late_position(deal_seed(series, number), 4, random)
        search = Search()
        before = str(deal.hands)
        card, points = search.best_card(deal)
        assert str(deal.hands) == before, "the search works on copies"
        print(
            f"position {number + 1}: {card_text(card.card)} by {deal.to_act},"
            f" declarer makes {points}, {search.nodes} deals looked at"
        )
    for number in range(20):
        deal = late_position(deal_seed(series, number), 2, random)
        assert Search().best(deal) == by_brute_force(deal)
    print("alpha-beta agrees with brute force on 20 positions of two tricks")
    deal = late_position(deal_seed(series, 0), 3, random)
    assert Search().best(deal) == by_brute_force(deal)
    print("alpha-beta agrees with brute force on one position of three tricks")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
