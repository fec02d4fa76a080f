"""Whose turn it is, for all that a seat knows (R-END-5)."""

from skat_engine.actions import Action
from skat_engine.seats import Position, Seat
from skat_server.errors import Reason, RefusedError, quoted
from skat_server.tables import steps
from skat_server.tables.state import Occupant, TableState


class TurnHiddenError(Exception):
    """A player acts while somebody is asked something of which he may not know.

    Attributes:
        seat: of the player.
    """

    def __init__(self, seat: Seat) -> None:
        """Keep whose action it is."""
        super().__init__()
        self.seat = seat


def position_to_answer(state: TableState, seat: Seat, turn_id: str) -> Position:
    """The position of a seat that has the decision of this id, for all that it knows.

    Raises:
        RefusedError: STALE_TURN, also for a player for whom a house bot plays; NOT_YOUR_TURN.
    """
    position = state.seating.position_of(seat)
    # Seats count their turns apart: of an id only whose it could be may be told (R-END-5).
    if state.deal is None or position is None or turn_id != state.turn_id(position):
        raise RefusedError(Reason.STALE_TURN, f"turn {quoted(turn_id)} is not open; read on")
    if state.deal.known_to(position).to_act != position:
        raise RefusedError(Reason.NOT_YOUR_TURN, f"turn {quoted(turn_id)} is another seat's")
    require_own_play(state, seat)
    return position


def require_own_play(state: TableState, seat: Seat) -> None:
    """Refuse players for whom a house bot plays.

    Raises:
        RefusedError: STALE_TURN.
    """
    if state.house_bot(seat) is not None:
        raise RefusedError(Reason.STALE_TURN, "a house bot plays for you; take your seat again")


def require_uninterrupted(state: TableState, position: Position, action: Action) -> None:
    """Let an action wait that must not learn why it cannot be taken now (R-END-5).

    What would be refused anyway is refused at once, as it always is.

    Raises:
        RefusedError: the action is illegal for all that the position knows.
        TurnHiddenError: the command is tried again after the next step.
    """
    assert state.deal is not None
    known = state.deal.known_to(position)
    if known is state.deal:
        return
    steps.applied(known, position, action)
    raise TurnHiddenError(state.seating.active[position])


def require_holder(state: TableState, seat: Seat, holder: Occupant | None) -> None:
    """Nobody acts for a seat that he has left while his action waited.

    Raises:
        RefusedError: NOT_SEATED.
    """
    now = state.occupants[seat]
    if holder is not None and (now is None or now.player_id != holder.player_id):
        raise RefusedError(Reason.NOT_SEATED, f"you have left seat {seat}")


def own_seat(state: TableState, player_id: str) -> Seat:
    """The seat of a player.

    Raises:
        RefusedError: NOT_SEATED.
    """
    seat = state.seat_of(player_id)
    if seat is None:
        raise RefusedError(Reason.NOT_SEATED, "you hold no seat at this table")
    return seat
