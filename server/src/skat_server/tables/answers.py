"""What players answer and propose: who may, what it took, and which turns it has settled."""

from collections import Counter
from dataclasses import replace

from skat_engine.actions import Action, GiveUp, LayOpen, SayKontra
from skat_engine.seats import Position, Seat
from skat_server.clock import Clock
from skat_server.errors import Reason, RefusedError
from skat_server.tables import steps
from skat_server.tables.asking import Asking
from skat_server.tables.faults import FaultCause
from skat_server.tables.log import FactLog
from skat_server.tables.state import Occupant, TableConfig, TableState
from skat_server.tables.steps import Settlement, Step
from skat_server.tables.timing import Timing
from skat_server.tables.turns import (
    TurnHiddenError,
    position_to_answer,
    require_holder,
    require_own_play,
    require_uninterrupted,
)


class Answers:
    """Makes steps of the actions of players.

    Attributes:
        settled: the turns that players have closed in the deal under way, by seat and turn.
        settled_before: those of the deal before.
    """

    __slots__ = (
        "_asking",
        "_clock",
        "_config",
        "_log",
        "_strikes",
        "_timing",
        "settled",
        "settled_before",
    )

    def __init__(
        self, config: TableConfig, asking: Asking, timing: Timing, log: FactLog, clock: Clock
    ) -> None:
        """Start with nothing settled.

        Args:
            config: what is fixed.
            asking: knows who is asked.
            timing: knows what his answer takes.
            log: knows what everybody has been told.
            clock: tells when an illegal answer was one too many.
        """
        self._config = config
        self._asking = asking
        self._timing = timing
        self._log = log
        self._clock = clock
        self._strikes: Counter[tuple[Seat, str]] = Counter()
        """Illegal answers to each decision of the deal."""
        self.settled: dict[tuple[Seat, str], Settlement] = {}
        self.settled_before: dict[tuple[Seat, str], Settlement] = {}

    def answer(  # noqa: PLR0913, PLR0917  # an answer as it came, and the state that it finds
        self,
        seat: Seat,
        holder: Occupant | None,
        turn_id: str,
        action: Action,
        received: float,
        state: TableState,
    ) -> Step:
        """Answer the open decision of a seat.

        Args:
            seat: who answers.
            holder: who sat there when the answer came.
            turn_id: which decision.
            action: what.
            received: when, by the monotonic clock.
            state: the state before.

        Raises:
            RefusedError: NOT_SEATED, the turn is not open, or the action is illegal.
            TurnHiddenError: its turn comes after the next step.
        """
        require_holder(state, seat, holder)
        position = self._asking.asked(seat, turn_id)
        if position is None:
            return self._answered_unasked(seat, turn_id, action, received, state)
        try:
            settles = Settlement(turn_id, seat, action, self._timing.spent(seat, received))
            return steps.act_as_player(self._config, state, position, settles)
        except RefusedError as refusal:
            return self._struck(state, position, turn_id, refusal)

    def _answered_unasked(
        self, seat: Seat, turn_id: str, action: Action, received: float, state: TableState
    ) -> Step:
        """The step of an answer to another turn than the one that is open, or to a house bot's.

        Raises:
            RefusedError: the turn is not open, or the action is illegal.
            TurnHiddenError: its turn comes after the next step.
        """
        if self.has_settled(seat, turn_id, action):
            return Step((), (), state)  # it has waited behind its twin
        position = position_to_answer(state, seat, turn_id)
        try:
            require_uninterrupted(state, position, action)
            return self._acted(state, position, action, received)
        except RefusedError as refusal:
            return self._struck(state, position, turn_id, refusal)

    def propose(  # noqa: PLR0913, PLR0917  # as `answer`
        self,
        seat: Seat,
        holder: Occupant | None,
        last_sequence: int,
        action: Action,
        received: float,
        state: TableState,
    ) -> Step:
        """Propose to end the deal, or say Kontra, in or out of turn.

        Args:
            seat: who proposes.
            holder: who sat there when the proposal came.
            last_sequence: of the last fact that he has seen.
            action: what.
            received: when, by the monotonic clock.
            state: the state before.

        Raises:
            RefusedError: NOT_SEATED, WRONG_PHASE, STALE_TURN, STALE_SEQUENCE, or the action is
                illegal.
            TurnHiddenError: its turn comes after the next step.
        """
        require_holder(state, seat, holder)
        position = state.seating.position_of(seat)
        if state.deal is None or position is None:
            raise RefusedError(Reason.WRONG_PHASE, "you play in no deal now")
        if not isinstance(action, GiveUp | LayOpen | SayKontra):
            raise RefusedError(Reason.STALE_TURN, f"{action} needs the turn_id of a decision")
        if last_sequence != self._log.last(seat):
            raise RefusedError(
                Reason.STALE_SEQUENCE, "more has happened at the table; read it and decide anew"
            )
        require_own_play(state, seat)
        require_uninterrupted(state, position, action)
        return self._acted(state, position, action, received)

    def has_settled(self, seat: Seat, turn_id: str, action: Action) -> bool:
        """Whether this very action of this seat closed the turn, in this deal or the last."""
        key = (seat, turn_id)
        settled = self.settled.get(key) or self.settled_before.get(key)
        return settled is not None and settled.action == action

    def settle(self, settlement: Settlement) -> None:
        """Remember that a turn is closed."""
        self.settled[settlement.seat, settlement.turn_id] = settlement

    def begin_deal(self) -> None:
        """Forget what was before the last deal."""
        self.settled, self.settled_before = {}, self.settled
        self._strikes.clear()

    def _acted(
        self, state: TableState, position: Position, action: Action, received: float
    ) -> Step:
        """The step of an action that was received at this moment."""
        seat, decision = state.seating.active[position], self._asking.decision
        is_asked = decision is not None and decision.seat == seat
        spent = self._timing.spent(seat, received) if is_asked else None
        settles = Settlement(state.turn_id(position), seat, action, spent)
        return steps.act_as_player(self._config, state, position, settles)

    def _struck(
        self, state: TableState, position: Position, turn_id: str, refusal: RefusedError
    ) -> Step:
        """The step that an illegal answer brings about, if it is one too many.

        Raises:
            RefusedError: it is not.
            TurnHiddenError: it is, and its turn comes after the next step.
        """
        assert state.deal is not None
        seat = state.seating.active[position]
        self._strikes[seat, turn_id] += 1
        if self._strikes[seat, turn_id] <= self._config.faults.illegal_actions:
            raise refusal
        if state.deal.known_to(position) is not state.deal:
            raise TurnHiddenError(seat)
        spent = self._timing.spent(seat, self._clock.monotonic())
        step = steps.default(self._config, state, FaultCause.ILLEGAL_ACTIONS, spent)
        message = f"{refusal}; that was one illegal action too many"
        return replace(step, refusal=RefusedError(Reason.TOO_MANY_ILLEGAL, message))
