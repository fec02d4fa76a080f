"""Measures the bundled bots: duplicate deals on the rules engine, without a server.

A block is one deal played three times, each bot once in every seat. Prints a table: list
points per 36 deals (Seeger-Fabian) and how far each bot is above the mean of the other two,
with standard errors over blocks; how many games were declared and won; the time of a decision.

    python -m bench.bots [--deals 100] [--seed 1] [--bots rules random random]
"""

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

import skat_engine as engine
from bench.bot_deals import SEATING, Thinking, play_deal
from skat_client.bots import BOTS

DEALS_OF_A_LIST: Final = 36


@dataclass(slots=True)
class Tally:
    """What one bot did in a run.

    Attributes:
        blocks: list points a deal, one number a block.
        leads: how far that was above the mean of the two others.
    """

    name: str
    blocks: list[float] = field(default_factory=list)
    leads: list[float] = field(default_factory=list)
    declared: int = 0
    won: int = 0
    thinking: Thinking = field(default_factory=Thinking)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its standard error, scaled to a list of 36 deals."""

    mean: float
    error: float


def per_list(blocks: Sequence[float]) -> Estimate:
    """Points per 36 deals; blocks are independent, deals within one are not."""
    error = statistics.stdev(blocks) / sqrt(len(blocks)) if len(blocks) > 1 else 0.0
    return Estimate(DEALS_OF_A_LIST * statistics.fmean(blocks), DEALS_OF_A_LIST * error)


def play_blocks(names: Sequence[str], deals: int, seed: int = 1) -> tuple[Tally, ...]:
    """Play duplicate blocks among three bots, named as in `BOTS`."""
    rules = engine.preset("isko")
    tallies = tuple(Tally(name) for name in names)
    series = seed.to_bytes(32, "big")
    for number in range(deals):
        dealt = engine.deal_from_seed(engine.deal_seed(series, number + 1))
        points = [0, 0, 0]
        for shift in range(3):
            seated = [(seat + shift) % 3 for seat in range(3)]
            changes = _play_seated(dealt, [tallies[player] for player in seated], rules, number)
            for player, change in zip(seated, changes, strict=True):
                points[player] += change
        for player, tally in enumerate(tallies):
            others = (sum(points) - points[player]) / 2
            tally.blocks.append(points[player] / 3)
            tally.leads.append((points[player] - others) / 3)
    return tallies


def _play_seated(
    dealt: engine.Dealt, seated: Sequence[Tally], rules: engine.RuleSet, number: int
) -> tuple[int, ...]:
    bots = [BOTS[tally.name](3 * number + seat) for seat, tally in enumerate(seated)]
    thinking = [tally.thinking for tally in seated]
    result = play_deal(dealt, bots, rules=rules, thinking=thinking)
    if result.game is not None:
        tally = seated[result.game.declarer]
        tally.declared += 1
        tally.won += result.game.value.won
    _, booking = engine.ScoreSheet.empty(rules).book(SEATING, result)
    return booking.changes


def table(tallies: Sequence[Tally], deals: int) -> str:
    """The figures of a run as text."""
    head = f"{'bot':<14}{'points/36':>10}{'±':>6}{'lead/36':>10}{'±':>6}"
    head += f"{'declared':>10}{'won':>6}{'us/decision':>13}{'slowest us':>12}"
    lines = [_line(tally, 3 * deals) for tally in tallies]
    return "\n".join([f"{deals} deals, each in 3 rotations", head, *lines])


def _line(tally: Tally, played: int) -> str:
    own, lead, thinking = per_list(tally.blocks), per_list(tally.leads), tally.thinking
    won = f"{tally.won / tally.declared:.0%}" if tally.declared else "-"
    mean = 1e6 * thinking.seconds / max(1, thinking.decisions)
    return (
        f"{tally.name:<14}{own.mean:>10.0f}{own.error:>6.0f}{lead.mean:>10.0f}{lead.error:>6.0f}"
        f"{tally.declared / played:>10.0%}{won:>6}{mean:>13.0f}{1e6 * thinking.longest:>12.0f}"
    )


def main() -> None:
    """Read the options, play, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--deals", type=int, default=100, help="blocks of three (100)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the deals (1)")
    parser.add_argument(
        "--bots", nargs=3, choices=sorted(BOTS), default=["rules", "random", "random"]
    )
    options = parser.parse_args()
    print(table(play_blocks(options.bots, options.deals, options.seed), options.deals))


if __name__ == "__main__":
    main()
