"""Where a series stands, as it is written down when a deal starts."""

from typing import Final

from skat_engine.bock import NOTHING_OWED, BockQueue
from skat_engine.errors import NotationError
from skat_engine.records.rows import Row
from skat_engine.scoring import SeatScore
from skat_engine.series import Standing

_COLUMN: Final = 4
"""Numbers of one seat's column."""
_MOST: Final = 2**53 - 1


def standing_row(standing: Standing) -> dict[str, object]:
    """The standing as a JSON object."""
    queue = standing.queue
    columns = [(c.game_points, c.won, c.lost, c.others_lost) for c in standing.columns]
    return {
        "columns": [number for column in columns for number in column],
        "deals": standing.deals,
        "dealer": standing.dealer,
        "last_dealer": standing.last_dealer,
        "queue": (queue.bock_left, queue.ramsch_left, queue.pending, queue.grand_hands),
        "end_requested": standing.end_requested,
    }


def standing_of(row: Row, seats: int) -> Standing:
    """What `standing_row` has written.

    Args:
        row: the object.
        seats: places at the table.

    Raises:
        NotationError: something is missing, not of its kind, or not as long as it must be.
    """
    numbers = row.numbers("columns", least=-_MOST, most=_MOST)
    owed = row.numbers("queue", least=0, most=_MOST)
    if len(numbers) != _COLUMN * seats or len(owed) != len(BockQueue.__slots__):
        raise NotationError(f"field columns or queue is not that of {seats} seats")
    columns = (numbers[place : place + _COLUMN] for place in range(0, len(numbers), _COLUMN))
    return Standing(
        tuple(SeatScore(*column) for column in columns),
        row.number("deals", least=0, most=_MOST),
        row.number("dealer", least=0, most=seats - 1),
        row.number_or_none("last_dealer", most=seats - 1),
        BockQueue(*owed) if any(owed) else NOTHING_OWED,
        row.flag("end_requested"),
    )
