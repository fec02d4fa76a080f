"""Steps by which the seats of a table change hands."""

from dataclasses import replace

from skat_engine.seats import Seat
from skat_engine.series import Series
from skat_server.errors import Reason, RefusedError
from skat_server.tables import entries
from skat_server.tables.facts import SeatLeft, SeatReturned, SeatTaken, number_for
from skat_server.tables.state import ENDED, Occupant, Stage, TableConfig, TableState
from skat_server.tables.steps.dealing import deal
from skat_server.tables.steps.step import Step, require_running, require_seat, tell, with_taken_over


def first_state(config: TableConfig) -> TableState:
    """The table with those who sit there from the start."""
    seats, series = config.rules.seats, Series(config.rules, config.draw)
    return TableState(
        config.seated or (None,) * seats,
        series,
        series.next_seating(),
        taken_over=(None,) * seats,
        told=(0,) * (seats + 1),
        seated_at=(0,) * seats,
    )


def opened(config: TableConfig, state: TableState) -> Step:
    """The log begins; so does the first deal, when everybody sits there from the start."""
    entry = entries.table_opened(config)
    if None in state.occupants:
        return Step((entry,), (), state)
    follow = deal(config, state)
    return Step((entry, *follow.entries), follow.told, follow.after)


def sit(config: TableConfig, state: TableState, occupant: Occupant, seat: Seat | None) -> Step:
    """Somebody sits down; the series goes on, or begins, when no seat is free any more.

    Sitting down again on the own seat changes nothing, but gives it back to a player for whom a
    house bot plays.

    Raises:
        RefusedError: TABLE_OVER, ALREADY_SEATED, SEAT_NOT_FOUND, SEAT_TAKEN; NOT_ALLOWED for a
            player who has seen another hand of the deal under way.
    """
    held = state.seat_of(occupant.player_id)
    if held is not None and seat in {None, held}:
        return Step((), (), state) if state.stage in ENDED else give_back(state, held)
    require_running(state)
    if held is not None:
        raise RefusedError(Reason.ALREADY_SEATED, "you hold a seat at this table already")
    chosen = _free_seat(state, seat)
    _require_unseen(state, occupant.player_id, chosen)
    occupants = _with_occupant(state, chosen, occupant)
    taken, seated = tell(replace(state, occupants=occupants), SeatTaken(chosen, occupant.name))
    seated = replace(seated, seated_at=_with_seated_at(seated, chosen))
    entry = entries.seat_taken(chosen, occupant)
    if state.stage is Stage.PLAYING or None in occupants:
        follow = give_back(seated, chosen)
    else:
        follow = deal(config, seated)
    return Step((entry, *follow.entries), (taken, *follow.told), follow.after)


def give_back(state: TableState, seat: Seat) -> Step:
    """A seat for which a house bot plays is played by its player again; else nothing changes.

    Raises:
        RefusedError: TABLE_OVER.
    """
    require_running(state)
    if state.taken_over[seat] is None:
        return Step((), (), state)
    own = replace(state, taken_over=with_taken_over(state, seat, None))
    returned, after = tell(own, SeatReturned(seat))
    return Step((entries.seat_returned(seat),), (returned,), after)


def leave(state: TableState, seat: Seat) -> Step:
    """Somebody gets up; the seat's clock runs on.

    Raises:
        RefusedError: TABLE_OVER.
    """
    require_running(state)
    occupant = state.occupants[seat]
    saw = () if occupant is None or state.deal is None else ((occupant.player_id, seat),)
    empty = replace(state, occupants=_with_occupant(state, seat, None), left=(*state.left, *saw))
    left, after = tell(empty, SeatLeft(seat))
    return Step((entries.seat_left(seat),), (left,), after)


def _require_unseen(state: TableState, player_id: str, chosen: Seat) -> None:
    """Nobody sees two hands of a deal: who got up comes back to the same seat only."""
    others = [seat for holder, seat in state.left if holder == player_id and seat != chosen]
    if others:
        raise RefusedError(
            Reason.NOT_ALLOWED, f"you saw the hand of seat {others[0]}; sit there, or wait a deal"
        )


def _free_seat(state: TableState, seat: Seat | None) -> Seat:
    if seat is None:
        free = [number for number, holder in enumerate(state.occupants) if holder is None]
        if not free:
            raise RefusedError(Reason.SEAT_TAKEN, "no seat is free at this table")
        return free[0]
    require_seat(state, seat)
    if state.occupants[seat] is not None:
        raise RefusedError(Reason.SEAT_TAKEN, f"seat {seat} is taken; choose another")
    return seat


def _with_occupant(
    state: TableState, seat: Seat, occupant: Occupant | None
) -> tuple[Occupant | None, ...]:
    return (*state.occupants[:seat], occupant, *state.occupants[seat + 1 :])


def _with_seated_at(state: TableState, seat: Seat) -> tuple[int, ...]:
    number = number_for(seat, state.told)
    return (*state.seated_at[:seat], number, *state.seated_at[seat + 1 :])
