"""Steps of the deal under way: somebody acts, or gets the safe answer."""

from dataclasses import replace

from skat_engine.actions import Action
from skat_engine.deal import Deal
from skat_engine.errors import IllegalActionError
from skat_engine.events import Event
from skat_engine.records import Fault
from skat_engine.seats import POSITIONS, Position, Seat
from skat_server.errors import refused_action
from skat_server.storage.protocols import Entry
from skat_server.tables import entries
from skat_server.tables.clocks import AT_ONCE, Spent
from skat_server.tables.conduct import Conduct
from skat_server.tables.facts import (
    DecisionDefaulted,
    Fact,
    Numbers,
    SeatTakenOver,
    all_told,
    facts_of,
    has_private,
    numbers_after,
    shown_to,
)
from skat_server.tables.faults import FaultCause, FaultConsequence
from skat_server.tables.state import TableConfig, TableState, is_secret
from skat_server.tables.steps.booking import go_on
from skat_server.tables.steps.ending import close
from skat_server.tables.steps.step import Settlement, Step, Told, tell, with_taken_over


def act(
    config: TableConfig, state: TableState, position: Position, action: Action, timed: Spent | None
) -> Step:
    """Whoever plays for a position acts, for a log that is folded: it does not say who played.

    Args:
        config: what is fixed.
        state: the state before.
        position: who acts.
        action: what it does.
        timed: what it took; None where nobody was asked, out of turn.

    Raises:
        RefusedError: with the engine's reason.
    """
    seat = state.seating.active[position]
    if state.house_bot(seat) is None:
        settles = Settlement(state.turn_id(position), seat, action, timed)
        return act_as_player(config, state, position, settles)
    return act_as_house(config, state, position, action, AT_ONCE if timed is None else timed)


def act_as_player(
    config: TableConfig, state: TableState, position: Position, settles: Settlement
) -> Step:
    """A player acts; a deal that ends is booked, and the next one is dealt.

    Args:
        config: what is fixed.
        state: the state before.
        position: who acts.
        settles: what he does, and the turn that he closes with it.

    Raises:
        RefusedError: with the engine's reason.
    """
    action, spent = settles.action, AT_ONCE if settles.spent is None else settles.spent
    conduct = _conduct_after(config, state, position, spent)
    entry = entries.acted(position, action, spent)
    return go_on(config, _acted(state, (position, action), conduct, entry, spent, settles))


def act_as_house(
    config: TableConfig, state: TableState, position: Position, action: Action, spent: Spent
) -> Step:
    """A house bot acts; the same follows, but no player has closed a turn."""
    conduct = _conduct_of_the_house(state, state.seating.active[position])
    entry = entries.acted(position, action, spent)
    return go_on(config, _acted(state, (position, action), conduct, entry, spent, None))


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
    return go_on(config, _taken_over(defaulted, told) if is_exceeded else defaulted)


def _conduct_after(
    config: TableConfig, state: TableState, position: Position, spent: Spent
) -> Conduct:
    """The conduct after an action of a player's own, which need not be in turn."""
    deal = state.deal
    assert deal is not None
    if position != deal.to_act or (deal.proposal is not None and is_secret(deal)):
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
    facts = (*before, *facts_of(happened))
    numbers, turns = _counted(state, facts)
    after = TableState(
        state.occupants,
        state.series,
        state.seating,
        state.stage,
        played,
        state.actions + (move,),  # noqa: RUF005  # unpacked they would be copied twice
        turns,
        state.dealt,
        state.end_requested,
        state.left,
        state.thinks + (spent.think_ms,),  # noqa: RUF005  # as above
        state.seed,
        state.nonces,
        numbers,
        state.seated_at,
        conduct,
        state.taken_over,
        state.idle,
    )
    return Step((entry,), (Told(facts, state.seating),), after, None, settles)


def _taken_over(defaulted: Step, why: DecisionDefaulted) -> Step:
    """A house bot plays for the seat from here on."""
    state = replace(
        defaulted.after, taken_over=with_taken_over(defaulted.after, why.seat, why.cause)
    )
    told, after = tell(state, SeatTakenOver(why.seat, why.cause))
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


def _counted(state: TableState, facts: tuple[Fact, ...]) -> tuple[Numbers, tuple[int, int, int]]:
    """What everybody has been told then, and one turn more for whoever is told (R-END-5)."""
    first, second, third = state.turns
    if has_private(facts):
        numbers = numbers_after(state.told, facts, state.seating)
        forehand, middlehand, rearhand = (
            any(shown_to(fact, state.seating, seat) is not None for fact in facts)
            for seat in state.seating.active
        )
        return numbers, (first + forehand, second + middlehand, third + rearhand)
    return all_told(state.told, len(facts)), (first + 1, second + 1, third + 1)
