"""Finished matches for tests: points by the strength of the entries and some noise."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from skat_server.tournaments.formats.plan import Format, Plan
from skat_server.tournaments.matches import Lineup, Match, MatchResult, Results, TableResult

Points = Callable[[Match, Lineup, int], Sequence[int]]
"""Points of the seats for match, lineup and place of the board."""


def by_strength(strengths: Sequence[int], noise: int = 0, seed: int = 0) -> Points:
    """Everybody gets his strength, and some noise that the match and the board decide."""

    def points(match: Match, lineup: Lineup, place: int) -> Sequence[int]:
        chance = random.Random(f"{seed} {match.key} {lineup} {place}")
        return [strengths[entry] + chance.randint(-noise, noise) for entry in lineup]

    return points


def finished(match: Match, points: Points) -> MatchResult:
    """The match as it was played."""
    tables = tuple(
        TableResult(tuple(tuple(points(match, lineup, b)) for b in range(match.boards)))
        for lineup in match.lineups
    )
    return MatchResult(match, tables)


def play_out(
    event: Format, entries: int, points: Points, order: random.Random
) -> tuple[Plan, Results]:
    """Play an event to its end, finishing matches in any order."""
    results: dict[str, MatchResult] = {}
    for _ in range(100_000):
        plan = event.plan(entries, results)
        open_matches = plan.to_play(results)
        if not open_matches:
            return plan, results
        match = order.choice(open_matches)
        results[match.key] = finished(match, points)
    raise AssertionError("the event does not end")
