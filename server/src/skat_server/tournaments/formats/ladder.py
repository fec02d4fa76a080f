"""A ladder: whoever has played least meets two of about his own strength.

Ratings (OpenSkill, Plackett-Luce) come from the ranks of whole matches, never of single games, and
find partners only; the verdict is that of the standings, from the joint model (competition guide,
3.5). Anchors are bots of known strength: they play, and their ratings stay what they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

from skat_server.tournaments.formats.plan import EndReason, Plan, require_size
from skat_server.tournaments.formats.rounds import Drawn, Met, block_totals, cyclic_order
from skat_server.tournaments.matches import SEATS, Entry, Match, Results, rotations

NEW: Final = (25.0, 25.0 / 3)
"""Rating and uncertainty of an entry of which nothing is known."""
ANCHORED: Final = 1.0
"""Uncertainty of an anchor."""
_DIGITS: Final = 6
"""Digits that ratings keep, fewer than the arithmetic of two machines differs in."""
_MEETING: Final = 10.0
"""How much rating it is worth in the choice of partners not to meet one with whom all games were
played; the share of such games counts squared."""
_NEAREST: Final = 8
"""Partners that are looked at, the nearest ones."""

Rating = tuple[float, float]
"""Expected strength and its uncertainty."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """So many rounds, in each of which everybody plays at most once."""

    rounds: int
    boards: int
    """Boards of a match, each in three rotations."""
    anchors: tuple[float, ...] = ()
    """Ratings of the first entries, which do not change."""

    def plan(self, entries: int, results: Results) -> Plan:
        """All rounds so far, and the next one when the last one is finished.

        Raises:
            ValueError: fewer than three entries, more anchors than entries, too many matches.
        """
        matches, _, is_all = self._course(entries, results)
        return Plan(matches, EndReason.SCHEDULE_DONE if is_all else None)

    def ratings(self, entries: int, results: Results) -> tuple[Rating, ...]:
        """What the matches of the finished rounds say of everybody.

        Raises:
            ValueError: as in `plan`.
        """
        _, ratings, _ = self._course(entries, results)
        return tuple(ratings)

    def _course(self, entries: int, results: Results) -> tuple[list[Match], list[Rating], bool]:
        """The matches so far, the ratings after finished rounds, and whether these are all."""
        fewest = max(SEATS, len(self.anchors))
        if entries < fewest:
            raise ValueError(f"{fewest} entries are needed at least, not {entries}")
        require_size(self.rounds * (entries // SEATS), self.boards, entries)
        drawn = Drawn()
        ratings = [(mu, ANCHORED) for mu in self.anchors] + [NEW] * (entries - len(self.anchors))
        for round_ in range(1, self.rounds + 1):
            matches = self._round(round_, ratings, drawn)
            drawn.add(matches)
            if any(match.key not in results for match in matches):
                return drawn.matches, ratings, round_ == self.rounds
            for match in matches:
                self._learn(ratings, match, results)
        return drawn.matches, ratings, True

    def _round(self, round_: int, ratings: Sequence[Rating], drawn: Drawn) -> list[Match]:
        played = drawn.played
        waiting = sorted(range(len(ratings)), key=lambda entry: (played[entry], entry))
        left = waiting[: len(waiting) // SEATS * SEATS]
        matches: list[Match] = []
        while left:
            first, *others = left
            pod = (first, *_partners(first, others, ratings, drawn.met, max(1, played[first])))
            left = [entry for entry in left if entry not in pod]
            number = len(drawn.matches) + len(matches)
            lineups = rotations(*cyclic_order(pod, drawn.before))
            key = f"r{round_}.m{len(matches)}"
            matches.append(Match(key, lineups, number * self.boards, self.boards, round_))
        return matches

    def _learn(self, ratings: list[Rating], match: Match, results: Results) -> None:
        """Change the ratings of those who played, but for anchors; nothing without a block."""
        pod = match.lineups[0]
        totals = block_totals(pod, [match], results)
        if not any(len(table.points) for table in results[match.key].tables):
            return
        ranks = tuple(sum(totals[other] > totals[entry] for other in pod) for entry in pod)
        after = _rated(tuple(ratings[entry] for entry in pod), ranks)
        for entry, rating in zip(pod, after, strict=True):
            if entry >= len(self.anchors):
                ratings[entry] = rating


def _partners(
    first: Entry,
    others: Sequence[Entry],
    ratings: Sequence[Rating],
    met: Met,
    games: int,
) -> tuple[Entry, ...]:
    """Two of about the same rating whom it has seldom met in so many matches."""

    def distance(entry: Entry) -> float:
        return abs(ratings[entry][0] - ratings[first][0])

    def cost(pair: tuple[Entry, ...]) -> float:
        twos = map(frozenset, combinations((first, *pair), 2))
        again = sum((met[two] / games) ** 2 for two in twos)
        return round(sum(map(distance, pair)) + _MEETING * again, _DIGITS)

    nearest = sorted(others, key=lambda entry: (distance(entry), entry))[:_NEAREST]
    return min(combinations(nearest, 2), key=cost)


@lru_cache(maxsize=65_536)
def _rated(ratings: tuple[Rating, ...], ranks: tuple[int, ...]) -> tuple[Rating, ...]:
    """The ratings after a match; remembered, since a plan is made anew after every match.

    Args:
        ratings: before it.
        ranks: 0 for the best; those who are level share one.
    """
    # Not at the top: a server without ladders starts sooner.
    from openskill.models import PlackettLuce  # noqa: PLC0415

    model = PlackettLuce()
    teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in ratings]
    rated = model.rate(teams, ranks=list(map(float, ranks)))
    return tuple((round(one.mu, _DIGITS), round(one.sigma, _DIGITS)) for (one,) in rated)
