"""The steps a table can take: pure functions from a state to the next one.

A step names what goes into the log, what the viewers are told, and the state after it. Nothing
of it counts until the store has kept it.
"""

from dataclasses import dataclass, replace

from skat_engine.actions import Action
from skat_engine.deal import Deal
from skat_engine.errors import IllegalActionError
from skat_engine.events import Event
from skat_engine.records import own
from skat_engine.scoring import Booking
from skat_engine.seats import Position, Seat, Seating
from skat_engine.series import ENDS_ON_REQUEST, Series
from skat_server.errors import Reason, RefusedError, refused_action
from skat_server.storage.protocols import DealRecordLine, Entry, SeatResult
from skat_server.tables import entries
from skat_server.tables.chance import bound, deal_id, share_in
from skat_server.tables.facts import (
    PRIVATE,
    DealBooked,
    DealStarted,
    EndRequested,
    Fact,
    SeatLeft,
    SeatTaken,
    SeriesEnded,
    TableClosed,
    fact_of,
    number_for,
    numbers_after,
    shown_to,
)
from skat_server.tables.state import (
    ENDED,
    NO_TURNS,
    Occupant,
    Stage,
    TableConfig,
    TableState,
    house_occupant,
)


@dataclass(frozen=True, slots=True)
class Told:
    """Facts that share a seating."""

    facts: tuple[Fact, ...]
    seating: Seating


@dataclass(frozen=True, slots=True)
class Settlement:
    """An accepted action closes a turn."""

    turn_id: str
    seat: Seat
    action: Action


@dataclass(frozen=True, slots=True)
class Step:
    """One change of a table, to be kept as a whole or not at all."""

    entries: tuple[Entry, ...]
    told: tuple[Told, ...]
    after: TableState
    record: DealRecordLine | None = None
    """Of the deal that the step ends."""
    settles: Settlement | None = None
    """The turn that the step closes."""


def first_state(config: TableConfig) -> TableState:
    """The table with all seats free."""
    seats, series = config.rules.seats, Series(config.rules, config.draw)
    return TableState(
        _first_occupants(config),
        series,
        series.next_seating(),
        taken_over=(None,) * seats,
        told=(0,) * (seats + 1),
        seated_at=(0,) * seats,
    )


def opened(config: TableConfig, state: TableState) -> Step:
    """The log begins."""
    return Step((entries.table_opened(config),), (), state)


def _first_occupants(config: TableConfig) -> tuple[Occupant | None, ...]:
    """House bots on the highest seats, nobody on the others."""
    house = tuple(house_occupant(bot) for bot in config.house)
    return ((None,) * (config.rules.seats - len(house))) + house


def sit(config: TableConfig, state: TableState, occupant: Occupant, seat: Seat | None) -> Step:
    """Somebody sits down; the series goes on, or begins, when no seat is free any more.

    Sitting down again on the own seat changes nothing.

    Raises:
        RefusedError: TABLE_OVER, ALREADY_SEATED, SEAT_NOT_FOUND, SEAT_TAKEN; NOT_ALLOWED for a
            player who has seen another hand of the deal under way.
    """
    held = state.seat_of(occupant.player_id)
    if held is not None and seat in {None, held}:
        return Step((), (), state)
    _require_running(state)
    if held is not None:
        raise RefusedError(Reason.ALREADY_SEATED, "you hold a seat at this table already")
    chosen = _free_seat(state, seat)
    _require_unseen(state, occupant.player_id, chosen)
    occupants = _with_occupant(state, chosen, occupant)
    taken, seated = _tell(replace(state, occupants=occupants), SeatTaken(chosen, occupant.name))
    seated = replace(seated, seated_at=_with_seated_at(seated, chosen))
    entry = entries.seat_taken(chosen, occupant)
    if state.stage is Stage.PLAYING or None in occupants:
        return Step((entry,), (taken,), seated)
    dealing = deal(config, seated)
    return Step((entry, *dealing.entries), (taken, *dealing.told), dealing.after)


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
    if seat >= len(state.occupants):
        last = len(state.occupants) - 1
        raise RefusedError(Reason.SEAT_NOT_FOUND, f"there is no seat {seat}; use 0 to {last}")
    if state.occupants[seat] is not None:
        raise RefusedError(Reason.SEAT_TAKEN, f"seat {seat} is taken; choose another")
    return seat


