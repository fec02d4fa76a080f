"""Knock-out: pods of three, the winner of each goes on.

A pod's winner has the most points over its boards against their average. When two are level, the
pod plays on, so many times as was said beforehand; then the one with the lower number, which was
seeded higher, goes on (competition guide, section 3.4).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from skat_server.tournaments.formats.plan import EndReason, Plan, require_size
from skat_server.tournaments.formats.rounds import block_totals, both_orders
from skat_server.tournaments.matches import Entry, Match, Results

POD = 3
_PAIR = 2


@dataclass(frozen=True, slots=True)
class KnockOut:
    """Rounds of pods until one entry is left."""

    boards: int
    """Boards of a pod, each in three rotations, half of them in each cyclic order."""
    replays: int = 1
    """How often a level pod plays on before the seeding decides."""

    def plan(self, entries: int, results: Results) -> Plan:
        """The pods so far. The last entry is a house bot that sits in where one is missing.

        Raises:
            ValueError: fewer than two entries beside it.
        """
        if entries <= _PAIR:
            raise ValueError(f"2 entries and a house bot are needed at least, not {entries}")
        matches = 2 * (entries - 1) * (self.replays + 1)
        require_size(matches, -(-self.boards // 2), entries)
        course = _Course(self, results, entries - 1)
        alive = list(range(entries - 1))
        while len(alive) > 1:
            winners = course.round(alive)
            if winners is None:
                return Plan(course.matches)
            alive = winners
        return Plan(course.matches, EndReason.WON, winner=alive[0])


class _Course:
    """Walks through the rounds and collects their matches."""

    def __init__(self, rules: KnockOut, results: Results, bystander: Entry) -> None:
        self.matches: list[Match] = []
        self._rules = rules
        self._results = results
        self._round = 0
        self._boards = 0
        """Boards that were given out."""
        self._bystander = bystander
        """Number of the house bot."""

    def round(self, alive: Sequence[Entry]) -> list[Entry] | None:
        """The winners of a round; None while it is not finished."""
        self._round += 1
        count = -(-len(alive) // POD)
        pods = [tuple(alive[place::count]) for place in range(count)]
        winners = [self._winner(place, pod) for place, pod in enumerate(pods)]
        return [w for w in winners if w is not None] if None not in winners else None

    def _winner(self, place: int, pod: tuple[Entry, ...]) -> Entry | None:
        played: list[Match] = []
        best = list(pod)
        for attempt in range(self._rules.replays + 1):
            matches = self._matches(place, pod, attempt)
            played += matches
            self.matches += matches
            if any(match.key not in self._results for match in matches):
                return None
            best = self._leaders(pod, played)
            if len(best) == 1:
                return best[0]
        return min(best)

    def _matches(self, place: int, pod: tuple[Entry, ...], attempt: int) -> list[Match]:
        full = pod if len(pod) == POD else (*pod, self._bystander)
        key = f"r{self._round}.m{place}" + (f".replay{attempt}" if attempt else "")
        first, self._boards = self._boards, self._boards + self._rules.boards
        way = (full[0], full[1], full[2])
        return both_orders(key, way, first, self._rules.boards, self._round)

    def _leaders(self, pod: tuple[Entry, ...], played: list[Match]) -> list[Entry]:
        totals = block_totals(pod, played, self._results)
        most = max(totals[entry] for entry in pod)
        return [entry for entry in pod if totals[entry] == most]
