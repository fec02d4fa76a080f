"""Where people sit and who plays: seats of a table, positions of a deal.

A *seat* is a place at the table, ``0..n-1`` clockwise, ``n`` in 3, 4, 5. A *position* is a
role in one deal: forehand, middlehand, rearhand. A deal knows only positions; a series maps
them to seats (R-TAB-1).
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

Seat = int
"""A place at the table, 0 to 4, clockwise."""

Position = int
"""A role in one deal: 0 forehand, 1 middlehand, 2 rearhand."""

FOREHAND: Final[Position] = 0
MIDDLEHAND: Final[Position] = 1
REARHAND: Final[Position] = 2
POSITIONS: Final[tuple[Position, ...]] = (FOREHAND, MIDDLEHAND, REARHAND)

POSITION_NAMES: Final = ("forehand", "middlehand", "rearhand")

_OFFSETS_FROM_DEALER: Final = {3: (1, 2, 0), 4: (1, 2, 3), 5: (1, 2, 4)}


@dataclass(frozen=True, slots=True)
class Seating:
    """Who deals, who plays and who sits out in one deal."""

    dealer: Seat
    active: tuple[Seat, Seat, Seat]
    """Seats of forehand, middlehand and rearhand, in this order."""
    sitting_out: tuple[Seat, ...]
    """Empty with three seats; the dealer first (R-TAB-1)."""

    def position_of(self, seat: Seat) -> Position | None:
        """The position that a seat plays, or None when it sits out."""
        return self.active.index(seat) if seat in self.active else None


def with_at(numbers: tuple[int, int, int], position: Position, number: int) -> tuple[int, int, int]:
    """A number per position, with another one for one of them."""
    first, second, third = numbers
    if position == FOREHAND:
        return number, second, third
    return (first, number, third) if position == MIDDLEHAND else (first, second, number)


@cache
def seating(dealer: Seat, seats: int) -> Seating:
    """The seating of a deal by its dealer (R-TAB-1).

    Args:
        dealer: the dealing seat, ``0 <= dealer < seats``.
        seats: 3, 4 or 5.
    """
    first, second, third = ((dealer + step) % seats for step in _OFFSETS_FROM_DEALER[seats])
    active = (first, second, third)
    away = [(dealer + step) % seats for step in range(seats)]
    return Seating(dealer, active, tuple(seat for seat in away if seat not in active))
