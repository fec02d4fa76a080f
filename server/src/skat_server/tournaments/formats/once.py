"""Everybody meets every board at most once, from one seat (exposure `once`).

In every round all entries are cut into tables of three, and all tables play the same boards. Who
remembers a deal gains nothing, since it never comes back; entries are compared with those who held
the same cards elsewhere (competition guide, section 5).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from skat_server.tournaments.formats.plan import EndReason, Plan, require_size
from skat_server.tournaments.formats.rounds import Met, pods, with_house
from skat_server.tournaments.matches import SEATS, Entry, Lineup, Match, Results


@dataclass(frozen=True, slots=True)
class Once:
    """So many rounds at tables that change."""

    rounds: int
    boards: int
    """Boards of a round."""

    def plan(self, entries: int, results: Results) -> Plan:
        """All rounds; house bots fill the last table (`with_house`)."""
        del results
        count = with_house(entries)
        if count == SEATS:
            raise ValueError(
                f"with {entries} entries nobody else holds the same cards; take 4 or more"
            )
        require_size(self.rounds * count // SEATS, self.boards, count, ways=self.rounds * SEATS)
        matches: list[Match] = []
        met: Met = Counter()
        sat: Counter[tuple[Entry, int]] = Counter()
        for round_ in range(1, self.rounds + 1):
            order = [(entry * _stride(count, round_) + round_) % count for entry in range(count)]
            drawn = pods(order, met)
            met.update(frozenset(pair) for pod in drawn for pair in combinations(pod, 2))
            for place, pod in enumerate(drawn):
                lineup = _least_sat(pod, sat)
                sat.update((entry, seat) for seat, entry in enumerate(lineup))
                first_board = (round_ - 1) * self.boards
                key = f"r{round_}.m{place}"
                matches.append(Match(key, (lineup,), first_board, self.boards, round_))
        return Plan(matches, EndReason.SCHEDULE_DONE)


def _stride(count: int, round_: int) -> int:
    """A step that visits everybody and changes with the round."""
    coprime = [step for step in range(1, count) if _gcd(step, count) == 1]
    return coprime[round_ % len(coprime)]


def _gcd(a: int, b: int) -> int:
    return a if b == 0 else _gcd(b, a % b)


def _least_sat(pod: Sequence[Entry], sat: Counter[tuple[Entry, int]]) -> Lineup:
    """The rotation in which fewest sit where they have often sat before."""
    ways = [(*pod[turn:], *pod[:turn]) for turn in range(len(pod))]
    return min(ways, key=lambda way: sum(sat[entry, seat] ** 2 for seat, entry in enumerate(way)))
