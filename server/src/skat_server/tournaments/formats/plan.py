"""What a format says: the matches that may be played now, and whether that is all.

A format never looks at a clock, at chance or at the order in which matches happened to finish. So
after a crash the same results give the same plan.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

from skat_server.tournaments.matches import Entry, Match, Results

MOST_MATCHES: Final = 50_000
"""Matches of an event."""
MOST_BOARDS: Final = 1_000_000
"""Boards of all its matches together."""
MOST_CELLS: Final = 60_000_000
"""Numbers that its standings have to keep, of 8 bytes each: a square of the entries for each way to
sit at a board."""


class EndReason(Enum):
    """Why an event has no more matches (R11)."""

    SCHEDULE_DONE = "schedule_done"
    """Everything that was planned has been played."""
    ACCEPT_H1 = "accept_h1"
    """The sequential test found the difference."""
    ACCEPT_H0 = "accept_h0"
    """The sequential test found none."""
    CAPPED = "capped"
    """The sequential test reached its largest number of blocks."""
    WON = "won"
    """One entry is left in a knock-out."""
    NO_BLOCKS = "no_blocks"
    """Too many matches of a sequential test in a row brought no whole block."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The schedule as far as the results so far settle it."""

    matches: Sequence[Match]
    """All matches in schedule order, finished ones included."""
    end: EndReason | None = None
    """Why nothing will follow after these; None when more may."""
    counted: int | None = None
    """How many of the matches count, from the first; None for all. A test that has stopped does
    not look at what was played ahead of it."""
    winner: Entry | None = None
    """Who is left in a knock-out."""

    def to_play(self, results: Results) -> list[Match]:
        """The matches that are not finished."""
        return [match for match in self.matches if match.key not in results]

    def counting(self, results: Results) -> list[Match]:
        """The finished matches that count, in schedule order."""
        matches = self.matches if self.counted is None else self.matches[: self.counted]
        return [match for match in matches if match.key in results]


class Format(Protocol):
    """How an event is organised."""

    def plan(self, entries: int, results: Results) -> Plan:
        """The schedule for so many entries after these results.

        Raises:
            ValueError: so few entries cannot play this, or it would be too large.
        """


def require_size(matches: int, boards: int, entries: int, ways: int | None = None) -> None:
    """Refuse an event that nobody could plan or rank, before it is planned.

    Args:
        matches: of the whole event.
        boards: of each.
        entries: how many there are.
        ways: different ways to sit at a board; one for each match when not given.

    Raises:
        ValueError: it is too large.
    """
    if matches > MOST_MATCHES or matches * boards > MOST_BOARDS:
        raise ValueError(
            f"{matches} matches of {boards} boards are too many: {MOST_MATCHES} matches and "
            f"{MOST_BOARDS} boards are the most"
        )
    if (matches if ways is None else ways) * entries**2 > MOST_CELLS:
        raise ValueError(
            f"standings of {entries} entries in {matches} matches take too much memory; "
            "a swiss event has fewer matches"
        )


def numbered(rows: Sequence[tuple[int, tuple[tuple[Entry, ...], ...]]], boards: int) -> list[Match]:
    """Matches on fresh boards, one after the other.

    Args:
        rows: round and lineups of each match.
        boards: how many boards each has.
    """
    return [
        Match(f"r{round_}.m{place}", lineups, place * boards, boards, round_)
        for place, (round_, lineups) in enumerate(rows)
    ]
