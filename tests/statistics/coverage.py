"""How often intervals hold the truth: `python -m tests.statistics.coverage --events 2000`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from skat_server.statistics.games import Games, block_differences
from skat_server.statistics.model import Luck, fit
from skat_server.statistics.sequences import RunningMean, margin
from skat_server.statistics.sprt import Hypotheses, Sprt, Verdict
from skat_server.statistics.standings import standings
from skat_server.tournaments.formats.once import Once
from skat_server.tournaments.mendelsohn import mendelsohn
from tests.statistics.events import World, play, play_once


@dataclass(frozen=True)
class Event:
    """A kind of event that is played many times."""

    world: World
    triples: tuple[tuple[int, int, int], ...]
    """Of every round, where there are rounds (exposure `once`)."""
    boards: int
    luck: Luck = Luck.BOARD

    def played(self, chance: np.random.Generator) -> Games:
        """One such event."""
        if self.luck is Luck.BOARD:
            return play(self.world, self.triples, self.boards, chance)
        tables = len(self.world.strengths) // 3
        rounds = [self.triples[at : at + tables] for at in range(0, len(self.triples), tables)]
        return play_once(self.world, rounds, self.boards, chance)


ONCE = tuple(
    (first, second, third)
    for match in Once(10, 1).plan(6, {}).matches
    for first, second, third in match.lineups
)
EVENTS = {
    "equal bots": Event(World([0.0, 0.0, 0.0]), ((0, 1, 2),), 60),
    "unequal bots": Event(World([6.0, 0.0, -6.0], surprise=0.4), ((0, 1, 2),), 60),
    "boards that suit a bot": Event(World([2.0, 0.0, -2.0], interaction=20.0), ((0, 1, 2),), 60),
    "round robin of four": Event(World([4.0, 1.0, -1.0, -4.0]), mendelsohn(4), 15),
    "once": Event(World([5.0, 3.0, 1.0, -1.0, -3.0, -5.0]), ONCE, 9, Luck.BOARD_AND_SEAT),
}


@dataclass(frozen=True)
class Coverage:
    """Shares of the events in which intervals held the truth."""

    simultaneous: float
    """All intervals of the standings together."""
    contrast: float
    """The normal interval of the first two bots' difference."""


def coverage(event: Event, events: int, *, draws: int, seed: int = 11) -> Coverage:
    """Play so many events and look how often the intervals held."""
    outcomes = np.array(list(_outcomes(event, events, draws, seed)))
    simultaneous, contrast = outcomes.mean(axis=0)
    return Coverage(float(simultaneous), float(contrast))


def _outcomes(event: Event, events: int, draws: int, seed: int) -> Iterator[tuple[bool, bool]]:
    truth = event.world.truth
    for number in range(events):
        chance = np.random.default_rng([seed, number])
        games = event.played(chance)
        rows = standings(games, chance, luck=event.luck, draws=draws).rows
        difference, error = fit(games, event.luck).contrast(0, 1)
        yield (
            all(row.low <= truth[row.bot] <= row.high for row in rows),
            abs(difference - (truth[0] - truth[1])) <= 1.96 * error,
        )


def wrong_verdicts(true: float, tests: int, seed: int = 5) -> tuple[float, float]:
    """How often a test of 0 against 4 points accepts H1, and its mean number of blocks."""
    hypotheses = Hypotheses(delta0=0.0, delta1=4.0)
    accepted, blocks = 0, 0
    for number in range(tests):
        test, chance = Sprt(hypotheses), np.random.default_rng([seed, number])
        while test.verdict is Verdict.RUNNING:
            noise = np.where(chance.random(200) < 0.5, chance.standard_t(5, 200) * 40.0, 0.0)
            for value in noise:
                test = test.with_block(true + float(value))
        accepted += test.verdict is Verdict.ACCEPT_H1
        blocks += test.seen.count
    return accepted / tests, blocks / tests


def ever_missed(runs: int, length: int, seed: int = 6) -> float:
    """How often a confidence sequence ever excluded the truth, watched from block 50 on."""
    missed = 0
    for number in range(runs):
        chance, seen = np.random.default_rng([seed, number]), RunningMean()
        for count, value in enumerate(chance.standard_t(5, length) * 30.0, start=1):
            seen = seen.with_value(float(value))
            if count >= 50 and abs(seen.mean) > margin(seen):
                missed += 1
                break
    return missed / runs


def self_consistency(events: int) -> float:
    """Largest difference between model and block means over events of one triple; zero."""
    event, worst = EVENTS["equal bots"], 0.0
    for number in range(events):
        games = play(event.world, event.triples, 20, np.random.default_rng(number))
        model, blocks = fit(games).contrast(0, 1)[0], block_differences(games, 0, 1).mean()
        worst = max(worst, abs(model - float(blocks)))
    return worst


def main() -> None:
    """Print one line for each kind of event and each property."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=2_000)
    count = parser.parse_args().events
    say = sys.stdout.write
    for name, event in EVENTS.items():
        seen = coverage(event, count, draws=1_000)
        say(f"{name:24} simultaneous {seen.simultaneous:.3f}  contrast {seen.contrast:.3f}\n")
    for true in (0.0, 2.0, 4.0):
        share, blocks = wrong_verdicts(true, count)
        say(f"sprt, truth {true:.0f} of 0:4      accepts H1 {share:.3f}  blocks {blocks:.0f}\n")
    say(f"confidence sequence      ever wrong {ever_missed(count, 2_000):.3f}\n")


if __name__ == "__main__":
    main()
