"""Round robin, all triples, gauntlet: everything is known before the first card."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from skat_server.tournaments.formats.plan import EndReason, Plan, numbered, require_size
from skat_server.tournaments.matches import Lineup, Results, rotations
from skat_server.tournaments.mendelsohn import exists, mendelsohn

Row = tuple[int, tuple[Lineup, ...]]


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Every entry before every other one equally often (Mendelsohn systems).

    Where no system of this size exists, house bots fill up to the next size that has one;
    they have the highest numbers (`entries_with_house`).
    """

    rounds: int
    """How often the whole system is played, 1 or more."""
    boards: int
    """Boards of a match; each is played at three tables, 1 or more."""

    def plan(self, entries: int, results: Results) -> Plan:
        """The system, round by round."""
        del results
        points = entries_with_house(entries)
        matches = points * (points - 1) // 3
        require_size(self.rounds * matches, self.boards, points, ways=matches)
        system = mendelsohn(points)
        rows = [(r, rotations(*triple)) for r in range(1, self.rounds + 1) for triple in system]
        return Plan(numbered(rows, self.boards), EndReason.SCHEDULE_DONE)


@dataclass(frozen=True, slots=True)
class AllTriples:
    """Every three entries, in one cyclic order and in the other by turns."""

    rounds: int
    boards: int

    def plan(self, entries: int, results: Results) -> Plan:
        """All triples, round by round; the cyclic order changes with the round."""
        del results
        _require(entries, 3)
        triples = comb(entries, 3)
        ways = min(self.rounds, 2) * triples
        require_size(self.rounds * triples, self.boards, entries, ways)
        rows = [
            (round_, _either_way(triple, round_ % 2 == 0))
            for round_ in range(1, self.rounds + 1)
            for triple in combinations(range(entries), 3)
        ]
        return Plan(numbered(rows, self.boards), EndReason.SCHEDULE_DONE)


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """Challengers, one at a time, against every two of the frozen references.

    The references are the first entries: those of the file come before those that register.
    """

    references: int
    """How many of the entries are references, 2 or more."""
    rounds: int
    boards: int

    def plan(self, entries: int, results: Results) -> Plan:
        """Every challenger with every pair of references."""
        del results
        _require(entries, self.references + 1)
        matches = comb(self.references, 2) * (entries - self.references)
        ways = min(self.rounds, 2) * matches
        require_size(self.rounds * matches, self.boards, entries, ways)
        rows = [
            (round_, _either_way((challenger, *pair), round_ % 2 == 0))
            for round_ in range(1, self.rounds + 1)
            for challenger in range(self.references, entries)
            for pair in combinations(range(self.references), 2)
        ]
        return Plan(numbered(rows, self.boards), EndReason.SCHEDULE_DONE)


@dataclass(frozen=True, slots=True)
class Lists:
    """Classical lists: fixed tables of three or four, each list on cards of its own.

    With `pairs` the four of a table play every board twice, at two tables where opposite seats are
    exchanged: who sits out at one plays at the other, on the cards of who sat across.
    """

    seats: int
    """3 or 4."""
    rounds: int
    """Lists that every entry plays."""
    deals: int
    """Deals of a list, 36 or 48 by custom."""
    pairs: bool = False
    """For four seats only."""

    def plan(self, entries: int, results: Results) -> Plan:
        """Neighbours change from round to round as far as a simple turn can do it."""
        del results
        _require(entries, self.seats)
        if entries % self.seats:
            raise ValueError(f"lists need a multiple of {self.seats} entries, not {entries}")
        lists = self.rounds * entries // self.seats
        tables = 2 if self.pairs else 1
        require_size(lists, self.deals, entries, ways=lists * self.seats * tables)
        rows = [row for round_ in range(self.rounds) for row in self._round(entries, round_)]
        return Plan(numbered(rows, self.deals), EndReason.SCHEDULE_DONE)

    def _round(self, entries: int, round_: int) -> Iterator[Row]:
        tables = entries // self.seats
        for table in range(tables):
            lineup = tuple(
                seat * tables + (table + seat * round_) % tables for seat in range(self.seats)
            )
            own = _turned(lineup, round_ % self.seats)
            yield round_ + 1, (own, _turned(own, self.seats // 2)) if self.pairs else (own,)


def _turned(lineup: Lineup, seats: int) -> Lineup:
    """Everybody so many seats further down."""
    return (*lineup[seats:], *lineup[:seats])


def entries_with_house(entries: int) -> int:
    """The next number of entries for which a Mendelsohn system exists.

    >>> entries_with_house(5), entries_with_house(9)
    (7, 9)
    """
    _require(entries, 2)
    size = max(entries, 3)
    while not exists(size):
        size += 1
    return size


def _either_way(triple: Sequence[int], is_turned: bool) -> tuple[Lineup, ...]:
    first, second, third = triple
    return rotations(first, third, second) if is_turned else rotations(first, second, third)


def _require(entries: int, fewest: int) -> None:
    if entries < fewest:
        raise ValueError(f"{fewest} entries are needed at least, not {entries}")
