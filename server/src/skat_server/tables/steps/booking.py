"""What follows from an action: the result of a finished deal, and the deal after it."""

from functools import partial

from skat_engine.options import SessionEnd
from skat_engine.records import own
from skat_engine.scoring import Booking
from skat_server.storage.protocols import DealRecordLine, SeatResult
from skat_server.tables import entries
from skat_server.tables.chance import deal_id, share_in
from skat_server.tables.facts import DealBooked, numbers_after
from skat_server.tables.faults import FaultCause
from skat_server.tables.sources import BoardDeals
from skat_server.tables.state import TableConfig, TableState
from skat_server.tables.steps.dealing import deal
from skat_server.tables.steps.ending import close, finish
from skat_server.tables.steps.step import Step, Told, between_deals


def go_on(config: TableConfig, acted: Step) -> Step:
    """Add the result of a deal that is finished, and what follows from it."""
    state = acted.after
    assert state.deal is not None
    if state.deal.result is None:
        return acted
    series = state.series.copy()
    booking = series.book(state.deal.result)
    if state.end_requested:
        series.request_end()
    idle = 0 if state.conduct.is_played else state.idle + 1
    booked = Told((DealBooked(booking, _shown_seed(config, state)),), state.seating)
    # `tell` would make one state more, at the end of every deal.
    told = numbers_after(state.told, booked.facts, booked.seating)
    between = between_deals(state, series, told, idle)
    if series.is_over:
        follow = finish(between)
    elif _is_abandoned(config, between, booking):
        follow = close(between, "nobody plays here any more", _last_cause(state))
    else:
        follow = deal(config, between)
    ended = entries.deal_ended(booking, end_requested=state.end_requested)
    return Step(
        (*acted.entries, ended, *follow.entries),
        (*acted.told, booked, *follow.told),
        follow.after,
        partial(_record, config, state, booking) if booking.counts else None,
        acted.settles,
    )


def _shown_seed(config: TableConfig, state: TableState) -> bytes:
    """The seed as it is revealed with the result: not of a board that others still play."""
    return b"" if isinstance(config.source, BoardDeals) else state.seed or b""


def _is_abandoned(config: TableConfig, state: TableState, booking: Booking) -> bool:
    """Whether nobody plays at a table that would never end by itself (R10).

    It takes a whole circuit of dealers in which no player acts, so that nobody who sits out is
    overlooked. A series of so many deals is played to its end.
    """
    ends = config.rules.session_end is SessionEnd.FIXED_DEALS and booking.counts
    return state.idle >= config.rules.seats and not ends


def _last_cause(state: TableState) -> FaultCause | None:
    """Why nobody has played himself, as far as it is known."""
    causes = [fault.cause for fault in state.conduct.faults] or [
        cause for cause in state.taken_over if cause is not None
    ]
    return causes[-1] if causes else None


def _record(config: TableConfig, state: TableState, booking: Booking) -> DealRecordLine:
    assert state.deal is not None
    record = own.new_record(
        deal_id(config, state.deal_number),
        config.rules,
        [occupant.name if occupant else "" for occupant in state.occupants],
        state.seating,
        state.deal_number,
        state.deal.dealt,
        state.actions,
        booking.result,
        state.deal.occasion,
        think_ms=state.thinks,
        seed=state.seed,
        share=share_in(config, state),
        timekeeping=state.conduct.kept(config.clock),
    )
    results = tuple(
        SeatResult(seat, occupant.player_id if occupant else "", points)
        for seat, (occupant, points) in enumerate(
            zip(state.occupants, booking.changes, strict=True)
        )
    )
    return DealRecordLine(state.deal_number, own.to_json_line(record), results)
