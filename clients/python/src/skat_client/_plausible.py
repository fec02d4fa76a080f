"""What no server of ours would say: numbers that fit no table, facts that fit no deal.

Values are checked before they are folded into a sight, so that bots and displays may use every
index they are given. It is no check of the rules, which a client does not know.
"""

from typing import Final

from skat_client._decisions import (
    AnnounceOptions,
    CardOptions,
    Decision,
    ExchangeOptions,
    Options,
    RearrangeOptions,
)
from skat_client._events import DealEnded, DealStarted, Event, SeriesEnded, TrickTaken
from skat_client._sight import TableSight
from skat_client._tables import TableView
from skat_client.errors import ProtocolError

_SEAT_FIELDS: Final = ("seat", "partner", "dealer")
_PLAYERS: Final = 3
_HAND: Final = 10
_KEPT: Final = 10


def check_view(table_id: str, view: TableView) -> None:
    """See that a view is one of its table, with seats that can be counted.

    Raises:
        ProtocolError: it is not.
    """
    table = view.table
    count = len(table.seats)
    _require(table.table_id == table_id, f"the view of another table than {table_id!r}")
    _require([seat.seat for seat in table.seats] == list(range(count)), "seats out of order")
    _require(count >= _PLAYERS and len(table.totals) == count, f"a table with {count} seats")
    _require(view.seat is None or view.seat < count, f"seat {view.seat} of {count}")


def check_event(sight: TableSight, event: Event) -> None:
    """See that an event can have happened at a table of so many seats.

    Raises:
        ProtocolError: it cannot.
    """
    count = len(sight.table.seats)
    for name in _SEAT_FIELDS:
        seat = getattr(event, name, None)
        _require(seat is None or seat < count, f"seat {seat} of {count}")
    match event:
        case DealStarted():
            _check_start(event, count)
        case TrickTaken():
            _require(len(sight.deal.current_trick) == _PLAYERS, "a trick of other than 3 cards")
        case DealEnded():
            _check_end(event, count)
        case SeriesEnded(totals, places):
            _require(len(totals) == len(places) == count, "totals that are not one a seat")
        case _:
            pass


def check_decision(sight: TableSight, decision: Decision) -> None:
    """See that a question is one for the viewer, and can be answered.

    Raises:
        ProtocolError: it cannot.
    """
    _require(decision.seat == sight.seat, f"a question to seat {decision.seat}")
    _require(_has_answers(decision.options), f"a question without answers: {decision.options}")


def _check_start(event: DealStarted, count: int) -> None:
    active = set(event.active_seats)
    _require(len(event.active_seats) == len(active) == _PLAYERS, "a deal of other than 3 players")
    _require(all(seat < count for seat in active.union(event.sitting_out)), "a seat that is none")
    _require(event.deal_number > 0, "a deal without a number")
    _require(not event.hand or len(set(event.hand)) == _HAND, "a hand of other than 10 cards")


def _check_end(event: DealEnded, count: int) -> None:
    result = event.result
    booked = (event.changes, event.totals, result.scores)
    _require(all(len(numbers) == count for numbers in booked), "scores that are not one a seat")
    _require(len(result.tricks) == _PLAYERS, "tricks of other than 3 players")
    if result.game is not None:
        _require(result.game.seat < count, "a declarer who sits nowhere")
    if result.ramsch is not None:
        _require(len(result.ramsch.points) == _PLAYERS, "card points of other than 3 players")


def _has_answers(options: Options) -> bool:
    match options:
        case CardOptions(cards):
            return bool(cards)
        case AnnounceOptions(contracts, count, discardable):
            return bool(contracts) and count <= len(set(discardable))
        case ExchangeOptions(may_pick_up, count, cards):
            return may_pick_up or 0 < count <= len(set(cards))
        case RearrangeOptions(cards):
            return len(set(cards)) >= _KEPT
        case _:
            return True


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise ProtocolError(f"the server sent {what}")
