"""Swiss pods: in every round three of about the same rank meet (R14).

All pods of a round play the same boards in three rotations, so the round is one large block
(competition guide, section 3.4).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from skat_server.tournaments.formats.plan import EndReason, Plan, require_size
from skat_server.tournaments.formats.rounds import (
    Drawn,
    block_totals,
    both_orders,
    cyclic_order,
    pods,
    with_house,
)
from skat_server.tournaments.matches import SEATS, Entry, Match, Results


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
        count = with_house(entries)
        require_size(self.rounds * count // SEATS, self.boards, count, ways=2 * self.rounds)
        drawn, totals = Drawn(), Counter(dict.fromkeys(range(count), 0))
        for round_ in range(1, self.rounds + 1):
            order = sorted(range(count), key=lambda entry: (-totals[entry], entry))
            matches = self._round(round_, order, drawn)
            drawn.add(matches)
            if any(match.key not in results for match in matches):
                is_last = round_ == self.rounds
                return Plan(drawn.matches, EndReason.SCHEDULE_DONE if is_last else None)
            totals.update(block_totals(range(count), matches, results))
        return Plan(drawn.matches, EndReason.SCHEDULE_DONE)

    def _round(self, round_: int, order: Sequence[Entry], drawn: Drawn) -> list[Match]:
        first_board = (round_ - 1) * self.boards
        ways = [cyclic_order(pod, drawn.before) for pod in pods(order, drawn.met)]
        return [
            match
            for place, way in enumerate(ways)
            for match in both_orders(f"r{round_}.m{place}", way, first_board, self.boards, round_)
        ]
