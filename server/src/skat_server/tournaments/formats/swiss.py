"""Swiss pods: in every round three of about the same rank meet (R14).

All pods of a round play the same boards in three rotations, so the round is one large block
(competition guide, section 3.4).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from skat_server.tournaments.formats.plan import EndReason, Plan
from skat_server.tournaments.formats.rounds import (
    block_totals,
    cyclic_order,
    meetings,
    neighbours,
    pods,
    with_house,
)
from skat_server.tournaments.matches import Entry, Match, Results, rotations


@dataclass(frozen=True, slots=True)
class Swiss:
    """So many rounds of pods."""

    rounds: int
    boards: int
    """Boards of a round."""

    def plan(self, entries: int, results: Results) -> Plan:
        """All rounds so far, and the next one when the last one is finished.

        House bots fill the last pod; they have the highest numbers (`with_house`).
        """
        matches: list[Match] = []
        for round_ in range(1, self.rounds + 1):
            if any(match.key not in results for match in matches):
                return Plan(matches)
            order = _ranking(with_house(entries), matches, results)
            matches += self._round(round_, order, matches)
        return Plan(matches, EndReason.SCHEDULE_DONE)

    def _round(self, round_: int, order: Sequence[Entry], before: Sequence[Match]) -> list[Match]:
        met, seated = meetings(before), neighbours(before)
        first_board = (round_ - 1) * self.boards
        drawn = (cyclic_order(pod, seated) for pod in pods(order, met))
        return [
            Match(f"r{round_}.m{place}", rotations(*way), first_board, self.boards, round_)
            for place, way in enumerate(drawn)
        ]


def _ranking(entries: int, matches: Sequence[Match], results: Results) -> list[Entry]:
    totals = block_totals(range(entries), matches, results)
    return sorted(range(entries), key=lambda entry: (-totals[entry], entry))
