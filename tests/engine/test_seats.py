"""Who deals, plays and sits out: R-TAB-1."""

import pytest

from skat_engine import seating

# Section 22.8: seats, dealer, forehand, middlehand, rearhand, sitting out.
SEATINGS = [
    (3, 0, (1, 2, 0), ()),
    (4, 0, (1, 2, 3), (0,)),
    (5, 0, (1, 2, 4), (0, 3)),
    (5, 1, (2, 3, 0), (1, 4)),
    (5, 2, (3, 4, 1), (2, 0)),
    (5, 4, (0, 1, 3), (4, 2)),
]


@pytest.mark.parametrize(("seats", "dealer", "active", "away"), SEATINGS)
def test_seating(seats: int, dealer: int, active: tuple[int, ...], away: tuple[int, ...]) -> None:
    """R-TAB-1."""
    found = seating(dealer, seats)
    assert (found.active, found.sitting_out) == (active, away)


def test_a_seat_knows_its_position() -> None:
    assert [seating(0, 4).position_of(seat) for seat in range(4)] == [None, 0, 1, 2]
