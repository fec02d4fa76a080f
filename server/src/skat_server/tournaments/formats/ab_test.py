"""A new version against an old one, until the sequential test knows.

Entry 0 is the new one (A), entry 1 the old one (B). A block is one board at the tables A-B-B, B-A-B
and B-B-A, and with `both_roles` at B-A-A, A-B-A and A-A-B as well, so luck and seat drop out
(competition guide, section 3.2). Blocks are looked at in schedule order and whole, however soon
later ones were finished.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from skat_server.statistics.games import block_differences
from skat_server.statistics.games import games_of as columns_of
from skat_server.statistics.sprt import Hypotheses, Sprt, Verdict
from skat_server.tournaments.formats.plan import (
    MOST_BOARDS,
    MOST_MATCHES,
    EndReason,
    Plan,
    numbered,
    require_size,
)
from skat_server.tournaments.matches import Match, MatchResult, Results, games_of

_A: Final = 0
_B: Final = 1
_PAIR: Final = 2

ONE_NEW: Final = ((_A, _B, _B), (_B, _A, _B), (_B, _B, _A))
TWO_NEW: Final = ((_B, _A, _A), (_A, _B, _A), (_A, _A, _B))

_ENDS: Final = {
    Verdict.ACCEPT_H1: EndReason.ACCEPT_H1,
    Verdict.ACCEPT_H0: EndReason.ACCEPT_H0,
    Verdict.CAPPED: EndReason.CAPPED,
}


@dataclass(frozen=True, slots=True)
class AbTest:
    """A sequential test of two entries."""

    hypotheses: Hypotheses
    boards: int
    """Boards of a match, 1 or more."""
    both_roles: bool = True
    """Also play blocks with two of the new one."""
    ahead: int = 8
    """Matches that may be under way beyond the last one that is looked at."""
    most_empty: int = 20
    """Matches in a row without a whole block after which the test is given up (R10): entries that
    never play would hold it up for ever."""

    @property
    def most_matches(self) -> int:
        """Matches after which it is given up."""
        return min(MOST_MATCHES, MOST_BOARDS // self.boards)

    def plan(self, entries: int, results: Results) -> Plan:
        """The matches up to the verdict, or some beyond those that are finished.

        Raises:
            ValueError: there are not two entries.
        """
        if entries != _PAIR:
            raise ValueError(f"a test is between two entries, not {entries}")
        require_size(1, self.boards, entries)
        looked_at = empty = blocks = 0
        for test in self.course(results):
            looked_at += 1
            empty = 0 if test.seen.count > blocks else empty + 1
            blocks = test.seen.count
            end = _ENDS.get(test.verdict)
            if end is None and empty >= self.most_empty:
                end = EndReason.NO_BLOCKS
            if end is None and looked_at >= self.most_matches:
                end = EndReason.CAPPED
            if end is not None:
                return Plan(self.matches(looked_at), end, looked_at)
        return Plan(self.matches(looked_at + self.ahead), None, looked_at)

    def course(self, results: Results) -> Iterator[Sprt]:
        """The test after each finished match from the first on, until it stops."""
        test = Sprt(self.hypotheses)
        for match in self.matches(len(results)):
            result = results.get(match.key)
            if result is None or test.verdict is not Verdict.RUNNING:
                return
            for difference in _differences(result):
                test = test.with_block(difference)
            yield test

    def test_after(self, results: Results) -> Sprt:
        """The test after the last match that it looks at; before the first one, as it begins."""
        *_, test = (Sprt(self.hypotheses), *self.course(results))
        return test

    def matches(self, count: int) -> list[Match]:
        """The first so many matches."""
        lineups = (*ONE_NEW, *TWO_NEW) if self.both_roles else ONE_NEW
        return numbered([(1, lineups)] * count, self.boards)


@lru_cache(maxsize=8_192)
def _differences(result: MatchResult) -> tuple[float, ...]:
    """The block differences of a match; remembered, since a plan is made anew after every match."""
    rows = list(games_of(result))
    if not rows:
        return ()
    return tuple(block_differences(columns_of(rows, _PAIR), _A, _B).tolist())
