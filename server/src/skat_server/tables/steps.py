"""The steps a table can take: pure functions from a state to the next one.

A step names what goes into the log, what the viewers are told, and the state after it. Nothing
of it counts until the store has kept it.
"""

from dataclasses import dataclass, replace

from skat_engine.actions import Action
from skat_engine.deal import Deal
from skat_engine.errors import IllegalActionError
from skat_engine.events import Event
from skat_engine.options import SessionEnd
from skat_engine.records import Fault, own
from skat_engine.scoring import Booking
from skat_engine.seats import POSITIONS, Position, Seat, Seating
from skat_engine.series import ENDS_ON_REQUEST, Series
from skat_server.errors import Reason, RefusedError, refused_action
from skat_server.storage.protocols import DealRecordLine, Entry, SeatResult
from skat_server.tables import entries
from skat_server.tables.chance import bound, deal_id, share_in
from skat_server.tables.clocks import Spent
from skat_server.tables.conduct import Conduct
from skat_server.tables.facts import (
    DealBooked,
    DealStarted,
    DealVoided,
    DecisionDefaulted,
    EndRequested,
    Fact,
    SeatLeft,
    SeatReturned,
    SeatTaken,
    SeatTakenOver,
    SeriesEnded,
    TableClosed,
    fact_of,
    has_private,
    number_for,
    numbers_after,
    shown_to,
)
from skat_server.tables.faults import FaultCause, FaultConsequence
from skat_server.tables.state import (
    ENDED,
    NO_CONDUCT,
    NO_TURNS,
    Occupant,
    Stage,
    TableConfig,
    TableState,
    house_occupant,
    is_secret,
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
    """The turn that a player closes with the step. He closes none where a house bot or the table
    answers for him: an answer of his that comes later is stale, whatever it says."""
    refusal: RefusedError | None = None
    """What whoever asked for it is told all the same, once it is kept."""


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

    Sitting down again on the own seat changes nothing, but gives it back to a player for whom a
    house bot plays.

    Raises:
        RefusedError: TABLE_OVER, ALREADY_SEATED, SEAT_NOT_FOUND, SEAT_TAKEN; NOT_ALLOWED for a
            player who has seen another hand of the deal under way.
    """
    held = state.seat_of(occupant.player_id)
    if held is not None and seat in {None, held}:
        return Step((), (), state) if state.stage in ENDED else give_back(state, held)
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
        follow = give_back(seated, chosen)
    else:
        follow = deal(config, seated)
    return Step((entry, *follow.entries), (taken, *follow.told), follow.after)


def give_back(state: TableState, seat: Seat) -> Step:
    """A seat for which a house bot plays is played by its player again; else nothing changes.

    Raises:
        RefusedError: TABLE_OVER.
    """
    _require_running(state)
    if state.taken_over[seat] is None:
        return Step((), (), state)
    own = replace(state, taken_over=_with_taken_over(state, seat, None))
    returned, after = _tell(own, SeatReturned(seat))
    return Step((entries.seat_returned(seat),), (returned,), after)


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
    _require_seat(state, seat)
    if state.occupants[seat] is not None:
        raise RefusedError(Reason.SEAT_TAKEN, f"seat {seat} is taken; choose another")
    return seat


def _require_seat(state: TableState, seat: Seat) -> None:
    if seat >= len(state.occupants):
        last = len(state.occupants) - 1
        raise RefusedError(Reason.SEAT_NOT_FOUND, f"there is no seat {seat}; use 0 to {last}")


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
    _require_running(state)
    if seat is not None:
        _require_seat(state, seat)
    closed, after = _tell(
        replace(_without_deal(state), stage=Stage.CLOSED), TableClosed(reason, cause, seat)
    )
    return Step((entries.table_closed(reason, cause, seat),), (closed,), after)


def void_deal(config: TableConfig, state: TableState, reason: str) -> Step:
    """Drop the deal under way and deal its number anew.

    Raises:
        RefusedError: TABLE_OVER; WRONG_PHASE when no deal is under way.
    """
    _require_running(state)
    if state.deal is None:
        raise RefusedError(Reason.WRONG_PHASE, "no deal is under way at this table")
    voided, between = _tell(replace(_without_deal(state), left=()), DealVoided(reason))
    dealing = deal(config, between)
    return Step(
        (entries.deal_voided(reason), *dealing.entries), (voided, *dealing.told), dealing.after
    )


def act(
    config: TableConfig, state: TableState, position: Position, action: Action, spent: Spent
) -> Step:
    """A player acts; a deal that ends is booked, and the next one is dealt.

    Args:
        config: what is fixed.
        state: the state before.
        position: who acts.
        action: what it does.
        spent: what it took, nothing for an action out of turn.

    Raises:
        RefusedError: with the engine's reason.
    """
    seat, entry = state.seating.active[position], entries.acted(position, action, spent)
    if state.house_bot(seat) is None:
        conduct = _conduct_after(config, state, position, spent)
        settles = Settlement(state.turn_id(position), seat, action)
    else:
        conduct, settles = _conduct_of_the_house(state, seat), None
    return _go_on(config, _acted(state, (position, action), conduct, entry, spent, settles))


def default(config: TableConfig, state: TableState, cause: FaultCause, spent: Spent) -> Step:
    """The open decision gets its safe answer, or the seat what its faults bring upon it.

    Args:
        config: what is fixed.
        state: the state before; a decision is open in it.
        cause: why the seat does not answer itself.
        spent: how long the decision was open.
    """
    assert state.deal is not None
    position = state.deal.to_act
    assert position is not None
    seat, secret = state.seating.active[position], is_secret(state.deal)
    fault = Fault(len(state.actions), seat, cause)
    conduct = state.conduct.defaulted(config.clock, position, fault, spent, secret=secret)
    faults = conduct.accounts[position].safe_answers
    is_exceeded = not secret and config.faults.is_exceeded(faults, cause)
    if is_exceeded and config.faults.consequence is FaultConsequence.FORFEIT:
        return close(state, f"seat {seat} forfeits", cause, seat)
    action = state.deal.legal(position)[0]
    entry = entries.decision_defaulted(position, action, cause, spent)
    told = DecisionDefaulted(seat, cause, _who_know(state.deal) if secret else None)
    defaulted = _acted(state, (position, action), conduct, entry, spent, None, told)
    return _go_on(config, _taken_over(defaulted, told) if is_exceeded else defaulted)


def _conduct_after(
    config: TableConfig, state: TableState, position: Position, spent: Spent
) -> Conduct:
    """The conduct after an action of a player's own, which need not be in turn."""
    assert state.deal is not None
    if position != state.deal.to_act or is_secret(state.deal):
        return state.conduct.interjected()
    return state.conduct.answered(config.clock, position, len(state.actions), spent)


def _conduct_of_the_house(state: TableState, seat: Seat) -> Conduct:
    """The conduct after an action of a house bot, which may stand in for a player."""
    if state.taken_over[seat] is None:
        return state.conduct
    return state.conduct.stood_in(len(state.actions))


def _acted(  # noqa: PLR0913, PLR0917  # an action with all that goes with it
    state: TableState,
    move: tuple[Position, Action],
    conduct: Conduct,
    entry: Entry,
    spent: Spent,
    settles: Settlement | None,
    *before: Fact,
) -> Step:
    """The step of an action alone, whatever follows from it for the table.

    Args:
        state: the state before.
        move: who does what.
        conduct: how everybody has behaved with it.
        entry: what the log says of it.
        spent: what it took.
        settles: the turn that a player closes with it.
        before: facts that are told before those of the action.

    Raises:
        RefusedError: with the engine's reason.
    """
    assert state.deal is not None
    position, action = move
    played = state.deal.copy()
    happened = applied(played, position, action)
    told = [fact for event in happened if (fact := fact_of(event)) is not None]
    facts = (*before, *told)
    after = TableState(
        state.occupants,
        state.series,
        state.seating,
        state.stage,
        played,
        (*state.actions, move),
        _turns_after(state, facts),
        state.dealt,
        state.end_requested,
        state.left,
        (*state.thinks, spent.think_ms),
        state.seed,
        state.nonces,
        numbers_after(state.told, facts, state.seating),
        state.seated_at,
        conduct,
        state.taken_over,
        state.idle,
    )
    return Step((entry,), (Told(facts, state.seating),), after, settles=settles)


def _taken_over(defaulted: Step, why: DecisionDefaulted) -> Step:
    """A house bot plays for the seat from here on."""
    state = replace(
        defaulted.after, taken_over=_with_taken_over(defaulted.after, why.seat, why.cause)
    )
    told, after = _tell(state, SeatTakenOver(why.seat, why.cause))
    return replace(
        defaulted,
        entries=(*defaulted.entries, entries.seat_taken_over(why.seat, why.cause)),
        told=(*defaulted.told, told),
        after=after,
    )


def _who_know(deal: Deal) -> tuple[Position, ...]:
    """The positions that may know what is asked."""
    return tuple(position for position in POSITIONS if deal.known_to(position) is deal)


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
    if not has_private(facts):
        return forehand + 1, middlehand + 1, rearhand + 1
    first, second, third = (
        any(shown_to(fact, state.seating, seat) is not None for fact in facts)
        for seat in state.seating.active
    )
    return forehand + first, middlehand + second, rearhand + third


def _go_on(config: TableConfig, acted: Step) -> Step:
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
    between = replace(_without_deal(state), series=series, left=(), idle=idle)
    booked, between = _tell(between, DealBooked(booking, state.seed or b""))
    if series.is_over:
        follow = _finish(between)
    elif _is_abandoned(config, between, booking):
        follow = close(between, "nobody plays here any more", _last_cause(state))
    else:
        follow = deal(config, between)
    ended = entries.deal_ended(booking, end_requested=state.end_requested)
    return Step(
        (*acted.entries, ended, *follow.entries),
        (*acted.told, booked, *follow.told),
        follow.after,
        _record(config, state, booking) if booking.counts else None,
        acted.settles,
    )


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
        conduct=Conduct.at_the_start(config.clock),
    )
    name, commitment = deal_id(config, number), bound(config, number, dealing)
    started, after = _tell(dealt, DealStarted(number, dealing.dealt, occasion, name, commitment))
    return Step((entries.deal_started(state, seating, dealing),), (started,), after)


def _without_deal(state: TableState) -> TableState:
    return replace(
        state,
        deal=None,
        actions=(),
        thinks=(),
        turns=NO_TURNS,
        seed=None,
        nonces=None,
        conduct=NO_CONDUCT,
    )


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


def _with_taken_over(
    state: TableState, seat: Seat, cause: FaultCause | None
) -> tuple[FaultCause | None, ...]:
    return (*state.taken_over[:seat], cause, *state.taken_over[seat + 1 :])


def _with_seated_at(state: TableState, seat: Seat) -> tuple[int, ...]:
    number = number_for(seat, state.told)
    return (*state.seated_at[:seat], number, *state.seated_at[seat + 1 :])


def _require_running(state: TableState) -> None:
    if state.stage in ENDED:
        raise RefusedError(Reason.TABLE_OVER, f"the table is {state.stage.value}")
