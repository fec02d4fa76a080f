"""Steps that end a table: its series is over, or somebody closes it."""

from dataclasses import replace

from skat_engine.seats import Seat
from skat_engine.series import ENDS_ON_REQUEST
from skat_server.errors import Reason, RefusedError
from skat_server.tables import entries
from skat_server.tables.facts import EndRequested, SeriesEnded, TableClosed
from skat_server.tables.faults import FaultCause
from skat_server.tables.state import Stage, TableConfig, TableState
from skat_server.tables.steps.step import Step, require_running, require_seat, tell, without_deal


def request_end(config: TableConfig, state: TableState, player_id: str) -> Step:
    """Somebody asks for the end of a series that has no other (R-TAB-4).

    It ends after the deal under way, or after the circuit of dealers under way where the rules
    want that. A table at which no deal has begun ends at once. Asking again changes nothing.

    Raises:
        RefusedError: TABLE_OVER; NOT_ALLOWED when the series ends by itself, or for somebody who
            neither sits at the table nor owns it.
    """
    require_running(state)
    seat = state.seat_of(player_id)
    if seat is None and player_id != config.owner_id:
        raise RefusedError(Reason.NOT_ALLOWED, "only players and the owner may end a series")
    if config.rules.session_end not in ENDS_ON_REQUEST:
        end = config.rules.session_end.value
        raise RefusedError(Reason.NOT_ALLOWED, f"the series ends by itself (session_end={end})")
    if state.end_requested:
        return Step((), (), state)
    asked, requested = tell(replace(state, end_requested=True), EndRequested(seat))
    entry = entries.end_requested(seat)
    if state.stage is Stage.PLAYING:
        return Step((entry,), (asked,), requested)
    finished = finish(requested)
    return Step((entry, *finished.entries), (asked, *finished.told), finished.after)


def close_by(config: TableConfig, state: TableState, player_id: str) -> Step:
    """A player ends the table here.

    Raises:
        RefusedError: NOT_ALLOWED for anybody but the owner; TABLE_OVER.
    """
    if player_id != config.owner_id:
        raise RefusedError(Reason.NOT_ALLOWED, "only who made a table may close it")
    return close(state, "closed by its owner")


def close(
    state: TableState, reason: str, cause: FaultCause | None = None, seat: Seat | None = None
) -> Step:
    """The table ends here; a deal under way is dropped.

    Args:
        state: the state before.
        reason: why, for people.
        cause: why, where a fault is the reason.
        seat: whose fault it is, if anybody's.

    Raises:
        RefusedError: TABLE_OVER when it had ended before; SEAT_NOT_FOUND.
    """
    require_running(state)
    if seat is not None:
        require_seat(state, seat)
    closed, after = tell(
        replace(without_deal(state), stage=Stage.CLOSED), TableClosed(reason, cause, seat)
    )
    return Step((entries.table_closed(reason, cause, seat),), (closed,), after)


def finish(state: TableState) -> Step:
    """End the series."""
    sheet = state.series.sheet
    place_of: dict[Seat, int] = {}
    for group in sheet.ranking():
        place = len(place_of) + 1
        place_of.update(dict.fromkeys(group, place))
    places = tuple(place_of[seat] for seat in range(len(state.occupants)))
    ended, after = tell(replace(state, stage=Stage.FINISHED), SeriesEnded(sheet.totals, places))
    return Step((), (ended,), after)
