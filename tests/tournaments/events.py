"""An event of three that was played on paper."""

from __future__ import annotations

import random

from skat_server.tournaments.formats.all_play_all import RoundRobin
from skat_server.tournaments.matches import MatchResult
from skat_server.tournaments.plays import Deed, GameKind, Play, plays_of
from skat_server.tournaments.report.page import EventReport
from skat_server.tournaments.summary import summary
from tests.tournaments.results import by_strength, play_out

NAMES = ("ann", "<b>ben</b>", "cem")


def deeds(result: MatchResult, chance: random.Random) -> list[list[Deed]]:
    """Something that was played at every table."""
    kinds = (GameKind.SUIT, GameKind.GRAND, GameKind.NULL)
    return [
        [
            Deed(chance.choice(kinds), chance.randrange(3), "C", won=True, value=24)
            for _ in table.points
        ]
        for table in result.tables
    ]


def report(boards: int = 10) -> EventReport:
    """A report with everything in it."""
    event = RoundRobin(1, boards)
    plan, found = play_out(event, 3, by_strength([40, 20, 0], noise=50), random.Random(1))
    chance = random.Random(2)
    results = [found[match.key] for match in plan.matches]
    plays: list[Play] = []
    for result in results:
        plays += plays_of(result, deeds(result, chance))
    figures = summary(results, plays, 3, draws=200)
    return EventReport("Cup & co", "name = 1", "schedule done", NAMES, results, plays, figures)