def leave(state: TableState, seat: Seat) -> Step:
    """Somebody gets up; play waits at the seat.

    Raises:
        RefusedError: TABLE_OVER.
    """
    _require_running(state)
    occupant = state.occupants[seat]
    saw = () if occupant is None or state.deal is None else ((occupant.player_id, seat),)
    empty = replace(state, occupants=_with_occupant(state, seat, None), left=(*state.left, *saw))
    left, after = _tell(empty, SeatLeft(seat))
    return Step((entries.seat_left(seat),), (left,), after)


def request_end(config: TableConfig, state: TableState, player_id: str) -> Step:
    """Somebody asks for the end of a series that has no other (R-TAB-4).

    It ends after the deal under way, or after the circuit of dealers under way where the rules
    want that. A table at which no deal has begun ends at once. Asking again changes nothing.

    Raises:
        RefusedError: TABLE_OVER; NOT_ALLOWED when the series ends by itself, or for somebody who
            neither sits at the table nor owns it.
    """
    _require_running(state)
    seat = state.seat_of(player_id)
    if seat is None and player_id != config.owner_id:
        raise RefusedError(Reason.NOT_ALLOWED, "only players and the owner may end a series")
    if config.rules.session_end not in ENDS_ON_REQUEST:
        end = config.rules.session_end.value
        raise RefusedError(Reason.NOT_ALLOWED, f"the series ends by itself (session_end={end})")
    if state.end_requested:
        return Step((), (), state)
    asked, requested = _tell(replace(state, end_requested=True), EndRequested(seat))
    entry = entries.end_requested(seat)
    if state.stage is Stage.PLAYING:
        return Step((entry,), (asked,), requested)
    finish = _finish(requested)
    return Step((entry, *finish.entries), (asked, *finish.told), finish.after)


def close_by(config: TableConfig, state: TableState, player_id: str) -> Step:
    """A player ends the table here.

    Raises:
        RefusedError: NOT_ALLOWED for anybody but the owner; TABLE_OVER.
    """
    if player_id != config.owner_id:
        raise RefusedError(Reason.NOT_ALLOWED, "only who made a table may close it")
    return close(state, "closed by its owner")


def close(state: TableState, reason: str) -> Step:
    """The table ends here; a deal under way is dropped.

    Raises:
        RefusedError: TABLE_OVER when it had ended before.
    """
    _require_running(state)
    closed, after = _tell(replace(_without_deal(state), stage=Stage.CLOSED), TableClosed(reason))
    return Step((entries.table_closed(reason),), (closed,), after)


def act(
    config: TableConfig, state: TableState, position: Position, action: Action, think_ms: int
) -> Step:
    """A player acts; a deal that ends is booked, and the next one is dealt.

    Args:
        config: what is fixed.
        state: the state before.
        position: who acts.
        action: what it does.
        think_ms: how long it took, 0 for an action out of turn.

    Raises:
        RefusedError: with the engine's reason.
    """
    assert state.deal is not None
    played = state.deal.copy()
    happened = applied(played, position, action)
    facts = tuple(fact for event in happened if (fact := fact_of(event)) is not None)
    actions = (*state.actions, (position, action))
    after = TableState(
        state.occupants,
        state.series,
        state.seating,
        state.stage,
        played,
        actions,
        _turns_after(state, facts),
        state.dealt,
        state.end_requested,
        state.left,
        (*state.thinks, think_ms),
        state.seed,
        state.nonces,
        numbers_after(state.told, facts, state.seating),
        state.seated_at,
        state.conduct,
        state.taken_over,
        state.idle,
    )
    acted = Step(
        (entries.acted(position, action, think_ms),),
        (Told(facts, state.seating),),
        after,
        settles=Settlement(state.turn_id(position), state.seating.active[position], action),
    )
    return _book(config, acted) if played.is_over else acted


def applied(deal: Deal, position: Position, action: Action) -> list[Event]:
    """What follows from an action; the deal is changed.

    Raises:
        RefusedError: with the engine's reason; nothing has changed.
    """
    try:
        return deal.apply(position, action)
    except IllegalActionError as error:
        raise refused_action(error) from error


