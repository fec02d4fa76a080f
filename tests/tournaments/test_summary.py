"""The figures of an event: who is in its tables, and what may be watched."""

from __future__ import annotations

import random

from skat_server.tournaments.formats.all_play_all import RoundRobin
from skat_server.tournaments.formats.knock_out import KnockOut
from skat_server.tournaments.matches import MatchResult, TableResult
from skat_server.tournaments.summary import Summary, summary
from tests.tournaments.results import by_strength, play_out

STRENGTHS = [60, 40, 20, 0]


def figures(boards: int, absent: int | None = None, *, is_faulty: bool = False) -> Summary:
    """A round robin of four, of whom one may have brought no whole block, or only faulty ones."""
    plan, found = play_out(
        RoundRobin(1, boards), 4, by_strength(STRENGTHS, noise=50), random.Random(1)
    )
    results = []
    for match in plan.matches:
        result = found[match.key]
        if absent in match.entries:
            result = _faulty(result) if is_faulty else MatchResult(match, (TableResult(()),) * 3)
        results.append(result)
    return summary(results, [], 4, draws=200)


def _faulty(result: MatchResult) -> MatchResult:
    tables = [TableResult(t.points, frozenset(range(len(t.points)))) for t in result.tables]
    return MatchResult(result.match, tuple(tables))


def test_nobody_waits_for_an_entry_that_brings_no_block() -> None:
    """R29: an absent entry whose tables are forfeited does not cost the others their standings."""
    table = figures(20, absent=1).standings
    assert table is not None
    assert sorted(row.bot for row in table.rows) == [0, 2, 3]
    assert table.superiority.shape == (4, 4)
    assert table.superiority[0, 3] > 0.5
    assert table.superiority[1, 2] == 0.5


def test_standings_without_faults_are_those_of_the_others() -> None:
    """R29: where the house plays for an absent entry, all of its blocks are faulty."""
    found = figures(20, absent=1, is_faulty=True)
    assert found.standings is not None
    assert len(found.standings.rows) == 4
    assert found.without_faults is not None
    assert sorted(row.bot for row in found.without_faults.rows) == [0, 2, 3]


def test_a_knock_out_has_standings_though_its_house_bot_never_sat() -> None:
    plan, found = play_out(KnockOut(10), 4, by_strength(STRENGTHS, noise=50), random.Random(1))
    assert plan.winner == 0
    table = summary([found[match.key] for match in plan.matches], [], 4, draws=200).standings
    assert table is not None
    assert [row.bot for row in table.rows] == [0, 1, 2]


def test_what_may_be_watched_is_shown_from_fifty_blocks_on() -> None:
    """A variance of fewer cannot be trusted; two of four entries meet in two matches."""
    assert figures(24).watched_margin is None
    few, many = figures(25).watched_margin, figures(100).watched_margin
    assert few is not None
    assert many is not None
    assert many < few