def _turns_after(state: TableState, facts: tuple[Fact, ...]) -> tuple[int, int, int]:
    """One turn more for every position that is told something (R-END-5)."""
    forehand, middlehand, rearhand = state.turns
    if not any(isinstance(fact, PRIVATE) for fact in facts):
        return forehand + 1, middlehand + 1, rearhand + 1
    first, second, third = (
        any(shown_to(fact, state.seating, seat) is not None for fact in facts)
        for seat in state.seating.active
    )
    return forehand + first, middlehand + second, rearhand + third


def _book(config: TableConfig, acted: Step) -> Step:
    """Add the result of the finished deal, and what follows from it."""
    state = acted.after
    assert state.deal is not None
    assert state.deal.result is not None
    series = state.series.copy()
    booking = series.book(state.deal.result)
    if state.end_requested:
        series.request_end()
    between = replace(_without_deal(state), series=series, left=())
    booked, between = _tell(between, DealBooked(booking, state.seed or b""))
    follow = _finish(between) if series.is_over else deal(config, between)
    ended = entries.deal_ended(booking, end_requested=state.end_requested)
    return Step(
        (*acted.entries, ended, *follow.entries),
        (*acted.told, booked, *follow.told),
        follow.after,
        _record(config, state, booking) if booking.counts else None,
        acted.settles,
    )


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
    )
    results = tuple(
        SeatResult(seat, occupant.player_id if occupant else "", points)
        for seat, (occupant, points) in enumerate(
            zip(state.occupants, booking.changes, strict=True)
        )
    )
    return DealRecordLine(state.deal_number, own.to_json_line(record), results)


def deal(config: TableConfig, state: TableState) -> Step:
    """Deal the next cards; a void deal is followed by others under its number."""
    number, count = state.deal_number, state.dealt + 1
    seating, occasion = state.series.next_seating(), state.series.next_occasion()
    nonces = tuple(occupant.nonce if occupant else b"" for occupant in state.occupants)
    dealing = config.source.dealt(count, nonces)
    dealt = replace(
        _without_deal(state),
        seating=seating,
        stage=Stage.PLAYING,
        deal=Deal(config.rules, dealing.dealt, occasion),
        dealt=count,
        seed=dealing.seed,
        nonces=dealing.nonces,
    )
    name, commitment = deal_id(config, number), bound(config, number, dealing)
    started, after = _tell(dealt, DealStarted(number, dealing.dealt, occasion, name, commitment))
    return Step((entries.deal_started(state, seating, dealing),), (started,), after)


def _without_deal(state: TableState) -> TableState:
    return replace(state, deal=None, actions=(), thinks=(), turns=NO_TURNS, seed=None, nonces=None)


def _tell(state: TableState, *facts: Fact) -> tuple[Told, TableState]:
    """These facts, and the state in which they are told."""
    after = replace(state, told=numbers_after(state.told, facts, state.seating))
    return Told(facts, state.seating), after


def _finish(state: TableState) -> Step:
    """End the series."""
    sheet = state.series.sheet
    place_of: dict[Seat, int] = {}
    for group in sheet.ranking():
        place = len(place_of) + 1
        place_of.update(dict.fromkeys(group, place))
    places = tuple(place_of[seat] for seat in range(len(state.occupants)))
    ended, after = _tell(replace(state, stage=Stage.FINISHED), SeriesEnded(sheet.totals, places))
    return Step((), (ended,), after)


def _with_occupant(
    state: TableState, seat: Seat, occupant: Occupant | None
) -> tuple[Occupant | None, ...]:
    return (*state.occupants[:seat], occupant, *state.occupants[seat + 1 :])


def _with_seated_at(state: TableState, seat: Seat) -> tuple[int, ...]:
    number = number_for(seat, state.told)
    return (*state.seated_at[:seat], number, *state.seated_at[seat + 1 :])


def _require_running(state: TableState) -> None:
    if state.stage in ENDED:
        raise RefusedError(Reason.TABLE_OVER, f"the table is {state.stage.value}")
